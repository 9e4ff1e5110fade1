//! The end of a player's `--help`.

use std::fmt::Write as _;

use crate::ExitCode;

/// The transport of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Standard input and output.
    Pipes,
    /// A connection to a server.
    Network,
}

/// Returns the end of a player's `--help`: a worked example, the codes that it may exit with, and the
/// variables that it reads, each with its meaning.
pub fn after_help(example: &str, transport: Transport, variables: &[(&str, &str)]) -> String {
    let mut text = format!("{example}\n\nExit status:");
    for code in ExitCode::ALL {
        if transport == Transport::Network || !code.is_of_network() {
            let _ = write!(text, "\n  {:<4} {}", i32::from(code), code.meaning());
        }
    }
    text += "\n\nEnvironment (an empty variable counts as unset):";
    let width = variables.iter().map(|(name, _)| name.len()).max();
    let width = width.unwrap_or(0);
    for (name, meaning) in variables {
        let _ = write!(text, "\n  {name:<width$}  {meaning}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_network_player_lists_the_codes_of_the_network() {
        let help = |transport| after_help("Example", transport, &[("VARIABLE", "a number")]);
        assert!(help(Transport::Network).contains("8    connection refused"));
        assert!(!help(Transport::Pipes).contains("connection refused"));
        assert!(help(Transport::Pipes).contains("130  interrupted"));
        assert!(help(Transport::Pipes).ends_with("\n  VARIABLE  a number"));
    }
}
