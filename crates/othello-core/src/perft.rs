//! Counts of the ways to play so many plies on: the test of a move generator, and its benchmark.

#[cfg(target_arch = "x86_64")]
pub(crate) mod cascade;
#[cfg(target_arch = "x86_64")]
pub(crate) mod rows;

use crate::{Backend, Bitboard, Move, Position, Tier, WithBackend};

/// The number of ways to play `depth` plies from `position`.
///
/// A pass is a ply, and a game that ends earlier counts as one way. The last ply is not played
/// but counted by its legal moves.
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

/// The moves of `position` with the number of ways to play `depth` plies that begin with each;
/// together they come to [`perft`].
///
/// There is nothing to divide at depth 0, nor once the game is over.
///
/// # Examples
///
/// ```
/// use othello_core::{Position, Tier, perft, perft_divide};
///
/// let by_move = perft_divide(Position::START, 5, Tier::best());
/// assert_eq!(by_move.map(|(_, ways)| ways).sum::<u64>(), 1396);
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

/// Counts one position after another; `depth` is at least 1.
pub(crate) fn one_by_one<B: Backend>(backend: B, position: Position, depth: u32) -> u64 {
    let mut last_ply = |position| u64::from(backend.legal_moves(position).count().max(1));
    walk(backend, position, depth, 1, &mut last_ply)
}

/// Plays until `horizon` plies are left, and sums up what `visit` says of the positions there and
/// one for each game that ended before.
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
            let mut ways = 0;
            for square in moves {
                ways += walk(
                    backend,
                    backend.play(position, square),
                    depth - 1,
                    horizon,
                    visit,
                );
            }
            ways
        },
    )
}
