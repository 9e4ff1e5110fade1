//! The server's side of a guest's game.

use alloc::{
    format,
    string::{String, ToString as _},
};
use core::time::Duration;

use boardgame_core::ClockState;
use boardgame_session::{
    Cause, Conventions, Order, Received, SeatAction, SeatActions, SeatEvent, SeatFault,
    SeatSession, Verdict,
};
use othello_core::{Board, Color, Move};

use super::{
    Complaint, GameOutcome, Guest, ServerLine,
    buffers::{Inbox, Outbox},
    message, parse,
};
use crate::{
    framing::Line,
    session::{Note, Timestamp, wall_limit},
};

/// The server's side of a guest's game: announces the opponent's moves, asks for the guest's own and reports the
/// result.
///
/// A guest plays one game, from the usual start and in its assigned colour.
#[derive(Clone, Debug)]
pub struct ServerSeat {
    options: ServerSeatOptions,
    /// The guest's colour.
    color: Color,
    inbox: Inbox,
    outbox: Outbox,
    board: Board,
    question: QuestionState,
    stage: Stage,
    actions: SeatActions<Move>,
}

/// Options of a [`ServerSeat`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerSeatOptions {
    /// The time that an answer may take beyond what the clock allows.
    pub grace: Duration,
}

/// The state of the question `your move`. A limit is the time in which the answer has to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuestionState {
    /// It is not the guest's turn.
    None,
    /// It waits in the outbox.
    Waiting { limit: Option<Duration> },
    /// It was sent.
    Open {
        since: Timestamp,
        limit: Option<Duration>,
    },
    /// It was sent before the game started over: the answer waits until the guest is to move.
    Early,
    /// It was answered; the conductor is yet to play the move.
    Answered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// No game has begun.
    Seated,
    Playing,
    /// The guest's input no longer counts; waiting for the verdict.
    Decided,
    /// The last lines are being sent.
    Concluding,
    /// The guest's session is over.
    Closed,
}

impl ServerSeat {
    /// Returns the seat of a guest whose game has not begun.
    pub fn new(guest: Guest, options: ServerSeatOptions) -> Self {
        Self {
            options,
            color: guest.color(),
            inbox: guest.inbox,
            outbox: guest.outbox,
            board: Board::START,
            question: QuestionState::None,
            stage: Stage::Seated,
            actions: SeatActions::default(),
        }
    }

    /// Starts a game. One that starts over must still be at the start, since announced moves cannot be taken back.
    fn begin(&mut self, start: Board, moves: &[Move], color: Color) {
        let begins = match self.stage {
            Stage::Seated => true,
            Stage::Playing => {
                self.board == Board::START && self.question != QuestionState::Answered
            }
            // The fault is on its way to the conductor.
            Stage::Decided => return,
            Stage::Concluding | Stage::Closed => false,
        };
        let detail = if !begins {
            "expected one game on a connection, but another one begins".into()
        } else if color != self.color {
            format!("expected {} for the guest, but it is {color}", self.color)
        } else if start != Board::START || !moves.is_empty() {
            "expected a game from the usual start".into()
        } else {
            self.question = self.question.of_void_game();
            self.outbox.retract_question();
            self.stage = Stage::Playing;
            return self.actions.event(SeatEvent::Ready);
        };
        self.fault(SeatFault::CannotBegin { detail });
    }

    fn ask(&mut self, clock: &ClockState, now: Timestamp) {
        if self.stage != Stage::Playing {
            return;
        }
        let grace = self.options.grace;
        let limit = wall_limit(clock).map(|limit| limit.saturating_add(grace));
        self.question = if self.question == QuestionState::Early {
            QuestionState::Open { since: now, limit }
        } else {
            self.outbox.extend([ServerLine::YourMove]);
            QuestionState::Waiting { limit }
        };
    }

    fn played(&mut self, color: Color, mv: Move) {
        // The conductor has judged it.
        let _ = self.board.play(mv);
        if color == self.color {
            self.question = QuestionState::None;
        } else if self.stage == Stage::Playing {
            self.outbox
                .extend([ServerLine::OpponentsMove, ServerLine::Move(mv)]);
        }
    }

    /// Sends the guest its last lines.
    fn conclude(&mut self, verdict: &Verdict) {
        self.decided();
        if verdict.cause.culprit() != Some(self.color) {
            let lines = final_block(self.board, verdict.winner);
            self.outbox.extend(lines);
        } else if let Some(complaint) = complaint(&verdict.cause) {
            self.outbox
                .extend([ServerLine::Error, ServerLine::Complaint(complaint)]);
        }
        self.stage = Stage::Concluding;
    }

    fn call_off(&mut self) {
        self.question = QuestionState::None;
        self.outbox.clear();
        self.let_go();
    }

    fn let_go(&mut self) {
        self.stage = Stage::Closed;
        self.actions.hang_up();
    }

    /// Proceeds as far as possible without waiting.
    fn proceed(&mut self, now: Timestamp) {
        self.flush(now);
        while self.stage == Stage::Playing {
            if self.has_left() {
                self.fault(SeatFault::Left);
            } else if let QuestionState::Open { since, limit } = self.question {
                if let Some(limit) = limit.filter(|&limit| now - since >= limit) {
                    let received = Received::Part(self.inbox.partial());
                    let limit = limit.saturating_sub(self.options.grace);
                    self.fault(SeatFault::overtime(now - since, limit, received));
                } else if let Some(line) = self.inbox.next() {
                    self.answered(line, now - since);
                } else {
                    return;
                }
            } else {
                return;
            }
        }
        if self.stage == Stage::Concluding && self.outbox.is_empty() {
            self.let_go();
            self.actions.event(SeatEvent::Closed);
        }
    }

