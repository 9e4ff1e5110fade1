//! The log of the Go programs.

use boardgame_cli::LogConfig;

/// The log of the Go programs.
pub(crate) const LOG: LogConfig = LogConfig {
    variable: "GO_LOG",
    folder: "go",
    crates: "go_",
};
