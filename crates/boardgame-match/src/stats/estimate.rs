//! A number with its interval.

use std::{fmt, sync::LazyLock};

use statrs::distribution::{ContinuousCDF, Normal};

/// The two-sided confidence level of intervals.
pub(super) const CONFIDENCE: f64 = 0.95;

/// The half-width of a 95 % interval of a normal estimate in standard errors: 1.96.
pub(super) static Z: LazyLock<f64> =
    LazyLock::new(|| Normal::standard().inverse_cdf(f64::midpoint(1.0, CONFIDENCE)));

/// The chance that a standard normal variable is below `z`.
pub(super) fn normal_cdf(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// An estimate with its 95 % interval; the bounds, and the value of
/// an engine that only won or only lost, can be infinite, but none is ever NaN.
///
/// Printed as `value [low, high]`; precision and sign apply to all three.
///
/// ```
/// # use boardgame_match::stats::Estimate;
/// let estimate = Estimate { value: 12.34, low: -1.0, high: 25.0 };
/// assert_eq!(format!("{estimate:+.1}"), "+12.3 [-1.0, +25.0]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// The estimate without data: 0, with an unbounded interval.
    pub const UNKNOWN: Self = Self {
        value: 0.0,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    /// Returns half the width of the interval, which other programs print after `±`.
    #[must_use]
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Returns true if a number lies in the interval, including its ends.
    #[must_use]
    pub fn contains(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// The normal estimate with a standard error.
    pub(super) fn normal(value: f64, error: f64) -> Self {
        Self::around(value, *Z * error)
    }

    /// The estimate with the same margin on both sides.
    pub(super) fn around(value: f64, margin: f64) -> Self {
        Self {
            value,
            low: value - margin,
            high: value + margin,
        }
    }

    /// Returns the estimate on another scale; `f` must be increasing.
    pub(super) fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            value: f(self.value),
            low: f(self.low),
            high: f(self.high),
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)?;
        f.write_str(" [")?;
        self.low.fmt(f)?;
        f.write_str(", ")?;
        self.high.fmt(f)?;
        f.write_str("]")
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // What is compared so is exact.
mod tests {
    use super::*;

    #[test]
    fn the_quantile_is_that_of_the_tables() {
        assert!((*Z - 1.959_963_985).abs() < 1e-9);
        assert!((normal_cdf(1.0) - 0.841_344_746).abs() < 1e-9);
    }

    #[test]
    fn the_interval_is_printed_behind_the_value() {
        let estimate = Estimate {
            value: 12.34,
            low: -1.0,
            high: 25.0,
        };
        assert_eq!(format!("{estimate:+.1}"), "+12.3 [-1.0, +25.0]");
    }

    #[test]
    fn unknown_holds_everything() {
        assert!(Estimate::UNKNOWN.contains(1e300));
        assert_eq!(Estimate::UNKNOWN.half_width(), f64::INFINITY);
    }
}
