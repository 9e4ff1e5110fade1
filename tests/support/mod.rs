//! Shared code of the end-to-end tests of the players of any game: a child program with piped streams, and random
//! choices for an opponent. Included by path, since a test knows only the binaries of its own package.
#![allow(dead_code)] // No test uses all of it.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// The time that a program may take to print something: only a hang takes this long.
const PATIENCE: Duration = Duration::from_mins(1);

/// The settings of a player without arguments; an empty variable keeps the default.
const GO_USENIX: [&str; 10] = [
    "GO_USENIX_SIZE",
    "GO_USENIX_KOMI",
    "GO_USENIX_MAIN_TIME",
    "GO_USENIX_BYO_ROMI",
    "GO_USENIX_PLAYOUTS",
    "GO_USENIX_MOVE_TIME",
    "GO_USENIX_MEMORY",
    "GO_USENIX_SEED",
    "GO_USENIX_WEIGHTS",
    "GO_USENIX_LOG",
];

/// A program under test, with its own home so that the user's files are not touched.
pub(crate) struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: thread::JoinHandle<String>,
    home: TempDir,
}

/// The end of a program.
pub(crate) struct End {
    /// Its exit status, or `None` if a signal killed it.
    pub(crate) code: Option<i32>,
    /// The output not read by [`Program::line`].
    pub(crate) rest: String,
    /// All its standard error.
    pub(crate) errors: String,
    /// Its default log.
    pub(crate) log: String,
}

impl Program {
    /// Starts a program with these arguments, separated by blanks, and none of our variables set.
    pub(crate) fn start(executable: &str, args: &str) -> Self {
        Self::start_with(executable, args, &[])
    }

    /// Starts a program with environment variables.
    pub(crate) fn start_with(executable: &str, args: &str, variables: &[(&str, &str)]) -> Self {
        Self::start_command(Command::new(executable), args, variables)
    }

    /// Starts an engine with one thread and sends it input to think about; returns once it is thinking.
    pub(crate) fn start_thinking(executable: &str, input: &str) -> Self {
        let log = [("OTHELLO_LOG", "debug")];
        let mut program = Self::start_with(executable, "--threads 1", &log);
        program.send(input);
        program.wait_for_log("thinking");
        program
    }

    fn start_command(mut command: Command, args: &str, variables: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        command
            .args(args.split_whitespace())
            .env_remove("OTHELLO_TIER")
            .env_remove("OTHELLO_NAME")
            .env_remove("OTHELLO_GUI_MODE")
            .env_remove("OTHELLO_GUI_THREADS")
            .env_remove("OTHELLO_GUI_HASH")
            .env_remove("OTHELLO_GUI_RESERVE")
            .env_remove("OTHELLO_LOG")
            .env_remove("GO_LOG")
            .envs(GO_USENIX.map(|name| (name, "")))
            .env("COLUMNS", "100")
            .env("XDG_STATE_HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path())
            .env("LOCALAPPDATA", home.path())
            .env("APPDATA", home.path())
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let lines = read_lines(child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        let errors = thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).unwrap();
            text
        });
        Self {
            child,
            stdin,
            lines,
            errors,
            home,
        }
    }

    /// Writes to the program's input, ignoring an error if it has left.
    pub(crate) fn send(&mut self, text: &str) {
        self.send_bytes(text.as_bytes());
    }

    /// Writes bytes to the program's input, ignoring an error if it has left.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let _ = self.stdin.as_mut().unwrap().write_all(bytes);
    }

    /// Returns the next line that the program prints.
    ///
    /// # Panics
    ///
    /// Panics if it prints none.
    pub(crate) fn line(&mut self) -> String {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("the program hangs"),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait().unwrap();
                panic!("the program printed no line, and left with {status}")
            }
        }
    }

    /// Closes the program's input.
    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Sends the program a signal by its name.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let process = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", name, &process]).status();
        assert!(status.unwrap().success());
    }

    /// Returns the folder that the program uses for the user's state and configuration.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Waits until the program's default log holds `text`.
    pub(crate) fn wait_for_log(&self, text: &str) {
        let began = Instant::now();
        while !self.log().contains(text) {
            assert!(
                began.elapsed() < PATIENCE,
                "no {text:?} in {:?}",
                self.log()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn log(&self) -> String {
        let folders = ["othello", "go"].map(|game| self.home().join(game));
        let logs = folders
            .into_iter()
            .filter_map(|folder| std::fs::read_dir(folder).ok());
        let paths = logs.flatten().map(|entry| entry.unwrap().path());
        paths
            .map(|path| std::fs::read_to_string(path).unwrap())
            .collect()
    }

    /// Waits for the program's end without closing its input.
    pub(crate) fn wait(mut self) -> End {
        let mut rest = String::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest = rest + &line + "\n",
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    panic!("the program does not end; so far it printed {rest:?}");
                }
            }
        }
        let code = self.child.wait().unwrap().code();
        let log = self.log();
        let errors = self.errors.join().unwrap();
        End {
            code,
            rest,
            errors,
            log,
        }
    }

    /// Closes the program's input and waits for its end.
    pub(crate) fn finish(mut self) -> End {
        self.close_input();
        self.wait()
    }
}

