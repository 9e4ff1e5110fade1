//! The referee's session of one seat.

use alloc::{format, string::ToString as _};
use core::time::Duration;

use boardgame_session::{
    Conventions, Order, Received, Said, SeatAction, SeatActions, SeatEvent, SeatFault, SeatSession,
};
use othello_core::{Board, Color, Move};

use super::{RefereeOptions, opening_pass::Opening, program::Program};
use crate::{
    framing::Framing as _,
    session::{Note, Timestamp, board_after, wall_limit},
    sloan::{
        Dialect, Frame, MAX_COMPLAINTS, Message, Parsed, complaint::Complaint, print::print_line,
    },
};

/// The referee's session of one seat: assigns the colour, opens the game, relays the moves of the other side, judges
/// moves and claims, and reports the end.
///
/// A game may start on any board; no message names it, so the program has to know it beforehand.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use boardgame_core::{ByColor, ClockState, TimeControl};
/// use boardgame_session::{Order, SeatAction, SeatSession, Timestamp};
/// use othello_core::{Board, Color};
/// use othello_proto::sloan::{RefereeOptions, RefereeSeat};
///
/// let mut seat = RefereeSeat::new(RefereeOptions::default());
/// let begin = Order::Begin {
///     setup: Board::START,
///     moves: Vec::new(),
///     color: Color::White,
///     clocks: ByColor::new_with(|_| ClockState::new(TimeControl::default())),
///     tolerance: Duration::ZERO,
/// };
/// seat.order(begin, Timestamp::ORIGIN);
/// assert_eq!(seat.poll(), Some(SeatAction::Send(b"(I W)\n".to_vec())));
/// ```
#[derive(Clone, Debug)]
pub struct RefereeSeat {
    /// The dialect here follows the program.
    pub(super) options: RefereeOptions,
    pub(super) first_dialect: Dialect,
    pub(super) color: Color,
    /// The board that the game begins on.
    start: Board,
    /// The board now. Once the game is over, passes go on changing the side to move.
    pub(super) board: Board,
    pub(super) stage: Stage,
    pub(super) opening: Opening,
    /// True if the game started over.
    pub(super) restarted: bool,
    /// True if the program was started anew in this game.
    pub(super) relaunched: bool,
    pub(super) program: Program,
    /// True once a claim of the other side was relayed to the program.
    pub(super) other_claimed: bool,
    pub(super) actions: SeatActions<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// No game has begun, or the session has ended.
    Idle,
    /// Waiting for the program to be ready, until a deadline; before that it is tried in another way.
    Readying {
        until: Timestamp,
        retry: Option<Timestamp>,
    },
    /// The program is ready, and not asked for a move.
    Waiting,
    /// The program's time has been running since a moment.
    Thinking {
        since: Timestamp,
        limit: Option<Duration>,
    },
    /// The game is void: waiting for it to begin again.
    Void,
    /// Nobody can move: waiting for passes and claims until a deadline.
    Ending {
        until: Timestamp,
        /// The passes of both sides since the end of the game.
        passes: u32,
        /// True if the session passes and claims for the other side, which does not do so itself.
        answers: bool,
        completed: bool,
    },
    /// A side lost by its fault: once the verdict is given, waiting for its answer until a deadline.
    Faulted { until: Option<Timestamp> },
}

impl RefereeSeat {
    /// Returns a seat before its first game.
    pub fn new(options: RefereeOptions) -> Self {
        Self {
            first_dialect: options.dialect,
            options,
            color: Color::Black,
            start: Board::START,
            board: Board::START,
            stage: Stage::Idle,
            opening: Opening::Settled,
            restarted: false,
            relaunched: false,
            program: Program::default(),
            other_claimed: false,
            actions: SeatActions::default(),
        }
    }

    /// Assigns the colour for a game, which may start over.
    fn begin(&mut self, start: Board, color: Color, now: Timestamp) {
        self.restarted = self.stage != Stage::Idle;
        (self.color, self.start, self.board) = (color, start, start);
        self.opening = Opening::Settled;
        (self.other_claimed, self.relaunched) = (false, false);
        if self.restarted {
            self.void_game();
        } else if self.program.gone {
            return self.fault(SeatFault::Left);
        }
        self.await_ready(now);
        self.drain(now);
    }

