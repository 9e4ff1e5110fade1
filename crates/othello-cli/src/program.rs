//! The process of a player around its session: the command line, errors, panics and the exit.

use std::{
    env,
    error::Error,
    ffi::OsString,
    io::{self, IsTerminal as _, Write as _},
    panic,
    sync::Once,
};

use clap::{Command, Parser, error::ErrorKind};
use othello_proto::sloan;

use crate::{ExitCode, Options, logging};

/// A player program.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The name of its binary.
    pub name: &'static str,
    /// The use of its standard error.
    pub remarks: Remarks,
}

/// The use that a program makes of its standard error once it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remarks {
    /// In plain words.
    Plain,
    /// As comments of the Sloan format, since a referee may read both streams as one.
    Comments,
    /// Not at all: the log has it.
    Silent,
}

/// Runs a player as the whole of a process: reads the command line, plays, and exits.
///
/// The process exits at once, although its standard input may still be open and a thread may be
/// reading it.
pub fn start<A: Parser>(program: Program, run: impl FnOnce(A) -> ExitCode) -> ! {
    let code = match parse(env::args_os()) {
        Ok(args) => run(args),
        Err(error) => program.explain(&error),
    };
    std::process::exit(code.into())
}

/// Reads a command line, the program's name first. An environment variable that is empty counts as one
/// that is not set.
///
/// # Errors
///
/// Errors of the command line or the environment, or the help or version that was asked for.
pub fn parse<A: Parser>(
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<A, clap::Error> {
    let mut command = without_empty_variables(A::command());
    let matches = command.try_get_matches_from_mut(words)?;
    A::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

fn without_empty_variables(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        let value = argument.get_env().and_then(env::var_os);
        if value.is_some_and(|value| value.is_empty()) {
            argument.env(None)
        } else {
            argument
        }
    });
    command.mut_subcommands(without_empty_variables)
}

impl Program {
    /// Opens the log and turns panics into a line of the log and a remark.
    pub(crate) fn prepare(self, options: &Options) -> Result<(), ExitCode> {
        logging::start_log(options.log.as_deref(), self.name)
            .map_err(|error| self.refuse(&error))?;
        let once = Once::new();
        panic::set_hook(Box::new(move |panic| {
            tracing::error!("{panic}");
            once.call_once(|| self.remark("internal error; the log has the detail"));
        }));
        Ok(())
    }

    /// Says on standard error, in the program's form, why it cannot go on.
    pub(crate) fn remark(self, text: &str) {
        let line = match self.remarks {
            Remarks::Plain => format!("{}: {text}\n", self.name),
            Remarks::Comments => comment(&format!("{}: {text}", self.name)),
            Remarks::Silent => return,
        };
        // Nobody is left to tell when standard error is closed.
        let _ = io::stderr().write_all(line.as_bytes());
    }

    /// Says before the session, in the program's form, what is wrong with how it was started.
    pub(crate) fn refuse(self, error: &dyn Error) -> ExitCode {
        let program = match self.remarks {
            Remarks::Comments if !io::stderr().is_terminal() => self,
            _ => Self {
                remarks: Remarks::Plain,
                ..self
            },
        };
        program.remark(&error.to_string());
        ExitCode::Usage
    }

    /// Shows help, the version, or what is wrong with the command line.
    fn explain(self, error: &clap::Error) -> ExitCode {
        let helped = matches!(
            error.kind(),
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
        );
        if !helped && self.remarks == Remarks::Comments && !io::stderr().is_terminal() {
            return self.refuse(error);
        }
        let _ = error.print();
        if helped {
            ExitCode::Success
        } else {
            ExitCode::Usage
        }
    }
}

/// The text as one comment of the Sloan format on a line of its own.
fn comment(text: &str) -> String {
    format!("(C {})\n", sloan::bracketed(&sloan::safe(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_to_a_referee_is_one_comment() {
        let line = comment("error: a (bad) \"thing\"):\n\n  try '--help'.");
        assert_eq!(line, "(C error a [bad] thing try --help)\n");
    }
}
