//! The referee's side: a game between two programs.

mod ending;
mod opening;
mod options;
mod seat;

use alloc::{
    collections::VecDeque,
    format,
    string::{String, ToString as _},
};

use othello_core::{Color, Game, Move};

use super::{
    Dialect, Frame, MAX_COMPLAINTS, Message, Parsed, complaint::Complaint, print::print_line,
};
use crate::session::{Cause, HostAction, HostEvent, HostSession, Note, Timestamp};

use opening::Opening;
pub use opening::RELAUNCH_WAIT;
pub use options::{CommentRelay, OpeningPass, RefereeOptions};
use seat::Seat;

/// The passes that are relayed once the game is over. Programs that never claim would pass each
/// other on for ever.
pub const MAX_FINISHED_PASSES: u32 = 4;

/// The referee's session.
///
/// # Examples
///
/// ```
/// use othello_core::Color;
/// use othello_proto::session::{HostAction, HostSession, Timestamp};
/// use othello_proto::sloan::{Referee, RefereeOptions};
///
/// let mut referee = Referee::new(RefereeOptions::default());
/// referee.start(Timestamp::ORIGIN);
/// let bytes = b"(I B)\n".to_vec();
/// assert_eq!(referee.poll(), Some(HostAction::Send { seat: Color::Black, bytes }));
/// ```
#[derive(Clone, Debug)]
pub struct Referee {
    options: RefereeOptions,
    game: Game,
    /// Whose turn it is. Once the game is over, passes go on changing it.
    turn: Color,
    stage: Stage,
    opening: Opening,
    /// Whether the game began again.
    restarted: bool,
    /// Whose programs were started anew for it.
    relaunched: [bool; 2],
    seats: [Seat; 2],
    actions: VecDeque<HostAction>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// Waiting for both programs to be ready, until a moment; those that are not ready for a game
    /// that begins again are started anew before.
    Readying {
        until: Timestamp,
        relaunch: Option<Timestamp>,
    },
    /// The time of the side to move has been running since a moment.
    Playing { since: Timestamp },
    /// Nobody can move: passes and claims are awaited until a moment.
    Finished { until: Timestamp, passes: u32 },
    /// A side lost by its fault: answers to the verdict are awaited until a moment.
    Faulted { until: Timestamp, cause: Cause },
    /// All is said.
    Done,
}

impl Referee {
    /// A session that has not begun.
    pub fn new(options: RefereeOptions) -> Self {
        let seat = || Seat::new(options.game_time);
        Self {
            game: Game::new(options.start),
            turn: options.start.side_to_move(),
            stage: Stage::Done,
            opening: Opening::Settled,
            restarted: false,
            relaunched: [false; 2],
            seats: [seat(), seat()],
            actions: VecDeque::new(),
            options,
        }
    }

    fn frame(&mut self, seat: Color, frame: &Frame, now: Timestamp) {
        if *frame == Frame::StrayParenthesis {
            let what = "a closing parenthesis that closes nothing";
            return self.lenient(seat, "stray-parenthesis", what);
        }
        match frame.parse() {
            Ok(parsed) => self.parsed(seat, parsed, now),
            Err(error) => self.complain(seat, &Complaint::Unreadable(error)),
        }
    }

    fn parsed(&mut self, seat: Color, parsed: Parsed, now: Timestamp) {
        for name in parsed.leniencies.names() {
            self.lenient(seat, name, &format!("read as {}", parsed.message));
        }
        match self.message(seat, parsed.message, now) {
            Ok(()) => self.seats[seat as usize].complaints = 0,
            Err(complaint) => self.complain(seat, &complaint),
        }
    }

