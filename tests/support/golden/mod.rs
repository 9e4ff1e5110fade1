//! Golden scripts: text files of sessions with all input and output.
//!
//! A line that starts with a blank is output, which the test compares; with `UPDATE_SCRIPTS=1` in the environment it is
//! rewritten. Every other line is input:
//!
//! - `# REMARK`
//! - `let NAME TEXT`: `$NAME` in later lines stands for the text
//! - `-- NAME`: the lines up to the next block or case are a block, which `do NAME` plays without showing its output
//! - `== TITLE`: starts a case with a new session
//! - `with KEY VALUE`: an option of the session
//! - `each`: every later line of the case is played by itself, after the lines before `each`
//! - steps of the session, divided by ` | `
#![allow(dead_code, unused_imports)] // No test uses all of it.

mod player;
mod seat;

use std::{
    collections::BTreeMap,
    env,
    fmt::Write as _,
    fs, mem,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::Duration,
};

use boardgame_session::{Note, NoteKind, Timestamp};

pub(crate) use player::PlayerScript;
pub(crate) use seat::{SeatScript, thought_text};

/// The options of a session, by the lines `with KEY VALUE`.
pub(crate) type Settings = [(String, String)];

/// A session under test.
pub(crate) trait Subject {
    /// Carries out a step.
    fn step(&mut self, step: &str);

    /// Takes the lines of output since the last call.
    fn output(&mut self) -> Vec<String>;
}

/// Plays a script of this package and compares the output.
pub(crate) fn check<S: Subject>(script: &str, make: impl Fn(&Settings) -> S) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut stage = Stage::new(&make);
    let inputs = text.lines().filter(|line| !line.starts_with(' '));
    inputs.for_each(|line| stage.line(line));
    if stage.shown == text {
        return;
    }
    if env::var_os("UPDATE_SCRIPTS").is_some() {
        fs::write(&path, stage.shown).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        return;
    }
    let equal =
        (text.lines().zip(stage.shown.lines())).take_while(|(expected, line)| expected == line);
    let first = equal.count();
    let lines = |text: &str| {
        let from = first.saturating_sub(8);
        let lines = text.lines().skip(from).take(first - from + 6);
        lines
            .flat_map(|line| ["  ", line, "\n"])
            .collect::<String>()
    };
    panic!(
        "{script}:{}: expected\n{}but this happened (UPDATE_SCRIPTS=1 writes it down):\n{}",
        first + 1,
        lines(&text),
        lines(&stage.shown)
    );
}

/// A script that is being played.
struct Stage<'a, S, F> {
    make: &'a F,
    names: Vec<(String, String)>,
    blocks: BTreeMap<String, Vec<String>>,
    /// The current block.
    block: Option<String>,
    settings: Vec<(String, String)>,
    /// The lines of the case played so far, except those after `each`.
    played: Vec<String>,
    each: bool,
    subject: Option<S>,
    shown: String,
}

impl<'a, S: Subject, F: Fn(&Settings) -> S> Stage<'a, S, F> {
    fn new(make: &'a F) -> Self {
        Self {
            make,
            names: Vec::new(),
            blocks: BTreeMap::new(),
            block: None,
            settings: Vec::new(),
            played: Vec::new(),
            each: false,
            subject: None,
            shown: String::new(),
        }
    }

    fn line(&mut self, line: &str) {
        self.shown += line;
        self.shown += "\n";
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let mut full = line.to_owned();
        for (name, text) in self.names.iter().rev() {
            full = full.replace(&format!("${name}"), text);
        }
        if let Some(definition) = full.strip_prefix("let ") {
            let (name, text) = definition.split_once(' ').expect("a name and a text");
            self.names.push((name.into(), text.into()));
        } else if let Some(name) = full.strip_prefix("-- ") {
            self.block = Some(name.into());
            self.blocks.insert(name.into(), Vec::new());
        } else if full.starts_with("== ") {
            self.block = None;
            self.settings.clear();
            self.played.clear();
            self.each = false;
            self.subject = None;
        } else if let Some(block) = &self.block {
            let lines = self.blocks.get_mut(block);
            lines.expect("a block").push(full);
        } else {
            self.play(&full);
            self.show();
        }
    }

    fn play(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("do ") {
            let lines = self.blocks.get(name).cloned();
            for line in lines.unwrap_or_else(|| panic!("no block {name}")) {
                self.play(&line);
                self.take_output();
            }
        } else if let Some(setting) = line.strip_prefix("with ") {
            assert!(self.subject.is_none(), "{line:?} after the beginning");
            let (key, value) = setting.split_once(' ').unwrap_or((setting, ""));
            self.settings.push((key.into(), value.into()));
        } else if line == "each" {
            self.each = true;
        } else if self.each {
            self.subject = None;
            for before in self.played.clone() {
                self.steps(&before);
                self.take_output();
            }
            self.steps(line);
        } else {
            self.played.push(line.into());
            self.steps(line);
        }
    }

