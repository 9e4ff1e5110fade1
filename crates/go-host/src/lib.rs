#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod chain_status;
mod dame;
mod judge;
mod judgement;
mod picture;
mod program;
mod record;
mod ruling;
mod tournament;

pub use chain_status::ChainStatus;
pub use judge::Judge;
pub use judgement::{Judgement, NoChainError};
pub use picture::Picture;
pub use program::{Format, GoProgram, ProgramSeatOptions, one_game_options};
pub use record::{is_judged, ko_violations, record, times};
pub use ruling::Ruling;
pub use tournament::{TournamentOptions, UserTimeUnknown};
