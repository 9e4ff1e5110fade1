//! The GUI's side.

use alloc::{
    collections::VecDeque,
    format,
    string::{String, ToString as _},
    vec::Vec,
};
use core::time::Duration;

use othello_core::{Board, Color, Game, Move, Square};

use super::{
    Request, VERSION_LINE,
    lines::{any_move, exact_move},
};
use crate::{
    ParseError,
    framing::{Line, Lines},
    session::{Cause, HostAction, HostEvent, HostSession, Note, Timestamp, Verdict},
};

/// A version of the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// v1.0.0: the side to move is not named.
    V1,
    /// v2.0.0-rc1: the side to move is named.
    #[default]
    V2,
}

/// The form of the protocol that a [`Host`] speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A process for each move, which first prints the version line.
    Document(Version),
    /// A process for each move, which prints no version line and may add a line of notes.
    Released,
    /// One process for the game, which prints the version line once.
    Stay(Version),
}

/// What a [`Host`] may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostOptions {
    /// The form to speak.
    pub form: Form,
    /// The board that the game begins on.
    pub start: Board,
    /// The limit for a move, sent in whole milliseconds.
    pub limit: Duration,
    /// The limit for the version line.
    pub startup: Duration,
    /// What is allowed beyond both limits for processes and pipes.
    pub grace: Duration,
    /// A seat that is held to no limit, such as a person's.
    pub untimed: Option<Color>,
}

impl Default for HostOptions {
    fn default() -> Self {
        Self {
            form: Form::Released,
            start: Board::START,
            limit: Duration::from_secs(3),
            startup: Duration::from_secs(3),
            grace: Duration::ZERO,
            untimed: None,
        }
    }
}

/// The GUI's side of a game. Every program is started by a [`HostAction::Launch`]: one for each
/// move, or one for each seat at the beginning with [`Form::Stay`].
#[derive(Clone, Debug)]
pub struct Host {
    options: HostOptions,
    game: Game,
    phase: Phase,
    seats: [Seat; 2],
    actions: VecDeque<HostAction>,
}

/// What is known of a seat's running program.
#[derive(Clone, Debug, Default)]
struct Seat {
    running: bool,
    /// Whether the version line came.
    ready: bool,
    lines: Lines,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The version line of the seat to move is awaited since then.
    Version(Timestamp),
    /// Its move is awaited since then.
    Move(Timestamp),
    /// It moved; the end of its process is awaited.
    Exit {
        since: Timestamp,
        square: Square,
        /// The lines after the move.
        surplus: u32,
    },
    Done,
}

impl Host {
    /// A host of one game.
    pub fn new(options: HostOptions) -> Self {
        Self {
            options,
            game: Game::new(options.start),
            phase: Phase::Done,
            seats: Default::default(),
            actions: VecDeque::new(),
        }
    }

    fn mover(&self) -> Color {
        self.game.board().side_to_move()
    }

    const fn stays(&self) -> bool {
        matches!(self.options.form, Form::Stay(_))
    }

    /// Turns to whoever can move, over a side that is stuck, or ends the game.
    fn begin_turn(&mut self, now: Timestamp) {
        if self.game.board().must_pass() {
            self.play(Move::Pass, Duration::ZERO);
        }
        if self.game.board().is_over() {
            return self.conclude(self.game.board().leader(), Cause::Played);
        }
        let seat = self.mover();
        if !self.stays() {
            self.launch(seat);
        }
        if self.options.form == Form::Released || self.seats[seat as usize].ready {
            self.ask(now);
        } else {
            self.phase = Phase::Version(now);
        }
    }

    fn launch(&mut self, seat: Color) {
        self.seats[seat as usize] = Seat {
            running: true,
            ..Seat::default()
        };
        self.actions.push_back(HostAction::Launch(seat));
    }

    /// Sends the board; the clock of the side to move starts.
    fn ask(&mut self, now: Timestamp) {
        self.phase = Phase::Move(now);
        self.actions.push_back(HostAction::Send {
            seat: self.mover(),
            bytes: self.request().to_string().into_bytes(),
        });
    }

