//! Requests, in the form of their JSON.

use othello_engine::PlayLevel;
use serde::{Deserialize, Serialize};

use super::{FileBytes, RequestError};

/// A request. In JSON the field `call` names its kind, and unknown fields are refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum Request {
    /// The values of the moves of a position.
    Hint(HintRequest),
    /// A move of the engine.
    Move(MoveRequest),
    /// The games of a text.
    Records(RecordsRequest),
    /// The analysis of a game.
    Analyze(AnalyzeRequest),
    /// The boards of a line of play.
    Position(PositionRequest),
    /// The moves that were played in a position.
    Explore(ExploreRequest),
}

impl Request {
    /// Parses a request.
    ///
    /// # Errors
    ///
    /// Fails if the text is not JSON, or not a request.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_web::requests::Request;
    ///
    /// assert!(Request::from_json(br#"{"call":"position","moves":"f5d6"}"#).is_ok());
    /// let error = Request::from_json(br#"{"call":"move","depth":3}"#).unwrap_err();
    /// assert!(error.to_string().contains("unknown field `depth`"));
    /// ```
    pub fn from_json(text: &[u8]) -> Result<Self, RequestError> {
        Ok(serde_json::from_slice(text)?)
    }
}

/// A request for the values of the moves of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HintRequest {
    /// The board before the moves, as 64 squares of `X`, `O` and `-` from a1 to h8 and the side to move; empty for the
    /// start.
    pub board: String,
    /// The moves from there, such as `f5d6c3`; passes may be left out.
    pub moves: String,
    /// The deepest iteration, in plies from 1 to 60.
    pub depth: Option<u32>,
    /// The time for the search, in milliseconds.
    pub time_ms: Option<u64>,
}

/// A request for a move of the engine. Without any bound, the search takes a second.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MoveRequest {
    /// The board before the moves, as in [`HintRequest::board`].
    pub board: String,
    /// The moves from there, as in [`HintRequest::moves`].
    pub moves: String,
    /// The level of play: a name such as `club`, a number from 1 to 60, or a rating from 100 on.
    pub level: Option<PlayLevel>,
    /// The time for the move, in milliseconds.
    pub time_ms: Option<u64>,
    /// The clock of the side to move.
    pub clock: Option<GameClock>,
}

/// The clock of a side for the whole game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameClock {
    /// The time left, in milliseconds.
    pub remaining_ms: u64,
    /// The time that each move adds, in milliseconds.
    #[serde(default)]
    pub increment_ms: u64,
}

/// A request for the games of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecordsRequest {
    /// The text, in any format of records.
    pub text: Option<String>,
    /// The bytes of a file in base 64, in place of a text: WTHOR files are not text.
    pub base64: Option<FileBytes>,
    /// The number of the first game to return, from 1; by default 1.
    pub first: Option<u64>,
    /// The number of games to return, at most 1000; by default 100.
    pub count: Option<u64>,
}

/// A request for the analysis of a game: of a text, or of a board and moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnalyzeRequest {
    /// The text, in any format of records.
    pub text: Option<String>,
    /// The bytes of a file in base 64, in place of a text.
    pub base64: Option<FileBytes>,
    /// The number of the game in the text; by default the first one that can be read.
    pub game: Option<u64>,
    /// The board before the moves, as in [`HintRequest::board`].
    pub board: Option<String>,
    /// The moves from there, as in [`HintRequest::moves`].
    pub moves: Option<String>,
    /// The depth of the searches where the game is not solved, in plies from 2 to 60; by default 16.
    pub depth: Option<u32>,
    /// The number of empty squares from which positions are solved, at most 60; by default 24.
    pub exact_from: Option<u32>,
}

/// A request for the boards of a line of play.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PositionRequest {
    /// The board before the moves, as in [`HintRequest::board`].
    pub board: String,
    /// The moves from there, as in [`HintRequest::moves`].
    pub moves: String,
}

/// A request for the moves that were played in a position: in the games of a text or a file, or else in those of the
/// server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExploreRequest {
    /// The board before the moves, as in [`HintRequest::board`].
    pub board: String,
    /// The moves from there, as in [`HintRequest::moves`].
    pub moves: String,
    /// The text of the games, in any format of records.
    pub text: Option<String>,
    /// The bytes of a file in base 64, in place of a text.
    pub base64: Option<FileBytes>,
}
