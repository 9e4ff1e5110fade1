//! Events, the answers to requests, in the form of their JSON.

use othello_analysis::{Discs, Explored, GameInfo, MoveReport, OpeningInfo, Report, Source};
use othello_core::{Board, Move};
use serde::Serialize;

use super::{BoardInfo, RequestError};

/// A part of the answer to a request. In JSON the field `event` names its kind. Scores are in discs from the point of
/// view of the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The values of a position's moves.
    Update(Update),
    /// A move of the engine.
    Move(ChosenMove),
    /// The games of a text.
    Records(Records),
    /// The progress of an analysis.
    Progress(Progress),
    /// The analysis of a game.
    Report(Box<AnalysisReport>),
    /// The boards of a line of play.
    Position(LineOfPlay),
    /// The moves that were played in a position.
    Explored(ExploredGames),
    /// The request could not be carried out.
    Error {
        /// The reason, with the expected form.
        message: String,
    },
}

impl Event {
    /// Returns its name in JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Update(_) => "update",
            Self::Move(_) => "move",
            Self::Records(_) => "records",
            Self::Progress(_) => "progress",
            Self::Report(_) => "report",
            Self::Position(_) => "position",
            Self::Explored(_) => "explored",
            Self::Error { .. } => "error",
        }
    }

    /// Returns the event as JSON.
    pub fn to_json(&self) -> String {
        // No map has keys that JSON lacks, and NaN and infinities become null.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl From<&RequestError> for Event {
    fn from(error: &RequestError) -> Self {
        Self::Error {
            message: error.to_string(),
        }
    }
}

/// The values of the moves of a position, as far as a search has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Update {
    /// The board.
    pub board: BoardInfo,
    /// All legal moves with their values, best first. A pass counts as a move.
    pub moves: Vec<MoveReport>,
    /// The depth of the values in plies; for exact ones, the number of empty squares; 0 without values.
    pub depth: u32,
    /// The positions searched so far.
    pub nodes: u64,
    /// The time since the start of the search, in milliseconds.
    pub elapsed_ms: u64,
    /// Whether this is the last update.
    pub done: bool,
}

/// A move that the engine chose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChosenMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Its score.
    pub score: Discs,
    /// The evidence for the score.
    pub source: Source,
    /// The line of best play, starting with the move.
    pub line: Vec<Move>,
    /// True if the move comes from the opening book: no search was made.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_book: bool,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The positions searched.
    pub nodes: u64,
    /// The time of the search, in milliseconds.
    pub elapsed_ms: u64,
    /// The board after the move.
    pub board: BoardInfo,
}

/// The games of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Records {
    /// The detected format of the text, such as `SGF`, and any guessed encodings, as in `SGF, read as Shift_JIS`.
    pub format: String,
    /// The number of games in the text, unreadable ones included.
    pub total: u64,
    /// The requested games, without unreadable ones. One with a fault has the moves before it.
    pub games: Vec<GameRecord>,
    /// The reasons why games cannot be read, or not to their end: for the whole text, but at most 100.
    pub problems: Vec<ReadProblem>,
}

/// A game of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameRecord {
    /// Its number in the text, from 1.
    pub number: u64,
    /// The game's details in the record.
    pub info: GameInfo,
    /// The board at its start.
    pub board: Board,
    /// The moves from there, such as `f5d6c3`; `--` is a pass.
    pub moves: String,
    /// The comment on the game as a whole.
    pub comment: String,
    /// The comments on moves.
    pub comments: Vec<Comment>,
}

/// A comment on a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comment {
    /// The index of the move, from 0.
    pub ply: usize,
    /// The comment.
    pub text: String,
}

/// The reason why a game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadProblem {
    /// The number of the game in the text, from 1.
    pub game: u64,
    /// The reason, with the expected form and the place.
    pub message: String,
}

/// The progress of a step of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// The searches of the step that are done.
    pub done: usize,
    /// All searches of the step.
    pub total: usize,
    /// The depth of the step in plies.
    pub depth: u32,
    /// The number of empty squares from which the step solves positions.
    pub exact_from: u32,
}

/// The analysis of a game, as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisReport {
    /// The report.
    pub report: Report,
    /// Whether it is as thorough as requested.
    pub complete: bool,
    /// The reason why the rest of the record cannot be read; the report covers the moves before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// The boards of a line of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineOfPlay {
    /// The last board.
    pub board: BoardInfo,
    /// The last named opening that the line passes through.
    pub opening: Option<OpeningInfo>,
    /// All boards, from the start to the last.
    pub boards: Vec<BoardInfo>,
}

/// The moves that were played in a position, and games in which it occurs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExploredGames {
    /// The moves.
    #[serde(flatten)]
    pub explored: Explored,
    /// The number of games that were read, those that do not reach the position included.
    pub total: u64,
    /// The newest games through the position, the newest first; at most 20.
    pub newest: Vec<ReachedGame>,
}

/// A game that reaches a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReachedGame {
    /// The number of plies after which it reaches the position.
    pub ply: usize,
    /// The game.
    #[serde(flatten)]
    pub game: GameRecord,
}
