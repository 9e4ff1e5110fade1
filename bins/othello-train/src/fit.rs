//! Fitting: the network, its training samples and its errors.
//!
//! One thread replays games and computes features, another learns from one sample at a time. The
//! result depends only on the games, the seed and the settings, not on the timing of the threads.

mod checkpoint;
mod errors;
mod features;
mod network;
mod run;
mod start;
mod stream;
#[cfg(test)]
mod tests;

pub use checkpoint::{Checkpoint, CheckpointError, DecodeError};
pub use errors::{ErrorSum, Errors};
pub use features::Features;
pub use network::{Network, Rates};
pub use run::{Event, Settings, fit, validate};

/// The revision of the fit, by which models tell by what program they are fitted. Raise it with every change after
/// which the same games and settings give other numbers.
pub const REVISION: u32 = 2;

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
