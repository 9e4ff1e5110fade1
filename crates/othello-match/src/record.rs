//! Records of the games of a match.

use othello_core::{Board, Color, Empties, Game, Move, TranscriptError};
use serde::{Deserialize, Serialize};

pub use boardgame_match::{EngineId, GameId};

use crate::{fault::Fault, limit::Limit};

/// A game of a match that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The identity of the game.
    pub id: GameId,
    /// The names of Black and White.
    pub names: [String; 2],
    /// The limits of Black and White.
    pub limits: [Limit; 2],
    /// When it ended, in seconds since 1970.
    pub finished: u64,
    /// The board before the first move, if it was not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The [transcript](Game::transcript), the opening included.
    pub moves: String,
    /// The number of moves, passes among them, that are the opening's.
    pub opening_plies: usize,
    /// What the engines said of their moves and what these cost: one entry for each disc placed after
    /// the opening.
    pub thoughts: Vec<Thought>,
    /// The result.
    pub result: GameResult,
    /// The faults of the engines, with the colour of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<(Side, Fault)>,
}

impl PlayedGame {
    /// Returns the side that placed each disc after the opening, and what was said of it; nothing of a
    /// record that does not [replay](Self::replay).
    pub fn own_moves(&self) -> impl Iterator<Item = (Color, &Thought)> {
        let game = self.replay().unwrap_or_default();
        let own = game.plies().skip(self.opening_plies);
        let placed = own.filter(|(_, mv)| mv.square().is_some());
        let colors: Vec<Color> = placed.map(|(board, _)| board.side_to_move()).collect();
        colors.into_iter().zip(&self.thoughts)
    }

    /// The game, replayed through the rules.
    ///
    /// # Errors
    ///
    /// When a move is not legal, the opening or the thoughts do not fit the moves, or the result
    /// is not that of the board.
    pub fn replay(&self) -> Result<Game, ReplayError> {
        let start = match &self.start {
            Some(start) => start.parse().map_err(|_| ReplayError::Start)?,
            None => Board::START,
        };
        let game = Game::from_transcript(start, &self.moves)?;
        let placed = |mv: &&Move| mv.square().is_some();
        let own = game.moves().get(self.opening_plies..);
        let own = own.ok_or(ReplayError::Opening)?;
        let (said, moves) = (self.thoughts.len(), own.iter().filter(placed).count());
        if said != moves {
            return Err(ReplayError::Thoughts { said, moves });
        }
        let as_played = game.is_over() && self.result == GameResult::of(game.board());
        if as_played || matches!(self.result, GameResult::Forfeit { .. }) {
            Ok(game)
        } else {
            Err(ReplayError::Result)
        }
    }
}

/// A record does not hold a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The board at the start is none.
    #[error("the start is not a board")]
    Start,
    /// The moves are no legal game.
    #[error("the moves: {0}")]
    Moves(#[from] TranscriptError),
    /// The opening is longer than the game.
    #[error("the opening is longer than the game")]
    Opening,
    /// The thoughts are not as many as the discs placed after the opening.
    #[error("{said} thoughts for {moves} moves after the opening")]
    Thoughts {
        /// The thoughts.
        said: usize,
        /// The discs placed after the opening.
        moves: usize,
    },
    /// The result is not that of the board, or the game is not over.
    #[error("the result is not that of the board")]
    Result,
}

/// An engine's own evaluation of its move, and the cost of the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// The wall-clock time from the question to the answer, in microseconds.
    pub wall_us: u64,
    /// The CPU time of the engine in microseconds, where it can be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// The expected result in discs, from the mover's side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
    /// The depth of the search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// A colour, as records spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Side {
    Black,
    White,
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "lowercase")]
pub enum GameResult {
    /// It was played to its end.
    Played {
        /// Black's disc difference, empty squares to the winner.
        score: i8,
    },
    /// A fault decided it.
    Forfeit {
        /// Whose fault it was: the other side won.
        by: Side,
    },
}

impl GameResult {
    /// The result of a finished game.
    pub fn of(board: Board) -> Self {
        Self::Played {
            score: board.score(Color::Black, Empties::ToWinner).discs() as i8,
        }
    }

    /// The winner, or `None` in a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Played { score: 0 } => None,
            Self::Played { score } if score > 0 => Some(Color::Black),
            Self::Played { .. } => Some(Color::White),
            Self::Forfeit { by } => Some(!Color::from(by)),
        }
    }

    /// Twice the points of a colour: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self, color: Color) -> u32 {
        match self.winner() {
            None => 1,
            Some(winner) if winner == color => 2,
            Some(_) => 0,
        }
    }

    /// The disc difference of a colour if the game was played to its end.
    pub fn discs(self, color: Color) -> Option<i32> {
        match (self, color) {
            (Self::Played { score }, Color::Black) => Some(score.into()),
            (Self::Played { score }, Color::White) => Some(-i32::from(score)),
            (Self::Forfeit { .. }, _) => None,
        }
    }
}
