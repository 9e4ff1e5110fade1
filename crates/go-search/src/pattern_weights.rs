//! Weights of patterns.

use std::ops::Index;

use go_core::Pattern;

/// The weights of patterns: one for all symmetric forms of each. The default weight is 1.
#[derive(Clone, Debug)]
pub(crate) struct PatternWeights(Box<[f32]>);

impl Default for PatternWeights {
    fn default() -> Self {
        Self(vec![1.0; usize::from(Pattern::EMPTY.code()) + 1].into_boxed_slice())
    }
}

impl Index<Pattern> for PatternWeights {
    type Output = f32;

    #[inline]
    fn index(&self, pattern: Pattern) -> &f32 {
        &self.0[usize::from(pattern.code())]
    }
}

impl PatternWeights {
    /// Sets the weight of all symmetric forms of a pattern.
    pub(crate) fn set(&mut self, pattern: Pattern, weight: f32) {
        let turns = std::iter::successors(Some(pattern), |it| Some(it.turned()));
        for turned in turns.take(4) {
            self.0[usize::from(turned.code())] = weight;
            self.0[usize::from(turned.mirrored().code())] = weight;
        }
    }

    /// Iterates over the patterns with weights other than 1, in canonical form, ordered by code.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Pattern, f32)> {
        let patterns = (0..=u16::MAX).map(Pattern::from_code);
        let weighed = patterns.zip(self.0.iter().copied());
        weighed.filter(|&(pattern, weight)| {
            weight.to_bits() != 1.0_f32.to_bits() && pattern.canonical() == pattern
        })
    }
}

impl FromIterator<(Pattern, f32)> for PatternWeights {
    fn from_iter<I: IntoIterator<Item = (Pattern, f32)>>(weights: I) -> Self {
        let mut all = Self::default();
        for (pattern, weight) in weights {
            all.set(pattern, weight);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_a_pattern_have_the_same_weight() {
        let pattern = Pattern::from_code(65533);
        let weights: PatternWeights = [(pattern, 0.5)].into_iter().collect();
        for form in [pattern, pattern.turned(), pattern.turned().mirrored()] {
            assert_eq!(weights[form].to_bits(), 0.5_f32.to_bits());
        }
        assert_eq!(weights[Pattern::EMPTY].to_bits(), 1.0_f32.to_bits());
        let found: Vec<_> = weights.iter().collect();
        assert_eq!(found, [(pattern.canonical(), 0.5)]);
    }
}
