//! Exploration at the root, for self-play.

use go_core::{Point, Random};

use crate::prior::MAX_WEIGHT;

/// The settings of exploration at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootExploration {
    /// The temperature of the priors, above 0: priors are raised to the power of its reciprocal. Values above 1 flatten
    /// them, so that visits depend more on results and less on priors.
    pub temperature: f32,
    /// The scale, at least 0, of the Gumbel noise added to the logarithms of the resulting priors; 0 adds none.
    pub noise: f32,
}

impl RootExploration {
    /// No exploration.
    pub const NONE: Self = Self {
        temperature: 1.0,
        noise: 0.0,
    };
}

impl Default for RootExploration {
    fn default() -> Self {
        Self::NONE
    }
}

/// The changes to the priors at the root: the settings, and the noise drawn for the current root.
#[derive(Clone, Debug, Default)]
pub(super) struct PriorChanges {
    pub(super) exploration: RootExploration,
    /// The factor of the prior for each point; empty without noise.
    factors: Vec<f32>,
}

impl PriorChanges {
    /// Draws the noise of a new root.
    ///
    /// At a scale of 1 the moves are ordered as if drawn without replacement in proportion to their flattened priors
    /// (I. Danihelka and others, Policy improvement by planning with Gumbel, 2022).
    pub(super) fn draw(&mut self, random: &mut Random) {
        self.factors.clear();
        let scale = self.exploration.noise;
        if scale > 0.0 {
            let factor = || {
                // The middle of one of 2^23 intervals, which an f32 can represent.
                let uniform = ((random.next_u32() >> 9) as f32 + 0.5) / 8_388_608.0;
                libm::powf(-libm::logf(uniform), -scale)
            };
            let factors = core::iter::repeat_with(factor);
            self.factors.extend(factors.take(Point::INDEX_END));
        }
    }

    /// Returns the unnormalized prior of a stone from the product of its features' weights.
    pub(super) fn apply(&self, point: Point, weight: f32) -> f32 {
        if self.exploration == RootExploration::NONE {
            return weight;
        }
        let flat = libm::powf(weight, self.exploration.temperature.recip());
        let factor = self.factors.get(point.index()).copied().unwrap_or(1.0);
        (factor * flat).min(MAX_WEIGHT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> [Point; 2] {
        ["A1", "B1"].map(|point| point.parse().unwrap())
    }

    #[test]
    fn the_first_move_is_drawn_in_proportion_to_its_prior() {
        let mut changes = PriorChanges::default();
        let mut random = Random::new(1);
        let [one, other] = points();
        changes.draw(&mut random);
        assert_eq!(changes.apply(one, 0.3).to_bits(), 0.3_f32.to_bits());
        changes.exploration.noise = 1.0;
        let first = (0..4_000).filter(|_| {
            changes.draw(&mut random);
            changes.apply(one, 3.0) > changes.apply(other, 1.0)
        });
        let share = first.count() as f32 / 4_000.0;
        assert!((share - 0.75).abs() < 0.03, "{share}");
    }

    #[test]
    fn priors_stay_finite() {
        let mut changes = PriorChanges::default();
        changes.exploration.temperature = 0.1;
        assert_eq!(
            changes.apply(points()[0], 1e30).to_bits(),
            MAX_WEIGHT.to_bits()
        );
    }

    #[test]
    fn a_temperature_of_two_takes_the_square_roots_of_priors() {
        let mut changes = PriorChanges::default();
        changes.exploration.temperature = 2.0;
        assert!((changes.apply(points()[0], 9.0) - 3.0).abs() < 1e-5);
    }
}
