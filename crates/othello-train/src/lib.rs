#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod calibrate;
mod corpus;
pub mod fit;
mod generate;
mod manifest;
mod openings;
mod player;
mod quantize;
mod random;
mod record;
pub mod shard;
mod suite;
mod teacher;

pub use corpus::{Corpus, CorpusError, Games, Split, TornShard};
pub use generate::{Generation, GenerationError, Progress, generate};
pub use manifest::{Manifest, ManifestError, ShardEntry, verify_games};
pub use openings::{label, openings};
pub use player::{Player, Recipe, RecipeError, Stopped};
pub use quantize::evaluation_errors;
pub use record::{GameRecord, ReplayError, Sample};
pub use suite::{Suite, solve};
pub use teacher::Teacher;
