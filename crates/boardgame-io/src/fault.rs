//! Faults of programs and peers.

use std::{fmt, process::ExitStatus};

use crate::program_limits::Bytes;

/// A misbehaviour of a seat other than those against rules and format, which are in the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages name the fields.
pub enum Fault {
    /// The program did not start.
    NotStarted { program: String, reason: String },
    /// The program exited with this status before it was asked to.
    Crashed(ExitStatus),
    /// The program was ended by an external signal that this process did not send. An organizer may void the game:
    /// another program of the same user may have sent it, or the system when memory ran out.
    Killed(ExitStatus),
    /// The program was found stopped, by a signal that this process did not send, when it was to be ended.
    Stopped,
    /// The program ran on after its input was closed.
    Hung {
        /// True if it had to be killed, false if it ended when asked to terminate.
        killed: bool,
    },
    /// More bytes than allowed came without a move.
    Flooded { bytes: u64 },
    /// More bytes than allowed came in a game.
    FloodedGame { bytes: u64 },
    /// More bytes than allowed came on standard error.
    FloodedStderr { bytes: u64 },
    /// The program and all that it started used more memory than this number of bytes.
    ExcessMemory { limit: u64 },
    /// The program ran more processes than allowed, itself included.
    ExcessProcesses { limit: u32 },
    /// The program ran on other processors than those that it was started on.
    ExcessProcessors { limit: u32 },
    /// The seat does not read what is sent to it.
    NotReading { pending: usize },
    /// The program ended and left running processes, which were killed.
    LeftProcesses,
    /// A player within this process failed.
    PlayerFailed { reason: String },
}

impl Fault {
    /// Returns whether the program exceeded one of its [limits](crate::ProgramLimits), for which it was ended.
    pub const fn is_over_limit(&self) -> bool {
        matches!(
            self,
            Self::ExcessMemory { .. }
                | Self::ExcessProcesses { .. }
                | Self::ExcessProcessors { .. }
        )
    }
}

const fn plural(count: u32, ending: &str) -> &str {
    if count == 1 { "" } else { ending }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted { program, reason } => {
                write!(f, "{program:?} did not start: {reason}")
            }
            Self::Crashed(status) => write!(f, "ended before the end of the game, {status}"),
            Self::Killed(status) => write!(
                f,
                "was ended by a signal that the host did not send, {status}"
            ),
            Self::Stopped => f.write_str("was stopped by a signal that the host did not send"),
            Self::Hung { killed: false } => {
                f.write_str("ran on after the end of its input until asked to terminate")
            }
            Self::Hung { killed: true } => {
                f.write_str("ran on after the end of its input until killed")
            }
            Self::Flooded { bytes } => write!(f, "sent {bytes} bytes without a move"),
            Self::FloodedGame { bytes } => write!(f, "sent {bytes} bytes in a game"),
            Self::FloodedStderr { bytes } => {
                write!(f, "wrote {bytes} bytes to standard error")
            }
            Self::ExcessMemory { limit } => write!(f, "used more than {} of memory", Bytes(*limit)),
            Self::ExcessProcesses { limit } => {
                write!(
                    f,
                    "ran more than {limit} process{} at a time",
                    plural(*limit, "es")
                )
            }
            Self::ExcessProcessors { limit } => {
                write!(
                    f,
                    "ran on more than {limit} processor{}",
                    plural(*limit, "s")
                )
            }
            Self::NotReading { pending } => {
                write!(f, "does not read: {pending} bytes waited for it")
            }
            Self::LeftProcesses => f.write_str("left processes of its own behind"),
            Self::PlayerFailed { reason } => write!(f, "the player failed: {reason}"),
        }
    }
}
