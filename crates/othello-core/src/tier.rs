//! Instruction-set tiers.

use core::{fmt, str::FromStr};

use crate::ParseTextError;

/// An instruction set that a computation may use; all tiers give the same results.
///
/// # Examples
///
/// ```
/// use othello_core::Tier;
///
/// let tier: Tier = "portable".parse()?;
/// assert!(tier.is_supported());
/// assert!(Tier::best() >= tier);
/// # Ok::<(), othello_core::ParseTextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// The instructions that the compilation target guarantees: SSE2 by default on x86-64, NEON on 64-bit ARM, SIMD128
    /// if enabled on WebAssembly.
    Portable,
    /// x86-64-v3: AVX2, BMI1, BMI2, F16C, FMA, LZCNT, MOVBE and POPCNT.
    Avx2,
    /// x86-64-v4: [`Tier::Avx2`] and AVX-512 F, BW, CD, DQ and VL.
    Avx512,
}

impl Tier {
    /// Every tier, whether or not this CPU supports it, from the lowest to the highest.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The tier's name: `portable`, `avx2` or `avx512`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

const EXPECTED: ParseTextError =
    ParseTextError("an instruction-set tier: portable, avx2 or avx512");

impl FromStr for Tier {
    type Err = ParseTextError;

    /// Parses a tier's name in any case, whether or not this CPU supports the tier.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut tiers = Self::ALL.into_iter();
        tiers
            .find(|tier| text.eq_ignore_ascii_case(tier.name()))
            .ok_or(EXPECTED)
    }
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
        assert_eq!("sse9".parse::<Tier>(), Err(EXPECTED));
        assert_eq!(
            EXPECTED.to_string(),
            "expected an instruction-set tier: portable, avx2 or avx512"
        );
    }
}
