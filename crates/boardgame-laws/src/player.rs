//! Players' sessions fed with arbitrary events.

use std::collections::BTreeSet;
use std::time::Duration;

use boardgame_session::{
    Timestamp,
    player::{Decision, Ending, PlayerAction, PlayerSession, Question, Task, TaskId},
};

use super::Script;

/// More actions than one event may cause, and more moves than waiting messages can ask for.
pub(super) const MAX_ACTIONS: usize = 4096;

/// The question of a format's sessions.
type QuestionOf<F> = <<F as PlayerFormat>::Session as PlayerSession>::Question;

/// The answer to the question of a format's sessions.
type AnswerOf<F> = <QuestionOf<F> as Question>::Answer;

/// A format's own laws, besides the laws of a player's session.
pub trait PlayerFormat {
    /// The session under test.
    type Session: PlayerSession<Question: PartialEq>;

    /// The maximum number of bytes that the session is fed at once.
    const MAX_CHUNK: usize = usize::MAX;

    /// Returns something that the other side might plausibly say now.
    fn speak(&mut self, script: &mut Script<'_>, session: &Self::Session) -> Vec<u8>;

    /// Takes an event that the session is about to get.
    fn fed(&mut self, _event: PlayerEvent<'_>) {}

    /// Checks a task before it is answered.
    fn asked(&mut self, task: &Task<QuestionOf<Self>>);

    /// Checks what the session sent on an event: `answered` is the task that the event answered, or `None` if it
    /// answered none.
    fn sent(
        &mut self,
        session: &Self::Session,
        bytes: &[u8],
        answered: Option<&Answered<'_, QuestionOf<Self>>>,
    );

    /// Checks the session once it has nothing more to do on an event.
    fn settled(&mut self, _session: &Self::Session, _is_thinking: bool) {}

    /// Checks the end of the session.
    fn finished(&mut self, _ending: &Ending<QuestionOf<Self>>) {}
}

/// Input that a player's session is fed.
#[derive(Clone, Copy, Debug)]
pub enum PlayerEvent<'a> {
    /// The other side sent bytes.
    Received(&'a [u8]),
    /// The input has ended.
    Ended,
}

/// A task that an event answered: by a decision, or because time ran out.
#[derive(Debug)]
pub struct Answered<'a, Q: Question> {
    /// The task.
    pub task: &'a Task<Q>,
    /// The chosen answer; `None` if time ran out.
    pub chosen: Option<&'a Q::Answer>,
}

impl<Q: Question<Answer: PartialEq>> Answered<'_, Q> {
    /// Checks the answer of the session: the chosen one if the question admits it, else any that it admits.
    ///
    /// # Panics
    ///
    /// Panics if it is another one.
    pub fn check(&self, answer: impl Into<Q::Answer>) {
        let (answer, question) = (answer.into(), &self.task.question);
        assert!(question.admits(&answer), "illegal move {answer}");
        if let Some(chosen) = self.chosen {
            assert!(answer == *chosen || !question.admits(chosen));
        }
    }
}

