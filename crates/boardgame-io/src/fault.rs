//! Faults of programs and peers.

use std::{fmt, process::ExitStatus};

/// A misbehaviour of a seat, apart from the rules and the format, which the verdict names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages name the fields.
pub enum Fault {
    /// The program did not start; the system's reason.
    NotStarted { program: String, reason: String },
    /// The program ended by itself with this status before it was asked to.
    Crashed(ExitStatus),
    /// The program was ended by a signal that is sent from outside, and this process did not send it. An organiser may
    /// void the game: another program of the same user can have sent it, and so can the system when memory is short.
    Killed(ExitStatus),
    /// The program was stopped by a signal, which this process did not send, when it was to be ended.
    Stopped,
    /// The program ran on after its input was closed.
    Hung {
        /// True if it had to be killed, false if it ended when asked to terminate.
        killed: bool,
    },
    /// More bytes came without a move than are allowed.
    Flooded { bytes: u64 },
    /// More bytes came in a game than are allowed.
    FloodedGame { bytes: u64 },
    /// More bytes came on standard error than are allowed.
    FloodedStderr { bytes: u64 },
    /// The seat does not read what is sent to it.
    NotReading { pending: usize },
    /// The program ended and left processes of its own, which were killed.
    LeftProcesses,
    /// A player within this process failed.
    PlayerFailed { reason: String },
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
            Self::NotReading { pending } => {
                write!(f, "does not read: {pending} bytes waited for it")
            }
            Self::LeftProcesses => f.write_str("left processes of its own behind"),
            Self::PlayerFailed { reason } => write!(f, "the player failed: {reason}"),
        }
    }
}
