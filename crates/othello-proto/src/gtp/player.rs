//! The engine's side: our player as the guest of a controller.

mod commands;
mod gogui;
mod table;

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use othello_core::{Board, Color, Move};

use super::{Answer, Command, Response, timer::Timer};
use crate::{
    framing::{Line, Lines},
    session::{
        Action, AnsweredTask, CommonState, Decision, Ending, Note, PeerMisbehaved, PlayerSession,
        Progress, Question, TimeMargin, Timestamp, progress,
    },
};

/// The bytes that may come while the engine thinks, before the controller is given up.
const MAX_WAITING: usize = 1 << 20;

/// Reads the file of `loadsgf` by the path that the controller gave; `None` when it cannot be
/// read.
pub type Load = fn(&str) -> Option<String>;

/// The options of a [`Player`].
#[derive(Clone, Debug)]
pub struct PlayerOptions {
    /// The answer to `name`.
    pub name: String,
    /// The answer to `version`.
    pub version: String,
    /// Reads files for `loadsgf`; the default reads none.
    pub load: Load,
    /// The time kept back from each limit: then a legal move is played without a decision.
    pub time_margin: TimeMargin,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            name: "othello".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            load: |_| None,
            time_margin: TimeMargin::default(),
        }
    }
}

/// The engine's side of a session, from the first command to `quit` or the end of input.
///
/// Each command is answered before the next one is looked at. A pass that the controller leaves
/// out is made up for; every other move out of turn fails.
///
/// # Examples
///
/// ```
/// use othello_core::Square;
/// use othello_proto::gtp::{Player, PlayerOptions};
/// use othello_proto::session::{Action, Decision, PlayerSession, Timestamp};
///
/// let now = Timestamp::ORIGIN;
/// let mut player = Player::new(PlayerOptions::default());
/// player.start(now);
/// player.receive(b"1 genmove b\n", now);
/// let Some(Action::Think(task)) = player.poll() else {
///     panic!("a move is asked for");
/// };
/// player.decide(Decision { task: task.id, answer: Square::F5.into() }, now);
/// assert_eq!(player.poll(), Some(Action::Send(b"=1 F5\n\n".to_vec())));
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    options: PlayerOptions,
    common: CommonState<Reply>,
    board: Board,
    /// The boards before each move of the game, for `undo`.
    history: Vec<Board>,
    color: Option<Color>,
    timer: Timer,
    lines: Lines,
    /// Bytes that came since thinking began.
    waiting: usize,
}

/// The reply that a command waits for.
#[derive(Clone, Copy, Debug)]
struct Reply {
    /// The command's id.
    id: Option<u32>,
    /// True when the move is made as well (`genmove`), false when it is only told (`reg_genmove`).
    play: bool,
}

/// The outcome of a command.
enum Outcome {
    /// It is done, with this result.
    Done(String),
    /// A decision is to come.
    Think {
        /// The board to choose on.
        board: Board,
        /// See [`Reply::play`].
        play: bool,
    },
    /// It is done, and the session with it.
    Quit,
}

/// The failure of a command, in the words of the specification where it has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    UnknownCommand,
    Syntax,
    TooLong,
    UnacceptableSize,
    IllegalMove,
    WrongColor,
    CannotUndo,
    CannotScore,
    CannotLoad,
    UnsupportedGame,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownCommand => "unknown command",
            Self::Syntax => "syntax error",
            Self::TooLong => "line too long",
            Self::UnacceptableSize => "unacceptable size",
            Self::IllegalMove => "illegal move",
            Self::WrongColor => "wrong color",
            Self::CannotUndo => "cannot undo",
            Self::CannotScore => "cannot score",
            Self::CannotLoad => "cannot load file",
            Self::UnsupportedGame => "unsupported game",
        })
    }
}

impl Player {
    /// A session that waits for its first command, on the usual starting board.
    pub fn new(options: PlayerOptions) -> Self {
        Self {
            common: CommonState::new(options.time_margin),
            options,
            board: Board::START,
            history: Vec::new(),
            color: None,
            timer: Timer::default(),
            lines: Lines::default(),
            waiting: 0,
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

    fn take_line(&mut self, line: &Line) {
        let Line::Whole(line) = line else {
            return self.fail(None, Failure::TooLong, "");
        };
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(command)) => self.take_command(&command),
            Err(error) => self.fail(None, Failure::Syntax, &format!("{error}")),
        }
    }

