//! The engine's side.

mod answer;

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use othello_core::{Board, ByColor, Empties, Game, Move};

use super::{Command, Response};
use crate::{
    framing::{Line, Lines, MAX_LINE},
    ggf::{self, MoveItem, Record},
    session::{
        AnsweredTask, CommonState, Effort, Ending, Note, PlayerFormat, Progress, Question,
        TaskClock, TimeMargin, progress,
    },
};

/// The options of a [`Player`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    /// The name that the front end shows: one word.
    pub name: String,
    /// The time before the limit of `go` at which a legal move is answered without a decision.
    pub time_margin: TimeMargin,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            name: "othello".into(),
            time_margin: TimeMargin::default(),
        }
    }
}

/// The engine's side of a session.
///
/// It follows the front end's game and never makes a move by itself: the answer to `go` takes
/// effect when the front end sends it back. A command that changes the position, asks for something
/// else or pings ends the thinking in progress without an answer.
///
/// # Examples
///
/// ```
/// use othello_core::Square;
/// use othello_proto::nboard::{Player, PlayerOptions};
/// use othello_proto::session::{Action, Decision, PlayerSession, Timestamp};
///
/// let now = Timestamp::ORIGIN;
/// let mut player = Player::new(PlayerOptions::default());
/// player.start(now);
/// player.receive(b"nboard 2\nset depth 4\ngo\n", now);
/// let task = loop {
///     if let Some(Action::Think(task)) = player.poll() {
///         break task;
///     }
/// };
/// assert_eq!(task.question.effort.depth, Some(4));
/// player.decide(Decision { task: task.id, answer: Square::F5.into() }, now);
/// assert_eq!(player.poll(), Some(Action::Send(b"=== F5//0\n".to_vec())));
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    options: PlayerOptions,
    common: CommonState<Purpose>,
    /// The game, or `None` after the front end sent a change that cannot be followed.
    game: Option<Game>,
    /// Both players' clocks, where the game has them.
    clocks: ByColor<Option<ggf::Clock>>,
    depth: Option<u32>,
    lines: Lines,
}

/// The purpose of a task.
#[derive(Clone, Copy, Debug)]
pub struct Purpose {
    query: Query,
    /// True when the side to move must pass, so that the task is its opponent's.
    passed: bool,
}

/// The command that a task answers.
#[derive(Clone, Copy, Debug)]
enum Query {
    /// The answer to `go`.
    Go,
    /// The answer to `hint`.
    Hint,
    /// The answer to `analyze`, for the position after this number of moves.
    Analysis { moves: usize },
}

impl Player {
    /// Creates a session that waits for its first command, with the game at the standard start.
    pub fn new(options: PlayerOptions) -> Self {
        Self {
            common: CommonState::new(options.time_margin),
            options,
            game: Some(Game::default()),
            clocks: ByColor::default(),
            depth: None,
            lines: Lines::default(),
        }
    }

    /// Returns the position at the end of the game; the standard start when it is not known.
    pub fn board(&self) -> Board {
        self.game.as_ref().map_or(Board::START, Game::board)
    }

    fn take_command(&mut self, command: Command) {
        match command {
            Command::Version(_) => {
                let name = self.options.name.clone();
                self.send(&Response::Name(name));
            }
            Command::Depth(depth) => self.depth = Some(depth.max(1)),
            // A book is not changed by games, and has no values that depend on draws.
            Command::Contempt(_) => {}
            Command::Learn => self.send(&Response::Learned),
            _ => {
                self.stop();
                self.take_turning(command);
            }
        }
    }

    /// Takes a command that ends the thinking in progress.
    fn take_turning(&mut self, command: Command) {
        match command {
            Command::Game(record) => self.take_game(&record),
            Command::Move(item) => self.take_move(item),
            Command::Ping(number) => self.send(&Response::Pong(number)),
            Command::Go => self.go(),
            Command::Hint(lines) => self.hint(lines),
            Command::Analyze => self.analyze(),
            _ => self.common.finish(Ending::Orderly),
        }
    }

    /// Ends the thinking in progress without its answer.
    fn stop(&mut self) {
        if self.common.abandon() {
            self.status("");
        }
    }

    fn take_game(&mut self, record: &Record) {
        match record.game() {
            Ok(game) => {
                self.game = Some(game);
                self.clocks = ByColor::new_with(|color| {
                    let limited = |clock: &ggf::Clock| *clock != ggf::Clock::default();
                    record.players[color].clock.filter(limited)?;
                    record.clock(color)
                });
            }
            Err(error) => {
                self.common.note_input(Note::fault(error.to_string()));
                self.lose_track(&error.to_string());
            }
        }
    }

    fn take_move(&mut self, item: MoveItem) {
        let Some(game) = &mut self.game else {
            let text = format!("{item} ignored: the position is not known");
            return self.common.note_input(Note::fault(text));
        };
        let left_out = item.mv != Move::Pass && game.board().must_pass();
        if let Err(error) = game.play_recorded(item.mv) {
            let text = format!("{error}; {}", game.board());
            self.common.note_input(Note::fault(text));
            return self.lose_track(&error.to_string());
        }
        if let Some((before, _)) = game.plies().last() {
            let clock = &mut self.clocks[before.side_to_move()];
            *clock = clock.map(|clock| clock.after(item.time.unwrap_or_default()));
        }
        if left_out {
            let text = format!("a pass before {item} was left out");
            self.common
                .note_input(Note::leniency("left-out-pass", text));
        }
    }

