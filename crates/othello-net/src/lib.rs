#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod address;
mod backoff;
mod connect;
mod drive;
mod job;
mod log;
mod thinker;

#[cfg(target_os = "linux")]
pub use boardgame_io::Stdin;
pub use boardgame_io::{
    BoxedConnection, Connection, MAX_INPUT, MAX_OUTPUT, StdioConnection, TcpConnection, stdio,
    stop_requested,
};

pub use address::{Address, ParseAddressError};
pub use backoff::Backoff;
pub use connect::{ConnectError, connect, connect_greeted};
pub use drive::{DriveError, DriveOptions, Outcome, drive};
pub use job::Interrupter;
pub use thinker::{Thinker, ThinkerAnswer, ThinkingThread};
