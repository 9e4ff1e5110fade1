//! The GUI's side of one seat.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};
use core::{mem, time::Duration};

use boardgame_core::{ByColor, ClockState, TimeControl};
use boardgame_session::{
    Conventions, Opening, Received, Said, SeatActions, SeatEvent, SeatFault, SeatFormat,
    SeatSession as _, Wait,
};
use othello_core::{Board, Color, Move, Square};

use super::{Answer, Form, Request, VERSION_LINE, lines::any_move};
use crate::{
    ParseError,
    framing::{Line, Lines},
    session::{Note, Timestamp, board_after},
};

/// The maximum output of a program for the released GUI, in bytes: it reads only once the program has ended, so more
/// would not fit its pipe.
const MAX_OUTPUT: usize = 64 * 1024;

/// Options of a [`HostSeat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostSeatOptions {
    /// The form to speak.
    pub form: Form,
    /// The limit sent to the program if its clock has none.
    pub limit: Duration,
    /// The limit for the version line.
    pub startup: Duration,
    /// The time allowed beyond the limits for processes and pipes.
    pub grace: Duration,
}

impl Default for HostSeatOptions {
    fn default() -> Self {
        Self {
            form: Form::Released,
            limit: Duration::from_secs(3),
            startup: Duration::from_secs(3),
            grace: Duration::ZERO,
        }
    }
}

/// The GUI's side of one seat: sends the program a board whenever it is to move, and takes its move.
///
/// [`SeatAction::Launch`](boardgame_session::SeatAction::Launch) starts the programs: one for each move, or with
/// [`Form::Stay`] one when the first game starts. The limit sent to a program is what its clock allows for the move, in
/// whole milliseconds. If the clock has no limit, none is enforced, neither for moves nor for the version line.
#[derive(Clone, Debug)]
pub struct HostSeat {
    options: HostSeatOptions,
    color: Color,
    board: Board,
    /// The seat's clock at the last question.
    clock: ClockState,
    phase: Phase,
    /// True while a launched program has not ended.
    running: bool,
    /// True once it has sent the version line.
    ready: bool,
    lines: Lines,
    /// All output of the program, in the released form, where it is judged at its end.
    output: Vec<u8>,
    actions: SeatActions<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// There is no game, or the program's output no longer matters to it.
    Idle,
    /// The other side is to move.
    Waiting,
    /// Waiting since then for the version line, to send the board.
    Version(Timestamp),
    /// Waiting since then for the move.
    Move(Timestamp),
    /// The move came; waiting for the end of the process.
    Exit {
        since: Timestamp,
        square: Square,
        /// True once a line after the move was remarked on.
        surplus: bool,
    },
}

impl HostSeat {
    /// Returns a seat before its first game.
    pub fn new(options: HostSeatOptions) -> Self {
        Self {
            options,
            color: Color::Black,
            board: Board::START,
            clock: ClockState::new(TimeControl::default()),
            phase: Phase::Idle,
            running: false,
            ready: false,
            lines: Lines::default(),
            output: Vec::new(),
            actions: SeatActions::default(),
        }
    }

    fn launch(&mut self) {
        self.running = true;
        self.ready = false;
        self.lines = Lines::default();
        self.output.clear();
        self.actions.launch();
    }

    /// Sends the board; the clock starts.
    fn ask(&mut self, now: Timestamp) {
        self.phase = Phase::Move(now);
        let bytes = self.request().to_string().into_bytes();
        self.actions.send(bytes);
    }

    fn request(&self) -> Request {
        let discs = match self.color {
            Color::Black => self.board.position(),
            Color::White => self.board.position().passed(),
        };
        let mut moves: Vec<Square> = self.board.legal_moves().iter().collect();
        if self.options.form == Form::Released {
            moves.sort_unstable_by_key(|square| (square.column(), square.row()));
        }
        Request {
            discs,
            side: self.options.form.names_side().then_some(self.color),
            time: self.clock.allowed().unwrap_or(self.options.limit),
            moves,
        }
    }

    fn take_lines(&mut self, now: Timestamp) {
        while self.phase != Phase::Idle
            && let Some(line) = self.lines.next_line()
        {
            self.take_line(&line, now);
        }
    }

