//! Perft: counts of move sequences of a given length, a test and benchmark of move generators.

#[cfg(target_arch = "x86_64")]
pub(crate) mod cascade;
#[cfg(target_arch = "x86_64")]
pub(crate) mod rows;
pub(crate) mod walk;

use crate::{Backend, Bitboard, Move, Position, Tier, WithBackend};

/// Counts the leaves of the game tree at `depth` plies from `position`.
///
/// A pass counts as a ply, and a game that ends earlier counts as one leaf. The moves of the last ply are counted, not
/// played.
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

/// Counts the leaves below each move of `position`. The counts add up to [`perft`], except at depth 0 and after the end
/// of the game, where there are none.
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
