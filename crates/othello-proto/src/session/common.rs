//! The state that the players' sessions of all formats have in common.
//!
//! It knows no rules of a game. A format's session opens tasks and answers them, also where no
//! decision comes in time; the common state keeps the moment when that is due.

use alloc::{collections::VecDeque, vec::Vec};

use super::{Action, Ending, Note, Task, TaskId, TimeMargin, Timestamp};
use crate::note_limiter::NoteLimiter;

/// The common state of a player's session: the actions to be polled, the open task, the time, and
/// the two ends, that of the input and that of the session.
///
/// `P` is the purpose of a task: what a session keeps beside it until the answer.
#[derive(Clone, Debug)]
pub(crate) struct CommonState<P = ()> {
    time_margin: TimeMargin,
    actions: VecDeque<Action>,
    note_limiter: NoteLimiter,
    open: Option<OpenTask<P>>,
    /// The tasks opened so far.
    task_count: u64,
    now: Timestamp,
    input_ended: bool,
    finished: bool,
}

/// A task that is to be answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenTask<P> {
    /// The task.
    pub(crate) task: Task,
    /// The purpose that the session keeps beside it.
    pub(crate) purpose: P,
    /// The moment from which on the decision is waited for no longer.
    last_moment: Option<Timestamp>,
}

impl<P> CommonState<P> {
    /// The state of a session that has not begun and keeps `time_margin` back from each limit.
    pub(crate) const fn new(time_margin: TimeMargin) -> Self {
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
    pub(crate) const fn advance(&mut self, now: Timestamp) {
        self.now = now;
    }

    /// The time of the latest event.
    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    /// Sends `bytes`.
    pub(crate) fn send(&mut self, bytes: impl Into<Vec<u8>>) {
        self.actions.push_back(Action::Send(bytes.into()));
    }

    /// Writes a note to the log.
    pub(crate) fn note(&mut self, note: Note) {
        self.actions.push_back(Action::Note(note));
    }

    /// Writes a note on input to the log, unless there were too many in a row.
    pub(crate) fn note_input(&mut self, note: Note) {
        let note = self.note_limiter.admit(note);
        self.actions.extend(note.map(Action::Note));
    }

    /// Begins to count the notes on input anew.
    pub(crate) const fn reset_note_limiter(&mut self) {
        self.note_limiter.reset();
    }

    /// Opens the task that `task` makes of its name.
    pub(crate) fn open_task(&mut self, purpose: P, task: impl FnOnce(TaskId) -> Task) {
        debug_assert!(self.open.is_none(), "a task is open");
        self.task_count += 1;
        let task = task(TaskId(self.task_count));
        self.open = Some(OpenTask {
            task,
            purpose,
            last_moment: self.time_margin.last_moment(task.clock),
        });
        self.actions.push_back(Action::Think(task));
    }

    /// Returns `true` if a task is open.
    pub(crate) const fn is_thinking(&self) -> bool {
        self.open.is_some()
    }

    /// Closes the open task for its decision; `None` when another one is named.
    pub(crate) fn close_task(&mut self, id: TaskId) -> Option<OpenTask<P>> {
        self.open.take_if(|open| open.task.id == id)
    }

    /// Closes the open task, if there is one, without its decision.
    pub(crate) fn abandon(&mut self) -> Option<OpenTask<P>> {
        let open = self.open.take()?;
        self.actions.push_back(Action::Abandon);
        Some(open)
    }

    /// Closes the open task without its decision once its last moment has come.
    pub(crate) fn abandon_overdue(&mut self) -> Option<OpenTask<P>> {
        let due = self.last_moment().is_some_and(|moment| self.now >= moment);
        if due { self.abandon() } else { None }
    }

    /// The moment from which on the decision on the open task is waited for no longer.
    pub(crate) fn last_moment(&self) -> Option<Timestamp> {
        self.open.as_ref()?.last_moment
    }

    /// Waits for the decision on the open task until `moment` at most.
    pub(crate) fn wait_until(&mut self, moment: Timestamp) {
        if let Some(open) = &mut self.open {
            let earlier = open.last_moment.map_or(moment, |last| last.min(moment));
            open.last_moment = Some(earlier);
        }
    }

    /// Takes the end of input.
    pub(crate) const fn end_input(&mut self) {
        self.input_ended = true;
    }

    /// Returns `true` if the input has ended.
    pub(crate) const fn input_ended(&self) -> bool {
        self.input_ended
    }

    /// Returns `true` if the input has ended and no move is owed, so that a session which has used
    /// up its input is to finish.
    pub(crate) const fn is_exhausted(&self) -> bool {
        self.input_ended && self.open.is_none() && !self.finished
    }

    /// Finishes the session. A task that is open is abandoned.
    pub(crate) fn finish(&mut self, ending: Ending) {
        self.abandon();
        self.finished = true;
        self.actions.push_back(Action::Finish(ending));
    }

    /// Returns `true` if the session has finished.
    pub(crate) const fn is_finished(&self) -> bool {
        self.finished
    }

    /// The next action.
    pub(crate) fn next_action(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }
}