    fn take_line(&mut self, line: &Line, now: Timestamp) {
        match self.phase {
            Phase::Waiting => self.take_early_line(line),
            Phase::Version(_) if is_version(line) => {
                self.ready = true;
                self.ask(now);
            }
            Phase::Version(_) => self.refuse(VERSION_LINE, line),
            Phase::Move(since) => self.take_answer(line, since, now),
            Phase::Exit { .. } => self.take_surplus(),
            Phase::Idle => {}
        }
    }

    /// Takes a line that comes out of turn: the version line, or a fault.
    fn take_early_line(&mut self, line: &Line) {
        if self.ready || !is_version(line) {
            self.refuse("nothing out of turn", line);
        } else {
            self.ready = true;
        }
    }

    fn take_answer(&mut self, line: &Line, since: Timestamp, now: Timestamp) {
        let Line::Whole(bytes) = line else {
            return self.refuse("a move", line);
        };
        match self.read_move(bytes) {
            Ok(square) => self.accept(square, since, now),
            Err(error) => self.fail(SeatFault::format(error.to_string())),
        }
    }

    /// Keeps output for its end.
    fn collect(&mut self, bytes: &[u8]) {
        self.output.extend_from_slice(bytes);
        if self.output.len() > MAX_OUTPUT {
            self.output.clear();
            let detail = format!("expected at most {MAX_OUTPUT} bytes of output");
            self.fail(SeatFault::Format { detail });
        }
    }

    /// Judges the whole output of a program that has closed it, as the released GUI does.
    fn take_output(&mut self, since: Timestamp, now: Timestamp) {
        let output = mem::take(&mut self.output);
        if output.trim_ascii().is_empty() {
            return self.fail(SeatFault::Left);
        }
        match Answer::parse(&output) {
            Ok(Answer { square, notes }) => {
                if let Some(notes) = notes {
                    self.actions.event(SeatEvent::Said(Said::Comment(notes)));
                }
                self.accept(square, since, now);
            }
            Err(error) => self.fail(SeatFault::format(error.to_string())),
        }
    }

    /// Takes a legal move: at once, or at the end of the process if each move has its own.
    fn accept(&mut self, square: Square, since: Timestamp, now: Timestamp) {
        let mut played = self.board;
        if let Err(error) = played.play(square) {
            let detail = format!("{error}; {}", self.board);
            self.fail(SeatFault::IllegalMove {
                mv: square.to_string(),
                detail,
            });
        } else if self.options.form.stays() {
            self.answer(square, now - since);
        } else {
            self.phase = Phase::Exit {
                since,
                square,
                surplus: false,
            };
        }
    }

    /// Reads a move of the document's forms.
    fn read_move(&mut self, line: &[u8]) -> Result<Square, ParseError> {
        let square = any_move(line)?;
        let (color, shown) = (self.color, line.escape_ascii());
        if line.iter().any(u8::is_ascii_uppercase) {
            let text = format!("{color} answered {shown}");
            self.actions.note(Note::leniency("upper-case-move", text));
        }
        if line.len() != 2 {
            let text = format!("{color} answered \"{shown}\"");
            self.actions.note(Note::leniency("blanks", text));
        }
        Ok(square)
    }

    /// Takes a line after the move.
    fn take_surplus(&mut self) {
        if let Phase::Exit { surplus, .. } = &mut self.phase
            && !mem::replace(surplus, true)
        {
            let text = format!("{} prints more than its answer: ignored", self.color);
            self.actions.note(Note::fault(text));
        }
    }

    /// Gives the program's move to the conductor.
    fn answer(&mut self, square: Square, took: Duration) {
        // The move was checked.
        let played = self.board.play(square);
        debug_assert!(played.is_ok());
        self.phase = if self.board.is_over() {
            Phase::Idle
        } else {
            Phase::Waiting
        };
        self.actions.answer(square.into(), took);
    }

    fn refuse(&mut self, expected: &str, line: &Line) {
        let came = match line {
            Line::Whole(line) => {
                let shown = &line[..line.len().min(80)];
                format!("\"{}\"", shown.escape_ascii())
            }
            Line::TooLong => String::from("an overlong line"),
        };
        let detail = format!("{expected} was expected, {came} came");
        self.fail(SeatFault::Format { detail });
    }
}

impl SeatFormat for HostSeat {
    type Game = Board;

