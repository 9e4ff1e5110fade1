//! Sessions written down line by line, for snapshots.

use std::{fmt::Write as _, time::Duration};

use othello_core::Square;
use othello_proto::session::{
    Action, Decision, Ending, NoteKind, PlayerSession, Question, Task, TaskClock, Timestamp,
};

/// The timestamp a number of milliseconds after the origin.
pub(crate) fn at(millis: u64) -> Timestamp {
    Timestamp::from_origin(Duration::from_millis(millis))
}

/// A player's session with everything that went in and came out.
pub(crate) struct PlayerLog<S> {
    pub(crate) session: S,
    pub(crate) open: Option<Task>,
    pub(crate) sent: Vec<u8>,
    pub(crate) finished: bool,
    text: String,
}

impl<S: PlayerSession<Question = Question>> PlayerLog<S> {
    /// Starts `session` at the origin.
    pub(crate) fn new(session: S) -> Self {
        let mut log = Self {
            session,
            open: None,
            sent: Vec::new(),
            finished: false,
            text: String::new(),
        };
        log.session.start(Timestamp::ORIGIN);
        log.drain();
        log
    }

    /// The other side says `bytes`.
    pub(crate) fn hears(&mut self, bytes: &str, now: Timestamp) -> &mut Self {
        self.line(&format!("{:>6} > {bytes:?}", millis(now)));
        self.receives(bytes.as_bytes(), now)
    }

    /// The other side says bytes that are no text.
    pub(crate) fn hears_bytes(&mut self, bytes: &[u8], now: Timestamp) -> &mut Self {
        self.line(&format!(
            "{:>6} > \"{}\"",
            millis(now),
            bytes.escape_ascii()
        ));
        self.receives(bytes, now)
    }

    fn receives(&mut self, bytes: &[u8], now: Timestamp) -> &mut Self {
        self.session.receive(bytes, now);
        self.drain();
        self
    }

    /// The open task is answered.
    pub(crate) fn decides(&mut self, square: Square, now: Timestamp) -> &mut Self {
        let task = self.open.take().expect("a task is open");
        self.answers(task, square, now)
    }

    /// `task` is answered, open or not.
    pub(crate) fn answers(&mut self, task: Task, square: Square, now: Timestamp) -> &mut Self {
        self.line(&format!("{:>6} ! {square}", millis(now)));
        let decision = Decision {
            task: task.id,
            answer: square.into(),
        };
        self.session.decide(decision, now);
        self.drain();
        self
    }

    /// Time passes.
    pub(crate) fn waits(&mut self, now: Timestamp) -> &mut Self {
        self.line(&format!("{:>6} .", millis(now)));
        self.session.tick(now);
        self.drain();
        self
    }

    /// The input ends.
    pub(crate) fn ends(&mut self, now: Timestamp) -> &mut Self {
        self.line(&format!("{:>6} > end of input", millis(now)));
        self.session.end_of_input(now);
        self.drain();
        self
    }

    /// The transcript.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    fn drain(&mut self) {
        while let Some(action) = self.session.poll() {
            let line = match action {
                Action::Send(bytes) => {
                    self.sent.extend(&bytes);
                    format!("< \"{}\"", bytes.escape_ascii())
                }
                Action::Think(task) => {
                    self.open = Some(task);
                    format!(
                        "? {} to choose of {} from {} ms on, {}",
                        task.question.board.side_to_move(),
                        squares(task.question.moves.iter()),
                        millis(task.clock.started),
                        limits(task.clock),
                    )
                }
                Action::Abandon => {
                    self.open = None;
                    "abandon".into()
                }
                Action::Note(note) => note_line(note.kind, &note.text),
                Action::Finish(ending) => {
                    self.finished = true;
                    match ending {
                        Ending::Unintelligible(error) => {
                            format!("finish: Unintelligible({:?})", error.to_string())
                        }
                        ending => format!("finish: {ending:?}"),
                    }
                }
            };
            self.line(&format!("       {line}"));
        }
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").unwrap();
    }
}

/// The square that a fixed rule picks, so that games are the same at every run.
pub(crate) fn pick(task: &Task, seed: u64) -> Square {
    let moves: Vec<Square> = task.question.moves.iter().collect();
    let mixed = (task.id.0 + 1).wrapping_mul(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1) >> 32;
    moves[mixed as usize % moves.len()]
}

fn note_line(kind: NoteKind, text: &str) -> String {
    match kind {
        NoteKind::Info => format!("info: {text}"),
        NoteKind::Leniency(name) => format!("leniency {name}: {text}"),
        NoteKind::Fault => format!("fault: {text}"),
    }
}

fn limits(clock: TaskClock) -> String {
    match (clock.per_move, clock.game) {
        (None, None) => "no limit".into(),
        (Some(limit), None) => format!("{limit:?}"),
        (None, Some(left)) => format!("{left:?} for the game"),
        (Some(limit), Some(left)) => format!("{limit:?}, {left:?} for the game"),
    }
}

fn squares(squares: impl Iterator<Item = Square>) -> String {
    let names: Vec<String> = squares.map(|square| square.to_string()).collect();
    names.join(" ")
}

fn millis(now: Timestamp) -> u128 {
    now.since_origin().as_millis()
}
