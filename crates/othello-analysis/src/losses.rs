//! The losses of a game's moves: a compact form of an analysis for many games.

use othello_core::{Color, Move};
use serde::{Deserialize, Serialize};

use crate::{Discs, GameInfo, GameSums, Phase, PlayedReport, PositionReport, Report, Source};

/// The losses of a game's moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameLosses {
    /// Information on the game from its record.
    pub game: GameInfo,
    /// The moves whose losses are known, without passes.
    pub moves: Vec<MoveLoss>,
}

/// The loss of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveLoss {
    /// The index of the position before it.
    pub ply: usize,
    /// The side that moved.
    pub side: Color,
    /// The number of empty squares before the move.
    pub empties: u32,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// A best move; the one played if it is one.
    pub best: Move,
    /// The score of the best move from the point of view of the side to move.
    pub score: Discs,
    /// The loss of the move against it.
    pub loss: Discs,
    /// `true` if the loss is proven, not an estimate.
    pub exact: bool,
}

impl GameLosses {
    /// Extracts the losses from a report.
    pub fn new(report: &Report) -> Self {
        Self {
            game: report.game.clone(),
            moves: report.positions.iter().filter_map(MoveLoss::new).collect(),
        }
    }

    /// Returns the sums of the moves of these colours, in a phase of the game or in the whole game.
    pub fn sums(&self, colors: &[Color], phase: Option<Phase>) -> GameSums {
        let moves = self.moves.iter().filter(|mv| colors.contains(&mv.side));
        let moves = moves.filter(|mv| phase.is_none_or(|phase| Phase::of(mv.empties) == phase));
        moves.map(|mv| mv.loss).collect()
    }

    /// Returns the name of a player, empty if unknown.
    pub fn player(&self, color: Color) -> &str {
        match color {
            Color::Black => &self.game.black.name,
            Color::White => &self.game.white.name,
        }
    }
}

impl MoveLoss {
    fn new(position: &PositionReport) -> Option<Self> {
        let PlayedReport { mv, loss, .. } = position.played?;
        mv.square()?;
        let value = position.value?;
        Some(Self {
            ply: position.ply,
            side: position.to_move?,
            empties: position.empties,
            mv,
            best: position.moves.first()?.mv,
            score: value.score,
            loss: loss?,
            exact: value.source == Source::Exact,
        })
    }
}
