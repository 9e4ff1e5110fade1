//! Instruction-set tiers and the back ends that a search runs on, chosen once at its root.
//!
//! As with the witness tokens of the pulp crate, a value that implements [`Backend`] is proof that
//! the CPU has the instructions of its tier, so using it is safe.

use core::{fmt, str::FromStr};

use crate::{Bitboard, Position, Square, arch::Portable};

#[cfg(target_arch = "x86_64")]
use crate::arch::{Avx2, Avx512};

/// The instructions that a computation may use; every tier gives the same results.
///
/// # Examples
///
/// ```
/// use othello_core::Tier;
///
/// let tier: Tier = "portable".parse()?;
/// assert!(tier.is_supported());
/// assert!(Tier::best() >= tier);
/// # Ok::<(), othello_core::ParseTierError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// The instructions that the compilation target guarantees: by default SSE2 on x86-64.
    Portable,
    /// x86-64-v3: AVX2, BMI1, BMI2, F16C, FMA, LZCNT, MOVBE and POPCNT.
    Avx2,
    /// x86-64-v4: besides those of [`Tier::Avx2`], AVX-512 F, BW, CD, DQ and VL.
    Avx512,
}

impl Tier {
    /// Every tier, whether or not this CPU supports it, each including those before.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The tier's name: `portable`, `avx2` or `avx512`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Returns `true` if this CPU has the tier's instructions.
    ///
    /// Without the feature `std` the CPU cannot be queried, and a tier is supported only if the
    /// compilation target guarantees its instructions.
    pub fn is_supported(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// The highest tier that this CPU supports.
    pub fn best() -> Self {
        let mut tiers = Self::ALL.into_iter().rev();
        tiers
            .find(|tier| tier.is_supported())
            .unwrap_or(Self::Portable)
    }

    /// Runs `work` with the back end of this tier; to be called once per search, not per position.
    ///
    /// If the CPU does not support the tier, `work` runs with the portable back end: check
    /// [`Tier::is_supported`] first if the tier must not be replaced silently.
    ///
    /// # Examples
    ///
    /// A recursion of which every level is compiled for the tier:
    ///
    /// ```
    /// use othello_core::{Backend, Position, Tier, WithBackend};
    ///
    /// struct CountLeaves(Position, u32);
    ///
    /// impl WithBackend for CountLeaves {
    ///     type Output = u64;
    ///
    ///     fn run<B: Backend>(self, backend: B) -> u64 {
    ///         count(backend, self.0, self.1)
    ///     }
    /// }
    ///
    /// fn count<B: Backend>(backend: B, position: Position, depth: u32) -> u64 {
    ///     if depth == 0 {
    ///         return 1;
    ///     }
    ///     backend.vectorize(
    ///         #[inline(always)]
    ///         || {
    ///             let moves = backend.legal_moves(position);
    ///             let child = |square| backend.play(position, square);
    ///             moves.iter().map(|square| count(backend, child(square), depth - 1)).sum()
    ///         },
    ///     )
    /// }
    ///
    /// assert_eq!(Tier::best().dispatch(CountLeaves(Position::START, 5)), 1396);
    /// ```
    pub fn dispatch<W: WithBackend>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        match self {
            Self::Portable => {}
            Self::Avx2 => {
                if let Some(backend) = Avx2::detect() {
                    return work.run(backend);
                }
            }
            Self::Avx512 => {
                if let Some(backend) = Avx512::detect() {
                    return work.run(backend);
                }
            }
        }
        work.run(Portable)
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An error: the text is not a tier. Expected `portable`, `avx2` or `avx512`, in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTierError;

impl fmt::Display for ParseTierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an instruction-set tier: portable, avx2 or avx512")
    }
}

impl core::error::Error for ParseTierError {}

impl FromStr for Tier {
    type Err = ParseTierError;

