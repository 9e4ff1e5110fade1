#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod chain_status;
pub mod check;
mod engine;
mod judge;
mod judgement;
mod openings;
mod picture;
mod program;
mod record;
mod refereed;
mod ruling;
mod tournament;

pub use chain_status::ChainStatus;
pub use engine::{CannotPlay, EngineSpec, EngineSpecError, NoCommands, check, read_file};
pub use judge::Judge;
pub use judgement::{Judgement, NoChainError};
pub use openings::{OpeningSource, Openings, OpeningsError, ParseOpeningSourceError, Terms};
pub use picture::Picture;
pub use program::{Format, GoProgram, ProgramSeatOptions, one_game_options};
pub use record::{Go, sgf};
pub use refereed::{is_judged, ko_violations, record, times};
pub use ruling::Ruling;
pub use tournament::{TournamentOptions, UserTimeUnknown};

/// A match between engines.
pub type Match = boardgame_match::contest::Match<EngineSpec, Openings>;