    const CONVENTIONS: Conventions = Conventions {
        asks_forced_moves: false,
        closing_moves: false,
    };

    fn actions(&mut self) -> &mut SeatActions<Move> {
        &mut self.actions
    }

    /// Starts a game. Where one process plays the game, a program that owes no answer is kept.
    fn begin(&mut self, opening: Opening<Board>, _: Timestamp) {
        (self.color, self.clock) = (opening.color, opening.clocks[opening.color]);
        self.board = board_after(opening.setup, &opening.moves);
        let goes_on = matches!(self.phase, Phase::Waiting | Phase::Version(_));
        if !self.options.form.stays() {
            self.leave();
        } else if !goes_on {
            self.launch();
        }
        self.phase = Phase::Waiting;
        self.actions.event(SeatEvent::Ready);
    }

    fn choose(&mut self, clocks: ByColor<ClockState>, now: Timestamp) {
        self.clock = clocks[self.color];
        if self.phase == Phase::Idle {
            return;
        }
        if !self.options.form.stays() {
            self.launch();
        }
        if self.options.form == Form::Released || self.ready {
            self.ask(now);
        } else {
            self.phase = Phase::Version(now);
        }
    }

    fn played(&mut self, color: Color, mv: Move) {
        // The program's own moves were played when it answered.
        if self.board.side_to_move() == color {
            let played = self.board.play(mv);
            debug_assert!(played.is_ok(), "the conductor has played it");
        }
    }

    fn over(&mut self, _: bool, _: Timestamp) {
        self.phase = Phase::Idle;
        self.actions.event(SeatEvent::Completed);
    }

    fn leave(&mut self) {
        self.phase = Phase::Idle;
        if mem::take(&mut self.running) {
            self.actions.hang_up();
        }
    }

    fn read(&mut self, bytes: &[u8], now: Timestamp) {
        if self.phase == Phase::Idle || !self.running {
            return;
        }
        if self.options.form == Form::Released {
            return self.collect(bytes);
        }
        self.lines.push(bytes);
        if self.lines.take_mark() {
            self.actions.note_mark(self.color);
        }
        self.take_lines(now);
    }

    fn read_end(&mut self, now: Timestamp) {
        if self.phase == Phase::Idle || !self.running {
            return;
        }
        self.lines.finish();
        self.take_lines(now);
        if let (Form::Released, Phase::Move(since)) = (self.options.form, self.phase) {
            self.take_output(since, now);
        }
        // Only a program that has answered and lives for one move may end.
        if !matches!(self.phase, Phase::Exit { .. } | Phase::Idle) {
            self.fail(SeatFault::Left);
        }
    }

    fn exit(&mut self, success: bool, now: Timestamp) {
        self.end_of_input(now);
        if !mem::take(&mut self.running) {
            return;
        }
        if let Phase::Exit { since, square, .. } = self.phase {
            if success {
                self.answer(square, now - since);
            } else {
                let detail = "exit status 0 was expected after the move";
                self.fail(SeatFault::format(detail));
            }
        }
    }

    fn wait(&self) -> Option<Wait> {
        // A person's clock may have no limit at all.
        self.clock.allowed()?;
        let grace = self.options.grace;
        match self.phase {
            Phase::Version(since) => Some(Wait {
                grace,
                ..Wait::new(since, self.options.startup)
            }),
            Phase::Move(since) | Phase::Exit { since, .. } => {
                Some(Wait::for_move(since, &self.clock, grace))
            }
            Phase::Idle | Phase::Waiting => None,
        }
    }

    fn received(&self) -> Received<'_> {
        match self.options.form {
            Form::Released => Received::Part(&self.output),
            _ => Received::Part(self.lines.partial()),
        }
    }

    fn late(&mut self, wait: Wait, now: Timestamp) {
        let fault = if let Phase::Exit { square, .. } = self.phase {
            let answer = format!("{square}, but the process goes on");
            wait.overtime(now, Received::Late(&answer))
        } else {
            wait.overtime(now, self.received())
        };
        self.fail(fault);
    }

    fn fail(&mut self, fault: SeatFault) {
        self.phase = Phase::Idle;
        self.actions.fault(fault);
    }
}

fn is_version(line: &Line) -> bool {
    matches!(line, Line::Whole(line) if line == VERSION_LINE.as_bytes())
}
