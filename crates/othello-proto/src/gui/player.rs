//! The program's side.

use alloc::{format, string::String, vec::Vec};
use core::{fmt::Write as _, mem, time::Duration};

use othello_core::{Bitboard, Board, Color, Square};

use super::{
    Answer, Request, VERSION_LINE,
    ask::Ask,
    reader::{Reader, Taken},
};
use crate::{
    ParseError,
    framing::{Line, Lines, MAX_LINE},
    session::{
        AnsweredTask, Assessment, CommonState, Ending, Note, PeerMisbehaved, PlayerFormat,
        Progress, Question, TaskClock, TimeMargin, Timestamp, progress,
    },
};

/// The maximum number of bytes kept that arrive while a move is chosen.
const MAX_WAITING: usize = 1 << 20;

/// The form of the protocol that a [`Player`] speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The document's: the version line, one board, one move, and the end.
    Document,
    /// The released GUI's: one board, one move with notes, and the end; no version line.
    Released,
    /// One process for the whole game: the version line, then board and move until the end of
    /// input.
    Stay,
    /// [`Released`](Self::Released) when input is there soon, else [`Document`](Self::Document).
    #[default]
    Auto,
}

/// The options of a [`Player`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    /// The form to speak.
    pub mode: Mode,
    /// The time for which [`Mode::Auto`] waits for input before it prints the version line.
    pub wait: Duration,
    /// When the process was launched: the released GUI's clock runs since then.
    pub launched: Option<Timestamp>,
    /// True to send the released GUI a line of notes.
    pub notes: bool,
    /// The time before the limit at which a listed move is answered without a decision.
    pub time_margin: TimeMargin,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            mode: Mode::Auto,
            wait: Duration::from_millis(250),
            launched: None,
            notes: true,
            time_margin: TimeMargin::default(),
        }
    }
}

/// The program's side: answers a series of boards, or just one.
///
/// Every answer is one of the listed moves.
///
/// # Examples
///
/// ```
/// use othello_proto::gui::{Mode, Player, PlayerOptions};
/// use othello_proto::session::{Action, PlayerSession, Timestamp};
///
/// let now = Timestamp::ORIGIN;
/// let mode = Mode::Document;
/// let mut player = Player::new(PlayerOptions { mode, ..PlayerOptions::default() });
/// player.start(now);
/// assert_eq!(player.poll(), Some(Action::Send(b"v1.0.0\n".to_vec())));
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    options: PlayerOptions,
    common: CommonState,
    /// The mode, decided or not.
    mode: Mode,
    phase: Phase,
    reader: Reader,
    lines: Lines,
    /// The bytes that arrived while a move was being chosen.
    waiting: Vec<u8>,
    /// The time at which the first bytes of the next request arrived, if there are any.
    request_began: Option<Timestamp>,
    request: Option<Request>,
    board: Board,
    color: Option<Color>,
    began: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Waiting for input, or for the time to print the version line.
    Listening,
    /// Reading a board, unless a move is being chosen.
    Reading,
}

impl Player {
    /// Creates a session that speaks the form of `options`.
    pub fn new(options: PlayerOptions) -> Self {
        Self {
            options,
            common: CommonState::new(options.time_margin),
            mode: options.mode,
            phase: Phase::Listening,
            reader: Reader::default(),
            lines: Lines::default(),
            waiting: Vec::new(),
            request_began: None,
            request: None,
            board: Board::START,
            color: None,
            began: Timestamp::ORIGIN,
        }
    }

    /// Returns the board as the session knows it.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Returns the colour that the session plays, once it is known.
    pub fn color(&self) -> Option<Color> {
        self.color
    }

    /// Returns the form spoken: [`Mode::Auto`] until it is known.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the last whole request.
    pub const fn request(&self) -> Option<&Request> {
        self.request.as_ref()
    }

