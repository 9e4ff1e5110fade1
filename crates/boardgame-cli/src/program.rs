//! The process of a player around its session: the command line, errors, panics and the exit.

use std::{
    convert::Infallible,
    env,
    error::Error,
    ffi::OsString,
    fmt::Display,
    io::{self, IsTerminal as _, Write as _},
    panic,
    path::Path,
    sync::Once,
};

use boardgame_io::printable_lines;
use clap::{Command, Parser, error::ErrorKind};

use crate::{ExitCode, LogConfig, manual};

/// A player program.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The name of its binary.
    pub name: &'static str,
    /// Its log.
    pub log: LogConfig,
    /// The use of its standard error.
    pub remarks: Remarks,
}

/// The use that a program makes of its standard error once it plays.
#[derive(Clone, Copy, Debug)]
pub enum Remarks {
    /// In plain words.
    Plain,
    /// As remarks of the wire format, since the other side may read both streams as one. The function formats
    /// a text as lines.
    InFormat(fn(&str) -> String),
    /// Not at all; the log has everything.
    Silent,
}

/// Runs a player as the whole of a process: reads the command line, plays, and exits.
///
/// The process exits at once, although its standard input may still be open and a thread may be reading it.
/// Reaching a [system limit](boardgame_io::survive_limits) on the log or the stack ends no game.
pub fn start<A: Parser>(program: Program, run: impl FnOnce(A) -> ExitCode + Send) -> ! {
    start_with(program, Ok::<_, Infallible>, run)
}

/// Runs a player like [`start`], with a command line changed by `adapt`; its error ends the program, unless
/// help or the version is requested.
pub fn start_with<A: Parser, E: Error>(
    program: Program,
    adapt: impl FnOnce(Command) -> Result<Command, E> + Send,
    run: impl FnOnce(A) -> ExitCode + Send,
) -> ! {
    boardgame_io::survive_limits();
    manual::write_if_asked(A::command);
    let code = boardgame_io::with_stack(|| match adapt(A::command()) {
        Ok(command) => match parse_by(command, env::args_os()) {
            Ok(args) => run(args),
            Err(error) => program.explain(&error),
        },
        Err(error) => match parse_by::<A>(A::command(), env::args_os()) {
            Err(help) if is_help(&help) => program.explain(&help),
            _ => program.refuse(&error),
        },
    });
    std::process::exit(code.into())
}

/// Reads a command line, the program's name first. Empty environment variables count as unset.
///
/// # Errors
///
/// Errors of the command line or the environment, or the requested help or version.
fn parse<A: Parser>(
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<A, clap::Error> {
    parse_by(A::command(), words)
}

fn parse_by<A: Parser>(
    command: Command,
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<A, clap::Error> {
    let mut command = without_empty_variables(command);
    let matches = command.try_get_matches_from_mut(words)?;
    A::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Reads the command line of a tool, which has no session. Shows help, the version or an error, if any, and
/// exits.
pub fn command_line<A: Parser>() -> A {
    boardgame_io::survive_limits();
    manual::write_if_asked(A::command);
    parse(env::args_os()).unwrap_or_else(|error| std::process::exit(show(&error).into()))
}

/// Shows help, the version, or an error of a command line.
fn show(error: &clap::Error) -> ExitCode {
    if is_help(error) {
        // A reader that has gone has seen enough.
        let _ = error.print();
        return ExitCode::Success;
    }
    let text = error.to_string();
    let steers = |letter: char| letter.is_control() && letter != '\n';
    if text.contains(steers) {
        // A quoted argument must not control the terminal.
        let _ = writeln!(io::stderr(), "{}", printable_lines(text.trim_end()));
    } else {
        let _ = error.print();
    }
    ExitCode::Usage
}

/// Returns true if this is not an error, but the requested help or version.
fn is_help(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    )
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

/// Says on standard error why a program failed.
pub fn tell_error(program: &str, error: impl Display) {
    // Without standard error there is nowhere to report.
    let _ = writeln!(
        io::stderr(),
        "{program}: {}",
        printable_lines(&error.to_string())
    );
}

impl Program {
    /// Opens the log, in `log` or else in the [default](LogConfig::default_file), and turns panics into a
    /// line of the log and a remark.
    ///
    /// # Errors
    ///
    /// When the requested log cannot be written; the error is already shown.
    pub fn prepare(self, log: Option<&Path>) -> Result<(), ExitCode> {
        self.log
            .start(log, self.name)
            .map_err(|error| self.refuse(&error))?;
        let once = Once::new();
        panic::set_hook(Box::new(move |panic| {
            tracing::error!("{panic}");
            once.call_once(|| self.remark("internal error; the log has the detail"));
        }));
        Ok(())
    }

    /// Says on standard error, in the program's form, why it cannot go on.
    pub fn remark(self, text: &str) {
        let line = match self.remarks {
            Remarks::Plain => format!("{}: {}\n", self.name, printable_lines(text)),
            Remarks::InFormat(line) => line(&format!("{}: {text}", self.name)),
            Remarks::Silent => return,
        };
        // If standard error is closed, there is nowhere to report.
        let _ = io::stderr().write_all(line.as_bytes());
    }

    /// Reports an error of the start, before the session, in the program's form.
    pub fn refuse(self, error: &dyn Error) -> ExitCode {
        let program = match self.remarks {
            Remarks::InFormat(_) if !io::stderr().is_terminal() => self,
            _ => Self {
                remarks: Remarks::Plain,
                ..self
            },
        };
        program.remark(&error.to_string());
        ExitCode::Usage
    }

    /// Shows help, the version, or an error of the command line.
    fn explain(self, error: &clap::Error) -> ExitCode {
        let in_format = matches!(self.remarks, Remarks::InFormat(_));
        if !is_help(error) && in_format && !io::stderr().is_terminal() {
            return self.refuse(error);
        }
        show(error)
    }
}