    /// Sends due lines; the time for an answer runs from when its question is sent.
    fn flush(&mut self, now: Timestamp) {
        let lines = self.outbox.flush(now);
        if lines.is_empty() {
            return;
        }
        if lines.contains(&ServerLine::YourMove)
            && let QuestionState::Waiting { limit } = self.question
        {
            self.question = QuestionState::Open { since: now, limit };
            if let Some(note) = self.inbox.skip_blanks() {
                self.remark(note);
            }
        }
        let bytes = message::wire(&lines);
        self.actions.send(bytes);
    }

    /// Returns whether the guest has left a game in progress and all its lines are used.
    fn has_left(&self) -> bool {
        let goes_on = self.question != QuestionState::Answered && !self.board.is_over();
        goes_on && self.inbox.is_spent()
    }

    /// Takes the guest's answer to `your move`.
    fn answered(&mut self, line: Line, took: Duration) {
        let Line::Whole(line) = line else {
            let detail = "expected a move, but the line is too long";
            return self.fault(SeatFault::format(detail));
        };
        let mv = match parse::move_answer(&line) {
            Ok(mv) => mv,
            Err(error) => return self.fault(SeatFault::format(error.to_string())),
        };
        if let Err(illegal) = self.board.position().play(mv) {
            let detail = illegal.to_string();
            return self.fault(SeatFault::IllegalMove {
                mv: mv.to_string(),
                detail,
            });
        }
        self.note_spelling(&line, mv);
        self.question = QuestionState::Answered;
        self.actions.answer(mv, took);
    }

    fn note_spelling(&mut self, line: &[u8], mv: Move) {
        let read = ServerLine::Move(mv).to_string();
        if line != read.as_bytes() {
            let shown = String::from_utf8_lossy(line);
            let text = format!("read {shown:?} of {} as {read:?}", self.color);
            self.remark(Note::leniency("spelling", text));
        }
    }

    /// Makes a remark on what the guest said, unless there were too many.
    fn remark(&mut self, note: Note) {
        if let Some(note) = self.inbox.remark(note) {
            self.actions.note(note);
        }
    }

    fn fault(&mut self, fault: SeatFault) {
        self.decided();
        self.actions.fault(fault);
    }

    fn decided(&mut self) {
        self.stage = Stage::Decided;
        self.question = QuestionState::None;
        self.outbox.retract_question();
    }
}

impl QuestionState {
    /// Returns the state of the question after the game starts over.
    const fn of_void_game(self) -> Self {
        match self {
            Self::Open { .. } | Self::Early => Self::Early,
            Self::None | Self::Waiting { .. } | Self::Answered => Self::None,
        }
    }
}

/// Returns the ordinary end: the counts as they stand, and the winner.
fn final_block(board: Board, winner: Option<Color>) -> [ServerLine; 4] {
    let count = |color| ServerLine::Count {
        color,
        discs: board.discs(color).count() as u8,
    };
    [
        ServerLine::Finished,
        count(Color::White),
        count(Color::Black),
        ServerLine::Outcome(GameOutcome::from_winner(winner)),
    ]
}

/// Returns the complaint to the player at fault; `None` for one that left.
const fn complaint(cause: &Cause) -> Option<Complaint> {
    let Cause::Forfeit { fault, .. } = cause else {
        return None;
    };
    match fault {
        SeatFault::IllegalMove { .. } | SeatFault::Format { .. } => Some(Complaint::IllegalMove),
        SeatFault::Overtime { .. } => Some(Complaint::TimeLimit),
        _ => None,
    }
}

impl SeatSession<Board> for ServerSeat {
    fn conventions(&self) -> Conventions {
        Conventions {
            asks_forced_moves: true,
            closing_moves: false,
        }
    }

    fn order(&mut self, order: Order<Board>, now: Timestamp) {
        match order {
            Order::Begin {
                setup,
                moves,
                color,
                ..
            } => self.begin(setup, &moves, color),
            Order::Choose { clocks } => self.ask(&clocks[self.color], now),
            Order::Played { color, mv } => {
                self.played(color, mv);
                if color != self.color {
                    // Its lines leave together with those of the order that follows.
                    return;
                }
            }
            Order::Said(_) => {}
            Order::Over { .. } => {
                self.decided();
                self.flush(now);
                self.actions.event(SeatEvent::Completed);
            }
            Order::Conclude(verdict) => self.conclude(&verdict),
            Order::CallOff => self.call_off(),
        }
        self.proceed(now);
    }

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        self.tick(now);
        if !matches!(self.stage, Stage::Seated | Stage::Playing) {
            return;
        }
        let is_asked = matches!(
            self.question,
            QuestionState::Open { .. } | QuestionState::Early
        );
        if let Some(note) = self.inbox.remark_returns(bytes) {
            self.actions.note(note);
        }
        match self.inbox.push(bytes) {
            Ok(()) if is_asked || bytes.is_empty() => {}
            Ok(()) => {
                let text = format!("{} sends before it is asked: kept until then", self.color);
                self.remark(Note::leniency("early-answer", text));
            }
            Err(flooded) => self.fault(SeatFault::format(flooded.to_string())),
        }
        self.proceed(now);
    }

    fn end_of_input(&mut self, now: Timestamp) {
        self.tick(now);
        self.inbox.end();
        self.proceed(now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        let overtime = match self.question {
            QuestionState::Open { since, limit } => limit.map(|limit| since + limit),
            _ => None,
        };
        self.outbox.due().into_iter().chain(overtime).min()
    }

    fn tick(&mut self, now: Timestamp) {
        self.proceed(now);
    }

    fn poll(&mut self) -> Option<SeatAction<Move>> {
        self.actions.poll()
    }
}