    fn frame(&mut self, frame: &Frame, now: Timestamp) {
        if *frame == Frame::StrayParenthesis {
            let what = "a closing parenthesis that closes nothing";
            return self.lenient("stray-parenthesis", what);
        }
        match frame.parse() {
            Ok(parsed) => self.parsed(parsed, now),
            Err(error) => self.complain(&Complaint::Unreadable(error)),
        }
    }

    fn parsed(&mut self, parsed: Parsed, now: Timestamp) {
        for name in parsed.leniencies.names() {
            self.lenient(name, &format!("read as {}", parsed.message));
        }
        match self.message(parsed.message, now) {
            Ok(()) => self.program.complaints = 0,
            Err(complaint) => self.complain(&complaint),
        }
    }

    /// Handles a message, or returns a complaint about it.
    fn message(&mut self, message: Message, now: Timestamp) -> Result<(), Complaint> {
        match message {
            Message::Comment(text) => self.actions.event(SeatEvent::Said(Said::Comment(text))),
            Message::Play => {}
            _ if self.is_stale(&message) => {
                let text = format!("{}: {message} is of the void game", self.color);
                self.remark(Note::info(text));
            }
            Message::Ready(color) => return self.ready(color),
            Message::Claim(value) => return self.claimed(value),
            Message::Assign(_) => return Err(Complaint::NotYours(message)),
            Message::Move { color, .. } if color != self.color => {
                return Err(Complaint::NotYours(message));
            }
            Message::Move { mv, .. } => return self.moved(mv, now),
        }
        Ok(())
    }

    fn ready(&mut self, color: Color) -> Result<(), Complaint> {
        let message = Message::Ready(color);
        if color != self.color {
            return Err(Complaint::NotYours(message));
        }
        let Stage::Readying { .. } = self.stage else {
            return Err(Complaint::TooLate(message));
        };
        self.stage = Stage::Waiting;
        self.actions.event(SeatEvent::Ready);
        Ok(())
    }

    /// Asks the program for a move, unless it came too early.
    fn choose(&mut self, limit: Option<Duration>, now: Timestamp) {
        if self.stage != Stage::Waiting || !self.is_to_move() {
            return;
        }
        self.stage = Stage::Thinking { since: now, limit };
        if let Some(square) = self.program.early.take() {
            self.lenient("early-first-move", "a move before the opening pass");
            self.play(now, Move::Place(square), now);
        } else if self.is_opening() {
            self.open(limit, now);
        }
    }

    fn moved(&mut self, mv: Move, now: Timestamp) -> Result<(), Complaint> {
        let message = Message::Move {
            color: self.color,
            mv,
        };
        match (self.stage, mv) {
            (Stage::Readying { .. }, _) => Err(Complaint::TooEarly(message)),
            (Stage::Waiting, Move::Place(square))
                if self.is_to_move() && self.program.early.is_none() =>
            {
                self.program.early = Some(square);
                Ok(())
            }
            (Stage::Waiting, _) if self.is_to_move() => Err(Complaint::TooEarly(message)),
            (Stage::Waiting, Move::Pass) if self.is_opening() => {
                self.lenient("own-opening-pass", "the opening pass is the referee's");
                Ok(())
            }
            (Stage::Waiting, _) if self.misread(mv) => {
                self.start_again();
                Ok(())
            }
            (Stage::Thinking { since, .. }, _) => {
                self.play(since, mv, now);
                Ok(())
            }
            (Stage::Ending { .. }, Move::Pass) if self.is_to_move() => {
                self.pass_after_the_end();
                Ok(())
            }
            (Stage::Waiting | Stage::Ending { .. }, _) if !self.is_to_move() => {
                Err(Complaint::OutOfTurn(message))
            }
            _ => Err(Complaint::Over(message)),
        }
    }

