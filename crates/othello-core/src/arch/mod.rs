//! Legal moves and flips, once for each instruction set, behind one interface.

pub(crate) mod portable;
mod rays;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{avx2::Avx2, avx512::Avx512};

use crate::Position;

/// What the crate itself needs of a back end; being private, it seals `Backend`.
pub trait Kernels: Copy + Send + Sync + 'static {
    /// Counts the ways to play `depth` plies, at least 1, from `position`.
    fn perft(self, position: Position, depth: u32) -> u64;
}
