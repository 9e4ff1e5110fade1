#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod dame;
mod judge;
mod judgement;
mod picture;
mod program;
mod record;
mod ruling;
mod tournament;

pub use judge::Judge;
pub use judgement::Judgement;
pub use picture::Picture;
pub use program::{Format, GoProgram};
pub use record::{is_judged, ko_violations, record, times};
pub use ruling::Ruling;
pub use tournament::{TournamentOptions, UserTimeUnknown};
