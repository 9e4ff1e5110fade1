#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod fit;
mod mm;
mod self_play;
mod shard;

pub use fit::{Fit, FitOptions, fit};
pub use mm::{Competitions, Team};
pub use self_play::{GameRecord, PlayedMove, Recipe, self_play};
pub use shard::{Part, PartError, Shard, ShardError};
