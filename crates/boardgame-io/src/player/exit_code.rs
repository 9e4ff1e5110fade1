//! Exit codes of players.

/// The outcome of a player's process; its number is the process's exit status.
///
/// # Examples
///
/// ```
/// use boardgame_io::ExitCode;
///
/// assert_eq!(i32::from(ExitCode::Success), 0);
/// assert_eq!(ExitCode::CutOff.meaning(), "the other side left, or closed our output, in mid-game");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ExitCode {
    /// The session ended normally.
    Success = 0,
    /// An error of the program itself, or of the machine.
    Internal = 1,
    /// The command line, the environment or a configuration file is wrong.
    Usage = 2,
    /// The input ended, or the output was closed, in the middle of a session.
    CutOff = 3,
    /// The other side ended the session with a complaint.
    Rejected = 4,
    /// The other side does not speak the format.
    Unintelligible = 5,
    /// The other side said nothing for too long.
    Silent = 6,
    /// The host's name has no address.
    NameNotFound = 7,
    /// No server listens at the host's port.
    Refused = 8,
    /// The host cannot be reached for another reason.
    Unreachable = 9,
    /// The connection broke.
    Reset = 10,
    /// The user stopped it, by Ctrl-C, a request to terminate or the end of the terminal.
    Interrupted = 130,
}

impl ExitCode {
    /// Every code, in numerical order.
    pub const ALL: [Self; 12] = [
        Self::Success,
        Self::Internal,
        Self::Usage,
        Self::CutOff,
        Self::Rejected,
        Self::Unintelligible,
        Self::Silent,
        Self::NameNotFound,
        Self::Refused,
        Self::Unreachable,
        Self::Reset,
        Self::Interrupted,
    ];

    /// Returns whether the code occurs only with a network.
    pub const fn is_of_network(self) -> bool {
        matches!(
            self,
            Self::Silent | Self::NameNotFound | Self::Refused | Self::Unreachable | Self::Reset
        )
    }

    /// Returns the description that `--help` lists.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Success => "the session ended normally",
            Self::Internal => "internal error; the log has the detail",
            Self::Usage => "wrong command line, environment or configuration file",
            Self::CutOff => "the other side left, or closed our output, in mid-game",
            Self::Rejected => "the other side ended the session with a complaint",
            Self::Unintelligible => "the other side does not speak the format",
            Self::Silent => "the other side said nothing for too long",
            Self::NameNotFound => "the host's name has no address",
            Self::Refused => "connection refused",
            Self::Unreachable => "the host cannot be reached",
            Self::Reset => "the connection broke",
            Self::Interrupted => "interrupted (Ctrl-C), terminated (SIGTERM) or hung up (SIGHUP)",
        }
    }
}

impl From<ExitCode> for i32 {
    fn from(code: ExitCode) -> Self {
        code as Self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_code_is_distinct_and_listed_in_order() {
        let numbers: Vec<i32> = ExitCode::ALL.map(i32::from).to_vec();
        let distinct: BTreeSet<i32> = numbers.iter().copied().collect();
        assert_eq!(numbers, distinct.into_iter().collect::<Vec<_>>());
        let meanings: BTreeSet<&str> = ExitCode::ALL.map(ExitCode::meaning).into();
        assert_eq!(meanings.len(), ExitCode::ALL.len());
    }
}
