//! The server's side of a game.

use alloc::{
    collections::VecDeque,
    format,
    string::{String, ToString},
};
use core::time::Duration;

use othello_core::{Board, Color, Game, Move};

use super::{
    Complaint, Guest, LimitScope, Outcome, ServerLine, TimeLimit,
    buffers::{Inbox, Outbox},
    message, parse,
};
use crate::{
    framing::Line,
    session::{
        Cause, Clock, Decision, Effort, HostAction, HostEvent, HostSession, Note, Task, TaskId,
        Timestamp, Verdict,
    },
};

/// Two guests cannot play each other, since both have this colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected guests of both colours, but both are {0}")]
pub struct SameColor(pub Color);

/// The server's side of a game as a state machine: a guest against the house or another guest.
///
/// The result is to be [kept](HostAction::Keep) before the last lines are sent.
#[derive(Clone, Debug)]
pub struct Table {
    /// Black's and White's; an empty seat is the house's.
    seats: [Option<Seat>; 2],
    limit: TimeLimit,
    used: [Duration; 2],
    game: Game,
    actions: VecDeque<HostAction>,
    /// Since when the side to move thinks; `None` before it was asked.
    asked: Option<Timestamp>,
    task: Option<Task>,
    tasks: u64,
    stage: Stage,
}

#[derive(Clone, Debug)]
struct Seat {
    inbox: Inbox,
    outbox: Outbox,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    Playing,
    /// Decided; the result is being kept.
    Keeping(Verdict),
    /// Decided and kept; the last lines are still to be sent.
    Decided(Verdict),
    Done,
}

impl Table {
    /// A game of a guest against the house, which chooses by [`HostAction::Think`].
    pub fn against_house(guest: Guest, limit: TimeLimit) -> Self {
        let mut seats = [None, None];
        let color = guest.color();
        seats[color as usize] = Some(Seat::of(guest));
        Self::new(seats, limit)
    }

    /// A game of two guests.
    ///
    /// # Errors
    ///
    /// When both have the same colour.
    pub fn between(one: Guest, other: Guest, limit: TimeLimit) -> Result<Self, SameColor> {
        if one.color() == other.color() {
            return Err(SameColor(one.color()));
        }
        let mut seats = [None, None];
        for guest in [one, other] {
            let color = guest.color();
            seats[color as usize] = Some(Seat::of(guest));
        }
        Ok(Self::new(seats, limit))
    }

    fn new(seats: [Option<Seat>; 2], limit: TimeLimit) -> Self {
        Self {
            seats,
            limit,
            used: [Duration::ZERO; 2],
            game: Game::default(),
            actions: VecDeque::new(),
            asked: None,
            task: None,
            tasks: 0,
            stage: Stage::Playing,
        }
    }

    fn say(&mut self, to: Color, lines: impl IntoIterator<Item = ServerLine>) {
        if let Some(seat) = &mut self.seats[to as usize] {
            seat.outbox.extend(lines);
        }
    }

    fn side(&self) -> Color {
        self.game.board().side_to_move()
    }

    /// What is left to the side to move.
    fn left(&self) -> Duration {
        self.limit.left(self.used[self.side() as usize])
    }

    /// Does all that can be done without waiting.
    fn proceed(&mut self, now: Timestamp) {
        loop {
            self.flush(now);
            if self.stage != Stage::Playing {
                return self.close();
            }
            let side = self.side();
            if let Some(by) = self.gone() {
                self.decide_game(Cause::Left { by });
            } else if self.asked.is_some_and(|asked| now - asked >= self.left()) {
                self.decide_game(Cause::Overtime { by: side });
            } else if self.asked.is_none() {
                return;
            } else {
                let seat = self.seats[side as usize].as_mut();
                match seat.and_then(|seat| seat.inbox.next()) {
                    Some(line) => self.answered(side, line, now),
                    None => return,
                }
            }
        }
    }

    /// Sends what is due; the clock of a guest starts when its question leaves.
    fn flush(&mut self, now: Timestamp) {
        for color in Color::ALL {
            let Some(seat) = &mut self.seats[color as usize] else {
                continue;
            };
            let lines = seat.outbox.flush(now);
            if lines.contains(&ServerLine::YourMove) {
                self.asked = Some(now);
            }
            if !lines.is_empty() {
                let bytes = message::wire(&lines);
                let send = HostAction::Send { seat: color, bytes };
                self.actions.push_back(send);
            }
        }
    }

