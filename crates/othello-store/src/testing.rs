//! Entries for tests.

use othello_analysis::{Bound, Discs, Effort, MoveValue, Source, Stored};
use othello_core::{Move, Position};

/// An entry of a position: the values of all moves, made up, each with a line of two moves.
pub(crate) fn entry(position: Position, effort: Effort) -> Stored {
    let source = match effort {
        Effort::Depth(depth) => Source::Depth {
            depth,
            confidence: 87,
        },
        Effort::Exact => Source::Exact,
    };
    let values = position
        .legal_moves()
        .iter()
        .zip(0..)
        .map(|(square, rank)| {
            let after = position.play_unchecked(square);
            let answer = after.legal_moves().iter().next();
            MoveValue {
                mv: square.into(),
                score: Discs::from_hundredths(250 - 175 * rank),
                bound: if rank < 2 {
                    Bound::Exact
                } else {
                    Bound::AtMost
                },
                source,
                line: [Some(square), answer]
                    .into_iter()
                    .flatten()
                    .map(Move::Place)
                    .collect(),
            }
        });
    Stored {
        effort,
        moves: values.collect(),
    }
}
