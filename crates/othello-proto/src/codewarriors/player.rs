//! The program's side.

use alloc::format;
use core::time::Duration;

use othello_core::{Board, Color, Square};

use super::{MOVE_LIMIT, Message, Pairs, Piece};
use crate::session::{
    AnsweredTask, CommonState, Ending, Note, PlayerFormat, Progress, Question, TaskClock,
    TimeMargin, Timestamp, progress,
};

/// First input that comes this soon after the start of the session is assumed to have waited since
/// the launch of the process.
const STARTUP_WINDOW: Duration = Duration::from_millis(250);

/// The options of a [`Player`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    /// The board that the game starts on. The side to move gets `ST`.
    pub start: Board,
    /// The limit for a move.
    pub limit: Duration,
    /// When the process was launched: the judge's clock for the first move may run since then.
    pub launched: Option<Timestamp>,
    /// The time before the limit at which a legal move is played without a decision.
    pub time_margin: TimeMargin,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            start: Board::START,
            limit: MOVE_LIMIT,
            launched: None,
            time_margin: TimeMargin::default(),
        }
    }
}

/// The program's side of a game.
///
/// Every message that comes during the opponent's turn gets an answer: the judge has checked what
/// it relays. After a full board or the second of two passes the session prints nothing more and
/// waits for the end of input.
///
/// # Examples
///
/// ```
/// use othello_core::Square;
/// use othello_proto::codewarriors::{Player, PlayerOptions};
/// use othello_proto::session::{Action, Decision, PlayerSession, Timestamp};
///
/// let now = Timestamp::ORIGIN;
/// let mut player = Player::new(PlayerOptions::default());
/// player.start(now);
/// player.receive(b"ST\n", now);
/// let task = loop {
///     if let Some(Action::Think(task)) = player.poll() {
///         break task;
///     }
/// };
/// player.decide(Decision { task: task.id, answer: Square::F5.into() }, now);
/// assert_eq!(player.poll(), Some(Action::Send(b"F5\n".to_vec())));
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    options: PlayerOptions,
    common: CommonState,
    board: Board,
    color: Option<Color>,
    phase: Phase,
    /// Passes in a row, by either side.
    passes: u8,
    /// The square that we played last, until the opponent answers.
    placed: Option<Square>,
    pairs: Pairs,
    began: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Before the first message: our colour is unknown.
    Opening,
    /// After the first message: we are to move while a task is open, else the opponent is.
    Playing,
    /// The game is over; the end of input is to come.
    Over,
}

