//! Positions and entries of tests.

use othello_analysis::{Bound, Discs, Effort, MoveValue, Source, Stored};
use othello_core::Position;

/// Canonical positions with moves, all different, from the start on.
pub(crate) fn positions(count: usize) -> Vec<Position> {
    let mut seen = vec![Position::START.canonical().0];
    for at in 0.. {
        let position = seen[at];
        for square in position.legal_moves() {
            if seen.len() == count {
                return seen;
            }
            let (next, _) = position.play_unchecked(square).canonical();
            if !next.legal_moves().is_empty() && !seen.contains(&next) {
                seen.push(next);
            }
        }
    }
    unreachable!("the game has more positions")
}

/// An entry whose values all tell its depth.
pub(crate) fn entry(position: Position, depth: u32) -> Stored {
    let moves = position.legal_moves().iter().map(|square| MoveValue {
        mv: square.into(),
        score: Discs::whole(depth as i32),
        bound: Bound::Exact,
        source: Source::Depth {
            depth,
            confidence: 87,
        },
        line: vec![square.into()],
    });
    Stored {
        effort: Effort::Depth(depth),
        moves: moves.collect(),
    }
}
