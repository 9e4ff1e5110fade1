//! A program of ours in a folder of its own.

use std::{
    fs,
    io::Write as _,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
};

use tempfile::TempDir;

use super::PROGRAM;

/// A folder where the tool runs; its caches and logs are in another one.
pub(crate) struct Folder {
    work: TempDir,
    home: TempDir,
}

/// The end of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) errors: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self {
            code: output.status.code(),
            out: text(output.stdout),
            errors: text(output.stderr),
        }
    }
}

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = || tempfile::tempdir().expect("a folder");
        Self {
            work: folder(),
            home: folder(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.work.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("a file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    /// Returns the number of files.
    pub(crate) fn count(&self) -> usize {
        fs::read_dir(self.work.path()).expect("the folder").count()
    }

    /// Lets a program run here, without a variable that changes what it does.
    pub(crate) fn prepare(&self, mut command: Command) -> Command {
        command.current_dir(self.work.path()).stdin(Stdio::null());
        for folder in ["HOME", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
            command.env(folder, self.home.path());
        }
        command.env_remove("OTHELLO_TOKEN");
        command
    }

    /// Returns the tool with these words.
    pub(crate) fn with_words(&self, words: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(words);
        self.prepare(command)
    }

    /// Returns the tool with the words of a line, as a shell splits it.
    pub(crate) fn command(&self, line: &str) -> Command {
        let words = shlex::split(line).expect("words");
        self.with_words(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Starts the tool with pipes for its standard streams.
    pub(crate) fn start(&self, line: &str) -> Child {
        let mut command = self.command(line);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        piped.stderr(Stdio::piped()).spawn().expect("the tool")
    }

    pub(crate) fn run(&self, line: &str) -> Ran {
        self.command(line).output().expect("the tool").into()
    }

    pub(crate) fn run_with(&self, line: &str, input: &str) -> Ran {
        let mut child = self.start(line);
        // A tool that refuses its arguments does not read.
        let _ = child
            .stdin
            .take()
            .expect("a pipe")
            .write_all(input.as_bytes());
        child.wait_with_output().expect("the end").into()
    }

    /// Runs the tool successfully and returns what it printed.
    #[track_caller]
    pub(crate) fn printed(&self, line: &str) -> String {
        let ran = self.run(line);
        assert_eq!(ran.code, Some(0), "{line}: {ran:?}");
        ran.out
    }

    /// Runs the tool, which must fail, and returns what it wrote to standard error.
    #[track_caller]
    pub(crate) fn refused(&self, line: &str) -> String {
        let ran = self.run(line);
        assert_eq!(ran.code, Some(1), "{line}: {ran:?}");
        ran.errors
    }

    /// Checks for each line of a table the exit code, and that standard error has a part.
    #[track_caller]
    pub(crate) fn check_refusals(&self, table: &[(&str, i32, &str)]) {
        for (line, code, expected) in table {
            let ran = self.run(line);
            assert_eq!(ran.code, Some(*code), "{line}: {ran:?}");
            assert!(ran.errors.contains(expected), "{line}: {}", ran.errors);
        }
    }
}
