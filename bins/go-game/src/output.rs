//! Printing and exit codes, common to the commands.

use std::process::ExitCode;

use boardgame_cli::tell_error;
use boardgame_files::is_closed_pipe;

/// Returns the result of a command whose only product is its output: a reader that stops early, as
/// in `go-game bench | head -1`, is no error.
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
            tell_error("go-game", format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}
