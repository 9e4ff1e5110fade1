#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// CPU times and links of child programs.
#![cfg_attr(not(feature = "programs"), allow(dead_code))]

mod client;
mod connection;
pub mod cpu;
#[cfg(feature = "programs")]
mod family;
#[cfg(feature = "programs")]
mod fault;
#[cfg(feature = "programs")]
mod folder;
#[cfg(feature = "programs")]
mod group;
#[cfg(feature = "programs")]
mod guard;
mod job;
#[cfg(feature = "programs")]
mod limit_watch;
mod limits;
mod link;
#[cfg(feature = "programs")]
mod mark;
mod player;
#[cfg(target_os = "linux")]
mod proc;
#[cfg(feature = "programs")]
mod processors;
#[cfg(feature = "programs")]
mod program;
#[cfg(feature = "programs")]
mod program_limits;
#[cfg(feature = "programs")]
mod sandbox;
mod signal;
#[cfg(target_os = "linux")]
mod standard;
#[cfg(feature = "programs")]
mod streams;
#[cfg(feature = "programs")]
mod supervisor;
mod task;
mod text;
mod trace;
mod transport;

pub use client::{Client, NoPlace, Place, Places, RateLimit};
pub use connection::{BoxedConnection, Connection, MAX_INPUT, MAX_OUTPUT, is_disconnect};
#[cfg(feature = "programs")]
pub use family::Family;
#[cfg(feature = "programs")]
pub use fault::Fault;
#[cfg(feature = "programs")]
pub use folder::{FolderFile, read_folder};
pub use job::{Interrupter, Job, JobPanicked};
pub use limits::{cpu_time_left, survive_limits, with_stack};
pub use link::{Incoming, Link, LinkOptions, SendBufferFull, SendForm};
pub use player::{
    DriveError, DriveOptions, DriveOutcome, ExitCode, ProcessEnd, Thinker, ThinkerAnswer,
    ThinkingThread, block_on, drive, error_chain, in_runtime, play, play_over_stdio,
    play_over_stdio_alone,
};
#[cfg(feature = "programs")]
pub use program::{CommandLine, CommandLineError, LaunchError, Program};
#[cfg(feature = "programs")]
pub use program_limits::{ProgramLimits, Unenforceable};
pub use signal::{stop_requested, stop_requested_with_ready};
#[cfg(target_os = "linux")]
pub use standard::{Stdin, Stdout};
#[cfg(feature = "programs")]
pub use supervisor::{ProgramOptions, ProgramReport};
pub use task::AbortOnDrop;
pub use text::{csv_field, escaped, is_control, printable, printable_lines};
pub use trace::{Exchange, ExchangeKind, Trace};
pub use transport::{StdioConnection, TcpConnection, stdio};
