//! Child programs: their start, input, bounds, end and report.

use std::{
    env,
    ffi::OsStr,
    fmt, io, iter,
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
};

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::{process::Command, sync::watch, task::JoinHandle};

use crate::{
    family::Family,
    group::Group,
    link::{Incoming, Link, SendBufferFull},
    mark::{Mark, VARIABLE},
    program_limits::ProgramLimits,
    sandbox::{self, BWRAP},
    streams::{Connected, Streams},
    supervisor::{ProgramOptions, ProgramReport, Request, StderrTail, stderr_file, supervise},
};

/// The placeholder for a random seed in arguments.
const SEED: &str = "{seed}";

/// A program and its arguments.
///
/// # Examples
///
/// ```
/// use boardgame_io::CommandLine;
///
/// let line: CommandLine = "python3 'my player.py' --fast".parse()?;
/// assert_eq!(line.program(), "python3");
/// assert_eq!(line.arguments(), ["my player.py", "--fast"]);
/// # Ok::<(), boardgame_io::CommandLineError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    program: String,
    arguments: Vec<String>,
    directory: Option<PathBuf>,
    stderr_file: Option<PathBuf>,
}

/// The error of an invalid command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages name the fields.
pub enum CommandLineError {
    /// There is no word in it.
    #[error("expected a program and its arguments, found nothing")]
    Empty,
    /// A quote is not closed, or a backslash ends it.
    #[error("expected a closing quote, or a character after the backslash, at the end of {text:?}")]
    Unclosed { text: String },
}

impl CommandLine {
    /// Creates the command line of a program with literal arguments.
    pub fn new(
        program: impl Into<String>,
        arguments: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            directory: None,
            stderr_file: None,
        }
    }

    /// Sets the folder that the program is started in; `None` for the folder of this process.
    pub fn set_directory(&mut self, directory: Option<PathBuf>) {
        self.directory = directory;
    }

    /// The folder that the program is started in; `None` for the folder of this process.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Sets a file to which the start of its standard error is appended, up to 1 MiB of each run, and nothing of runs
    /// that begin beyond 3 MiB.
    pub fn set_stderr_file(&mut self, path: Option<PathBuf>) {
        self.stderr_file = path;
    }

    /// Writes a heading to the file of standard error, if there is one. It begins a file of more than 1 MiB anew.
    pub fn note(&self, line: &str) {
        // Without its file a program still plays.
        let _ = self
            .stderr_file
            .as_deref()
            .map(|path| stderr_file(path, line, true));
    }

    /// The program: a path, or a name to be looked up in `PATH`.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The arguments of the program.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Returns the command line with an address in place of `{host}` and `{port}`, for clients of a server.
    ///
    /// # Examples
    ///
    /// ```
    /// use boardgame_io::CommandLine;
    ///
    /// let line: CommandLine = "client --server {host}:{port}".parse()?;
    /// let line = line.with_address(([127, 0, 0, 1], 9051).into());
    /// assert_eq!(line.arguments(), ["--server", "127.0.0.1:9051"]);
    /// # Ok::<(), boardgame_io::CommandLineError>(())
    /// ```
    #[must_use]
    pub fn with_address(&self, address: SocketAddr) -> Self {
        let host = self.filled("{host}", &address.ip().to_string());
        host.filled("{port}", &address.port().to_string())
    }

    /// Returns whether an argument has the placeholder `{seed}`.
    pub fn takes_seed(&self) -> bool {
        self.arguments.iter().any(|word| word.contains(SEED))
    }

    /// Returns the command line with a number in place of `{seed}`, for programs that choose at random.
    ///
    /// # Examples
    ///
    /// ```
    /// use boardgame_io::CommandLine;
    ///
    /// let line: CommandLine = "gnugo --mode gtp --seed {seed}".parse()?;
    /// assert!(line.takes_seed());
    /// assert_eq!(line.with_seed(7).to_string(), "gnugo --mode gtp --seed 7");
    /// # Ok::<(), boardgame_io::CommandLineError>(())
    /// ```
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Self {
        self.filled(SEED, &seed.to_string())
    }

    fn filled(&self, placeholder: &str, value: &str) -> Self {
        let words = self.arguments.iter();
        Self {
            arguments: words.map(|word| word.replace(placeholder, value)).collect(),
            ..self.clone()
        }
    }
}

impl fmt::Display for CommandLine {
    /// Quoted for a POSIX shell, without the folder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = iter::once(&self.program).chain(&self.arguments);
        for (number, word) in words.enumerate() {
            let space = if number == 0 { "" } else { " " };
            // Only a zero byte cannot be quoted, and no argument can hold one.
            let quoted = shlex::try_quote(word).unwrap_or_default();
            write!(f, "{space}{quoted}")?;
        }
        Ok(())
    }
}

