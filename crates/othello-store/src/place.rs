//! The place of the store.

use std::path::PathBuf;

use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};

/// The default file of the store, in the user's folder of caches: `$XDG_CACHE_HOME/othello` or `~/.cache/othello` on
/// Linux, `~/Library/Caches/othello` on macOS, `%LOCALAPPDATA%\othello` on Windows. `None` if the user has no home.
pub fn default_path() -> Option<PathBuf> {
    let caches = choose_native_strategy().ok()?.cache_dir();
    Some(caches.join("othello").join("analyses.sqlite"))
}
