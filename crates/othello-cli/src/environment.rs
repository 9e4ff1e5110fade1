//! The log and the variables of the Othello programs.

use std::path::{Path, PathBuf};

use boardgame_cli::{LogConfig, LogError, Transport};
use othello_core::Tier;
use othello_engine::Network;

/// The log of the Othello programs.
pub(crate) const LOG: LogConfig = LogConfig {
    variable: "OTHELLO_LOG",
    folder: "othello",
    crates: "othello",
};

/// Sends the log to `file`, or by default to the player's [log](default_log): see
/// [`LogConfig::start`]. The variable is `OTHELLO_LOG`.
///
/// # Errors
///
/// Fails if the requested file cannot be written.
pub fn start_log(file: Option<&Path>, player: &str) -> Result<(), LogError> {
    LOG.start(file, player)
}

/// Returns the default log of `player`, in the folder `othello`: see [`LogConfig::default_file`].
pub fn default_log(player: &str) -> Option<PathBuf> {
    LOG.default_file(player)
}

/// Returns the end of a player's `--help`.
pub(crate) fn after_help(example: &str, transport: Transport) -> String {
    let variables = [LOG.variable_help(), ("OTHELLO_TIER", "as --tier")];
    boardgame_cli::after_help(example, transport, &variables)
}

/// Returns the text of `--version`: the version of this workspace, the commit, the best tier of this CPU and the
/// checksum of the built-in weights.
pub fn long_version() -> &'static str {
    boardgame_cli::long_version(env!("CARGO_PKG_VERSION"), || {
        let weights = Network::built_in_checksum();
        format!("tier: {}\nweights: {weights:08x}", Tier::best())
    })
}