impl FromStr for CommandLine {
    type Err = CommandLineError;

    /// Splits the text into words as a POSIX shell does, quotes and backslashes included.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unclosed = || CommandLineError::Unclosed { text: text.into() };
        let mut words = shlex::split(text).ok_or_else(unclosed)?.into_iter();
        let program = words.next().ok_or(CommandLineError::Empty)?;
        Ok(Self::new(program, words))
    }
}

/// A program could not be started.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot start {program:?}{}: {reason}",
    directory.as_ref().map_or_else(String::new, |folder| format!(" in {}", folder.display()))
)]
pub struct LaunchError {
    program: String,
    directory: Option<PathBuf>,
    reason: io::Error,
}

impl LaunchError {
    /// Returns the program that was to be started.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Returns the system's reason.
    pub fn io(&self) -> &io::Error {
        &self.reason
    }
}

/// A running child program in a process group of its own.
///
/// The whole group, children of the child included, ends with it, with this handle, and with this process, however that
/// ends. On Linux so do processes that have left the group, unless they are another user's and have another
/// environment; elsewhere it escapes, and the host does not wait for it. On systems without process groups a job object
/// takes their place.
///
/// On Linux this process inherits the orphans of programs (see [`Family`]), and other processes of its user can no
/// longer read its memory and environment, or attach a debugger. A program's standard streams are sockets on Unix.
///
/// The program's environment has the variable `BOARDGAME_PROGRAM`, by which the host finds its descendants, and no
/// variable whose name suggests a secret: a token, a password, a key.
#[derive(Debug)]
pub struct Program {
    link: Link,
    requests: watch::Sender<Request>,
    supervisor: JoinHandle<ProgramReport>,
    id: Option<u32>,
    family: Option<Family>,
    /// True once the end of its output was handed out.
    ended: bool,
}

impl Program {
    /// Starts a program with streams for its standard input, output and error.
    ///
    /// # Errors
    ///
    /// When the system refuses to start it.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with time and I/O enabled.
    pub fn launch(line: &CommandLine, options: &ProgramOptions) -> Result<Self, LaunchError> {
        let refused = |reason| LaunchError {
            program: line.program.clone(),
            directory: line.directory.clone(),
            reason,
        };
        protect();
        let mut command = command(line, &options.limits).map_err(refused)?;
        let connected = Connected::new(&mut command).map_err(refused)?;
        let started = Group::start(&options.limits, |mark| spawn(command, mark));
        let (mut group, limits) = started.map_err(refused)?;
        let streams = connected.streams(group.child()).map_err(refused)?;
        let Streams {
            stdin,
            stdout,
            stderr,
        } = streams;
        let (id, family) = (group.child().id(), group.family());
        let (link, feed) = Link::supervised(stdout, stdin, options.link.clone());
        let (requests, inbox) = watch::channel(Request::Run);
        let supervisor = supervise(
            group,
            limits,
            StderrTail::watch(stderr, options, line.stderr_file.as_deref()),
            feed,
            inbox,
            options.clone(),
        );
        Ok(Self {
            link,
            requests,
            supervisor: tokio::spawn(supervisor),
            id,
            family,
            ended: false,
        })
    }

    /// Returns the process id.
    pub const fn id(&self) -> Option<u32> {
        self.id
    }

    /// Returns the program with its descendants.
    pub fn family(&self) -> Option<Family> {
        self.family.clone()
    }

