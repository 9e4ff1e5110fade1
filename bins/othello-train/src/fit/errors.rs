//! Prediction errors, by the number of discs.

use othello_search::eval::{FIRST_HEAD, HEADS};

/// The accumulated errors of predictions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ErrorSum {
    /// The number of predictions.
    pub(crate) count: u64,
    absolute: f64,
    squares: f64,
}

impl ErrorSum {
    /// Returns the mean absolute error in discs, NaN without predictions.
    pub(crate) fn mean_absolute(&self) -> f64 {
        self.absolute / self.count as f64
    }

    /// Returns the root mean square error in discs, NaN without predictions.
    pub(crate) fn root_mean_square(&self) -> f64 {
        (self.squares / self.count as f64).sqrt()
    }

    /// Returns the sum of both.
    #[must_use]
    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self {
            count: self.count + other.count,
            absolute: self.absolute + other.absolute,
            squares: self.squares + other.squares,
        }
    }

    fn add(&mut self, error: f32) {
        let error = f64::from(error);
        self.count += 1;
        self.absolute += error.abs();
        self.squares += error * error;
    }
}

/// The errors of predictions for each number of discs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Errors([ErrorSum; HEADS]);

impl Default for Errors {
    fn default() -> Self {
        Self([ErrorSum::default(); HEADS])
    }
}

impl Errors {
    /// The number of disc counts in a phase of [`Errors::phases`].
    pub(crate) const PHASE: usize = 4;

    /// Adds the error of a prediction in discs.
    pub(crate) fn add(&mut self, head: u32, error: f32) {
        self.0[head as usize].add(error);
    }

    /// The errors for each number of discs, with that number.
    pub(crate) fn by_discs(&self) -> impl Iterator<Item = (usize, ErrorSum)> {
        (FIRST_HEAD as usize..).zip(self.0)
    }

    /// The errors of each phase of [`Errors::PHASE`] numbers of discs, with the smallest of them.
    pub(crate) fn phases(&self) -> impl Iterator<Item = (usize, ErrorSum)> {
        let first = (FIRST_HEAD as usize..).step_by(Self::PHASE);
        first.zip(self.0.chunks(Self::PHASE).map(total))
    }

    /// The sum of all errors.
    pub(crate) fn total(&self) -> ErrorSum {
        total(&self.0)
    }
}

fn total(sums: &[ErrorSum]) -> ErrorSum {
    let none = ErrorSum::default();
    sums.iter().fold(none, |sum, other| sum.plus(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_summed_by_phase() {
        let mut errors = Errors::default();
        for (head, error) in [(0, 3.0), (3, -1.0), (4, 6.0), (59, -2.0)] {
            errors.add(head, error);
        }
        let phases: Vec<_> = errors.phases().filter(|(_, sum)| sum.count > 0).collect();
        let means: Vec<_> = phases
            .iter()
            .map(|(discs, sum)| (*discs, sum.mean_absolute() as i32))
            .collect();
        assert_eq!(means, [(4, 2), (8, 6), (60, 2)]);
        let root = phases[0].1.root_mean_square();
        assert!((root - 5_f64.sqrt()).abs() < 1e-12, "{root}");
        let mean = errors.total().mean_absolute();
        assert!((mean - 3.0).abs() < 1e-12, "{mean}");
        assert_eq!(errors.by_discs().last().unwrap().0, 63);
    }
}
