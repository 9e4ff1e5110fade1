//! The options of a session.

use alloc::{boxed::Box, string::String};
use core::{error::Error, time::Duration};

use crate::player::TimeMargin;

/// Reads the file of `loadsgf` by the path that the controller gave.
pub type Load = fn(&str) -> Result<String, Box<dyn Error>>;

/// Writes the file of `printsgf` at the path that the controller gave; `false` if it cannot be written.
pub type Save = fn(&str, &str) -> bool;

/// The options of a [`Player`](super::Player).
#[derive(Clone, Debug)]
pub struct PlayerOptions {
    /// The answer to `name`; by default the name of the game.
    pub name: Option<String>,
    /// The answer to `version`: the program's; empty by default.
    pub version: String,
    /// Reads files for `loadsgf`; the default reads none.
    pub load: Load,
    /// Writes files for `printsgf`, by path and text; the default writes none.
    pub save: Save,
    /// Returns the CPU time that the program has used, for `cputime`; the default knows none.
    pub cpu_time: fn() -> Option<Duration>,
    /// The time before each limit at which a legal move is played without a decision.
    pub time_margin: TimeMargin,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            name: None,
            version: String::new(),
            load: |_| Err("files cannot be read here".into()),
            save: |_, _| false,
            cpu_time: || None,
            time_margin: TimeMargin::default(),
        }
    }
}