    /// Parses a tier's name in any case, whether or not this CPU supports the tier.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut tiers = Self::ALL.into_iter();
        tiers
            .find(|tier| text.eq_ignore_ascii_case(tier.name()))
            .ok_or(ParseTierError)
    }
}

/// Move generation with the instructions of one tier.
///
/// A value of such a type exists only where the CPU has the instructions of [`Backend::TIER`];
/// `unsafe` code elsewhere may rely on that to call functions compiled for them. The trait is
/// sealed: [`Tier::dispatch`] provides the back ends.
///
/// The methods are inlined inside [`Backend::vectorize`], where each costs a few instructions;
/// elsewhere each costs a function call.
pub trait Backend: crate::arch::Kernels {
    /// The tier whose instructions the back end uses.
    const TIER: Tier;

    /// The squares where the side to move may place a disc.
    fn legal_moves(self, position: Position) -> Bitboard;

    /// The legal moves of eight positions, given by the discs of the side to move and those of its
    /// opponent: faster than eight calls of [`Backend::legal_moves`].
    #[inline(always)]
    fn legal_moves_of_eight(self, own: &[Bitboard; 8], opponent: &[Bitboard; 8]) -> [Bitboard; 8] {
        core::array::from_fn(|lane| {
            self.legal_moves(Position::new_unchecked(own[lane], opponent[lane]))
        })
    }

    /// The discs that the side to move would flip with a disc on `square`, whether or not the
    /// square is empty.
    fn flips(self, position: Position, square: Square) -> Bitboard;

    /// The final disc difference for the owner of `own`, who is to move, if `square` is the only
    /// empty square; an empty square at the end counts for the winner.
    fn last_score(self, own: Bitboard, square: Square) -> i32;

    /// Prefetches the cache line in which `value` begins; does nothing if the tier has no
    /// instruction for it.
    #[inline(always)]
    fn prefetch<T>(self, _value: &T) {}

    /// The position after a disc on `square`, from the opponent's point of view, without checking
    /// that the move is legal.
    #[inline(always)]
    fn play(self, position: Position, square: Square) -> Position {
        position.after(square, self.flips(position, square))
    }

    /// Runs `work` inside a function compiled for this tier, so that everything inlined into `work`
    /// is compiled for the tier too.
    ///
    /// Mark the closure `#[inline(always)]`. Wrap the body of each recursive function: a recursive
    /// function cannot be inlined into its caller, so without the wrapper it would be compiled for
    /// the base target.
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R;

    /// [`vectorize`](Backend::vectorize) for a closure that takes arguments instead of capturing
    /// them: arguments are passed in registers, captures in memory.
    ///
    /// Unused arguments are `()`.
    fn call<A, B, C, D, R>(self, work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R;
}

/// A computation that is generic over its back end, which a closure cannot be.
pub trait WithBackend {
    /// The type of the result.
    type Output;

    /// Runs the computation with `backend`.
    fn run<B: Backend>(self, backend: B) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn tiers_round_trip_through_text() {
        for tier in Tier::ALL {
            assert_eq!(tier.to_string().parse(), Ok(tier));
            assert_eq!(tier.name().to_uppercase().parse(), Ok(tier));
        }
        assert_eq!("sse9".parse::<Tier>(), Err(ParseTierError));
        assert_eq!(
            ParseTierError.to_string(),
            "expected an instruction-set tier: portable, avx2 or avx512"
        );
    }

    struct TierOfBackend;

    impl WithBackend for TierOfBackend {
        type Output = Tier;

        fn run<B: Backend>(self, backend: B) -> Tier {
            backend.vectorize(|| B::TIER)
        }
    }

    #[test]
    fn an_unsupported_tier_runs_as_portable() {
        for tier in Tier::ALL {
            let expected = if tier.is_supported() {
                tier
            } else {
                Tier::Portable
            };
            assert_eq!(tier.dispatch(TierOfBackend), expected);
        }
        assert!(Tier::best().is_supported());
    }
}
