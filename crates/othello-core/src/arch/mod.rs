//! Back ends: legal moves and flips for each instruction set.

pub(crate) mod portable;
mod rays;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{avx2::Avx2, avx512::Avx512};

use crate::Position;

/// The private part of a back end, which seals `Backend`.
pub trait Kernels: Copy + Send + Sync + 'static {
    /// Counts the leaves at `depth` plies, at least 1, from `position`.
    fn perft(self, position: Position, depth: u32) -> u64;
}