    /// Marks the position as unknown, so that no wrong move is answered.
    fn lose_track(&mut self, why: &str) {
        self.stop();
        self.game = None;
        self.status(&format!("The position is not known: {why}"));
    }

    /// Returns the game's board if it is known and not over; else reports that to the front end.
    fn game_to_think_of(&mut self) -> Option<Board> {
        let complaint = match &self.game {
            None => "The position is not known",
            Some(game) if game.is_over() => "The game is over",
            Some(game) => return Some(game.board()),
        };
        self.status(complaint);
        None
    }

    fn go(&mut self) {
        if let Some(board) = self.game_to_think_of() {
            if board.must_pass() {
                self.send(&Response::Move(Move::Pass.into()));
            } else {
                self.status("Thinking");
                self.think(Query::Go, board, 1);
            }
        }
    }

    fn hint(&mut self, lines: u32) {
        if let Some(board) = self.game_to_think_of() {
            self.status("Analyzing");
            self.think(Query::Hint, board, lines.clamp(1, 64) as usize);
        }
    }

    fn analyze(&mut self) {
        if let Some(game) = &self.game {
            let positions = game.moves().len() + 1;
            self.status("Analyzing");
            self.analyze_first(positions);
        } else {
            self.game_to_think_of();
        }
    }

    /// Reports the values of the first `left` positions of the game, from the last one backwards.
    fn analyze_first(&mut self, left: usize) {
        for moves in (0..left).rev() {
            let board = (self.game.as_ref()).and_then(|game| game.boards().nth(moves));
            let Some(board) = board else { continue };
            if !board.is_over() {
                return self.think(Query::Analysis { moves }, board, 1);
            }
            let score = board.score(board.side_to_move(), Empties::ToWinner);
            self.send_analysis(moves, score.into());
        }
        self.status("");
    }

    /// Opens a task on a board that is not over.
    fn think(&mut self, query: Query, board: Board, lines: usize) {
        let passed = board.must_pass();
        let board = if passed { board.passed() } else { board };
        let clock = match query {
            Query::Go => self.clocks[board.side_to_move()],
            Query::Hint | Query::Analysis { .. } => None,
        };
        let clock = TaskClock {
            game: clock.map(|clock| clock.main),
            ..TaskClock::unlimited(self.common.now())
        };
        let effort = Effort {
            depth: self.depth,
            lines,
        };
        let purpose = Purpose { query, passed };
        let question = Question {
            effort,
            ..Question::best_move(board)
        };
        self.common.open_task(purpose, clock, question);
    }

    fn status(&mut self, text: &str) {
        self.send(&Response::Status(text.to_string()));
    }

    fn send(&mut self, response: &Response) {
        self.common.send(format!("{response}\n"));
    }
}

/// Returns the name of the leniency that reading `line` used, if any. A record has too many
/// spellings to remark on.
fn leniency(line: &[u8], command: &Command) -> Option<&'static str> {
    let exact = match command {
        Command::Game(_) => return None,
        command => command.to_string(),
    };
    let bare = |text: &[u8]| -> Vec<u8> {
        let kept = text.iter().filter(|byte| !byte.is_ascii_whitespace());
        kept.map(u8::to_ascii_lowercase).collect()
    };
    if line == exact.as_bytes() {
        None
    } else if matches!(command, Command::Move(_)) && !bare(line).starts_with(b"move") {
        Some("bare-move")
    } else if line.eq_ignore_ascii_case(exact.as_bytes()) {
        match command {
            // Its square comes in either case.
            Command::Move(_) => None,
            _ => Some("case"),
        }
    } else if bare(line) == bare(exact.as_bytes()) {
        Some("blanks")
    } else {
        None
    }
}

/// Returns `true` if an unreadable line would have changed the position.
fn changes_the_position(line: &[u8]) -> bool {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let mut is = |name: &str| {
        let word = words.next().unwrap_or_default();
        word.eq_ignore_ascii_case(name.as_bytes())
    };
    let first = line.trim_ascii_start().get(..4).unwrap_or_default();
    first.eq_ignore_ascii_case(b"move") || (is("set") && is("game"))
}

impl PlayerFormat for Player {
    type Question = Question;
    type Purpose = Purpose;
    type Framing = Lines;

    fn common(&self) -> &CommonState<Purpose> {
        &self.common
    }

    fn parts(&mut self) -> (&mut CommonState<Purpose>, &mut Lines) {
        (&mut self.common, &mut self.lines)
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Whole(line) if line.trim_ascii().is_empty() => {}
            Line::Whole(line) => match Command::parse(&line) {
                Ok(command) => {
                    self.common.reset_note_limiter();
                    if let Some(name) = leniency(&line, &command) {
                        let text = String::from_utf8_lossy(&line);
                        self.common.note_input(Note::leniency(name, text));
                    }
                    self.take_command(command);
                }
                Err(error) => {
                    self.common
                        .note_input(Note::fault(format!("ignored: {error}")));
                    if changes_the_position(&line) {
                        self.lose_track(&error.to_string());
                    }
                }
            },
            Line::TooLong => {
                let text = format!("a line of more than {MAX_LINE} bytes");
                self.common
                    .note_input(Note::fault(format!("ignored: {text}")));
                // Only a game is this long.
                self.lose_track(&text);
            }
        }
    }

    fn answer(&mut self, answered: &AnsweredTask<Purpose>) {
        self.answer_query(answered);
    }

    fn ending(&mut self) -> Ending {
        Ending::Orderly
    }

    fn progress(&self) -> Progress {
        // An engine chooses for either side.
        progress(self.board(), None)
    }
}