    /// Does what a message asks for, or says what is wrong with it.
    fn message(&mut self, seat: Color, message: Message, now: Timestamp) -> Result<(), Complaint> {
        match message {
            Message::Comment(text) => self.comment(seat, text),
            Message::Play => {}
            Message::Ready(color) => return self.ready(seat, color, now),
            Message::Claim(_) | Message::Move { .. } if self.is_stale(seat) => {
                let text = format!("{seat}: {message} is of the void game");
                self.remark(seat, Note::info(text));
            }
            Message::Claim(value) => return self.claimed(seat, value, now),
            Message::Assign(_) => return Err(Complaint::NotYours(message)),
            Message::Move { color, .. } if color != seat => {
                return Err(Complaint::NotYours(message));
            }
            Message::Move { mv, .. } => return self.moved(seat, mv, now),
        }
        Ok(())
    }

    fn comment(&mut self, seat: Color, text: String) {
        let under_way = !matches!(self.stage, Stage::Readying { .. });
        if under_way && self.options.comments == CommentRelay::PassOn {
            self.send(!seat, &[Message::Comment(text.clone())]);
        }
        self.event(HostEvent::Comment { seat, text });
    }

    fn ready(&mut self, seat: Color, color: Color, now: Timestamp) -> Result<(), Complaint> {
        let message = Message::Ready(color);
        if color != seat {
            return Err(Complaint::NotYours(message));
        }
        let Stage::Readying { .. } = self.stage else {
            return Err(Complaint::TooLate(message));
        };
        self.seats[seat as usize].ready = true;
        if self.seats.iter().all(|seat| seat.ready) {
            self.begin(now);
        }
        Ok(())
    }

    /// Tells both sides their colours, and waits until they are ready to play.
    fn assign_colors(&mut self, now: Timestamp) {
        let time = self.options.ready_time;
        self.stage = Stage::Readying {
            until: now + time,
            relaunch: self.restarted.then(|| now + RELAUNCH_WAIT.min(time)),
        };
        for seat in Color::ALL {
            self.assign_color(seat);
        }
    }

    fn assign_color(&mut self, seat: Color) {
        if self.options.send_play {
            self.send(seat, &[Message::Play]);
        }
        self.send(seat, &[Message::Assign(seat)]);
    }

    /// Begins the game, with a move that came too early or with the opening pass.
    fn begin(&mut self, now: Timestamp) {
        self.stage = Stage::Playing { since: now };
        let first = self.turn;
        if self.game.board().is_over() {
            self.game_over(now);
        }
        if let Some(square) = self.seats[first as usize].early.take() {
            self.event(HostEvent::Began);
            self.lenient(first, "early-first-move", "a move before the opening pass");
            self.play(first, Move::Place(square), now);
        } else {
            self.open(now);
        }
    }

    fn moved(&mut self, seat: Color, mv: Move, now: Timestamp) -> Result<(), Complaint> {
        let message = Message::Move { color: seat, mv };
        match (&self.stage, mv) {
            (Stage::Readying { .. }, _) => self.early(seat, mv),
            (Stage::Playing { .. }, Move::Pass) if seat != self.turn && self.is_opening() => {
                self.lenient(
                    seat,
                    "own-opening-pass",
                    "the opening pass is the referee's",
                );
                Ok(())
            }
            (Stage::Playing { .. } | Stage::Finished { .. }, _) if seat != self.turn => {
                if !self.misread(seat, mv) {
                    return Err(Complaint::OutOfTurn(message));
                }
                self.start_again(now);
                Ok(())
            }
            (Stage::Playing { .. }, _) => {
                self.play(seat, mv, now);
                Ok(())
            }
            (Stage::Finished { .. }, Move::Pass) => {
                self.pass_after_the_end(seat);
                Ok(())
            }
            _ => Err(Complaint::Over(message)),
        }
    }

    /// Keeps the first move of a program that does not wait for the opening pass.
    fn early(&mut self, seat: Color, mv: Move) -> Result<(), Complaint> {
        let first = seat == self.turn;
        let at = &mut self.seats[seat as usize];
        match mv {
            Move::Place(square) if first && at.ready && at.early.is_none() => {
                at.early = Some(square);
                Ok(())
            }
            Move::Pass if !first && at.ready => {
                self.lenient(
                    seat,
                    "own-opening-pass",
                    "the opening pass is the referee's",
                );
                Ok(())
            }
            _ => Err(Complaint::TooEarly(Message::Move { color: seat, mv })),
        }
    }

