//! Selection of the back end at run time.

#[cfg(target_arch = "x86_64")]
use crate::arch::{Avx2, Avx512};
use crate::{Tier, WithBackend, arch::Portable};

impl Tier {
    /// Returns `true` if this CPU supports the tier.
    ///
    /// Without the feature `std` the CPU cannot be queried, so a tier counts as supported only if
    /// the compilation target guarantees its instructions.
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

    /// Runs `work` with the back end of this tier. Call it once per search, not per position.
    ///
    /// If the CPU does not support the tier, `work` silently runs on the portable back end; check
    /// [`Tier::is_supported`] first if that matters.
    ///
    /// # Examples
    ///
    /// A recursive function with every level compiled for the tier:
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;

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
