//! Players' sessions fed with arbitrary events.

use std::collections::BTreeSet;
use std::time::Duration;

use othello_core::Square;

use super::Script;
use othello_proto::session::{Action, Decision, PlayerSession, Question, Task, TaskId, Timestamp};

/// More actions than any one event may cause.
pub(super) const MAX_ACTIONS: usize = 4096;

/// The laws that a format adds to those of a player's session.
pub trait PlayerFormat {
    /// The session under test.
    type Session: PlayerSession<Question = Question>;

    /// Something that the other side might plausibly say now.
    fn speak(&mut self, script: &mut Script<'_>, session: &Self::Session) -> Vec<u8>;

    /// Checks a task before it is answered.
    fn asked(&mut self, task: &Task);

    /// Checks what the session sent upon an event: `answered` is the task that the event answered,
    /// or `None` when it answered none.
    fn sent(&mut self, session: &Self::Session, bytes: &[u8], answered: Option<Answered<'_>>);
}

/// A task that an event answered: a decision, or time that has run out.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// The task.
    pub task: &'a Task,
    /// The square that was decided on; `None` when the time ran out.
    pub chosen: Option<Square>,
}

impl Answered<'_> {
    /// Checks the square that the session played: the chosen one if the task allows it, else any
    /// that it allows.
    ///
    /// # Panics
    ///
    /// When it is another one.
    pub fn check(&self, square: Square) {
        assert!(
            self.task.question.moves.contains(square),
            "illegal move {square}"
        );
        if let Some(chosen) = self.chosen {
            assert!(square == chosen || !self.task.question.moves.contains(chosen));
        }
    }
}

/// Feeds a player's session with the events that `data` spells.
///
/// The laws: every event causes finitely many actions; at most one task is open, and each has a
/// name of its own; a task is answered without its decision at the session's deadline, not before;
/// whatever is sent passes the format's check; nothing follows the end; the session ends after the
/// end of input, but not before the open task is answered, and what it receives between the two
/// changes nothing.
pub fn player_session<F: PlayerFormat>(format: &mut F, session: F::Session, data: &[u8]) {
    let mut run = PlayerRun {
        format,
        session,
        now: Timestamp::ORIGIN,
        open: None,
        seen: BTreeSet::new(),
        finished: false,
    };
    let mut script = Script::new(data);
    run.session.start(run.now);
    run.settle(None);
    while !script.is_finished() && !run.finished {
        run.step(&mut script);
    }
    run.end();
}

struct PlayerRun<'f, F: PlayerFormat> {
    format: &'f mut F,
    session: F::Session,
    now: Timestamp,
    open: Option<Task>,
    seen: BTreeSet<TaskId>,
    finished: bool,
}

impl<F: PlayerFormat> PlayerRun<'_, F> {
    fn step(&mut self, script: &mut Script<'_>) {
        match script.pick(8) {
            0 => {
                let bytes = script.bytes(32);
                self.session.receive(&bytes, self.now);
                self.settle(None);
            }
            1 => {
                let far = Duration::from_millis(1 << script.pick(21));
                self.advance(self.now + far);
            }
            2 => {
                if let Some(deadline) = self.session.deadline() {
                    self.advance(deadline.max(self.now));
                }
            }
            3 => {
                let task = TaskId(u64::from(script.byte()));
                let square = script.choose(&Square::ALL);
                if self.open.is_none_or(|open| open.id != task) {
                    self.session.decide(
                        Decision {
                            task,
                            answer: square.into(),
                        },
                        self.now,
                    );
                    self.settle(None);
                }
            }
            4 | 5 => {
                let square = script.choose(&Square::ALL);
                self.answer(square);
            }
            _ => {
                let bytes = self.format.speak(script, &self.session);
                self.session.receive(&bytes, self.now);
                self.settle(None);
            }
        }
    }

    /// Answers the open task, if there is one, with a square that it may not allow.
    fn answer(&mut self, square: Square) {
        if let Some(task) = self.open.take() {
            let decision = Decision {
                task: task.id,
                answer: square.into(),
            };
            self.session.decide(decision, self.now);
            let chosen = Some(square);
            self.settle(Some(Answered {
                task: &task,
                chosen,
            }));
        }
    }

    fn advance(&mut self, to: Timestamp) {
        self.now = to;
        let due = (self.session.deadline()).is_some_and(|deadline| deadline <= to);
        let overdue = self.open.filter(|_| due);
        self.session.tick(self.now);
        let chosen = None;
        self.settle(overdue.as_ref().map(|task| Answered { task, chosen }));
        assert!(
            overdue.is_none() || self.open != overdue,
            "a task outlives its deadline"
        );
    }

    fn settle(&mut self, answered: Option<Answered<'_>>) {
        for _ in 0..MAX_ACTIONS {
            let Some(action) = self.session.poll() else {
                return;
            };
            assert!(!self.finished, "{action:?} after the end");
            match action {
                Action::Send(bytes) => self.format.sent(&self.session, &bytes, answered),
                Action::Think(task) => self.open_task(task),
                Action::Abandon => {
                    assert!(self.open.take().is_some(), "nothing to abandon");
                }
                Action::Note(_) => {}
                Action::Finish(_) => self.finished = true,
            }
        }
        panic!("one event causes more than {MAX_ACTIONS} actions");
    }

    fn open_task(&mut self, task: Task) {
        assert!(self.open.is_none(), "a second task while one is open");
        assert!(self.seen.insert(task.id), "a task's name is used twice");
        assert!(!task.question.moves.is_empty(), "a task without a choice");
        self.format.asked(&task);
        self.open = Some(task);
    }

    /// Takes the end of input, which leaves the open task open.
    fn end_input(&mut self) {
        if self.open.is_some() {
            // What the end of a message does is not what the end of input does.
            self.session.receive(b"\n", self.now);
            self.settle(None);
        }
        if self.finished {
            return;
        }
        let open = self.open;
        self.session.end_of_input(self.now);
        self.settle(None);
        if open.is_some() {
            assert_eq!(self.open, open, "a task is lost at the end of input");
            assert!(!self.finished, "the end while a move is owed");
        }
        self.session.receive(b"x y\n(W)\n", self.now);
        assert_eq!(self.session.poll(), None, "input after its end is read");
    }

    fn end(&mut self) {
        if !self.finished {
            self.end_input();
        }
        for _ in 0..128 {
            if self.finished {
                break;
            } else if let Some(task) = self.open {
                self.answer(task.question.moves.first().unwrap_or(Square::A1));
            } else if let Some(deadline) = self.session.deadline() {
                self.advance(deadline.max(self.now));
            } else {
                break;
            }
        }
        assert!(self.finished, "no end after the end of input");
        self.session.receive(b"x", self.now);
        self.session.tick(self.now);
        self.session.end_of_input(self.now);
        assert_eq!(self.session.poll(), None, "an action after the end");
    }
}
