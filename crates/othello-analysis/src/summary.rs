//! Sums of the losses of each player, and the worst moves of a game.

use othello_core::{Color, Move};
use serde::Serialize;

use crate::{Discs, Position};

/// The loss from which a move counts as a mistake.
pub const MISTAKE: Discs = Discs::whole(3);

/// The maximum number of worst moves.
const WORST: usize = 5;

/// The sums of a player's moves. Passes do not count, nor do moves whose loss is not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The number of moves.
    pub moves: usize,
    /// The sum of their losses.
    pub total_loss: Discs,
    /// The mean loss of a move in discs, 0 without moves.
    pub mean_loss: f64,
    /// The number of moves that lose nothing.
    pub best_moves: usize,
    /// The number of moves that lose [`MISTAKE`] or more.
    pub mistakes: usize,
    /// The sums by phase of the game.
    pub phases: Vec<PhaseSummary>,
}

/// The sums of a player's moves in a phase of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseSummary {
    /// The phase.
    pub name: Phase,
    /// The number of moves.
    pub moves: usize,
    /// The sum of their losses.
    pub total_loss: Discs,
}

/// A phase of a game, by the number of empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// More than 40.
    Opening,
    /// 21 to 40.
    Midgame,
    /// At most 20.
    Endgame,
}

/// A move that lost discs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorstMove {
    /// The index of the position.
    pub ply: usize,
    /// The side that moved.
    pub side: Color,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Its loss against the best move.
    pub loss: Discs,
    /// The best move.
    pub better: Move,
    /// The line of best play, starting with it.
    pub line: Vec<Move>,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Midgame, Self::Endgame];

    /// The phase of a position with this number of empty squares.
    pub const fn of(empties: u32) -> Self {
        match empties {
            41.. => Self::Opening,
            21..=40 => Self::Midgame,
            _ => Self::Endgame,
        }
    }

    /// The phase's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Midgame => "midgame",
            Self::Endgame => "endgame",
        }
    }
}

/// The sums of a player's moves.
pub(crate) fn summary(positions: &[Position], color: Color) -> Summary {
    let moves: Vec<(Phase, Discs)> = positions
        .iter()
        .filter(|position| position.board().side_to_move() == color)
        .filter_map(|position| {
            let played = position.played_value()?;
            played.mv.square()?;
            Some((Phase::of(position.board().empties().count()), played.loss))
        })
        .collect();
    let losses = || moves.iter().map(|&(_, loss)| loss);
    let total_loss: Discs = losses().sum();
    Summary {
        moves: moves.len(),
        total_loss,
        mean_loss: total_loss.to_f64() / moves.len().max(1) as f64,
        best_moves: losses().filter(|&loss| loss == Discs::ZERO).count(),
        mistakes: losses().filter(|&loss| loss >= MISTAKE).count(),
        phases: Phase::ALL.map(|phase| phase_summary(&moves, phase)).into(),
    }
}

fn phase_summary(moves: &[(Phase, Discs)], phase: Phase) -> PhaseSummary {
    let of_phase = || moves.iter().filter(|&&(of, _)| of == phase);
    PhaseSummary {
        name: phase,
        moves: of_phase().count(),
        total_loss: of_phase().map(|&(_, loss)| loss).sum(),
    }
}

/// The moves with the greatest losses, the worst first.
pub(crate) fn worst(positions: &[Position]) -> Vec<WorstMove> {
    let mut moves: Vec<WorstMove> = positions
        .iter()
        .enumerate()
        .filter_map(|(ply, position)| {
            let played = position.played_value()?;
            let best = position.moves().first()?;
            (played.loss > Discs::ZERO).then(|| WorstMove {
                ply,
                side: position.board().side_to_move(),
                mv: played.mv,
                loss: played.loss,
                better: best.mv,
                line: best.line.clone(),
            })
        })
        .collect();
    moves.sort_by_key(|mv| -mv.loss);
    moves.truncate(WORST);
    moves
}
