//! Perft: the number of move sequences of a given length, a test and benchmark of a move generator.

#[cfg(target_arch = "x86_64")]
pub(crate) mod cascade;
#[cfg(target_arch = "x86_64")]
pub(crate) mod rows;

use crate::{Backend, Bitboard, Move, Position, Tier, WithBackend};

/// Counts the leaves of the game tree at `depth` plies from `position`.
///
/// A pass counts as a ply, and a game that ends earlier as one leaf. The moves of the last ply are
/// counted, not played.
///
/// # Examples
///
/// ```
/// use othello_core::{Position, Tier, perft};
///
/// assert_eq!(perft(Position::START, 8, Tier::best()), 390_216);
/// ```
pub fn perft(position: Position, depth: u32, tier: Tier) -> u64 {
    tier.dispatch(Perft { position, depth })
}

/// Counts the leaves below each move of `position`; the counts add up to [`perft`].
///
/// The iterator is empty at depth 0 and if the game is over.
///
/// # Examples
///
/// ```
/// use othello_core::{Position, Tier, perft, perft_divide};
///
/// let by_move = perft_divide(Position::START, 5, Tier::best());
/// assert_eq!(by_move.map(|(_, leaves)| leaves).sum::<u64>(), 1396);
/// ```
pub fn perft_divide(
    position: Position,
    depth: u32,
    tier: Tier,
) -> impl Iterator<Item = (Move, u64)> {
    let moves = if depth == 0 {
        Bitboard::EMPTY
    } else {
        position.legal_moves()
    };
    let pass = (depth > 0 && position.must_pass()).then_some(Move::Pass);
    let moves = moves.iter().map(Move::Place).chain(pass);
    moves.map(move |mv| {
        let next = match mv {
            Move::Place(square) => position.play_unchecked(square),
            Move::Pass => position.passed(),
        };
        (mv, perft(next, depth - 1, tier))
    })
}

struct Perft {
    position: Position,
    depth: u32,
}

impl WithBackend for Perft {
    type Output = u64;

    fn run<B: Backend>(self, backend: B) -> u64 {
        match self.depth {
            0 => 1,
            _ => backend.perft(self.position, self.depth),
        }
    }
}

/// Counts leaves one position at a time; `depth` is at least 1.
pub(crate) fn one_by_one<B: Backend>(backend: B, position: Position, depth: u32) -> u64 {
    let mut last_ply = |position| u64::from(backend.legal_moves(position).count().max(1));
    walk(backend, position, depth, 1, &mut last_ply)
}

/// Plays all moves until `horizon` plies are left, and returns the sum of what `visit` returns for
/// the positions there, plus one for each game that ended earlier.
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
