//! Instruction-set tiers: which back end a search runs on, chosen once at its root.
//!
//! The manner is that of the pulp crate's witness tokens: a value that implements [`Backend`] is
//! proof that the CPU has the instructions of its tier, so that using it is safe.

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
    /// What the compilation target guarantees: on x86-64 as it is usually compiled, SSE2.
    Portable,
    /// x86-64-v3: AVX2, BMI1, BMI2, F16C, FMA, LZCNT, MOVBE and POPCNT.
    Avx2,
    /// x86-64-v4: besides those of [`Tier::Avx2`], AVX-512 F, BW, CD, DQ and VL.
    Avx512,
}

impl Tier {
    /// Every tier, from the plainest to the richest, supported here or not.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The tier's name: `portable`, `avx2` or `avx512`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Whether this CPU has the tier's instructions.
    ///
    /// Without the feature `std` the CPU cannot be asked, and only what the compilation target
    /// guarantees counts as supported.
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

    /// The richest tier that this CPU supports.
    pub fn best() -> Self {
        let mut tiers = Self::ALL.into_iter().rev();
        tiers
            .find(|tier| tier.is_supported())
            .unwrap_or(Self::Portable)
    }

    /// Runs `work` with the back end of this tier: once per search, not once per position.
    ///
    /// Where the CPU lacks the tier, `work` runs with the portable back end. Ask
    /// [`Tier::is_supported`] first where a forced tier must not be replaced in silence.
    ///
    /// # Examples
    ///
    /// A recursion whose every level is compiled for the tier:
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

/// The text names no tier: `portable`, `avx2` or `avx512` was expected.
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

    /// Reads a tier's name in any case, whether this CPU supports it or not.
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
/// sealed: [`Tier::dispatch`] is the way to a back end.
///
/// The methods are inlined, so what they cost depends on where they are called: inside
/// [`Backend::vectorize`], a few instructions; outside, a function call each.
pub trait Backend: crate::arch::Kernels {
    /// The tier whose instructions the back end uses.
    const TIER: Tier;

    /// The squares where the side to move may place a disc.
    fn legal_moves(self, position: Position) -> Bitboard;

    /// The legal moves of eight positions, given by the discs of the side to move and those of its
    /// opponent: less work than one by one.
    #[inline(always)]
    fn legal_moves_of_eight(self, own: &[Bitboard; 8], opponent: &[Bitboard; 8]) -> [Bitboard; 8] {
        core::array::from_fn(|lane| {
            self.legal_moves(Position::new_unchecked(own[lane], opponent[lane]))
        })
    }

    /// The discs that a disc of the side to move on `square` would flip, whether or not the
    /// square is empty.
    fn flips(self, position: Position, square: Square) -> Bitboard;

    /// The final disc difference to the owner of `own`, who is to move, when `square` is the only
    /// empty one: all others hold discs of `own` or of the opponent.
    fn last_score(self, own: Bitboard, square: Square) -> i32;

    /// Asks for the cache line where `value` begins, ahead of its use; without a way to do so,
    /// nothing happens.
    #[inline(always)]
    fn prefetch<T>(self, _value: &T) {}

    /// The position after a disc on `square`, which the caller knows to be legal, seen from the
    /// opponent.
    #[inline(always)]
    fn play(self, position: Position, square: Square) -> Position {
        position.after(square, self.flips(position, square))
    }

    /// Runs `work` inside a function compiled for this tier, so that all that is inlined into
    /// `work` is compiled for it too.
    ///
    /// Mark the closure `#[inline(always)]`. Wrap the body of each recursive function: a function
    /// that calls itself cannot be inlined into its caller, but its wrapped body calls itself
    /// within the tier, at no cost.
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R;

    /// [`vectorize`](Backend::vectorize) for a closure that captures nothing and is handed all it
    /// needs: arguments travel in registers, captures through memory.
    ///
    /// An argument that is not needed is `()`.
    fn call<A, B, C, D, R>(self, work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R;
}

/// A computation that is generic over its back end; a closure cannot be.
pub trait WithBackend {
    /// The result.
    type Output;

    /// Does the work with `backend`.
    fn run<B: Backend>(self, backend: B) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn tiers_read_back() {
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
