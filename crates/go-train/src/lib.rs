#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod fit;
mod manifest;
mod mm;
mod self_play;
mod shard;

pub use fit::{Fit, FitOptions, fit};
pub use manifest::{Manifest, ManifestError, ShardEntry};
pub use mm::{Competitions, Team};
pub use self_play::{GameRecord, PlayedMove, Recipe, self_play};
pub use shard::{Part, PartError, Shard, ShardError};
