//! The mean margin of opening pairs.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{Estimate, estimate::CONFIDENCE};

/// The mean margin of opening pairs, gathered pair by pair.
///
/// The unit is points a game (discs in Othello), for the first engine. A pair counts as one
/// observation, the mean of its two games, because they are not independent. The sums use Welford's
/// method (Technometrics 4, 1962), which does not lose digits as they grow.
///
/// ```
/// # use boardgame_match::stats::MeanMargin;
/// let margin = MeanMargin::from_pairs([[4, 0], [-2, 6], [10, 2]]);
/// assert_eq!(format!("{:+.2}", margin.mean()), "+3.33 [-2.40, +9.07]");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanMargin {
    pairs: u64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl MeanMargin {
    /// Gathers the margins of the first engine in the two games of each pair, in points.
    #[must_use]
    pub fn from_pairs<T: Into<f64>>(pairs: impl IntoIterator<Item = [T; 2]>) -> Self {
        let mut margin = Self::default();
        let pairs = pairs.into_iter().map(|pair| pair.map(Into::into));
        pairs.for_each(|pair| margin.add(pair));
        margin
    }

    /// Adds the margins of the first engine in the two games of a pair, in points.
    pub fn add(&mut self, pair: [f64; 2]) {
        let observed = f64::midpoint(pair[0], pair[1]);
        self.pairs += 1;
        let before = observed - self.mean;
        self.mean += before / self.pairs as f64;
        self.squares += before * (observed - self.mean);
    }

    /// Returns the number of pairs added.
    pub const fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Returns the standard deviation of a pair, in points a game; 0 for fewer than two pairs.
    pub fn deviation(&self) -> f64 {
        match self.pairs {
            0 | 1 => 0.0,
            pairs => (self.squares / (pairs - 1) as f64).sqrt(),
        }
    }

    /// Returns the mean with Student's interval, in points a game: unknown without pairs; infinite
    /// interval after one pair, or while all are alike and show no spread.
    pub fn mean(&self) -> Estimate {
        let value = self.mean;
        let half_width = match self.pairs {
            0 | 1 => f64::INFINITY,
            _ if self.squares == 0.0 => f64::INFINITY,
            pairs => {
                let t = student_quantile((pairs - 1) as f64);
                t * self.deviation() / (pairs as f64).sqrt()
            }
        };
        Estimate::around(value, half_width)
    }
}

/// The half-width of a 95 % interval of a mean in standard errors, by the degrees of freedom.
fn student_quantile(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom)
        .expect("the degrees of freedom are positive")
        .inverse_cdf(f64::midpoint(1.0, CONFIDENCE))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heights of Darwin's crossed less those of his self-fertilized maize, in eighths of an
    /// inch; Fisher, The Design of Experiments (1935), chapter III: mean 20.933 (314 in 15),
    /// t = 2.148, and the 5 % point of t for 14 degrees of freedom is 2.145.
    #[test]
    fn fishers_maize() {
        let differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
        let sample = MeanMargin::from_pairs(differences.map(|d| [d, d]));
        let mean = sample.mean();
        assert_eq!(sample.pairs(), 15);
        assert!((mean.value - 314.0 / 15.0).abs() < 1e-12);
        let error = sample.deviation() / 15f64.sqrt();
        assert!((mean.value / error - 2.148).abs() < 5e-4);
        assert!((mean.half_width() / error - 2.145).abs() < 5e-4);
        assert!(mean.low > 0.0, "significant at 5 %, but only just");
    }

    /// The additional sleep of ten patients (Student, Biometrika 6, 1908), in tenths of an hour; the
    /// interval is from R's help page on `sleep`.
    #[test]
    fn students_sleep() {
        let tenths = [12, 24, 13, 13, 0, 10, 18, 8, 46, 14];
        let mean = MeanMargin::from_pairs(tenths.map(|d| [d, d])).mean();
        assert!((mean.value - 15.8).abs() < 1e-12);
        assert!((mean.low - 7.001_142).abs() < 1e-5, "{mean}");
        assert!((mean.high - 24.598_858).abs() < 1e-5, "{mean}");
    }

    /// The 0.975 quantiles from the usual tables.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, t) in [(1.0, 12.706), (5.0, 2.571), (30.0, 2.042), (200.0, 1.972)] {
            assert!((student_quantile(freedom) - t).abs() < 5e-4, "{freedom}");
        }
    }

    #[test]
    fn few_pairs_say_little() {
        assert_eq!(MeanMargin::default().mean(), Estimate::UNKNOWN);
        let one = MeanMargin::from_pairs([[10, -4]]).mean();
        assert_eq!(one, Estimate::around(3.0, f64::INFINITY));
        let alike = MeanMargin::from_pairs([[2, 2], [4, 0]]).mean();
        assert_eq!(alike, Estimate::around(2.0, f64::INFINITY));
    }

    #[test]
    fn a_long_match_loses_no_digits() {
        let pairs = (0..1_000_000).map(|i| if i % 2 == 0 { [64, 62] } else { [60, 62] });
        let margin = MeanMargin::from_pairs(pairs);
        assert!((margin.mean().value - 62.0).abs() < 1e-9);
        assert!((margin.deviation() - 1.0).abs() < 1e-6);
    }
}