    fn take_command(&mut self, command: &Command) {
        match table::carry_out(self, command) {
            Ok(Outcome::Done(text)) => self.respond(command.id, true, text),
            Ok(Outcome::Quit) => {
                self.respond(command.id, true, String::new());
                self.common.finish(Ending::Orderly);
            }
            Ok(Outcome::Think { board, play }) => {
                let id = command.id;
                self.think(board, Reply { id, play });
            }
            Err(failure) => self.fail(command.id, failure, &format!("{command}; {}", self.board)),
        }
    }

    /// Opens the task of choosing among the moves of `board`.
    fn think(&mut self, board: Board, reply: Reply) {
        self.waiting = 0;
        self.common.reset_note_limiter();
        let side = board.side_to_move();
        self.color = Some(side);
        let moves = board.empties().count().div_ceil(2);
        let clock = self.timer.clock(side, self.common.now(), moves);
        self.common
            .open_task(reply, clock, Question::best_move(board));
    }

    /// Gives a task's answer.
    fn answer(&mut self, answered: &AnsweredTask<Reply>) {
        let Reply { id, play } = answered.purpose;
        let square = answered.answer.square;
        if play {
            let mut board = answered.task.question.board;
            let took = self.common.now() - answered.task.clock.started;
            self.timer.spend(board.side_to_move(), took);
            // Only squares of the task come here, and those are legal.
            let played = board.play(square);
            debug_assert!(played.is_ok());
            self.make(board);
        }
        let answer = Answer::Move(Move::Place(square));
        self.respond(id, true, format!("{answer}"));
    }

    /// Makes `board` the one after the next move.
    fn make(&mut self, board: Board) {
        self.history.push(self.board);
        self.board = board;
    }

    /// Begins a game on `board`.
    fn begin(&mut self, board: Board) {
        self.history.clear();
        self.board = board;
    }

    fn respond(&mut self, id: Option<u32>, success: bool, text: String) {
        let response = Response { id, success, text };
        self.common.send(format!("{response}"));
    }

    fn fail(&mut self, id: Option<u32>, failure: Failure, detail: &str) {
        self.common
            .note_input(Note::fault(format!("{failure}: {detail}")));
        self.respond(id, false, format!("{failure}"));
    }
}

impl PlayerSession for Player {
    type Question = Question;

