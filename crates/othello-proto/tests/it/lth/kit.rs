//! The common part of the tests of sessions.

use std::{fmt::Write as _, time::Duration};

use othello_core::Square;
use othello_proto::{
    lth::{Id, Player, PlayerOptions},
    session::{Action, Decision, Ending, Note, NoteKind, PlayerSession, Task, Timestamp},
};

/// The time `milliseconds` after the origin.
pub(crate) fn at(milliseconds: u64) -> Timestamp {
    Timestamp::from_origin(Duration::from_millis(milliseconds))
}

pub(crate) fn id(text: &str) -> Id {
    text.parse().unwrap()
}

/// The squares of a transcript such as `f5d6`.
pub(crate) fn squares(transcript: &str) -> Vec<Square> {
    let pairs = transcript.as_bytes().chunks(2);
    pairs
        .map(|pair| str::from_utf8(pair).unwrap().parse().unwrap())
        .collect()
}

/// A client under test, which answers tasks at once from a list.
pub(crate) struct Client {
    pub(crate) player: Player,
    pub(crate) now: Timestamp,
    pub(crate) task: Option<Task>,
    pub(crate) ending: Option<Ending>,
    answers: Vec<Square>,
    log: String,
}

impl Client {
    /// A client named `me` that will choose these squares.
    pub(crate) fn new(answers: &str) -> Self {
        Self::with(PlayerOptions::new(id("me")), answers)
    }

    pub(crate) fn with(options: PlayerOptions, answers: &str) -> Self {
        let mut client = Self {
            player: Player::new(options),
            now: at(0),
            task: None,
            ending: None,
            answers: squares(answers),
            log: String::new(),
        };
        client.player.start(client.now);
        client.settle();
        client
    }

    /// Lets the server say these lines, one at a time, and returns what the client sends.
    pub(crate) fn hear(&mut self, lines: &str) -> String {
        let before = self.log.len();
        for line in lines.lines() {
            writeln!(self.log, "< {line}").unwrap();
            self.player
                .receive(format!("{line}\n").as_bytes(), self.now);
            self.settle();
        }
        let sent = self.log[before..]
            .lines()
            .filter_map(|l| l.strip_prefix("> "));
        sent.collect::<Vec<_>>().join(" ")
    }

    /// Ends the input and returns how the session ended.
    pub(crate) fn close(&mut self) -> Ending {
        self.log.push_str("< end of input\n");
        self.player.end_of_input(self.now);
        self.settle();
        self.ending.clone().expect("an end after the end of input")
    }

    /// Everything that was said, asked and noted.
    pub(crate) fn log(&self) -> &str {
        &self.log
    }

    /// The names of the leniencies that were used.
    pub(crate) fn leniencies(&self) -> Vec<&str> {
        let notes = self
            .log
            .lines()
            .filter_map(|l| l.strip_prefix(". leniency "));
        notes.map(|note| note.split(':').next().unwrap()).collect()
    }

    /// The count of faults of the server that were noted.
    pub(crate) fn faults(&self) -> usize {
        self.log
            .lines()
            .filter(|l| l.starts_with(". fault"))
            .count()
    }

    pub(crate) fn settle(&mut self) {
        while let Some(action) = self.player.poll() {
            match action {
                Action::Send(bytes) => {
                    let text = String::from_utf8(bytes).unwrap();
                    write!(self.log, "> {text}").unwrap();
                }
                Action::Think(task) => self.think(task),
                Action::Abandon => {
                    self.task = None;
                    self.log.push_str("? stop thinking\n");
                }
                Action::Note(note) => self.log.push_str(&note_line(&note)),
                Action::Finish(ending) => {
                    writeln!(self.log, "= {ending:?}").unwrap();
                    self.ending = Some(ending);
                }
            }
        }
    }

    fn think(&mut self, task: Task) {
        writeln!(self.log, "? {:?}", task.question.moves).unwrap();
        if self.answers.is_empty() {
            self.task = Some(task);
        } else {
            let square = self.answers.remove(0);
            self.decide(task, square);
        }
    }

    pub(crate) fn decide(&mut self, task: Task, square: Square) {
        self.player.decide(decision(task, square), self.now);
    }
}

pub(crate) fn decision(task: Task, square: Square) -> Decision {
    Decision {
        task: task.id,
        answer: square.into(),
    }
}

pub(crate) fn note_line(note: &Note) -> String {
    match note.kind {
        NoteKind::Info => format!(". info: {}\n", note.text),
        NoteKind::Leniency(name) => format!(". leniency {name}: {}\n", note.text),
        NoteKind::Fault => format!(". fault: {}\n", note.text),
    }
}
