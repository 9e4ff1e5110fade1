//! The interface of the back ends in `arch`.
//!
//! As with the witness tokens of the pulp crate, a value that implements [`Backend`] proves that
//! the CPU has the instructions of its tier, so using it is safe.

use crate::{Bitboard, Position, Square, Tier};

/// Move generation with the instructions of one tier.
///
/// A value exists only where the CPU has the instructions of [`Backend::TIER`]; `unsafe` code
/// elsewhere may rely on that to call functions compiled for them. The trait is sealed:
/// [`Tier::dispatch`] provides the back ends.
///
/// The methods are inlined inside [`Backend::vectorize`], where each costs a few instructions;
/// elsewhere each is a function call.
pub trait Backend: Kernels {
    /// The instruction-set tier of the back end.
    const TIER: Tier;

    /// The squares where the side to move may place a disc.
    fn legal_moves(self, position: Position) -> Bitboard;

    /// The legal moves of eight positions, given by the discs of the side to move and of the
    /// opponent. Faster than eight calls of [`Backend::legal_moves`].
    #[inline(always)]
    fn legal_moves_of_eight(self, own: &[Bitboard; 8], opponent: &[Bitboard; 8]) -> [Bitboard; 8] {
        core::array::from_fn(|lane| {
            self.legal_moves(Position::new_unchecked(own[lane], opponent[lane]))
        })
    }

    /// The discs that a disc on `square` would flip for the side to move, whether or not the square
    /// is empty.
    fn flips(self, position: Position, square: Square) -> Bitboard;

    /// The final disc difference for the side to move, whose discs are `own`, if `square` is the
    /// only empty square. If it stays empty, it counts for the winner.
    fn last_score(self, own: Bitboard, square: Square) -> i32;

    /// Prefetches the cache line at the start of `value`, if the tier has an instruction for it.
    #[inline(always)]
    fn prefetch<T>(self, _value: &T) {}

    /// The position after a disc on `square`, from the opponent's point of view. Does not check
    /// that the move is legal.
    #[inline(always)]
    fn play(self, position: Position, square: Square) -> Position {
        position.after(square, self.flips(position, square))
    }

    /// Runs `work` in a function compiled for this tier, so that everything inlined into `work` is
    /// compiled for the tier too.
    ///
    /// Mark the closure `#[inline(always)]`, and wrap the body of each recursive function: a
    /// recursive function cannot be inlined into its caller, so without the wrapper it is compiled
    /// for the base target.
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R;

    /// [`vectorize`](Backend::vectorize) for a closure that takes arguments instead of capturing
    /// them: arguments are passed in registers, captures in memory.
    ///
    /// Unused arguments are `()`.
    fn call<A, B, C, D, R>(self, work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R;
}

/// A computation that is generic over the back end, which a closure cannot be.
pub trait WithBackend {
    /// The result.
    type Output;

    /// Runs the computation with `backend`.
    fn run<B: Backend>(self, backend: B) -> Self::Output;
}

/// The private part of a back end, which seals `Backend`.
pub trait Kernels: Copy + Send + Sync + 'static {
    /// Counts the leaves at `depth` plies (at least 1) from `position`.
    fn perft(self, position: Position, depth: u32) -> u64;
}
