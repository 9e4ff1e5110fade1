//! The state that the players' sessions of all formats have in common.
//!
//! It knows no rules of a game. A format's session opens tasks and answers them, even if no decision comes in time; the
//! common state keeps the deadline for that.

use alloc::{collections::VecDeque, format, vec::Vec};

use super::{Decision, Ending, PlayerAction, Question, Task, TaskClock, TaskId, TimeMargin};
use crate::{Note, NoteLimiter, Timestamp};

/// The common state of a player's session: the actions to be polled, the open task, the time, and
/// the end of the input and the end of the session.
///
/// `P` is the purpose of a task: what a session keeps with it until the answer.
#[derive(Clone, Debug)]
pub struct CommonState<Q: Question, P = ()> {
    time_margin: TimeMargin,
    actions: VecDeque<PlayerAction<Q>>,
    note_limiter: NoteLimiter,
    open: Option<OpenTask<Q, P>>,
    /// The tasks opened so far.
    task_count: u64,
    now: Timestamp,
    input_ended: bool,
    finished: bool,
}

/// A task that awaits an answer.
#[derive(Clone, Debug)]
struct OpenTask<Q, P> {
    task: Task<Q>,
    purpose: P,
    /// The moment when the wait for the decision ends.
    last_moment: Option<Timestamp>,
}

/// The answer to a task that was open.
#[derive(Clone, Debug)]
pub struct AnsweredTask<Q: Question, P = ()> {
    /// The task.
    pub task: Task<Q>,
    /// The purpose that the session kept with it.
    pub purpose: P,
    /// The answer, one that the question admits.
    pub answer: Q::Answer,
}

impl<Q: Question, P> CommonState<Q, P> {
    /// Returns the state of a session that has not started, with `time_margin` kept back from each limit.
    pub const fn new(time_margin: TimeMargin) -> Self {
        Self {
            time_margin,
            actions: VecDeque::new(),
            note_limiter: NoteLimiter::new(),
            open: None,
            task_count: 0,
            now: Timestamp::ORIGIN,
            input_ended: false,
            finished: false,
        }
    }

    /// Takes the time of an event.
    pub const fn advance(&mut self, now: Timestamp) {
        self.now = now;
    }

    /// Returns the time of the latest event.
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// Sends `bytes`.
    pub fn send(&mut self, bytes: impl Into<Vec<u8>>) {
        self.actions.push_back(PlayerAction::Send(bytes.into()));
    }

    /// Writes a note to the log.
    pub fn note(&mut self, note: Note) {
        self.actions.push_back(PlayerAction::Note(note));
    }

    /// Writes a note on input to the log, unless there were too many in a row.
    pub fn note_input(&mut self, note: Note) {
        let note = self.note_limiter.admit(note);
        self.actions.extend(note.map(PlayerAction::Note));
    }

    /// Resets the count of notes on input.
    pub const fn reset_note_limiter(&mut self) {
        self.note_limiter.reset();
    }

    /// Opens a task.
    pub fn open_task(&mut self, purpose: P, clock: TaskClock, question: Q) {
        debug_assert!(self.open.is_none(), "a task is open");
        self.task_count += 1;
        let task = Task {
            id: TaskId(self.task_count),
            question,
            clock,
        };
        self.actions.push_back(PlayerAction::Think(task.clone()));
        self.open = Some(OpenTask {
            task,
            purpose,
            last_moment: self.time_margin.last_moment(clock),
        });
    }

    /// Returns `true` if a task is open.
    pub const fn is_thinking(&self) -> bool {
        self.open.is_some()
    }

    /// Closes the open task with its decision; an answer that the question does not admit is replaced by the fallback.
    /// `None` if the decision is for another task.
    pub fn take_decision(&mut self, decision: Decision<Q>) -> Option<AnsweredTask<Q, P>> {
        let OpenTask { task, purpose, .. } =
            self.open.take_if(|open| open.task.id == decision.task)?;
        let chosen = decision.answer;
        let answer = if task.question.admits(&chosen) {
            chosen
        } else {
            let fallback = task.question.fallback();
            let text = format!("{chosen} is no legal move: {fallback} instead");
            self.note(Note::fault(text));
            fallback
        };
        Some(AnsweredTask {
            task,
            purpose,
            answer,
        })
    }

    /// Closes the open task with the fallback once its last moment has come.
    pub fn take_overdue(&mut self) -> Option<AnsweredTask<Q, P>> {
        if self.now < self.last_moment()? {
            return None;
        }
        let OpenTask { task, purpose, .. } = self.close_abandoned()?;
        let answer = task.question.fallback();
        let text = format!("no decision in time: {answer} is played");
        self.note(Note::fault(text));
        Some(AnsweredTask {
            task,
            purpose,
            answer,
        })
    }

    /// Asks for the decision on the open task, if there is one, without further thought.
    pub fn hurry(&mut self) {
        if self.open.is_some() {
            self.actions.push_back(PlayerAction::Hurry);
        }
    }

    /// Closes the open task, if there is one, without its decision. Returns `true` if there was one.
    pub fn abandon(&mut self) -> bool {
        self.close_abandoned().is_some()
    }

    fn close_abandoned(&mut self) -> Option<OpenTask<Q, P>> {
        let open = self.open.take()?;
        self.actions.push_back(PlayerAction::Abandon);
        Some(open)
    }

    /// Returns the moment when the wait for the decision on the open task ends.
    pub fn last_moment(&self) -> Option<Timestamp> {
        self.open.as_ref()?.last_moment
    }

    /// Limits the wait for the decision on the open task to `moment`.
    pub fn wait_until(&mut self, moment: Timestamp) {
        if let Some(open) = &mut self.open {
            let earlier = open.last_moment.map_or(moment, |last| last.min(moment));
            open.last_moment = Some(earlier);
        }
    }

    /// Takes the end of input.
    pub const fn end_input(&mut self) {
        self.input_ended = true;
    }

    /// Returns `true` if the input has ended.
    pub const fn input_ended(&self) -> bool {
        self.input_ended
    }

    /// Returns `true` if the input has ended and no move is owed, so that a session without unread input is to finish.
    pub const fn is_exhausted(&self) -> bool {
        self.input_ended && self.open.is_none() && !self.finished
    }

    /// Finishes the session. A task that is open is abandoned.
    pub fn finish(&mut self, ending: Ending<Q>) {
        self.abandon();
        self.finished = true;
        self.actions.push_back(PlayerAction::Finish(ending));
    }

    /// Returns `true` if the session has finished.
    pub const fn is_finished(&self) -> bool {
        self.finished
    }

    /// Returns the next action.
    pub fn next_action(&mut self) -> Option<PlayerAction<Q>> {
        self.actions.pop_front()
    }
}