/// Feeds a player's session with events chosen by `data`. `choose` reads an answer, which its question may not admit.
///
/// The laws: every event causes finitely many actions; at most one task is open, and each has its own id; a task is
/// answered without its decision at the session's deadline, not before; the deadline is within the limits of the task;
/// everything sent passes the format's check; nothing follows the end; the session ends after the end of input, but not
/// before the open task is answered, and input between the two changes nothing.
pub fn player_session<F: PlayerFormat>(
    format: &mut F,
    session: F::Session,
    choose: fn(&mut Script<'_>) -> AnswerOf<F>,
    data: &[u8],
) {
    let mut run = PlayerRun {
        format,
        session,
        choose,
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
    choose: fn(&mut Script<'_>) -> AnswerOf<F>,
    now: Timestamp,
    open: Option<Task<QuestionOf<F>>>,
    seen: BTreeSet<TaskId>,
    finished: bool,
}

impl<F: PlayerFormat> PlayerRun<'_, F> {
    fn step(&mut self, script: &mut Script<'_>) {
        match script.pick(8) {
            0 => {
                let bytes = script.bytes(32);
                self.receive(&bytes);
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
                let answer = (self.choose)(script);
                if self.open.as_ref().is_none_or(|open| open.id != task) {
                    self.session.decide(Decision { task, answer }, self.now);
                    self.settle(None);
                }
            }
            4 | 5 => {
                let answer = (self.choose)(script);
                self.answer(&answer);
            }
            _ => {
                let bytes = self.format.speak(script, &self.session);
                self.receive(&bytes);
            }
        }
    }

    fn receive(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(F::MAX_CHUNK) {
            self.format.fed(PlayerEvent::Received(chunk));
            self.session.receive(chunk, self.now);
            self.settle(None);
        }
    }

    /// Answers the open task, if there is one.
    fn answer(&mut self, answer: &AnswerOf<F>) {
        if let Some(task) = self.open.take() {
            let decision = Decision {
                task: task.id,
                answer: answer.clone(),
            };
            self.session.decide(decision, self.now);
            self.settle(Some(&Answered {
                task: &task,
                chosen: Some(answer),
            }));
        }
    }

    fn advance(&mut self, to: Timestamp) {
        self.now = to;
        let due = (self.session.deadline()).is_some_and(|deadline| deadline <= to);
        let overdue = self.open.clone().filter(|_| due);
        self.session.tick(self.now);
        let chosen = None;
        let answered = overdue.as_ref().map(|task| Answered { task, chosen });
        self.settle(answered.as_ref());
        assert!(
            overdue.is_none() || self.open != overdue,
            "a task outlives its deadline"
        );
    }

    fn settle(&mut self, answered: Option<&Answered<'_, QuestionOf<F>>>) {
        for _ in 0..MAX_ACTIONS {
            let Some(action) = self.session.poll() else {
                self.format.settled(&self.session, self.open.is_some());
                return self.check_deadline();
            };
            assert!(!self.finished, "{action:?} after the end");
            match action {
                PlayerAction::Send(bytes) => {
                    self.format.sent(&self.session, &bytes, answered);
                }
                PlayerAction::Think(task) => self.open_task(task),
                PlayerAction::Abandon => {
                    assert!(self.open.take().is_some(), "nothing to abandon");
                }
                PlayerAction::Hurry => assert!(self.open.is_some(), "nothing to hurry"),
                PlayerAction::Note(_) => {}
                PlayerAction::Finish(ending) => {
                    self.format.finished(&ending);
                    self.finished = true;
                }
            }
        }
        panic!("one event causes more than {MAX_ACTIONS} actions");
    }

    /// Checks that the session answers the open task by itself before its time is over.
    fn check_deadline(&self) {
        let Some(Task { clock, .. }) = &self.open else {
            return;
        };
        // A clock that has run out is not a limit, nor is one followed by overtime.
        let game = (clock.game).filter(|left| clock.overtime.is_none() && !left.is_zero());
        for limit in [game, clock.per_move].into_iter().flatten() {
            let end = clock.started + limit;
            let deadline = self.session.deadline();
            assert!(
                deadline.is_some_and(|deadline| deadline <= end),
                "no answer until {end:?}"
            );
        }
    }

    fn open_task(&mut self, task: Task<QuestionOf<F>>) {
        assert!(self.open.is_none(), "a second task while one is open");
        assert!(self.seen.insert(task.id), "a task's name is used twice");
        let fallback = task.question.fallback();
        assert!(task.question.admits(&fallback), "a task without a choice");
        self.format.asked(&task);
        self.open = Some(task);
    }

    /// Takes the end of input, which leaves the open task open.
    fn end_input(&mut self) {
        if self.open.is_some() {
            // The end of a message has another effect than the end of input.
            self.receive(b"\n");
        }
        if self.finished {
            return;
        }
        let open = self.open.clone();
        self.format.fed(PlayerEvent::Ended);
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
        // Messages may wait that each ask for a move.
        for _ in 0..MAX_ACTIONS {
            if self.finished {
                break;
            } else if let Some(task) = &self.open {
                let fallback = task.question.fallback();
                self.answer(&fallback);
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
