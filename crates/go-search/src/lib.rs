#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod ladder;
mod last_stones;
mod limits;
mod owners;
mod pattern_weights;
mod playout;
mod prior;
mod report;
mod scoring;
mod searcher;
mod tactics;
mod tree;
mod weights;

pub mod learn;

pub use limits::{Limits, TimeBudget};
pub use report::{Candidate, Report};
pub use searcher::{NODE_BYTES, Options, RootExploration, Searcher};
pub use weights::{ParseWeightsError, Weights};