    pub(super) fn is_opening(&self) -> bool {
        self.board == self.start
    }

    pub(super) fn is_to_move(&self) -> bool {
        self.board.side_to_move() == self.color
    }

    /// Plays a move of the program, asked at `since`; an illegal one loses.
    fn play(&mut self, since: Timestamp, mv: Move, now: Timestamp) {
        if let Err(illegal) = self.board.play(mv) {
            if self.misread(mv) {
                return self.start_again();
            }
            let detail = illegal.to_string();
            return self.fault(SeatFault::IllegalMove {
                mv: mv.to_string(),
                detail,
            });
        }
        self.opening = self.opening.after(mv, self.board);
        self.actions.answer(mv, now - since);
        self.after_move(now);
    }

    /// Relays a move of the other side to the program.
    fn other_moved(&mut self, mv: Move, now: Timestamp) {
        let color = !self.color;
        if self.stage == Stage::Waiting && self.board.play(mv).is_ok() {
            self.tell(Message::Move { color, mv });
            self.after_move(now);
        }
    }

    fn after_move(&mut self, now: Timestamp) {
        self.program.next_turn();
        self.stage = Stage::Waiting;
        if self.board.is_over() {
            self.game_over(now);
        }
    }

    /// Reports a fault, which loses the game; the verdict is awaited.
    pub(super) fn fault(&mut self, fault: SeatFault) {
        self.stage = Stage::Faulted { until: None };
        self.actions.fault(fault);
    }

    pub(super) fn overtime(&mut self, used: Duration, limit: Duration) {
        let received = match self.program.framer.partial() {
            [] => Received::NoAnswer,
            part => Received::Part(part),
        };
        let fault = SeatFault::overtime(used, limit, received);
        self.fault(fault);
    }

    /// Complains about a message to the log and, unless too often, to its sender.
    pub(super) fn complain(&mut self, complaint: &Complaint) {
        self.remark(Note::fault(format!("{}: {complaint}", self.color)));
        if self.program.complaints < MAX_COMPLAINTS {
            self.program.complaints += 1;
            self.tell(Message::Comment(complaint.to_string()));
        }
    }

    pub(super) fn tell(&mut self, message: Message) {
        let bytes = print_line(&[message], self.dialect()).into_bytes();
        self.actions.send(bytes);
    }

    pub(super) fn lenient(&mut self, name: &'static str, text: &str) {
        self.remark(Note::leniency(name, format!("{}: {text}", self.color)));
    }

    /// Makes a remark on what the program said, unless there were too many.
    pub(super) fn remark(&mut self, note: Note) {
        if let Some(note) = self.program.note_limiter.admit(note) {
            self.actions.note(note);
        }
    }

    /// Reads the program's output up to a message that leads to a new game or to the verdict; the rest is
    /// read after that.
    pub(super) fn drain(&mut self, now: Timestamp) {
        while !matches!(
            self.stage,
            Stage::Idle | Stage::Void | Stage::Faulted { until: None }
        ) {
            let framer = &mut self.program.framer;
            let known = framer.dialect();
            let Some(frame) = framer.next_piece() else {
                return;
            };
            if known.is_some() || !self.learn_dialect(&frame, now) {
                self.frame(&frame, now);
            }
        }
    }

    /// Returns the deadline of the current wait, if any.
    fn limit(&self) -> Option<Timestamp> {
        match self.stage {
            Stage::Readying { until, .. } => Some(until),
            Stage::Thinking { since, limit } => {
                limit.map(|limit| since + limit + self.options.tolerance)
            }
            Stage::Ending {
                until, completed, ..
            } => (!completed).then_some(until),
            Stage::Faulted { until } => until,
            Stage::Idle | Stage::Waiting | Stage::Void => None,
        }
    }

    /// Ends a wait that takes too long.
    fn expire(&mut self, now: Timestamp) {
        if self.limit().is_none_or(|limit| now < limit) {
            return;
        }
        match self.stage {
            Stage::Readying { .. } => self.unready(),
            Stage::Thinking { .. } if self.misread_silently() => self.start_again(),
            Stage::Thinking { since, limit } => {
                self.overtime(now - since, limit.unwrap_or_default());
            }
            Stage::Ending { .. } => self.complete(),
            Stage::Faulted { .. } => self.close(),
            Stage::Idle | Stage::Waiting | Stage::Void => {}
        }
    }

