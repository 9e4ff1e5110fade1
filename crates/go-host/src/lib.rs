#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod dame;
mod judge;
mod judgement;
mod program;
mod record;
mod ruling;
mod tournament;

pub use judge::Judge;
pub use judgement::Judgement;
pub use program::{Format, GoProgram, ProgramSeatOptions};
pub use record::{is_judged, ko_violations, record, times};
pub use ruling::Ruling;
pub use tournament::{TournamentOptions, UserTimeUnknown};
