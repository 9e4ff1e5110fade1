//! Printing and exit codes, common to the commands.

use std::{
    fmt,
    io::{self, Write as _},
    process::ExitCode,
};

use boardgame_cli::tell_error;
use boardgame_files::is_closed_pipe;
use boardgame_io::printable;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Writes an error, if there is one, and returns the exit code.
///
/// A reader that stops early, as in `othello perft 9 | head -1`, is no error.
pub(crate) fn exit_code(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(error.root_cause()) => ExitCode::SUCCESS,
        Err(error) => {
            tell_error("othello", error_in_words(&error));
            ExitCode::FAILURE
        }
    }
}

/// Describes an error with its causes, in one line. Some errors already name their cause.
fn error_in_words(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            text += if text.is_empty() { "" } else { ": " };
            text += &cause;
        }
    }
    text
}

/// Writes a line to standard error, with quoted text made safe for a terminal.
pub(crate) fn tell(text: fmt::Arguments<'_>) -> io::Result<()> {
    writeln!(io::stderr(), "{}", printable(&text.to_string()))
}

/// Returns a progress bar on standard error, hidden if that is no terminal.
pub(crate) fn progress_bar(items: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(items as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len}  {msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use anyhow::{Context as _, anyhow};

    use super::*;

    #[test]
    fn a_cause_is_named_once() {
        let error = anyhow!("in use").context("port 9035: in use");
        assert_eq!(error_in_words(&error), "port 9035: in use");
        let error: anyhow::Result<()> = Err(anyhow!("it rained")).context("no game");
        assert_eq!(error_in_words(&error.unwrap_err()), "no game: it rained");
    }
}
