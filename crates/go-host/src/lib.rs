#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod dame;
mod judge;
mod judgement;
mod tournament;

pub use judge::Judge;
pub use judgement::Judgement;
pub use tournament::{TournamentOptions, UserTimeUnknown};
