//! Noise in the priors at the root.

use go_core::{Point, Random};

/// Gumbel noise on the logarithms of the priors at the root.
///
/// At a scale of 1 the moves come in the order in which they would be drawn in proportion to their priors, without
/// replacement (I. Danihelka and others, Policy improvement by planning with Gumbel, 2022).
#[derive(Clone, Debug, Default)]
pub(super) struct RootNoise {
    /// The scale, 0 for none.
    pub(super) scale: f32,
    /// By point, the factor of its prior; empty without noise.
    factors: Vec<f32>,
}

impl RootNoise {
    /// Draws the noise of a new root.
    pub(super) fn draw(&mut self, random: &mut Random) {
        self.factors.clear();
        if self.scale > 0.0 {
            let scale = self.scale;
            let factor = || {
                // The middle of one of 2^23 intervals, which an f32 can tell apart.
                let uniform = ((random.next_u32() >> 9) as f32 + 0.5) / 8_388_608.0;
                libm::powf(-libm::logf(uniform), -scale)
            };
            let factors = core::iter::repeat_with(factor);
            self.factors.extend(factors.take(Point::INDEX_END));
        }
    }

    /// Returns the factor of the prior of a stone, e to the power of its noise.
    pub(super) fn factor(&self, point: Point) -> f32 {
        self.factors.get(point.index()).copied().unwrap_or(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_move_is_drawn_in_proportion_to_its_prior() {
        let mut noise = RootNoise::default();
        let mut random = Random::new(1);
        let [one, other] = ["A1", "B1"].map(|point| point.parse::<Point>().unwrap());
        noise.draw(&mut random);
        assert_eq!(noise.factor(one).to_bits(), 1.0_f32.to_bits());
        noise.scale = 1.0;
        let first = (0..4_000).filter(|_| {
            noise.draw(&mut random);
            3.0 * noise.factor(one) > noise.factor(other)
        });
        let share = first.count() as f32 / 4_000.0;
        assert!((share - 0.75).abs() < 0.03, "{share}");
    }
}
