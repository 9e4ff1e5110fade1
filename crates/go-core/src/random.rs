//! Random numbers that are the same on every machine.

/// A small, fast random number generator for playouts: PCG-XSH-RR 64/32 by Melissa O'Neill.
///
/// The same seed gives the same numbers on every machine. Not for cryptography.
///
/// # Examples
///
/// ```
/// use go_core::Random;
///
/// let (mut one, mut other) = (Random::new(7), Random::new(7));
/// assert_eq!(one.below(361), other.below(361));
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
    const INCREMENT: u64 = 1_442_695_040_888_963_407;

    /// Creates a generator from a seed.
    pub const fn new(seed: u64) -> Self {
        let mut random = Self {
            state: seed.wrapping_add(Self::INCREMENT),
        };
        random.next_u32();
        random
    }

    /// Returns the next number, from 0 to 2^32 - 1.
    #[inline]
    pub const fn next_u32(&mut self) -> u32 {
        let state = self.state;
        self.state = state
            .wrapping_mul(Self::MULTIPLIER)
            .wrapping_add(Self::INCREMENT);
        Self::output(state)
    }

    /// Returns the output for a state.
    #[inline]
    const fn output(state: u64) -> u32 {
        let mixed = (((state >> 18) ^ state) >> 27) as u32;
        mixed.rotate_right((state >> 59) as u32)
    }

    /// Returns a number from 0 to `bound` - 1, or 0 if the bound is 0.
    ///
    /// The numbers are uniform except for a bias of at most `bound` in 2^32.
    #[inline]
    pub const fn below(&mut self, bound: u32) -> u32 {
        ((self.next_u32() as u64 * bound as u64) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn outputs_match_the_reference() {
        // The reference's demo: pcg32 with state 42 and stream 54, whose increment is 109.
        let next = |state: u64| state.wrapping_mul(Random::MULTIPLIER).wrapping_add(109);
        let mut state = next(next(0).wrapping_add(42));
        for expected in [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293] {
            assert_eq!(Random::output(state), expected);
            state = next(state);
        }
    }

    #[test]
    fn different_seeds_give_different_sequences() {
        let first = |seed| {
            let mut random = Random::new(seed);
            [random.next_u32(), random.next_u32()]
        };
        let firsts: BTreeSet<_> = (0..1000).map(first).collect();
        assert_eq!(firsts.len(), 1000);
        assert_eq!(first(3), first(3));
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut random = Random::new(1);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        // Five standard deviations: the square root of 10,000 times 6/7.
        assert!(
            counts.iter().all(|count| count.abs_diff(10_000) < 463),
            "{counts:?}"
        );
        assert_eq!((random.below(1), random.below(0)), (0, 0));
    }
}
