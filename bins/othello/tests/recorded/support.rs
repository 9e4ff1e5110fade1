//! Programs as child processes, scripts for the other side of a wire, and the snapshots.

use std::{
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, Read, Write},
    path::Path,
    process::{Command, Output, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use tempfile::TempDir;

pub(crate) const OTHELLO: &str = env!("CARGO_BIN_EXE_othello");

/// The maximum wait for a line: only a hang takes this long.
const PATIENCE: Duration = Duration::from_mins(1);

/// A folder where programs run and keep their logs.
pub(crate) struct Sandbox(TempDir);

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the command of the tool with these arguments, without variables that change its behaviour.
    pub(crate) fn othello(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(OTHELLO);
        command
            .args(arguments)
            .current_dir(self.path())
            .env_remove("OTHELLO_TIER")
            .env_remove("OTHELLO_NAME")
            .env_remove("OTHELLO_GUI_MODE")
            .env_remove("OTHELLO_LOG")
            .env("COLUMNS", "100")
            .env("XDG_STATE_HOME", self.path())
            .env("XDG_CONFIG_HOME", self.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Returns the output of a finished program and the named files that it left, in the form of a snapshot.
    pub(crate) fn report(&self, output: &Output, files: &[&str]) -> String {
        let mut report = format!("status {}\n", output.status.code().unwrap_or(-1));
        section(&mut report, "stdout", &text(&output.stdout));
        section(&mut report, "stderr", &text(&output.stderr));
        for file in files {
            let content = fs::read_to_string(self.path().join(file)).unwrap_or_default();
            section(&mut report, file, &content);
        }
        report
    }

    /// Runs the tool to its end.
    pub(crate) fn run(&self, arguments: &[&str], files: &[&str]) -> String {
        self.report(&self.othello(arguments).output().unwrap(), files)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn section(report: &mut String, title: &str, content: &str) {
    if !content.is_empty() {
        writeln!(report, "--- {title}\n{}", content.trim_end_matches('\n')).unwrap();
    }
}

/// Compares with the snapshot `name`, apart from values that depend on the clock and the machine.
pub(crate) fn check(name: &str, recorded: &str) {
    let filters = [
        (OTHELLO, "othello"),
        (r"(?m)^\d{4}-\d\d-\d\dT\S+Z +", ""),
        // A log line names the turn in which the bytes were read, which depends on how they were split.
        (r"session\{[^}]*\}(:turn\{[^}]*\})?: ", ""),
        (r"process=\d+", "process=[…]"),
        (r"(nodestats \d+) [\d.]+", "$1 […]"),
        (r"(=== \S+/\S+)/[\d.]+", "$1/[…]"),
        (r"out of time: [\d.]+ s", "out of time: […] s"),
        (r"elapsed=\S+", "elapsed=[…]"),
        (r#""(finished|wall_us|cpu_us)":\d+"#, r#""$1":[…]"#),
        (r#""used":\[\d+,\d+\]"#, r#""used":[…]"#),
        (r#""crc32":"[0-9a-f]{8}""#, r#""crc32":"[…]""#),
        (r#""store":"[0-9a-f]{16}""#, r#""store":"[…]""#),
        (r"build=[0-9a-f.-]+", "build=[…]"),
        (r" +\d+\.\d{3} +\d+\.\d{3}(?m)$", "  […]"),
        (r"127\.0\.0\.1:\d+", "127.0.0.1:[…]"),
    ];
    insta::with_settings!({ filters => filters, omit_expression => true }, {
        insta::assert_snapshot!(name, recorded);
    });
}

/// Lines that arrive on a stream, each waited for with patience.
pub(crate) struct Lines(Receiver<String>);

impl Lines {
    pub(crate) fn of(stream: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self(lines)
    }

    /// Returns the next line, or `None` at the end of the stream or if none comes.
    pub(crate) fn next_line(&mut self) -> Option<String> {
        self.0.recv_timeout(PATIENCE).ok()
    }

    /// Returns all lines up to the end of the stream.
    pub(crate) fn rest(mut self) -> String {
        std::iter::from_fn(|| self.next_line())
            .map(|line| line + "\n")
            .collect()
    }
}

/// Plays a script and returns the dialogue.
///
/// A line `> text` is sent with a line end, `>| text` without one; `< N` waits for N lines, `<.` for lines up to an
/// empty one.
///
/// # Panics
///
/// Panics if a line that the script waits for does not come.
pub(crate) fn converse(script: &str, lines: &mut Lines, writer: &mut impl Write) -> String {
    let mut dialogue = String::new();
    for step in script
        .lines()
        .map(str::trim)
        .filter(|step| !step.is_empty())
    {
        let answers = if step == "<." {
            let mut ended = false;
            let answer = || {
                let line = (!ended).then(|| lines.next_line()).flatten()?;
                ended = line.is_empty();
                Some(line)
            };
            std::iter::from_fn(answer).collect::<Vec<_>>()
        } else if let Some(count) = step.strip_prefix('<') {
            let count = count.trim().parse().unwrap();
            let answer = |_| lines.next_line();
            let answers: Option<Vec<_>> = (0..count).map(answer).collect();
            answers.unwrap_or_else(|| panic!("{dialogue}{step}: no line came"))
        } else {
            let (text, end) = match step.strip_prefix(">|") {
                Some(text) => (text, ""),
                None => (step.strip_prefix('>').unwrap(), "\n"),
            };
            // In one piece: some formats answer a line before its end has come, with a note.
            let line = format!("{}{end}", text.trim_start());
            writer.write_all(line.as_bytes()).unwrap();
            writer.flush().unwrap();
            writeln!(dialogue, "{step}").unwrap();
            continue;
        };
        for answer in answers {
            writeln!(dialogue, "< {answer}").unwrap();
        }
    }
    dialogue
}

/// Plays a script over the streams of a program, closes its input and returns everything that it left.
pub(crate) fn over_pipes(
    sandbox: &Sandbox,
    arguments: &[&str],
    script: &str,
    files: &[&str],
) -> String {
    let mut command = sandbox.othello(arguments);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut lines = Lines::of(child.stdout.take().unwrap());
    let mut stdin = child.stdin.take().unwrap();
    let dialogue = converse(script, &mut lines, &mut stdin);
    drop(stdin);
    let rest = lines.rest();
    let mut output = child.wait_with_output().unwrap();
    output.stdout = rest.into_bytes();
    format!("{dialogue}{}", sandbox.report(&output, files))
}
