//! Printing and exit codes, common to the commands.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

/// Writes an error, if there is one, and returns the exit code.
///
/// A reader that has gone, as in `othello perft 9 | head -1`, is no error.
pub(crate) fn exit_code(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // An error of standard error cannot be reported.
            let _ = writeln!(io::stderr(), "othello: {}", told(&error));
            ExitCode::FAILURE
        }
    }
}

/// An error with its causes, in one line. Some errors tell their cause themselves.
fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            text += if text.is_empty() { "" } else { ": " };
            text += &cause;
        }
    }
    text
}

/// Returns what a program said, without the characters by which it could control the terminal.
pub(crate) fn printable(text: &str) -> String {
    let escape = |letter: char| {
        let control = letter.is_control().then(|| letter.escape_default());
        let plain = (!letter.is_control()).then_some(letter);
        control.into_iter().flatten().chain(plain)
    };
    text.chars().flat_map(escape).collect()
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error.root_cause().downcast_ref().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use anyhow::{Context as _, anyhow};

    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let error = anyhow!("in use").context("port 9035: in use");
        assert_eq!(told(&error), "port 9035: in use");
        let error: anyhow::Result<()> = Err(anyhow!("it rained")).context("no game");
        assert_eq!(told(&error.unwrap_err()), "no game: it rained");
    }

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(printable("\u{1b}[2Jé\tx"), "\\u{1b}[2Jé\\tx");
    }
}