    /// Who can take no further part: a guest who left and whose last lines are used, or the side
    /// to move once nobody is there to play for.
    fn gone(&self) -> Option<Color> {
        let seat = |color: Color| self.seats[color as usize].as_ref();
        let all_left = Color::ALL
            .into_iter()
            .all(|color| seat(color).is_some_and(|seat| seat.inbox.has_ended()));
        Color::ALL
            .into_iter()
            .find(|&color| seat(color).is_some_and(|seat| seat.inbox.is_spent()))
            .or_else(|| all_left.then(|| self.side()))
    }

    /// Asks the side to move. A house without a move passes at once.
    fn ask(&mut self, now: Timestamp) {
        let side = self.side();
        if self.seats[side as usize].is_some() {
            return self.say(side, [ServerLine::YourMove]);
        }
        self.asked = Some(now);
        let board = self.game.board();
        if board.must_pass() {
            return self.play(Move::Pass, now);
        }
        let left = Some(self.left());
        let (game, per_move) = match self.limit.scope {
            LimitScope::Game => (left, None),
            LimitScope::Move => (None, left),
        };
        let task = Task {
            id: TaskId(self.tasks),
            board,
            moves: board.legal_moves(),
            clock: Clock {
                started: now,
                game,
                per_move,
            },
            effort: Effort::default(),
        };
        self.tasks += 1;
        self.task = Some(task);
        self.actions.push_back(HostAction::Think(task));
    }

    /// A guest's answer to `your move`.
    fn answered(&mut self, by: Color, line: Line, now: Timestamp) {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong => {
                let detail = "expected a move, but the line is too long".into();
                return self.decide_game(Cause::Format { by, detail });
            }
        };
        if line.trim_ascii().is_empty() {
            return self.remark(by, Note::leniency("blank-line", "a blank line is skipped"));
        }
        match parse::move_answer(&line) {
            Err(error) => {
                let detail = error.to_string();
                self.decide_game(Cause::Format { by, detail });
            }
            Ok(mv) => {
                if let Err(illegal) = self.game.board().position().play(mv) {
                    let detail = illegal.to_string();
                    return self.decide_game(Cause::IllegalMove { by, detail });
                }
                self.note_spelling(by, &line, mv);
                self.play(mv, now);
            }
        }
    }

    fn note(&mut self, note: Note) {
        self.actions.push_back(HostAction::Note(note));
    }

    /// Makes a remark on what a guest said, unless there were too many.
    fn remark(&mut self, by: Color, note: Note) {
        let seat = self.seats[by as usize].as_mut();
        let note = seat.and_then(|seat| seat.inbox.remark(note));
        self.actions.extend(note.map(HostAction::Note));
    }

    fn note_spelling(&mut self, by: Color, line: &[u8], mv: Move) {
        if line != ServerLine::Move(mv).to_string().as_bytes() {
            let shown = String::from_utf8_lossy(line).into_owned();
            let read = ServerLine::Move(mv).to_string();
            let text = format!("read {shown:?} of {by} as {read:?}");
            self.remark(by, Note::leniency("spelling", text));
        }
    }

    /// Plays a legal move of the side to move and passes it on.
    fn play(&mut self, mv: Move, now: Timestamp) {
        let seat = self.side();
        if self.game.play(mv).is_err() {
            return;
        }
        let took = self
            .asked
            .take()
            .map_or(Duration::ZERO, |asked| now - asked);
        let used = &mut self.used[seat as usize];
        *used = used.saturating_add(took);
        let moved = HostEvent::Moved { seat, mv, took };
        self.actions.push_back(HostAction::Event(moved));
        self.say(!seat, [ServerLine::OpponentsMove, ServerLine::Move(mv)]);
        if self.game.board().is_over() {
            self.decide_game(Cause::Played);
        } else {
            self.ask(now);
        }
    }

    fn decide_game(&mut self, cause: Cause) {
        let board = self.game.board();
        let winner = match cause.culprit() {
            Some(culprit) => Some(!culprit),
            None => board.leader(),
        };
        for seat in self.seats.iter_mut().flatten() {
            seat.outbox.retract_question();
        }
        self.task = None;
        self.asked = None;
        let verdict = Verdict {
            winner,
            cause,
            board,
        };
        self.actions.push_back(HostAction::Keep(verdict.clone()));
        self.stage = Stage::Keeping(verdict);
    }

    /// Gives both guests their last lines.
    fn tell_result(&mut self, verdict: &Verdict) {
        let Verdict {
            winner,
            cause,
            board,
        } = verdict;
        for color in Color::ALL {
            if cause.culprit() != Some(color) {
                self.say(color, final_block(*board, *winner));
            } else if let Some(complaint) = complaint(cause) {
                self.say(color, [ServerLine::Error, ServerLine::Complaint(complaint)]);
            }
        }
    }

    /// Ends the session once all is sent.
    fn close(&mut self) {
        let all_sent = self
            .seats
            .iter()
            .flatten()
            .all(|seat| seat.outbox.is_empty());
        if let Stage::Decided(verdict) = &self.stage
            && all_sent
        {
            let verdict = verdict.clone();
            self.stage = Stage::Done;
            for color in Color::ALL {
                if self.seats[color as usize].is_some() {
                    self.actions.push_back(HostAction::HangUp(color));
                }
            }
            self.actions.push_back(HostAction::Finish(verdict));
        }
    }
}

