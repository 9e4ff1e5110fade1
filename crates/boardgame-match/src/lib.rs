#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod conduct;
mod id;
mod local_seat;
mod meter;
mod report;
mod seat;
mod session_seat;
pub mod stats;

pub use boardgame_io::Fault;
pub use conduct::{GameOptions, GameSpec, News, Scorer, conduct};
pub use id::{EngineId, GameId};
pub use local_seat::{Choice, Interrupter, LocalPlayer, LocalSeat, Turn};
pub use report::{GameReport, Outcome};
pub use seat::{BoxFuture, FromSeat, Seat, SeatReport};
pub use session_seat::{Launch, SessionSeat, SessionSeatOptions, WatchOptions};