    fn steps(&mut self, line: &str) {
        let subject = (self.subject).get_or_insert_with(|| (self.make)(&self.settings));
        for step in line.split(" | ") {
            let outcome = catch_unwind(AssertUnwindSafe(|| subject.step(step)));
            assert!(outcome.is_ok(), "the step {step:?} after\n{}", self.shown);
        }
    }

    fn take_output(&mut self) -> Vec<String> {
        self.subject.as_mut().map(S::output).unwrap_or_default()
    }

    /// Writes the output since the last line, shortened if it is long.
    fn show(&mut self) {
        const MAX_LINES: usize = 24;
        let mut lines = self.take_output();
        let count = lines.len();
        if count > MAX_LINES {
            lines.truncate(4);
            lines.push(format!("... {} more lines", count - 4));
        }
        for line in lines {
            let line = match line.char_indices().nth(300) {
                Some((end, _)) => format!("{}... {} bytes", &line[..end], line.len()),
                None => line,
            };
            writeln!(self.shown, "    {line}").expect("a string takes all");
        }
    }
}

/// Returns the bytes of a step: a line, or texts in quotation marks with escapes, each after a number if it is
/// repeated.
pub(crate) fn bytes_of(text: &str) -> Vec<u8> {
    let starts = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    if !(starts.starts_with('"') && text.ends_with('"')) {
        return format!("{text}\n").into_bytes();
    }
    let (mut bytes, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let (count, quoted) = rest.split_once('"').expect("a text in quotation marks");
        let count = count.trim();
        let count = if count.is_empty() {
            1
        } else {
            count.parse().expect("a number")
        };
        let (piece, after) = unescape(quoted);
        bytes.extend(piece.repeat(count));
        rest = after.trim_start();
    }
    bytes
}

/// Returns the bytes up to the closing quotation mark, and the rest.
fn unescape(quoted: &str) -> (Vec<u8>, &str) {
    let (mut bytes, mut chars) = (Vec::new(), quoted.chars());
    while let Some(c) = chars.next() {
        match c {
            '"' => return (bytes, chars.as_str()),
            '\\' => match chars.next().expect("an escape") {
                'n' => bytes.push(b'\n'),
                'r' => bytes.push(b'\r'),
                't' => bytes.push(b'\t'),
                'x' => {
                    let digits: String = chars.by_ref().take(2).collect();
                    bytes.push(u8::from_str_radix(&digits, 16).expect("two digits"));
                }
                other => bytes.extend(other.to_string().bytes()),
            },
            other => bytes.extend(other.to_string().bytes()),
        }
    }
    panic!("no end of {quoted:?}");
}

/// Returns the text for a piece of output: without its last line end; `\` marks a missing one.
pub(crate) fn shown(bytes: &[u8]) -> String {
    match bytes.strip_suffix(b"\n") {
        Some(line) => line
            .escape_ascii()
            .to_string()
            .replace("\\\"", "\"")
            .replace("\\'", "'"),
        None => format!("{}\\", bytes.escape_ascii()),
    }
}

/// Returns a note for the log as a line.
pub(crate) fn note_line(note: &Note) -> String {
    match note.kind {
        NoteKind::Info => format!("info: {}", note.text),
        NoteKind::Leniency(name) => format!("leniency {name}: {}", note.text),
        NoteKind::Fault => format!("fault: {}", note.text),
    }
}

/// The time of a script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) now: Timestamp,
    deadline: Option<Timestamp>,
}

impl Clock {
    pub(crate) const fn new() -> Self {
        Self {
            now: Timestamp::ORIGIN,
            deadline: None,
        }
    }

    /// Sets the time by a step `@SECONDS` or `+SECONDS`; returns whether it is such a step.
    pub(crate) fn set(&mut self, step: &str) -> bool {
        let seconds = |text: &str| Duration::from_secs_f64(text.parse().expect("seconds"));
        if let Some(text) = step.strip_prefix('@') {
            self.now = Timestamp::from_origin(seconds(text));
        } else if let Some(text) = step.strip_prefix('+') {
            self.now = self.now + seconds(text);
        } else {
            return false;
        }
        true
    }

    /// Returns a line about the deadline, if it has changed.
    pub(crate) fn deadline_line(&mut self, deadline: Option<Timestamp>) -> Option<String> {
        let changed = mem::replace(&mut self.deadline, deadline) != deadline;
        let until = || {
            deadline.map_or("no deadline".into(), |deadline| {
                format!("until {}", shown_time(deadline))
            })
        };
        changed.then(until)
    }
}

/// Formats a time since the start of the script.
pub(crate) fn shown_time(time: Timestamp) -> String {
    format!("{:?}", time.since_origin())
}