    /// Counts output against the bound of a turn; returns whether it is within the bound.
    fn within_bounds(&mut self, more: usize) -> bool {
        let max = self.options.output_per_turn;
        self.program.output = self.program.output.saturating_add(more);
        if self.program.output <= max {
            return true;
        }
        let detail = format!("expected at most {max} bytes of output in a turn");
        let was_gone = core::mem::replace(&mut self.program.gone, true);
        match self.stage {
            Stage::Readying { .. } | Stage::Waiting | Stage::Thinking { .. } => {
                self.fault(SeatFault::Format { detail });
            }
            _ if !was_gone => {
                self.actions
                    .note(Note::fault(format!("{}: {detail}", self.color)));
                self.finish_if_answered();
            }
            _ => {}
        }
        false
    }

    /// Takes the end of the program or of its output.
    fn left(&mut self, now: Timestamp) {
        if self.in_doubt() {
            self.program.gone = true;
            return self.start_again();
        }
        if self.relaunch_left(now) {
            return;
        }
        self.program.gone = true;
        match self.stage {
            Stage::Readying { .. } | Stage::Waiting | Stage::Thinking { .. } => {
                self.fault(SeatFault::Left);
            }
            Stage::Ending { .. } | Stage::Faulted { .. } => self.finish_if_answered(),
            Stage::Idle | Stage::Void => {}
        }
    }

    /// Relays what the other side said to the program.
    fn other_said(&mut self, said: Said<Move>) {
        match said {
            Said::Comment(text) => self.tell(Message::Comment(text)),
            Said::Claim(margin) => self.other_claimed(margin),
            Said::ClosingMove(mv) => self.other_closed(mv),
            Said::FalseClaim(_) => {}
        }
    }
}

impl SeatSession<Board> for RefereeSeat {
    fn conventions(&self) -> Conventions {
        Conventions {
            asks_forced_moves: true,
            closing_moves: true,
        }
    }

    fn order(&mut self, order: Order<Board>, now: Timestamp) {
        match order {
            Order::Begin {
                setup,
                moves,
                color,
                ..
            } => self.begin(board_after(setup, &moves), color, now),
            _ if self.stage == Stage::Idle => {}
            Order::Choose { clocks } => self.choose(wall_limit(&clocks[self.color]), now),
            Order::Played { color, mv } if color != self.color => self.other_moved(mv, now),
            // It was played when it came.
            Order::Played { .. } => {}
            Order::Said(said) => self.other_said(said),
            Order::Over { other_closes, .. } => self.over(other_closes, now),
            Order::Conclude(verdict) => self.conclude(&verdict, now),
            Order::CallOff => self.let_go(),
        }
    }

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        self.expire(now);
        if self.stage != Stage::Idle && self.within_bounds(bytes.len()) {
            self.program.framer.push(bytes);
            if self.program.framer.take_mark() {
                self.lenient("byte-order-mark", "skipped");
            }
            self.drain(now);
        }
    }

    fn end_of_input(&mut self, now: Timestamp) {
        self.expire(now);
        self.program.framer.finish();
        self.drain(now);
        self.left(now);
    }

    fn exited(&mut self, _success: bool, now: Timestamp) {
        self.left(now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        let due = self.opening_due().or_else(|| self.retry_due());
        due.or_else(|| self.limit())
    }

    fn tick(&mut self, now: Timestamp) {
        match (self.opening_due(), self.retry_due()) {
            (Some(due), _) | (_, Some(due)) if now < due => {}
            (Some(_), _) => self.open_late(now),
            (_, Some(_)) => self.retry(now),
            (None, None) => self.expire(now),
        }
    }

    fn poll(&mut self) -> Option<SeatAction<Move>> {
        self.actions.poll()
    }
}
