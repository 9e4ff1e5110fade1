//! Fitting: models, the samples they learn from, and how far off they are.
//!
//! One thread replays games and computes features, another learns from one sample after the
//! other; what is learnt depends on the games, the seed and the settings alone, not on how the
//! threads happen to run.

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

pub use checkpoint::{Checkpoint, CheckpointError, Fault};
pub use errors::{ErrorSum, Errors};
pub use features::Features;
pub use linear::Linear;
pub use network::{Network, Rates};
pub use run::{Event, Settings, fit, validate};

/// Something that predicts the score of a game from a position and learns from how it ended.
pub trait Model: Send + Sync {
    /// What kind of model it is: the numbers of one kind mean the same.
    fn kind(&self) -> String;

    /// The predicted score in discs.
    fn predict(&self, features: &Features) -> f32;

    /// Learns from a sample, at a rate that is a share of the full one, 0 to 1; returns what it
    /// predicted before, less the true score.
    fn learn(&mut self, features: &Features, rate: f32) -> f32;

    /// Every number that it holds, those of its learning among them.
    fn numbers(&self) -> Vec<f32>;

    /// Takes the numbers that another of its kind gave.
    ///
    /// # Errors
    ///
    /// When they are not so many; nothing is changed then.
    fn set_numbers(&mut self, numbers: &[f32]) -> Result<(), NumbersError>;

    /// Lets later samples count for more against those learnt from before: keeps so great a share of
    /// the sums that slow its learning down; more than 1 lets them count for less.
    fn forget(&mut self, share: f32);
}

/// Not as many numbers as a model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the {expected} numbers of a model, found {found}")]
pub struct NumbersError {
    /// How many the model has.
    pub expected: usize,
    /// How many there are.
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
