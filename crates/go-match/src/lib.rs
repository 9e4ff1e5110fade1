#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod engine;
mod openings;
mod record;

pub use engine::{
    CannotPlay, EngineSpec, EngineSpecError, LimitError, NoCommands, check, read_file,
};
pub use openings::{OpeningSource, Openings, OpeningsError, ParseOpeningSourceError, Terms};
pub use record::{Go, sgf};

/// A match between engines.
pub type Match = boardgame_match::contest::Match<EngineSpec, Openings>;
