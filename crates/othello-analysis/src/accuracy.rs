//! The accuracy of players over many games.

mod estimate;
mod tables;

pub use estimate::{Accuracy, Estimate, GameSums, Row};
pub use tables::{AccuracyReport, AccuracyTables, BreakdownReport, Named};