    fn start(&mut self, now: Timestamp) {
        self.common.advance(now);
    }

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        self.common.advance(now);
        if self.common.input_ended() || self.common.is_finished() {
            return;
        }
        if self.common.is_thinking() {
            self.waiting += bytes.len();
            if self.waiting > MAX_WAITING {
                let max_bytes = MAX_WAITING;
                let flood = PeerMisbehaved::TooManyCommands { max_bytes };
                return self.common.finish(Ending::Unintelligible(flood));
            }
        }
        self.lines.push(bytes);
        if self.lines.take_mark() {
            self.common
                .note_input(Note::leniency("byte-order-mark", "skipped"));
        }
    }

    fn end_of_input(&mut self, now: Timestamp) {
        self.common.advance(now);
        self.common.end_input();
        self.lines.finish();
    }

    fn decide(&mut self, decision: Decision, now: Timestamp) {
        self.common.advance(now);
        if let Some(answered) = self.common.take_decision(decision) {
            self.answer(&answered);
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.common.last_moment()
    }

    fn tick(&mut self, now: Timestamp) {
        self.common.advance(now);
        if let Some(answered) = self.common.take_overdue() {
            self.answer(&answered);
        }
    }

    fn poll(&mut self) -> Option<Action> {
        loop {
            if let Some(action) = self.common.next_action() {
                return Some(action);
            }
            if self.common.is_thinking() || self.common.is_finished() {
                return None;
            }
            if let Some(line) = self.lines.next_line() {
                self.take_line(&line);
            } else if self.common.is_exhausted() {
                self.common.finish(Ending::Orderly);
            } else {
                return None;
            }
        }
    }

    fn progress(&self) -> Progress {
        progress(self.board(), self.color())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_core::Square;
    use std::string::ToString;

    /// Returns the answer to one line, without the blank line.
    fn answer(line: &str) -> String {
        let mut player = Player::new(PlayerOptions::default());
        player.receive(line.as_bytes(), Timestamp::ORIGIN);
        player.receive(b"\n", Timestamp::ORIGIN);
        while let Some(action) = player.poll() {
            match action {
                Action::Send(bytes) => return String::from_utf8(bytes).unwrap().trim_end().into(),
                Action::Think(task) => player.decide(
                    Decision {
                        task: task.id,
                        answer: Square::D3.into(),
                    },
                    Timestamp::ORIGIN,
                ),
                _ => {}
            }
        }
        panic!("no answer to {line:?}");
    }

    #[test]
    fn just_the_commands_that_are_listed_are_known() {
        let listed = answer("list_commands");
        let listed: Vec<&str> = listed.trim_start_matches("= ").lines().collect();
        assert_eq!(listed.len(), table::COMMANDS.len());
        for name in &listed {
            assert_eq!(answer(&std::format!("known_command {name}")), "= true");
            assert_ne!(answer(name), "? unknown command", "{name}");
        }
        for name in [
            "genmoves",
            "GENMOVE",
            "fixed_handicap",
            "final_status_list",
            "1x",
        ] {
            assert_eq!(answer(&std::format!("known_command {name}")), "= false");
            assert_eq!(answer(name), "? unknown command", "{name}");
        }
        let mut sorted = listed.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), listed.len(), "a command is listed twice");
    }

    #[test]
    fn every_command_takes_just_its_arguments() {
        for (line, words) in [
            ("protocol_version", 0),
            ("name", 0),
            ("version", 0),
            ("list_commands", 0),
            ("quit", 0),
            ("clear_board", 0),
            ("showboard", 0),
            ("list_games", 0),
            ("gogui-analyze_commands", 0),
            ("gogui-rules_board", 0),
            ("gogui-rules_board_size", 0),
            ("gogui-rules_final_result", 0),
            ("gogui-rules_game_id", 0),
            ("gogui-rules_legal_moves", 0),
            ("gogui-rules_side_to_move", 0),
            ("gogui-setup", 0),
            ("gogui-play_sequence", 0),
            ("known_command name", 1),
            ("boardsize 8", 1),
            ("komi 6.5", 1),
            ("genmove b", 1),
            ("reg_genmove b", 1),
            ("set_game Othello", 1),
            ("gogui-setup_player w", 1),
            ("play b d3", 2),
            ("time_settings 60 10 3", 3),
            ("time_left w 60 0", 3),
        ] {
            assert!(answer(line).starts_with('='), "{line}");
            let more = std::format!("{line} 1");
            assert_eq!(answer(&more), "? syntax error", "{more}");
            if words > 0 {
                let (fewer, _) = line.rsplit_once(' ').unwrap();
                assert_eq!(answer(fewer), "? syntax error", "{fewer}");
            }
        }
    }

    #[test]
    fn failures_are_told_in_the_words_of_the_specification() {
        for (line, answered) in [
            ("3 play b a1", "?3 illegal move"),
            ("play w d3", "? illegal move"),
            ("play b pass", "? illegal move"),
            ("play b i9", "? syntax error"),
            ("play x d3", "? syntax error"),
            ("genmove w", "? wrong color"),
            ("genmove grey", "? syntax error"),
            ("4 undo", "?4 cannot undo"),
            ("boardsize 19", "? unacceptable size"),
            ("boardsize eight", "? syntax error"),
            ("komi much", "? syntax error"),
            ("final_score", "? cannot score"),
            ("loadsgf nowhere.sgf", "? cannot load file"),
            ("loadsgf a.sgf x", "? syntax error"),
            ("set_game Go", "? unsupported game"),
            ("time_left b -1 0", "? syntax error"),
            ("time_left b 1e3 0", "? syntax error"),
            ("gogui-setup b", "? syntax error"),
            ("gogui-setup b pass", "? syntax error"),
            ("17", "? syntax error"),
        ] {
            assert_eq!(answer(line), answered, "{line}");
        }
        assert_eq!(answer(&"x".repeat(5000)), "? line too long");
        assert_eq!(Failure::TooLong.to_string(), "line too long");
    }
}
