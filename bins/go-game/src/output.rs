//! Printing and exit codes, common to the commands.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use boardgame_files::is_closed_pipe;

/// Returns the result of a command whose only product is its output: a reader that has gone, as in
/// `go-game bench | head -1`, is no error.
pub(crate) fn while_read(result: anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode> {
    match result {
        Err(error) if is_closed_pipe(error.root_cause()) => Ok(ExitCode::SUCCESS),
        result => result,
    }
}

/// Writes an error with its causes, if there is one, and returns the exit code.
pub(crate) fn exit_code(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) => {
            // An error of standard error cannot be reported.
            let _ = writeln!(io::stderr(), "go-game: {error:#}");
            ExitCode::FAILURE
        }
    }
}
