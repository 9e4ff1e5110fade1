#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod blocking;
pub mod calibrate;
pub mod check;
mod conduct;
pub mod contest;
#[cfg(test)]
mod countdown;
pub mod engine;
pub mod fault;
mod forfeit;
mod id;
mod last_output;
pub mod limit;
mod local_seat;
pub mod log;
mod meter;
mod observe;
pub mod record;
mod report;
pub mod schedule;
mod seat;
mod session_seat;
pub mod standings;
pub mod stats;
pub mod summary;
pub mod tally;
pub mod tournament;

pub use boardgame_io::{Fault, Interrupter};
pub use conduct::{GameOptions, GameSpec, News, Scorer, conduct};
pub use forfeit::{ForfeitScore, ParseForfeitScoreError};
pub use id::{EngineId, GameId};
pub use last_output::LastOutput;
pub use local_seat::{Choice, LocalPlayer, LocalSeat, Turn};
pub use observe::{MatchObserver, ObservedClocks};
pub use report::{GameReport, Outcome};
pub use seat::{BoxFuture, FromSeat, Seat, SeatReport};
pub use session_seat::{Launch, SessionSeat, SessionSeatOptions, WatchOptions};
