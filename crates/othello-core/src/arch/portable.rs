//! The portable back end, the reference for the others.

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use super::neon as best;
use super::scalar;
#[cfg(not(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
use super::scalar as best;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128 as best;
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
        Bitboard(best::legal_moves(position.own().0, position.opponent().0))
    }

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline(always)]
    fn legal_moves_of_eight(self, own: &[Bitboard; 8], opponent: &[Bitboard; 8]) -> [Bitboard; 8] {
        let mut moves = [Bitboard(0); 8];
        for at in [0, 2, 4, 6] {
            let [first, second] = best::legal_moves_of_two(
                [own[at].0, own[at + 1].0],
                [opponent[at].0, opponent[at + 1].0],
            );
            moves[at] = Bitboard(first);
            moves[at + 1] = Bitboard(second);
        }
        moves
    }

    #[inline(always)]
    fn flips(self, position: Position, square: Square) -> Bitboard {
        Bitboard(best::flips(
            square.index(),
            position.own().0,
            position.opponent().0,
        ))
    }

    #[inline(always)]
    fn last_score(self, own: Bitboard, square: Square) -> i32 {
        scalar::last_score(square.index(), own.0, best::flips)
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
