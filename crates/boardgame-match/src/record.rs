//! Records of the games of a match.

use std::error::Error;

use boardgame_core::{Color, Game, Margin, Status};
use serde::{Deserialize, Serialize};

use crate::{ForfeitScore, GameId, fault::Fault, limit::Limit};

/// An error of any type.
type BoxError = Box<dyn Error + Send + Sync>;

/// The setup of a game.
type Setup<F> = <<F as RecordFormat>::Game as Game>::Setup;

/// A move of a game.
type Move<F> = <<F as RecordFormat>::Game as Game>::Move;

/// The text form of one game in records.
///
/// By default the setup is always written, and moves are separated by spaces.
pub trait RecordFormat {
    /// The rules.
    type Game: Game;

    /// The name of the game in a record, or `None` if records do not name it.
    const GAME: Option<&'static str> = Some(<Self::Game as Game>::NAME);

    /// The heading for margins in tables.
    const MARGIN: &'static str = "margin";

    /// True if a judge scores games, including those that stop at a move limit.
    const IS_JUDGED: bool = false;

    /// The usual margin of a game lost by a fault, or `None` if such a game has no margin.
    const FORFEIT: Option<ForfeitScore> = None;

    /// Returns the setup that records omit, if there is one.
    fn default_setup() -> Option<Setup<Self>> {
        None
    }

    /// Returns the margin on the board of a game that stopped here, if it can be told.
    fn margin_on_board(position: &Self::Game) -> Option<Margin> {
        let _ = position;
        None
    }

    /// Returns the text of a setup, or `None` for the default setup.
    fn write_setup(setup: &Setup<Self>) -> Option<String> {
        (Self::default_setup().as_ref() != Some(setup)).then(|| setup.to_string())
    }

    /// Returns the text of the moves of a game.
    fn write_moves(moves: &[Move<Self>]) -> String {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        moves.join(" ")
    }

    /// Parses the moves of a game.
    ///
    /// # Errors
    ///
    /// Fails if the text has a part that is not a move. Illegal moves need not be detected.
    fn read_moves(setup: &Setup<Self>, text: &str) -> Result<Vec<Move<Self>>, BoxError> {
        let _ = setup;
        let moves = text.split_whitespace().map(str::parse);
        moves
            .collect::<Result<_, _>>()
            .map_err(|error: <Move<Self> as std::str::FromStr>::Err| error.into())
    }
}

/// A game of a match that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The [name](RecordFormat::GAME) of the game that was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The identity of the game.
    pub id: GameId,
    /// The names of Black and White.
    pub names: [String; 2],
    /// The limits of Black and White.
    pub limits: [Limit; 2],
    /// The end of the game, in seconds since 1970.
    pub finished: u64,
    /// The setup, if it is not the [default](RecordFormat::default_setup).
    #[serde(rename = "start", default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// The moves, including the opening's.
    pub moves: String,
    /// The number of moves in the opening, including passes.
    pub opening_plies: usize,
    /// The engines' evaluations and the costs of their moves: one entry for each move after the opening that
    /// was not [forced](Game::forced_move).
    pub thoughts: Vec<Thought>,
    /// The result.
    pub result: GameResult,
    /// The faults of the engines, with the colour of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<(Side, Fault)>,
}

impl PlayedGame {
    /// Adds the likely cause to the last fault of a side.
    pub(crate) fn explain(&mut self, side: Side, cause: &str) {
        let mut faults = self.faults.iter_mut().rev();
        if let Some((_, fault)) = faults.find(|(by, _)| *by == side) {
            fault.explain(cause);
        }
    }

    /// Returns the thoughts with the colour of the engine; nothing if the record does not
    /// [replay](Self::replay).
    pub fn own_moves<F: RecordFormat>(&self) -> impl Iterator<Item = (Color, &Thought)> {
        let colors = self.replay::<F>().unwrap_or_default();
        colors.into_iter().zip(&self.thoughts)
    }

    /// Returns the margin that counts for Black; `None` if the game has none.
    pub fn margin<F: RecordFormat>(&self, forfeit: Option<ForfeitScore>) -> Option<Margin> {
        self.result.margin(forfeit, || {
            let setup = self.parse_setup::<F>().ok()?;
            let mut position = F::Game::new(&setup);
            let mut moves = F::read_moves(&setup, &self.moves).ok()?.into_iter();
            moves.try_for_each(|mv| position.play(mv)).ok()?;
            F::margin_on_board(&position)
        })
    }

    /// Replays the game through the rules and returns the colour of each thought.
    ///
    /// # Errors
    ///
    /// Fails if the record is of another game, a move is not legal, the opening or the thoughts do not fit the
    /// moves, or the result does not fit the final position.
    pub fn replay<F: RecordFormat>(&self) -> Result<Vec<Color>, ReplayError> {
        let setup = self.parse_setup::<F>()?;
        let moves = F::read_moves(&setup, &self.moves).map_err(ReplayError::Moves)?;
        let mut position = F::Game::new(&setup);
        let mut colors = Vec::new();
        for (ply, &mv) in moves.iter().enumerate() {
            if ply >= self.opening_plies && position.forced_move().is_none() {
                colors.push(position.side_to_move());
            }
            let played = position.play(mv);
            played.map_err(|illegal| ReplayError::Moves(illegal.into()))?;
        }
        if self.opening_plies > moves.len() {
            return Err(ReplayError::Opening);
        }
        let (said, moves) = (self.thoughts.len(), colors.len());
        if said != moves {
            return Err(ReplayError::Thoughts { said, moves });
        }
        if self.result.is_possible(position.status(), F::IS_JUDGED) {
            Ok(colors)
        } else {
            Err(ReplayError::Result)
        }
    }

