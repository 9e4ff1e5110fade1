//! Shell scripts as child programs. Included by path by the tests of crates above `boardgame-io`.
#![allow(dead_code)] // No test uses all of it.

use std::time::Duration;

use boardgame_io::{CommandLine, ProgramOptions};

/// Returns the command line of a script.
pub(crate) fn shell(script: &str) -> CommandLine {
    CommandLine::new("/bin/sh", ["-c", script])
}

/// Returns options with short grace periods, so that tests of hanging programs are fast.
pub(crate) fn short_grace() -> ProgramOptions {
    ProgramOptions {
        grace: Duration::from_millis(300),
        last_grace: Duration::from_millis(300),
        ..ProgramOptions::default()
    }
}
