#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod connection;
pub mod cpu;
mod fault;
mod group;
mod guard;
mod job;
mod link;
mod player;
mod program;
mod signal;
#[cfg(any(target_os = "linux", test))]
mod stat;
#[cfg(target_os = "linux")]
mod stdin;
mod supervisor;
mod task;
mod text;
mod transport;

pub use connection::{BoxedConnection, Connection, MAX_INPUT, MAX_OUTPUT, is_disconnect};
pub use fault::Fault;
pub use job::{Interrupter, Job, JobPanicked};
pub use link::{Incoming, Link, LinkOptions, SendBufferFull};
pub use player::{
    DriveError, DriveOptions, DriveOutcome, ExitCode, ProcessEnd, Thinker, ThinkerAnswer,
    ThinkingThread, block_on, drive, error_chain, in_runtime, play, play_over_stdio,
};
pub use program::{
    CommandLine, CommandLineError, LaunchError, Program, ProgramOptions, ProgramReport,
};
pub use signal::stop_requested;
#[cfg(target_os = "linux")]
pub use stdin::Stdin;
pub use task::AbortOnDrop;
pub use text::{is_control, printable, printable_lines};
pub use transport::{StdioConnection, TcpConnection, stdio};
