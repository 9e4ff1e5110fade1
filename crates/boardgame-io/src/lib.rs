#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod client;
mod connection;
pub mod cpu;
mod family;
mod fault;
mod group;
mod guard;
mod job;
mod limit_watch;
mod limits;
mod link;
mod mark;
mod player;
#[cfg(target_os = "linux")]
mod proc;
mod processors;
mod program;
mod program_limits;
mod sandbox;
mod signal;
#[cfg(target_os = "linux")]
mod standard;
mod streams;
mod supervisor;
mod task;
mod text;
mod trace;
mod transport;

pub use client::{Client, NoPlace, Place, Places, RateLimit};
pub use connection::{BoxedConnection, Connection, MAX_INPUT, MAX_OUTPUT, is_disconnect};
pub use family::Family;
pub use fault::Fault;
pub use job::{Interrupter, Job, JobPanicked};
pub use limits::{cpu_time_left, survive_limits, with_stack};
pub use link::{Incoming, Link, LinkOptions, SendBufferFull, SendForm};
pub use player::{
    DriveError, DriveOptions, DriveOutcome, ExitCode, ProcessEnd, Thinker, ThinkerAnswer,
    ThinkingThread, block_on, drive, error_chain, in_runtime, play, play_over_stdio,
    play_over_stdio_alone,
};
pub use program::{CommandLine, CommandLineError, LaunchError, Program};
pub use program_limits::{ProgramLimits, Unenforceable};
pub use signal::stop_requested;
#[cfg(target_os = "linux")]
pub use standard::{Stdin, Stdout};
pub use supervisor::{ProgramOptions, ProgramReport, open_regular};
pub use task::AbortOnDrop;
pub use text::{csv_field, escaped, is_control, printable, printable_lines};
pub use trace::{Exchange, ExchangeKind, Trace};
pub use transport::{StdioConnection, TcpConnection, stdio};
