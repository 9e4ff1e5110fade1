#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod address;
mod backoff;
mod connect;

#[cfg(target_os = "linux")]
pub use boardgame_io::Stdin;
pub use boardgame_io::{
    BoxedConnection, Connection, DriveError, DriveOptions, Interrupter, MAX_INPUT, MAX_OUTPUT,
    Outcome, StdioConnection, TcpConnection, Thinker, ThinkerAnswer, ThinkingThread, drive, stdio,
    stop_requested,
};

pub use address::{Address, ParseAddressError};
pub use backoff::Backoff;
pub use connect::{ConnectError, connect, connect_greeted};
