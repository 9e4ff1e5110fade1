//! Perft one position at a time.

use crate::{Backend, Position};

/// Counts leaves one position at a time; `depth` is at least 1.
pub(crate) fn one_by_one<B: Backend>(backend: B, position: Position, depth: u32) -> u64 {
    let mut last_ply = |position| u64::from(backend.legal_moves(position).count().max(1));
    walk(backend, position, depth, 1, &mut last_ply)
}

/// Plays all moves until `horizon` plies are left. Returns the sum of `visit` over the positions
/// there, plus one for each game that ended earlier.
pub(crate) fn walk<B: Backend>(
    backend: B,
    position: Position,
    depth: u32,
    horizon: u32,
    visit: &mut impl FnMut(Position) -> u64,
) -> u64 {
    backend.vectorize(
        #[inline(always)]
        || {
            if depth == horizon {
                return visit(position);
            }
            let moves = backend.legal_moves(position);
            if moves.is_empty() {
                let passed = position.passed();
                return if backend.legal_moves(passed).is_empty() {
                    1
                } else {
                    walk(backend, passed, depth - 1, horizon, visit)
                };
            }
            let mut leaves = 0;
            for square in moves {
                leaves += walk(
                    backend,
                    backend.play(position, square),
                    depth - 1,
                    horizon,
                    visit,
                );
            }
            leaves
        },
    )
}
