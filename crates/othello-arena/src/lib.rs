//! The other side of every protocol.
#![forbid(unsafe_code)]

mod desk;
pub mod fault;
pub mod game;
pub mod link;
pub mod program;
pub mod record;
pub mod report;
pub mod seat;
pub mod series;
pub mod store;
mod supervisor;

pub use fault::Fault;
pub use game::{GameOptions, Launch, News};
pub use program::{CommandLine, Program, ProgramOptions};
pub use report::{GameReport, Outcome, SeatReport};
pub use seat::Seat;