/// Runs a program whose input is empty.
pub(crate) fn run(executable: &str, args: &str) -> End {
    Program::start(executable, args).finish()
}

/// Starts a program whose standard output is closed, gives it input, and returns its exit status.
/// The input stays open meanwhile.
pub(crate) fn exit_with_closed_output(executable: &str, args: &str, input: &str) -> Option<i32> {
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(executable)
        .args(args.split_whitespace())
        .env("XDG_STATE_HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    child.wait().unwrap().code()
}

fn read_lines(stdout: ChildStdout) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines() {
            if sender.send(line.unwrap()).is_err() {
                break;
            }
        }
    });
    lines
}

/// Checks that command lines are refused with the exit status 2, before anything is printed, and that the error names
/// the expectation.
pub(crate) fn check_refused(executable: &str, refused: &[(&str, &str)]) {
    for (args, expected) in refused {
        let end = run(executable, args);
        assert_eq!((end.code, &*end.rest), (Some(2), ""), "{args}");
        assert!(end.errors.contains(expected), "{args}: {}", end.errors);
    }
}

/// Checks that signals end a program, which `start` brings to the point where they arrive.
#[cfg(unix)]
pub(crate) fn check_signals(start: impl Fn() -> Program) {
    for signal in ["INT", "TERM"] {
        let program = start();
        program.signal(signal);
        let end = program.wait();
        assert_eq!((end.code, &*end.errors), (Some(130), ""), "{signal}");
    }
}

/// The limits of a contest's sandbox, by the options of the shell's `ulimit`: on files, open files, processes, CPU
/// time, the stack, locked memory, threads and memory. A build without optimization needs more memory than a release.
#[cfg(target_os = "linux")]
const LIMITS: [&str; 27] = [
    "-f 0",
    "-f 1",
    "-c 0",
    "-n 4",
    "-n 5",
    "-n 7",
    "-n 8",
    "-n 9",
    "-n 16",
    "-u 1",
    "-u 8",
    "-t 2",
    "-s 64",
    "-s 256",
    "-l 0",
    "-T 1",
    "-T 4",
    "-v 64000",
    "-v 72000",
    "-v 80000",
    "-v 104000",
    "-v 128000",
    "-v 160000",
    "-d 24000",
    "-d 64000",
    "-d 96000",
    "-d 160000",
];

/// Plays with a program under each limit that the shell knows. Root is exempt from the limit on processes.
#[cfg(target_os = "linux")]
pub(crate) fn under_limits(executable: &str, args: &str, play: impl Fn(Program, &str)) {
    for limit in LIMITS {
        under_limit(limit, executable, args, &play);
    }
}

/// Plays with a program under a limit, if the shell knows it.
#[cfg(target_os = "linux")]
pub(crate) fn under_limit(limit: &str, executable: &str, args: &str, play: impl Fn(Program, &str)) {
    let shells = ["/bin/bash", "/bin/sh"];
    let shell = shells.into_iter().find(|shell| Path::new(shell).exists());
    let shell = |script: &str| {
        let mut command = Command::new(shell.expect("a shell"));
        command.args(["-c", script, executable]);
        command
    };
    let mut probe = shell(&format!("ulimit {limit}"));
    if probe.stderr(Stdio::null()).status().unwrap().success() {
        let command = shell(&format!("ulimit {limit} && exec \"$0\" \"$@\""));
        play(Program::start_command(command, args, &[]), limit);
    }
}

/// Pseudo-random numbers, the same in every run (xorshift, after Marsaglia 2003).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns one of the choices.
    pub(crate) fn pick<T>(&mut self, choices: impl IntoIterator<Item = T>) -> T {
        let mut choices: Vec<T> = choices.into_iter().collect();
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let at = self.0 % choices.len() as u64;
        choices.swap_remove(at as usize)
    }
}