    /// Queues bytes for the program's standard input.
    ///
    /// # Errors
    ///
    /// When more bytes wait than [`LinkOptions::max_pending`](crate::LinkOptions::max_pending) allows: the program does
    /// not read.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), SendBufferFull> {
        self.link.send(bytes)
    }

    /// Returns the next event of the program. Cancel-safe.
    ///
    /// After [`Incoming::Exited`] nothing follows.
    pub async fn next(&mut self) -> Option<Incoming> {
        let incoming = self.link.next().await;
        self.ended |= incoming == Some(Incoming::End);
        incoming
    }

    /// Closes the program's standard input once all output is delivered; after the grace period it is asked to
    /// terminate, and after the last one it is killed.
    pub fn hang_up(&mut self) {
        self.link.hang_up();
        let unasked = self.ended;
        self.requests.send_if_modified(|request| {
            let running = *request == Request::Run;
            if running {
                *request = Request::Stop { unasked };
            }
            running
        });
    }

    /// Kills the program and its group at once.
    pub fn kill(&mut self) {
        self.link.hang_up();
        self.requests.send_replace(Request::Kill);
    }

    /// Hangs up, waits for the end within the grace periods, and returns the report. Further output of the program is
    /// dropped.
    pub async fn end(mut self) -> ProgramReport {
        self.hang_up();
        loop {
            tokio::select! {
                Some(_) = self.link.next() => {}
                report = &mut self.supervisor => {
                    return ProgramReport {
                        flushed: self.link.flushed(),
                        ..report.unwrap_or_default()
                    };
                }
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The supervisor owns the process group, which ends with it.
        self.supervisor.abort();
    }
}

/// Makes this process inherit the orphans of programs, and closes its memory and environment to them.
#[cfg(target_os = "linux")]
fn protect() {
    use nix::sys::prctl::{set_child_subreaper, set_dumpable};

    for (what, done) in [
        ("inherited", set_child_subreaper(true)),
        ("shut out", set_dumpable(false)),
    ] {
        if let Err(error) = done {
            tracing::warn!(%error, "what programs start is not {what}");
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn protect() {}

/// Returns the command of a program, which does not inherit secrets in the environment.
fn command(line: &CommandLine, limits: &ProgramLimits) -> io::Result<Command> {
    let mut command = if limits.is_sandboxed() {
        let mut command = Command::new(BWRAP);
        command
            .args(sandbox::around(line, limits)?)
            .arg(&line.program);
        command
    } else {
        Command::new(&line.program)
    };
    command.args(&line.arguments);
    for (name, _) in env::vars_os() {
        if is_secret(&name) {
            command.env_remove(name);
        }
    }
    if let Some(directory) = &line.directory {
        command.current_dir(directory);
    }
    Ok(command)
}

/// The words between underscores in names of variables that hold secrets.
const SECRET_WORDS: [&str; 7] = ["KEY", "APIKEY", "AUTH", "PASS", "PWD", "PAT", "DSN"];

/// Returns whether an environment variable holds a secret, by its name.
fn is_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    let part = |word| name.contains(word);
    ["TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL"]
        .into_iter()
        .any(part)
        || name
            .split('_')
            .any(|word| SECRET_WORDS.contains(&word) && name != "PWD")
}

fn spawn(mut command: Command, mark: Mark) -> io::Result<Box<dyn ChildWrapper>> {
    command.env(VARIABLE, mark.value());
    let mut command = CommandWrap::from(command);
    command.wrap(KillOnDrop);
    // In a session of its own it has no terminal, whose owner's keys it could forge.
    #[cfg(unix)]
    command.wrap(process_wrap::tokio::ProcessSession);
    #[cfg(windows)]
    command.wrap(process_wrap::tokio::JobObject);
    command.spawn()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_split_as_a_shell_does() {
        let line: CommandLine = r#"a\ b "c d" 'e"f' g"#.parse().unwrap();
        assert_eq!(line, CommandLine::new("a b", ["c d", "e\"f", "g"]));
        assert_eq!("  ".parse::<CommandLine>(), Err(CommandLineError::Empty));
        assert_eq!(
            "sh -c 'x".parse::<CommandLine>().unwrap_err().to_string(),
            "expected a closing quote, or a character after the backslash, at the end of \"sh -c 'x\""
        );
    }

    #[test]
    fn secrets_are_told_by_the_names_of_variables() {
        for name in [
            "OTHELLO_TOKEN",
            "github_token",
            "AWS_SECRET_ACCESS_KEY",
            "PGPASSWORD",
            "API_KEY",
            "SSH_AUTH_SOCK",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "SMTP_PASS",
            "MYSQL_PWD",
            "GITHUB_PAT",
            "SENTRY_DSN",
        ] {
            assert!(is_secret(OsStr::new(name)), "{name}");
        }
        for name in [
            "PATH",
            "PWD",
            "OLDPWD",
            "XAUTHORITY",
            "KEYBOARD",
            "OTHELLO_TIER",
            "GO_USENIX_SEED",
        ] {
            assert!(!is_secret(OsStr::new(name)), "{name}");
        }
    }

    #[tokio::test]
    async fn a_program_that_does_not_exist_is_an_error_with_its_name() {
        let line = CommandLine::new("/nonexistent/player", ["x"]);
        let error = Program::launch(&line, &ProgramOptions::default()).unwrap_err();
        assert_eq!(error.program(), "/nonexistent/player");
        assert_eq!(error.io().kind(), io::ErrorKind::NotFound);
    }
}