    /// Starts to read boards, after printing the version line if the form has it.
    fn open(&mut self, mode: Mode) {
        self.mode = mode;
        self.phase = Phase::Reading;
        if mode != Mode::Released {
            self.common.send(format!("{VERSION_LINE}\n"));
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        let idle = self.reader.is_idle() && self.lines.is_empty();
        self.push(bytes);
        if self.lines.is_empty() {
            return;
        }
        if idle {
            self.request_began = Some(self.common.now());
        }
        if self.phase == Phase::Listening {
            self.common.note(Note::info(
                "input before the version line: the released GUI",
            ));
            self.open(Mode::Released);
        }
    }

    /// Skips a line that fits no board. A process that lives for one board ends; another one looks
    /// for the next board, which may start on this very line.
    fn take_bad_line(&mut self, line: &Line, error: &ParseError) {
        if self.mode != Mode::Stay {
            let misbehaved = PeerMisbehaved::NoBoard(error.clone());
            self.common.note(Note::fault(format!("{misbehaved}")));
            return self.common.finish(Ending::Unintelligible(misbehaved));
        }
        self.common
            .note_input(Note::fault(format!("skipped: {error}")));
        if let Line::Whole(line) = line
            && !self.reader.is_idle()
        {
            self.reader = Reader::default();
            // An error leaves the reader as it is: idle.
            let _ = self.reader.take(line);
            self.request_began = Some(self.common.now());
        }
    }

    fn take_request(&mut self, request: Request, began: Timestamp) {
        let ask = Ask::new(&request);
        let started = self.clock_start(began);
        self.board = ask.board;
        self.color = Some(ask.board.side_to_move());
        for note in ask.notes {
            self.common.note_input(note);
        }
        let time = request.time;
        self.request = Some(request);
        match ask.first {
            None => {
                self.common
                    .note_input(Note::info("no move is listed: none is printed"));
                self.end_turn();
            }
            Some(first) if ask.moves.is_empty() => {
                let text = format!("no listed move is legal: {first} is answered");
                self.common.note_input(Note::fault(text));
                self.print(first, None);
            }
            Some(_) => self.ask(ask.moves, started, time),
        }
    }

    fn ask(&mut self, moves: Bitboard, started: Timestamp, time: Duration) {
        let clock = TaskClock {
            per_move: Some(time),
            ..TaskClock::unlimited(started)
        };
        self.common
            .open_task((), clock, Question::best_of(self.board, moves));
    }

    /// Returns the start of the GUI's clock for a request whose first bytes came at `received`: for
    /// the released GUI, the launch of the process.
    fn clock_start(&self, received: Timestamp) -> Timestamp {
        match self.mode {
            Mode::Released => self.options.launched.unwrap_or(self.began),
            Mode::Document | Mode::Stay | Mode::Auto => received,
        }
    }

    fn print(&mut self, square: Square, assessment: Option<&Assessment>) {
        let notes = assessment
            .filter(|_| self.mode == Mode::Released && self.options.notes)
            .map(describe);
        let answer = Answer { square, notes };
        self.common.send(format!("{answer}"));
        self.end_turn();
    }

    /// Goes on after an answer, or where there was nothing to answer.
    fn end_turn(&mut self) {
        if self.mode == Mode::Stay {
            self.lines.push(&mem::take(&mut self.waiting));
            if self.common.input_ended() {
                self.lines.finish();
            }
        } else {
            self.common.finish(Ending::Orderly);
        }
    }

    /// Keeps what arrives while a move is being chosen, if it will be wanted.
    fn keep_waiting(&mut self, bytes: &[u8]) {
        if self.mode != Mode::Stay {
            return;
        }
        let room = MAX_WAITING - self.waiting.len();
        if bytes.len() > room {
            self.common
                .note_input(Note::fault("too much input at once: the rest is dropped"));
        }
        self.waiting.extend(&bytes[..bytes.len().min(room)]);
    }
}

impl PlayerFormat for Player {
    type Question = Question;
    type Purpose = ();
    type Framing = Lines;

    fn common(&self) -> &CommonState {
        &self.common
    }

    fn parts(&mut self) -> (&mut CommonState, &mut Lines) {
        (&mut self.common, &mut self.lines)
    }

    fn begin(&mut self) {
        self.began = self.common.now();
        if self.mode != Mode::Auto {
            self.open(self.mode);
        }
    }

    fn take_bytes(&mut self, bytes: &[u8]) {
        if self.common.is_thinking() {
            self.keep_waiting(bytes);
        } else {
            self.read(bytes);
        }
    }

    fn end_bytes(&mut self) {
        // While a move is chosen, more of the last line may be waiting.
        if !self.common.is_thinking() {
            self.lines.finish();
        }
    }

    /// Returns the next line, even an unterminated one if it can only be a whole list.
    fn next_piece(&mut self) -> Option<Line> {
        if self.phase == Phase::Listening || self.common.is_thinking() {
            return None;
        }
        if let Some(line) = self.lines.next_line() {
            return Some(line);
        }
        if !self.reader.ends_with(self.lines.partial()) {
            return None;
        }
        let text = "all moves are there, the end of their line is not";
        self.common.note_input(Note::leniency("no-line-end", text));
        Some(Line::Whole(self.lines.take_partial()))
    }

    fn take(&mut self, line: Line) {
        let began = *self.request_began.get_or_insert(self.common.now());
        let taken = match &line {
            Line::Whole(line) => self.reader.take(line),
            Line::TooLong => Err(ParseError::new(self.reader.expects(), MAX_LINE, b"")),
        };
        if !matches!(taken, Ok(Taken::Part)) {
            for name in self.reader.leniencies() {
                self.common
                    .note_input(Note::leniency(name, "read all the same"));
            }
        }
        match taken {
            Ok(Taken::Part) => {}
            Ok(Taken::Request(request)) => self.take_request(request, began),
            Err(error) => self.take_bad_line(&line, &error),
        }
        if self.reader.is_idle() {
            self.request_began = None;
        }
    }

    fn answer(&mut self, answered: &AnsweredTask) {
        self.print(answered.answer.square, answered.answer.assessment.as_ref());
    }

    fn ending(&mut self) -> Ending {
        if self.mode == Mode::Stay && self.reader.is_idle() {
            return Ending::Orderly;
        }
        let expected = self.reader.expects();
        let text = format!("the input ended where {expected} was expected");
        self.common.note(Note::fault(text));
        Ending::CutOff
    }

    fn wait_end(&self) -> Option<Timestamp> {
        (self.phase == Phase::Listening).then(|| self.began + self.options.wait)
    }

    fn stop_waiting(&mut self) {
        let text = "no input yet: a GUI that follows the document";
        self.common.note(Note::info(text));
        self.open(Mode::Document);
    }

    fn progress(&self) -> Progress {
        progress(self.board, self.color)
    }
}

/// One line of notes.
fn describe(assessment: &Assessment) -> String {
    let (score, depth, nodes) = (assessment.score, assessment.depth, assessment.nodes);
    let kind = if assessment.exact {
        "exact"
    } else {
        "expected"
    };
    let mut text = if assessment.from_book {
        format!("book {score}")
    } else {
        format!("{kind} {score} at depth {depth}, {nodes} nodes")
    };
    for (index, mv) in assessment.variation.iter().enumerate() {
        let gap = if index == 0 { ": " } else { " " };
        // Writing to a string does not fail.
        let _ = write!(text, "{gap}{mv}");
    }
    text
}