    fn is_opening(&self) -> bool {
        self.game.moves().is_empty()
    }

    /// Plays a move of the side to move, which loses if it is illegal.
    fn play(&mut self, seat: Color, mv: Move, now: Timestamp) {
        let Stage::Playing { since } = self.stage else {
            return;
        };
        let took = now - since;
        self.begin_if_due();
        if let Err(illegal) = self.game.play(mv) {
            if self.misread(seat, mv) {
                return self.start_again(now);
            }
            let detail = format!("{illegal}");
            return self.fault(Cause::IllegalMove { by: seat, detail }, now);
        }
        self.opening_moved(seat, mv);
        self.seats[seat as usize].spend(took);
        self.event(HostEvent::Moved { seat, mv, took });
        self.send(!seat, &[Message::Move { color: seat, mv }]);
        self.next_turn();
        self.stage = Stage::Playing { since: now };
        if self.game.board().is_over() {
            self.game_over(now);
        }
    }

    fn next_turn(&mut self) {
        self.turn = !self.turn;
        for seat in &mut self.seats {
            seat.output = 0;
            seat.remarks.reset();
        }
    }

    /// Complains of a message, to the log and, unless it was done too often, to its sender.
    fn complain(&mut self, seat: Color, complaint: &Complaint) {
        self.remark(seat, Note::fault(format!("{seat}: {complaint}")));
        let at = &mut self.seats[seat as usize];
        if at.complaints < MAX_COMPLAINTS && self.stage != Stage::Done {
            at.complaints += 1;
            self.send(seat, &[Message::Comment(complaint.to_string())]);
        }
    }

    fn send(&mut self, seat: Color, messages: &[Message]) {
        let dialect = self.dialect(seat);
        let bytes = print_line(messages, dialect).into_bytes();
        self.actions.push_back(HostAction::Send { seat, bytes });
    }

    /// The dialect that a seat writes, or until it wrote anything the one to open with.
    fn dialect(&self, seat: Color) -> Dialect {
        let shown = self.seats[seat as usize].framer.dialect();
        shown.unwrap_or(self.options.dialect)
    }

    fn event(&mut self, event: HostEvent) {
        self.actions.push_back(HostAction::Event(event));
    }

    fn lenient(&mut self, seat: Color, name: &'static str, text: &str) {
        self.remark(seat, Note::leniency(name, format!("{seat}: {text}")));
    }

    /// Makes a remark on what a seat said, unless there were too many.
    fn remark(&mut self, seat: Color, note: Note) {
        let note = self.seats[seat as usize].remarks.admit(note);
        self.actions.extend(note.map(HostAction::Note));
    }

    fn note(&mut self, note: Note) {
        self.actions.push_back(HostAction::Note(note));
    }

    fn drain(&mut self, seat: Color, now: Timestamp) {
        while self.stage != Stage::Done {
            let framer = &mut self.seats[seat as usize].framer;
            let known = framer.dialect();
            let Some(frame) = framer.next_frame() else {
                return;
            };
            if known.is_none() && framer.dialect() == Some(Dialect::Lines) {
                self.lenient(seat, "no-parentheses", "writes no parentheses");
            }
            self.frame(seat, &frame, now);
        }
    }

    /// When what is awaited comes too late, if it is limited.
    fn limit(&self) -> Option<Timestamp> {
        match self.stage {
            Stage::Playing { since } => {
                let left = self.seats[self.turn as usize].left;
                left.map(|left| since + left)
            }
            Stage::Readying { until, .. }
            | Stage::Finished { until, .. }
            | Stage::Faulted { until, .. } => Some(until),
            Stage::Done => None,
        }
    }

