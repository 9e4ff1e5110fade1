//! Fitting: models, their training samples, and their errors.
//!
//! One thread replays games and computes features, another learns from one sample at a time. The
//! result depends only on the games, the seed and the settings, not on the timing of the threads.

mod checkpoint;
mod errors;
mod features;
mod linear;
mod network;
mod run;
mod start;
mod stream;
#[cfg(test)]
mod tests;

pub use checkpoint::{Checkpoint, CheckpointError, DecodeError};
pub use errors::{ErrorSum, Errors};
pub use features::Features;
pub use linear::Linear;
pub use network::{Network, Rates};
pub use run::{Event, Settings, fit, validate};

/// The revision of the fit, by which models tell by what program they are fitted. Raise it with every change after
/// which the same games and settings give other numbers.
pub const REVISION: u32 = 2;

/// A model that predicts the final score of a game from a position.
pub trait Model: Send + Sync {
    /// The kind of the model. Models of the same kind have the same [`numbers`](Self::numbers).
    fn kind(&self) -> String;

    /// The predicted score in discs.
    fn predict(&self, features: &Features) -> f32;

    /// Learns from a sample. `rate` is a factor of the learning rate, 0 to 1. Returns the error of the
    /// prediction before: the predicted score minus the true one, in discs.
    fn learn(&mut self, features: &Features, rate: f32) -> f32;

    /// All parameters of the model, including the state of the optimizer.
    fn numbers(&self) -> Vec<f32>;

    /// Sets all numbers to those of another model of the same kind.
    ///
    /// # Errors
    ///
    /// Fails if their count is wrong; the model is then unchanged.
    fn set_numbers(&mut self, numbers: &[f32]) -> Result<(), NumbersError>;

    /// Multiplies the sums of squared gradients, by which steps are divided, by `factor`. A factor
    /// below 1 gives later samples more weight relative to earlier ones, a factor above 1 less.
    fn scale_gradient_sums(&mut self, factor: f32);
}

/// An error: the count of numbers is not that of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the {expected} numbers of a model, found {found}")]
pub struct NumbersError {
    /// The number that the model has.
    pub expected: usize,
    /// The number that was given.
    pub found: usize,
}

impl NumbersError {
    fn check(expected: usize, numbers: &[f32]) -> Result<(), Self> {
        let found = numbers.len();
        if expected == found {
            Ok(())
        } else {
            Err(Self { expected, found })
        }
    }
}
