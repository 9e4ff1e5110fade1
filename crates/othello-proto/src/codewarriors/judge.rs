//! The judge's side.

use alloc::{
    collections::VecDeque,
    format,
    string::{String, ToString as _},
};
use core::time::Duration;

use othello_core::{Board, Color, Game, Move};

use super::{MOVE_LIMIT, Message, Pairs, Piece, pairs::is_blank};
use crate::{
    framing::MarkFilter,
    session::{Cause, HostAction, HostEvent, HostSession, Note, Timestamp, Verdict},
};

/// What a [`Judge`] may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgeOptions {
    /// The board that the game begins on. The side to move gets `ST`.
    pub start: Board,
    /// The limit for a move, from the last input. Launching the programs is the driver's, and
    /// so the opener's start-up lies within its first limit.
    pub limit: Duration,
    /// What is allowed beyond the limit for the way through the pipes.
    pub grace: Duration,
}

impl Default for JudgeOptions {
    fn default() -> Self {
        Self {
            start: Board::START,
            limit: MOVE_LIMIT,
            grace: Duration::ZERO,
        }
    }
}

/// The judge's side of a game: relays what is valid, disqualifies what is not.
///
/// The game lasts until the board is full or two passes followed each other; when neither side
/// can move, both are asked for their pass. [`game`](HostSession::game) does not hold these last
/// two passes, for by the rules the game is over before them.
#[derive(Clone, Debug)]
pub struct Judge {
    options: JudgeOptions,
    game: Game,
    /// The board with the passes that the game does not hold.
    board: Board,
    /// Passes in a row, by either side.
    passes: u8,
    /// When the side to move was asked, or `None` before the start and after the end.
    asked: Option<Timestamp>,
    /// Black's and White's.
    marks: [MarkFilter; 2],
    /// What the side to move printed in its turn.
    turn: Pairs,
    actions: VecDeque<HostAction>,
}

impl Judge {
    /// A judge of one game.
    pub fn new(options: JudgeOptions) -> Self {
        Self {
            options,
            game: Game::new(options.start),
            board: options.start,
            passes: 0,
            asked: None,
            marks: Default::default(),
            turn: Pairs::new(),
            actions: VecDeque::new(),
        }
    }

    fn take_byte(&mut self, seat: Color, byte: u8, now: Timestamp) {
        if seat == self.board.side_to_move() {
            self.turn.push(&[byte]);
            if let Some(piece) = self.turn.next_piece() {
                self.take_piece(seat, piece, now);
            }
        } else if !is_blank(byte) {
            let shown = byte.escape_ascii();
            let detail = format!("one message a turn was expected, but {shown} came out of turn");
            self.disqualify(Cause::Format { by: seat, detail });
        }
    }

    fn take_piece(&mut self, seat: Color, piece: Piece, now: Timestamp) {
        let (bytes, split) = match piece {
            Piece::Pair { bytes, split } => (bytes, split),
            Piece::BlankLines => {
                let text = format!("{seat} printed blank lines");
                let note = Note::leniency("blank-lines", text);
                self.actions.push_back(HostAction::Note(note));
                return;
            }
        };
        let detail = match Message::parse(&bytes) {
            Ok(Message::Place(square)) if !split => {
                return self.take_move(seat, square.into(), now);
            }
            Ok(Message::Pass) if !split => return self.take_move(seat, Move::Pass, now),
            Ok(Message::Start) => String::from("a move or PS was expected, but ST came"),
            Ok(message) => format!("two characters in a row were expected, but {message} came cut"),
            Err(error) => error.to_string(),
        };
        self.disqualify(Cause::Format { by: seat, detail });
    }

    fn take_move(&mut self, seat: Color, mv: Move, now: Timestamp) {
        let took = self.asked.map_or(Duration::ZERO, |asked| now - asked);
        if mv == Move::Pass && self.board.is_over() {
            self.board = self.board.passed();
            let text = format!("{seat} passed: neither side can move");
            self.actions.push_back(HostAction::Note(Note::info(text)));
        } else if let Err(error) = self.game.play(mv) {
            let detail = format!("{error}; {}", self.board);
            return self.disqualify(Cause::IllegalMove { by: seat, detail });
        } else {
            self.board = self.game.board();
            let moved = HostEvent::Moved { seat, mv, took };
            self.actions.push_back(HostAction::Event(moved));
        }
        self.passes = if mv == Move::Pass { self.passes + 1 } else { 0 };
        self.ask(mv.into(), now);
        if self.passes == 2 || self.board.empties().is_empty() {
            self.conclude(self.game.board().leader(), Cause::Played);
        }
    }

    /// Sends the side to move what its opponent did; its time begins.
    fn ask(&mut self, message: Message, now: Timestamp) {
        self.turn = Pairs::new();
        self.asked = Some(now);
        self.actions.push_back(HostAction::Send {
            seat: self.board.side_to_move(),
            bytes: format!("{message}\n").into_bytes(),
        });
    }

    fn disqualify(&mut self, cause: Cause) {
        let winner = cause.culprit().map(|by| !by);
        self.conclude(winner, cause);
    }

    fn conclude(&mut self, winner: Option<Color>, cause: Cause) {
        self.asked = None;
        self.actions.extend(Color::ALL.map(HostAction::HangUp));
        self.actions.push_back(HostAction::Finish(Verdict {
            winner,
            cause,
            board: self.game.board(),
        }));
    }
}

impl HostSession for Judge {
    fn start(&mut self, now: Timestamp) {
        self.actions.push_back(HostAction::Event(HostEvent::Began));
        if self.board.empties().is_empty() {
            self.conclude(self.board.leader(), Cause::Played);
        } else {
            self.ask(Message::Start, now);
        }
    }

    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        self.tick(now);
        let mark = &mut self.marks[seat as usize];
        let (held, rest) = mark.filter(bytes);
        if mark.take() {
            let text = format!("{seat} printed a byte order mark");
            let note = Note::leniency("byte-order-mark", text);
            self.actions.push_back(HostAction::Note(note));
        }
        for &byte in held.iter().chain(rest) {
            if self.asked.is_none() {
                return;
            }
            self.take_byte(seat, byte, now);
        }
    }

    fn end_of_input(&mut self, seat: Color, now: Timestamp) {
        self.tick(now);
        if self.asked.is_some() {
            self.disqualify(Cause::Left { by: seat });
        }
    }

    fn exited(&mut self, seat: Color, _success: bool, now: Timestamp) {
        self.end_of_input(seat, now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        // The limit is the last moment in time.
        let last = |asked| asked + self.options.limit + self.options.grace;
        self.asked
            .map(|asked| last(asked) + Duration::from_nanos(1))
    }

    fn tick(&mut self, now: Timestamp) {
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            let by = self.board.side_to_move();
            self.disqualify(Cause::Overtime { by });
        }
    }

    fn poll(&mut self) -> Option<HostAction> {
        self.actions.pop_front()
    }

    fn game(&self) -> &Game {
        &self.game
    }
}
