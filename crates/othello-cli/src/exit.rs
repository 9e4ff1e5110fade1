//! The end of a player's `--help`.

use std::fmt::Write as _;

use crate::ExitCode;

/// The transport of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    Pipes,
    Network,
}

/// The end of a player's `--help`: a worked example, the codes that it may exit with, and the
/// variables that it reads.
pub(crate) fn after_help(example: &str, transport: Transport) -> String {
    let mut text = format!("{example}\n\nExit status:");
    for code in ExitCode::ALL {
        if transport == Transport::Network || !code.is_of_network() {
            let _ = write!(text, "\n  {:<4} {}", i32::from(code), code.meaning());
        }
    }
    text + "\n\nEnvironment, an empty variable being none:\n  OTHELLO_LOG   how much to log, such as debug [default: info]\n  OTHELLO_TIER  as --tier"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_network_player_lists_the_codes_of_the_network() {
        let help = |transport| after_help("Example", transport);
        assert!(help(Transport::Network).contains("8    connection refused"));
        assert!(!help(Transport::Pipes).contains("connection refused"));
        assert!(help(Transport::Pipes).contains("130  interrupted"));
    }
}
