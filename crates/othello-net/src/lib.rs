#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod address;
mod backoff;
mod connect;

pub use boardgame_io::{
    BoxedConnection, Connection, DriveError, DriveOptions, DriveOutcome, ExitCode, Interrupter,
    MAX_INPUT, MAX_OUTPUT, ProcessEnd, StdioConnection, TcpConnection, Thinker, ThinkerAnswer,
    ThinkingThread, block_on, cpu_time_left, drive, error_chain, in_runtime, play, play_over_stdio,
    stdio, stop_requested,
};
#[cfg(target_os = "linux")]
pub use boardgame_io::{Stdin, Stdout};

pub use address::{Address, ParseAddressError};
pub use backoff::Backoff;
pub use connect::{ConnectError, connect, connect_greeted};