impl Seat {
    fn of(guest: Guest) -> Self {
        Self {
            inbox: guest.inbox,
            outbox: guest.outbox,
        }
    }
}

/// The ordinary end: the counts as they stand, and the winner.
fn final_block(board: Board, winner: Option<Color>) -> [ServerLine; 4] {
    let count = |color| ServerLine::Count {
        color,
        discs: board.discs(color).count() as u8,
    };
    [
        ServerLine::Finished,
        count(Color::White),
        count(Color::Black),
        ServerLine::Outcome(Outcome::from_winner(winner)),
    ]
}

/// What the player at fault is told; one that left is told nothing.
fn complaint(cause: &Cause) -> Option<Complaint> {
    match cause {
        Cause::IllegalMove { .. } | Cause::Format { .. } => Some(Complaint::IllegalMove),
        Cause::Overtime { .. } => Some(Complaint::TimeLimit),
        Cause::Played | Cause::Left { .. } => None,
    }
}

impl HostSession for Table {
    fn start(&mut self, now: Timestamp) {
        self.actions.push_back(HostAction::Event(HostEvent::Began));
        self.ask(now);
        self.proceed(now);
    }

    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        if self.stage != Stage::Playing {
            return;
        }
        let asked = self.side() == seat && self.asked.is_some();
        let Some(guest) = &mut self.seats[seat as usize] else {
            return;
        };
        let remark = guest.inbox.remark_returns(bytes).map(HostAction::Note);
        self.actions.extend(remark);
        match guest.inbox.push(bytes) {
            Ok(()) if asked || bytes.is_empty() => {}
            Ok(()) => {
                let text = format!("{seat} sends before it is asked: kept until then");
                self.remark(seat, Note::leniency("early-answer", text));
            }
            Err(flooded) => {
                let detail = flooded.to_string();
                self.decide_game(Cause::Format { by: seat, detail });
            }
        }
        self.proceed(now);
    }

    fn end_of_input(&mut self, seat: Color, now: Timestamp) {
        if self.stage != Stage::Playing {
            return;
        }
        if let Some(guest) = &mut self.seats[seat as usize] {
            guest.inbox.end();
            self.proceed(now);
        }
    }

    fn decide(&mut self, decision: Decision, now: Timestamp) {
        if self.asked.is_some_and(|asked| now - asked >= self.left()) {
            return self.proceed(now);
        }
        let Some(task) = self.task.take_if(|task| task.id == decision.task) else {
            return;
        };
        let square = Some(decision.square).filter(|&square| task.moves.contains(square));
        if square.is_none() {
            let text = format!("the house chose {}, which is no move here", decision.square);
            self.note(Note::fault(text));
        }
        if let Some(square) = square.or_else(|| task.moves.first()) {
            self.play(Move::Place(square), now);
        }
        self.proceed(now);
    }

    fn kept(&mut self, now: Timestamp) {
        if let Stage::Keeping(verdict) = &self.stage {
            let verdict = verdict.clone();
            self.tell_result(&verdict);
            self.stage = Stage::Decided(verdict);
            self.proceed(now);
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        let lines = self.seats.iter().flatten().filter_map(|s| s.outbox.due());
        let overtime = self.asked.map(|asked| asked + self.left());
        lines.chain(overtime).min()
    }

    fn tick(&mut self, now: Timestamp) {
        self.proceed(now);
    }

    fn poll(&mut self) -> Option<HostAction> {
        self.actions.pop_front()
    }

    fn game(&self) -> &Game {
        &self.game
    }
}