    /// Ends what takes too long.
    fn expire(&mut self, now: Timestamp) {
        if self.limit().is_none_or(|limit| now < limit) {
            return;
        }
        match self.stage {
            Stage::Readying { .. } => {
                let unready = |seat: &Color| !self.seats[*seat as usize].ready;
                let by = Color::ALL.into_iter().find(unready);
                let by = by.unwrap_or(self.turn);
                self.note(Note::fault(format!("{by} is not ready in time")));
                self.fault(Cause::Overtime { by }, now);
            }
            Stage::Playing { .. } if self.misread_silently() => self.start_again(now),
            Stage::Playing { .. } => self.fault(Cause::Overtime { by: self.turn }, now),
            Stage::Finished { .. } | Stage::Faulted { .. } => self.conclude(),
            Stage::Done => {}
        }
    }

    /// Holds a seat to the output that a turn allows; whether it kept to that.
    fn within_bounds(&mut self, seat: Color, more: usize, now: Timestamp) -> bool {
        let at = &mut self.seats[seat as usize];
        at.output = at.output.saturating_add(more);
        if at.output <= self.options.output_per_turn {
            return true;
        }
        let most = self.options.output_per_turn;
        let detail = format!("expected at most {most} bytes of output in a turn");
        match self.stage {
            Stage::Readying { .. } | Stage::Playing { .. } => {
                at.gone = true;
                self.fault(Cause::Format { by: seat, detail }, now);
            }
            _ if !at.gone => {
                at.gone = true;
                self.note(Note::fault(format!("{seat}: {detail}")));
                self.conclude_if_answered();
            }
            _ => {}
        }
        false
    }

    /// Takes the end of a seat's program or of what it says.
    fn left(&mut self, seat: Color, now: Timestamp) {
        if self.in_doubt(seat) {
            return self.start_again_with_another(seat, now);
        }
        if self.relaunch(seat, now) {
            return;
        }
        self.seats[seat as usize].gone = true;
        match self.stage {
            Stage::Readying { .. } | Stage::Playing { .. } => {
                self.fault(Cause::Left { by: seat }, now);
            }
            Stage::Finished { .. } | Stage::Faulted { .. } => self.conclude_if_answered(),
            Stage::Done => {}
        }
    }
}

/// A pass of `color`.
const fn pass(color: Color) -> Message {
    Message::Move {
        color,
        mv: Move::Pass,
    }
}

impl HostSession for Referee {
    fn start(&mut self, now: Timestamp) {
        self.assign_colors(now);
    }

    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        self.expire(now);
        if self.stage != Stage::Done && self.within_bounds(seat, bytes.len(), now) {
            self.seats[seat as usize].framer.push(bytes);
            if self.seats[seat as usize].framer.take_mark() {
                self.lenient(seat, "byte-order-mark", "skipped");
            }
            self.drain(seat, now);
        }
    }

    fn end_of_input(&mut self, seat: Color, now: Timestamp) {
        self.expire(now);
        self.seats[seat as usize].framer.finish();
        self.drain(seat, now);
        self.left(seat, now);
    }

    fn exited(&mut self, seat: Color, _success: bool, now: Timestamp) {
        self.left(seat, now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        let due = self.opening_due().or_else(|| self.relaunch_due());
        due.or_else(|| self.limit())
    }

    fn tick(&mut self, now: Timestamp) {
        match (self.opening_due(), self.relaunch_due()) {
            (Some(due), _) | (_, Some(due)) if now < due => {}
            (Some(_), _) => self.open_late(now),
            (_, Some(_)) => self.relaunch_unready(now),
            (None, None) => self.expire(now),
        }
    }

    fn poll(&mut self) -> Option<HostAction> {
        self.actions.pop_front()
    }

    fn game(&self) -> &Game {
        &self.game
    }
}

#[cfg(test)]
mod tests;