    fn request(&self) -> Request {
        let board = self.game.board();
        let (discs, side) = match board.side_to_move() {
            Color::Black => (board.position(), Color::Black),
            Color::White => (board.position().passed(), Color::White),
        };
        let mut moves: Vec<Square> = board.legal_moves().iter().collect();
        if self.options.form == Form::Released {
            moves.sort_unstable_by_key(|square| (square.column(), square.row()));
        }
        let named = match self.options.form {
            Form::Document(Version::V1) | Form::Stay(Version::V1) => None,
            Form::Document(Version::V2) | Form::Stay(Version::V2) | Form::Released => Some(side),
        };
        Request {
            discs,
            side: named,
            time: self.options.limit,
            moves,
        }
    }

    fn take_line(&mut self, seat: Color, line: &Line, now: Timestamp) {
        if seat != self.mover() {
            return self.take_early_line(seat, line);
        }
        match self.phase {
            Phase::Version(_) if is_version(line) => {
                self.seats[seat as usize].ready = true;
                self.ask(now);
            }
            Phase::Version(_) => self.refuse(seat, VERSION_LINE, line),
            Phase::Move(since) => self.take_move(seat, line, since, now),
            Phase::Exit {
                since,
                square,
                surplus,
            } => {
                self.phase = Phase::Exit {
                    since,
                    square,
                    surplus: surplus.saturating_add(1),
                };
                self.take_surplus(seat, line, surplus);
            }
            Phase::Done => {}
        }
    }

    /// Takes a line of the seat that is not on the move: its version line, or a fault.
    fn take_early_line(&mut self, seat: Color, line: &Line) {
        let ready = &mut self.seats[seat as usize].ready;
        if *ready || !is_version(line) {
            self.refuse(seat, "nothing out of turn", line);
        } else {
            *ready = true;
        }
    }

    fn take_move(&mut self, seat: Color, line: &Line, since: Timestamp, now: Timestamp) {
        let Line::Whole(bytes) = line else {
            return self.refuse(seat, "a move", line);
        };
        let square = match self.read_move(seat, bytes) {
            Ok(square) => square,
            Err(error) => {
                let detail = error.to_string();
                return self.disqualify(Cause::Format { by: seat, detail });
            }
        };
        if let Err(error) = self.game.board().play(square) {
            let detail = format!("{error}; {}", self.game.board());
            return self.disqualify(Cause::IllegalMove { by: seat, detail });
        }
        if self.stays() {
            self.play(square.into(), now - since);
            self.begin_turn(now);
        } else {
            self.phase = Phase::Exit {
                since,
                square,
                surplus: 0,
            };
        }
    }

    /// Reads a move: the released GUI takes two characters in lower case and nothing else.
    fn read_move(&mut self, seat: Color, line: &[u8]) -> Result<Square, ParseError> {
        if self.options.form == Form::Released {
            return exact_move(line);
        }
        let square = any_move(line)?;
        let shown = line.escape_ascii();
        if line.iter().any(u8::is_ascii_uppercase) {
            let text = format!("{seat} answered {shown}");
            self.note(Note::leniency("upper-case-move", text));
        }
        if line.len() != 2 {
            let text = format!("{seat} answered \"{shown}\"");
            self.note(Note::leniency("blanks", text));
        }
        Ok(square)
    }

    /// Takes a line after the move: to the released GUI the first one is a remark.
    fn take_surplus(&mut self, seat: Color, line: &Line, before: u32) {
        match (self.options.form, line, before) {
            (Form::Released, Line::Whole(line), 0) => {
                let text = String::from_utf8_lossy(line).trim().to_string();
                let comment = HostEvent::Comment { seat, text };
                self.actions.push_back(HostAction::Event(comment));
            }
            (Form::Released, _, 1) | (Form::Document(_) | Form::Stay(_), _, 0) => {
                let text = format!("{seat} prints more than its answer: ignored");
                self.note(Note::fault(text));
            }
            _ => {}
        }
    }

