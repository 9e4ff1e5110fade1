//! The log and the version of the Go programs.

use boardgame_cli::LogConfig;
use go_engine::Settings;

/// The log of the Go programs.
pub(crate) const LOG: LogConfig = LogConfig {
    variable: "GO_LOG",
    folder: "go",
    crates: "go_",
};

/// Returns the text of `--version`: the version of this workspace, the commit and the checksum of the built-in weights.
pub fn long_version() -> &'static str {
    boardgame_cli::long_version(env!("CARGO_PKG_VERSION"), || {
        format!("weights: {:08x}", Settings::default().weights_checksum())
    })
}