    fn parse_setup<F: RecordFormat>(&self) -> Result<Setup<F>, ReplayError> {
        if self.game.as_deref() != F::GAME {
            let (expected, found) = (F::Game::NAME, self.game.clone());
            return Err(ReplayError::Game { expected, found });
        }
        let setup = match &self.setup {
            Some(setup) => setup.parse().ok(),
            None => F::default_setup(),
        };
        setup.ok_or(ReplayError::Setup)
    }
}

/// Returns the words for a game found in a record, which may have no name.
pub(crate) fn one_of(game: Option<&str>) -> String {
    game.map_or_else(
        || "one without a name".to_owned(),
        |name| format!("one of {name}"),
    )
}

/// The error of a record that does not hold a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ReplayError {
    /// The record is of another game.
    #[error("expected a game of {expected}, found {}", one_of(found.as_deref()))]
    Game {
        expected: &'static str,
        found: Option<String>,
    },
    /// The setup is missing or invalid.
    #[error("expected the setup of a game")]
    Setup,
    /// The moves are not a legal game.
    #[error("the moves: {0}")]
    Moves(#[source] BoxError),
    /// The opening is longer than the game.
    #[error("the opening is longer than the game")]
    Opening,
    /// The number of thoughts differs from the number of unforced moves after the opening.
    #[error("{said} thoughts for {moves} moves after the opening")]
    Thoughts { said: usize, moves: usize },
    /// The result does not fit the final position.
    #[error("the result is not that of the final position")]
    Result,
}

/// An engine's own evaluation of its move, and the cost of the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// The wall-clock time from the question to the answer, in microseconds.
    pub wall_us: u64,
    /// The CPU time of the engine in microseconds, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// The expected margin in points, from the side that moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
    /// The depth of the search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The number of positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// True if the move comes from an opening book.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
}

/// A colour as records spell it.
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
    /// The game was played to its end.
    Played {
        /// The margin, written as a number of points from Black's side.
        #[serde(rename = "score", with = "points")]
        margin: Margin,
    },
    /// A fault decided the game.
    Forfeit {
        /// The side at fault; the other side won.
        by: Side,
    },
}

impl GameResult {
    /// Returns the result of a game by the rules, or `None` if they give none.
    pub fn of(position: &impl Game) -> Option<Self> {
        match position.status() {
            Status::Scored(margin) => Some(Self::Played { margin }),
            Status::Playing | Status::Unscored => None,
        }
    }

    /// Returns true if the result is possible for this status of the final position; `is_judged` if a judge
    /// may have scored the game before it was over.
    fn is_possible(self, status: Status, is_judged: bool) -> bool {
        match (self, status) {
            (Self::Forfeit { .. }, _) | (Self::Played { .. }, Status::Unscored) => true,
            (Self::Played { margin }, Status::Scored(scored)) => margin == scored,
            (Self::Played { .. }, Status::Playing) => is_judged,
        }
    }

    /// Returns the winner, or `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Played { margin } => margin.winner(),
            Self::Forfeit { by } => Some(!Color::from(by)),
        }
    }

    /// Returns twice the points of a colour in the match: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self, color: Color) -> u32 {
        match self.winner() {
            None => 1,
            Some(winner) if winner == color => 2,
            Some(_) => 0,
        }
    }

    /// Returns the margin that counts for Black: the true one of a game played to its end, otherwise that of a forfeit.
    /// `on_board` is the margin on the board.
    pub fn margin(
        self,
        forfeit: Option<ForfeitScore>,
        on_board: impl FnOnce() -> Option<Margin>,
    ) -> Option<Margin> {
        match self {
            Self::Played { margin } => Some(margin),
            Self::Forfeit { by } => forfeit?.margin(by.into(), on_board),
        }
    }
}

/// Serialization of margins as numbers of points, such as `12` or `5.5`.
mod points {
    use boardgame_core::Margin;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[allow(clippy::trivially_copy_pass_by_ref)] // Serde passes a reference.
    pub(super) fn serialize<S: Serializer>(margin: &Margin, to: S) -> Result<S::Ok, S::Error> {
        match margin.half_points() {
            half_points if half_points % 2 == 0 => to.serialize_i32(half_points / 2),
            _ => to.serialize_f64(margin.points()),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Margin, D::Error> {
        let half_points = 2.0 * f64::deserialize(from)?;
        let is_whole = half_points.fract() == 0.0 && half_points.abs() <= f64::from(i32::MAX);
        if is_whole {
            Ok(Margin::from_half_points(half_points as i32))
        } else {
            Err(D::Error::custom(
                "expected a number of points or half points",
            ))
        }
    }
}

#[cfg(test)]
mod tests;
