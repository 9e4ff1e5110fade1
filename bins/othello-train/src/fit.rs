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

pub(crate) use checkpoint::Checkpoint;
pub(crate) use errors::{ErrorSum, Errors};
pub(crate) use features::Features;
pub(crate) use network::{Network, Rates};
pub(crate) use run::{Event, Settings, fit, validate};

/// The revision of the fit, stored in models. Raise it with every change after which the same games and settings
/// give other numbers.
pub(crate) const REVISION: u32 = 2;
