//! The portable back end, the reference for the others.

use super::scalar;
use crate::{Backend, Bitboard, Position, Square, Tier, backend::Kernels, perft};

/// The back end that runs on every CPU.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Kernels for Portable {
    fn perft(self, position: Position, depth: u32) -> u64 {
        perft::walk::one_by_one(self, position, depth)
    }
}

impl Backend for Portable {
    const TIER: Tier = Tier::Portable;

    #[inline(always)]
    fn legal_moves(self, position: Position) -> Bitboard {
        position.legal_moves()
    }

    #[inline(always)]
    fn flips(self, position: Position, square: Square) -> Bitboard {
        position.flips(square)
    }

    #[inline(always)]
    fn last_score(self, own: Bitboard, square: Square) -> i32 {
        scalar::last_score(square.index(), own.0)
    }

    #[inline(always)]
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn call<A, B, C, D, R>(self, work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R {
        work(a, b, c, d)
    }
}
