#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod calibrate;
mod corpus;
pub mod fit;
mod games;
mod generate;
mod manifest;
mod openings;
mod parity;
mod player;
mod quantize;
mod random;
mod record;
mod suite;
mod targets;

pub use corpus::{Corpus, CorpusError, Games, Split, TornShard};
pub use games::{
    COMMAND as GAMES_COMMAND, EXTENSION as GAMES_EXTENSION, GamesHeader, GamesReader, SettingsError,
};
pub use generate::{Generation, Progress, generate};
pub use manifest::{Manifest, ManifestError, verify_games};
pub use openings::{label, openings};
pub use parity::{PARITY_DEPTHS, ParityScores, parity_scores, remove_parity};
pub use player::{Player, Recipe, RecipeError, Stopped};
pub use quantize::evaluation_errors;
pub use record::{GameRecord, ParseGameError, ReplayError, Sample};
pub use suite::{Suite, is_close, solve};
pub use targets::Targets;