    fn play(&mut self, mv: Move, took: Duration) {
        let seat = self.mover();
        // The move was checked, and a pass is played only when it must be.
        let played = self.game.play(mv);
        debug_assert!(played.is_ok());
        let moved = HostEvent::Moved { seat, mv, took };
        self.actions.push_back(HostAction::Event(moved));
    }

    fn refuse(&mut self, seat: Color, expected: &str, line: &Line) {
        let came = match line {
            Line::Whole(line) => {
                let shown = &line[..line.len().min(80)];
                format!("\"{}\"", shown.escape_ascii())
            }
            Line::TooLong => String::from("an overlong line"),
        };
        let detail = format!("{expected} was expected, {came} came");
        self.disqualify(Cause::Format { by: seat, detail });
    }

    fn disqualify(&mut self, cause: Cause) {
        let winner = cause.culprit().map(|by| !by);
        self.conclude(winner, cause);
    }

    fn conclude(&mut self, winner: Option<Color>, cause: Cause) {
        self.phase = Phase::Done;
        for seat in Color::ALL {
            if self.seats[seat as usize].running {
                self.actions.push_back(HostAction::HangUp(seat));
            }
        }
        self.actions.push_back(HostAction::Finish(Verdict {
            winner,
            cause,
            board: self.game.board(),
        }));
    }

    fn take_lines(&mut self, seat: Color, now: Timestamp) {
        while self.phase != Phase::Done
            && let Some(line) = self.seats[seat as usize].lines.next_line()
        {
            self.take_line(seat, &line, now);
        }
    }

    fn note(&mut self, note: Note) {
        self.actions.push_back(HostAction::Note(note));
    }
}

impl HostSession for Host {
    fn start(&mut self, now: Timestamp) {
        self.actions.push_back(HostAction::Event(HostEvent::Began));
        if self.stays() {
            for seat in Color::ALL {
                self.launch(seat);
            }
        }
        self.begin_turn(now);
    }

    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        self.tick(now);
        if self.phase != Phase::Done && self.seats[seat as usize].running {
            let lines = &mut self.seats[seat as usize].lines;
            lines.push(bytes);
            if lines.take_mark() {
                let text = format!("{seat} printed a byte order mark");
                self.note(Note::leniency("byte-order-mark", text));
            }
            self.take_lines(seat, now);
        }
    }

    fn end_of_input(&mut self, seat: Color, now: Timestamp) {
        self.tick(now);
        if self.phase == Phase::Done || !self.seats[seat as usize].running {
            return;
        }
        self.seats[seat as usize].lines.finish();
        self.take_lines(seat, now);
        // Only a program that has answered and lives for one move may end.
        if !matches!(self.phase, Phase::Exit { .. } | Phase::Done) {
            self.disqualify(Cause::Left { by: seat });
        }
    }

    fn exited(&mut self, seat: Color, success: bool, now: Timestamp) {
        self.end_of_input(seat, now);
        let current = &mut self.seats[seat as usize];
        if !core::mem::take(&mut current.running) {
            return;
        }
        if let Phase::Exit { since, square, .. } = self.phase {
            if success {
                self.play(square.into(), now - since);
                self.begin_turn(now);
            } else {
                let detail = String::from("exit status 0 was expected after the move");
                self.disqualify(Cause::Format { by: seat, detail });
            }
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        if self.options.untimed == Some(self.mover()) {
            return None;
        }
        let (since, limit) = match self.phase {
            Phase::Version(since) => (since, self.options.startup),
            Phase::Move(since) | Phase::Exit { since, .. } => (since, self.options.limit),
            Phase::Done => return None,
        };
        // The limit is the last moment in time.
        Some(since + limit + self.options.grace + Duration::from_nanos(1))
    }

    fn tick(&mut self, now: Timestamp) {
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            let by = self.mover();
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

fn is_version(line: &Line) -> bool {
    matches!(line, Line::Whole(line) if line == VERSION_LINE.as_bytes())
}
