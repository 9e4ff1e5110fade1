//! The state that the players' sessions of all formats have in common.
//!
//! It knows no rules of a game. A format's session opens tasks and answers them, also where no
//! decision comes in time; the common state keeps the moment when that is due.

use alloc::{collections::VecDeque, format, vec::Vec};

use super::{Decision, Ending, PlayerAction, Question, Task, TaskClock, TaskId, TimeMargin};
use crate::{Note, NoteLimiter, Timestamp};

/// The common state of a player's session: the actions to be polled, the open task, the time, and
/// the two ends, that of the input and that of the session.
///
/// `P` is the purpose of a task: what a session keeps beside it until the answer.
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

/// A task that is to be answered.
#[derive(Clone, Debug)]
struct OpenTask<Q, P> {
    task: Task<Q>,
    purpose: P,
    /// The moment from which on the decision is waited for no longer.
    last_moment: Option<Timestamp>,
}

/// The answer to a task that was open.
#[derive(Clone, Debug)]
pub struct AnsweredTask<Q: Question, P = ()> {
    /// The task.
    pub task: Task<Q>,
    /// The purpose that the session kept beside it.
    pub purpose: P,
    /// The answer, which the question admits.
    pub answer: Q::Answer,
}

impl<Q: Question, P> CommonState<Q, P> {
    /// Returns the state of a session that has not begun and keeps `time_margin` back from each limit.
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

    /// Begins to count the notes on input anew.
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

    /// Closes the open task with its decision; an answer that the question does not admit is replaced
    /// by the fallback. `None` when the decision is not on the open task.
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

    /// Closes the open task, if there is one, without its decision. Returns `true` if there was one.
    pub fn abandon(&mut self) -> bool {
        self.close_abandoned().is_some()
    }

    fn close_abandoned(&mut self) -> Option<OpenTask<Q, P>> {
        let open = self.open.take()?;
        self.actions.push_back(PlayerAction::Abandon);
        Some(open)
    }

    /// Returns the moment from which on the decision on the open task is waited for no longer.
    pub fn last_moment(&self) -> Option<Timestamp> {
        self.open.as_ref()?.last_moment
    }

    /// Waits for the decision on the open task until `moment` at most.
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

    /// Returns `true` if the input has ended and no move is owed, so that a session which has used
    /// up its input is to finish.
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

#[cfg(test)]
mod tests {
    use super::*;
    use core::{convert::Infallible, time::Duration};
    use std::string::String;

    /// A sum.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Sum(u8, u8);

    impl Question for Sum {
        type Answer = u8;
        type MoveError = Infallible;

        fn fallback(&self) -> u8 {
            self.0 + self.1
        }

        fn admits(&self, &answer: &u8) -> bool {
            answer == self.0 + self.1
        }
    }

    const SECOND: Duration = Duration::from_secs(1);

    /// The state of a session that has asked for 1 + 2 within a second of its origin.
    fn asked() -> CommonState<Sum, &'static str> {
        let mut common = CommonState::new(TimeMargin::default());
        let clock = TaskClock {
            started: Timestamp::ORIGIN,
            game: None,
            per_move: Some(SECOND),
        };
        common.open_task("purpose", clock, Sum(1, 2));
        assert!(matches!(
            common.next_action(),
            Some(PlayerAction::Think(task)) if task.id == TaskId(1) && task.clock == clock
        ));
        common
    }

    fn decision(task: u64, answer: u8) -> Decision<Sum> {
        let task = TaskId(task);
        Decision { task, answer }
    }

    fn fault_text(common: &mut CommonState<Sum, &'static str>) -> Option<String> {
        match common.next_action()? {
            PlayerAction::Note(note) => Some(note.text),
            action => panic!("{action:?}"),
        }
    }

    #[test]
    fn an_answer_that_is_admitted_closes_its_task_alone() {
        let mut common = asked();
        assert!(common.take_decision(decision(2, 3)).is_none());
        let answered = common.take_decision(decision(1, 3)).unwrap();
        assert_eq!((answered.purpose, answered.answer), ("purpose", 3));
        assert!(!common.is_thinking());
        assert!(common.take_decision(decision(1, 3)).is_none());
        assert_eq!(common.next_action(), None);
    }

    #[test]
    fn another_answer_is_replaced_by_the_fallback() {
        let mut common = asked();
        let answered = common.take_decision(decision(1, 4)).unwrap();
        assert_eq!(answered.answer, 3);
        let text = fault_text(&mut common).unwrap();
        assert_eq!(text, "4 is no legal move: 3 instead");
    }

    #[test]
    fn the_fallback_answers_a_task_whose_last_moment_has_come() {
        let mut common = asked();
        let last = common.last_moment().unwrap();
        assert!(last < Timestamp::from_origin(SECOND));
        common.advance(Timestamp::from_origin(SECOND / 2));
        assert!(common.take_overdue().is_none());
        common.advance(last);
        assert_eq!(common.take_overdue().unwrap().answer, 3);
        assert_eq!(common.next_action(), Some(PlayerAction::Abandon));
        let text = fault_text(&mut common).unwrap();
        assert_eq!(text, "no decision in time: 3 is played");
        assert!(common.take_overdue().is_none());
    }

    #[test]
    fn a_decision_is_waited_for_until_the_earlier_of_two_moments() {
        let mut common = asked();
        let last = common.last_moment();
        common.wait_until(Timestamp::from_origin(SECOND));
        assert_eq!(common.last_moment(), last);
        let earlier = Timestamp::from_origin(SECOND / 2);
        common.wait_until(earlier);
        assert_eq!(common.last_moment(), Some(earlier));
    }

    #[test]
    fn notes_on_input_are_counted_anew_after_a_reset() {
        let mut common = asked();
        let flood = |common: &mut CommonState<Sum, &'static str>| {
            (0..1000).for_each(|_| common.note_input(Note::info("odd")));
            core::iter::from_fn(|| common.next_action()).count()
        };
        let admitted = flood(&mut common);
        assert!((1..1000).contains(&admitted));
        assert_eq!(flood(&mut common), 0);
        common.reset_note_limiter();
        assert_eq!(flood(&mut common), admitted);
    }

    #[test]
    fn a_session_is_exhausted_once_its_input_has_ended_and_nothing_is_owed() {
        let mut common = asked();
        common.end_input();
        assert!(!common.is_exhausted());
        assert!(common.abandon());
        assert!(common.is_exhausted());
        common.finish(Ending::Orderly);
        assert!(common.is_finished() && !common.is_exhausted());
    }
}
