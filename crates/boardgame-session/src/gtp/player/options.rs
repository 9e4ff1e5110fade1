//! The options of a session.

use alloc::string::String;

use crate::player::TimeMargin;

/// Reads the file of `loadsgf` by the path that the controller gave; `None` if it cannot be read.
pub type Load = fn(&str) -> Option<String>;

/// The options of a [`Player`](super::Player).
#[derive(Clone, Debug)]
pub struct PlayerOptions {
    /// The answer to `name`; by default the name of the game.
    pub name: Option<String>,
    /// The answer to `version`: the program's; empty by default.
    pub version: String,
    /// Reads files for `loadsgf`; the default reads none.
    pub load: Load,
    /// The time before each limit at which a legal move is played without a decision.
    pub time_margin: TimeMargin,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            name: None,
            version: String::new(),
            load: |_| None,
            time_margin: TimeMargin::default(),
        }
    }
}