impl Player {
    /// Creates a session that waits for its first message.
    pub fn new(options: PlayerOptions) -> Self {
        Self {
            options,
            common: CommonState::new(options.time_margin),
            board: options.start,
            color: None,
            phase: Phase::Opening,
            passes: 0,
            placed: None,
            pairs: Pairs::default(),
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

    fn take_pair(&mut self, bytes: [u8; 2], split: bool) {
        let shown = bytes.escape_ascii();
        match Message::parse_any_case(&bytes) {
            Ok(message) => {
                if bytes.iter().any(u8::is_ascii_lowercase) {
                    let text = format!("{shown} read as {message}");
                    self.common.note_input(Note::leniency("lower-case", text));
                }
                if split {
                    let text = format!("{message} came with blanks inside");
                    self.common
                        .note_input(Note::leniency("split-message", text));
                }
                self.take_message(message);
            }
            Err(error) => {
                self.common
                    .note_input(Note::fault(format!("skipped: {error}")));
                if split {
                    // A character was missing or extra before the blank: from there on the stream
                    // is in step.
                    self.pairs.put_back(bytes[1]);
                }
            }
        }
    }

    fn take_message(&mut self, message: Message) {
        match (self.phase, message) {
            _ if self.common.is_thinking() => self.ignore(message, "we are on the move"),
            (Phase::Opening, Message::Start) => {
                self.color = Some(self.board.side_to_move());
                self.begin_turn(self.first_clock_start());
            }
            (Phase::Opening, _) => {
                self.color = Some(!self.board.side_to_move());
                let started = self.first_clock_start();
                self.take_opponents(message, started);
            }
            (Phase::Playing, Message::Place(_) | Message::Pass) => {
                self.take_opponents(message, self.common.now());
            }
            (Phase::Playing, Message::Start) => {
                self.ignore(message, "the game has begun");
            }
            (Phase::Over, _) => self.ignore(message, "the game is over"),
        }
    }

    fn ignore(&mut self, message: Message, why: &str) {
        let text = format!("{message} ignored: {why}; {}", self.board);
        self.common.note_input(Note::fault(text));
    }

    /// Takes the opponent's turn, even an illegal one, and starts ours.
    fn take_opponents(&mut self, message: Message, started: Timestamp) {
        match message {
            Message::Place(square) if self.placed == Some(square) => {
                self.phase = Phase::Playing;
                let text = format!("{message} is our own move");
                self.common.note_input(Note::leniency("echo", text));
                return;
            }
            Message::Place(square) => self.take_placed(square),
            Message::Pass | Message::Start => self.take_pass(),
        }
        self.placed = None;
        if self.is_over() {
            self.phase = Phase::Over;
        } else {
            self.begin_turn(started);
        }
    }

    fn take_placed(&mut self, square: Square) {
        self.passes = 0;
        if let Err(error) = self.board.play(square) {
            // The judge let it through and waits for us: go on from the board that we know.
            let text = format!("{error}; {}; we answer all the same", self.board);
            self.common.note_input(Note::fault(text));
            self.board = self.board.passed();
        }
    }

    fn take_pass(&mut self) {
        if !self.board.legal_moves().is_empty() {
            let error = format!("false pass: there is a legal move; {}", self.board);
            self.common.note_input(Note::fault(error));
        }
        self.board = self.board.passed();
        self.passes += 1;
    }

    /// Asks for a move, or passes when there is none.
    fn begin_turn(&mut self, started: Timestamp) {
        let moves = self.board.legal_moves();
        if moves.is_empty() {
            self.send(Message::Pass);
            return;
        }
        self.phase = Phase::Playing;
        let clock = TaskClock {
            per_move: Some(self.options.limit),
            ..TaskClock::unlimited(started)
        };
        self.common
            .open_task((), clock, Question::best_of(self.board, moves));
    }

    /// Makes our move or pass on the board and prints it.
    fn send(&mut self, message: Message) {
        match message {
            Message::Place(square) => {
                // Only squares of the open task come here, and those are legal.
                let played = self.board.play(square);
                debug_assert!(played.is_ok());
                self.passes = 0;
                self.placed = Some(square);
            }
            Message::Pass | Message::Start => {
                self.board = self.board.passed();
                self.passes += 1;
                self.placed = None;
            }
        }
        self.common.send(format!("{message}\n"));
        self.phase = if self.is_over() {
            Phase::Over
        } else {
            Phase::Playing
        };
    }

    fn is_over(&self) -> bool {
        self.passes >= 2 || self.board.empties().is_empty()
    }

    /// Returns the start of the clock for an answer to the first input.
    fn first_clock_start(&self) -> Timestamp {
        match self.options.launched {
            Some(launched) if self.common.now() - self.began <= STARTUP_WINDOW => launched,
            _ => self.common.now(),
        }
    }
}

impl PlayerFormat for Player {
    type Question = Question;
    type Purpose = ();
    type Framing = Pairs;

    fn common(&self) -> &CommonState {
        &self.common
    }

    fn parts(&mut self) -> (&mut CommonState, &mut Pairs) {
        (&mut self.common, &mut self.pairs)
    }

    fn begin(&mut self) {
        self.began = self.common.now();
    }

    fn take(&mut self, piece: Piece) {
        match piece {
            Piece::BlankLines => self
                .common
                .note_input(Note::leniency("blank-lines", "skipped")),
            Piece::Pair { bytes, split } => self.take_pair(bytes, split),
        }
    }

    fn answer(&mut self, answered: &AnsweredTask) {
        self.send(Message::Place(answered.answer.square));
    }

    fn ending(&mut self) -> Ending {
        if let Some(byte) = self.pairs.lone() {
            let text = format!("half a message at the end: {}", byte.escape_ascii());
            self.common.note_input(Note::fault(text));
        }
        if self.phase == Phase::Over {
            Ending::Orderly
        } else {
            Ending::CutOff
        }
    }

    fn progress(&self) -> Progress {
        progress(self.board, self.color)
    }
}
