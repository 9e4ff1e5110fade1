//! The answer to a task: the move that was decided on, or one in its place.

use alloc::format;

use othello_core::Square;

use super::{Assessment, Decision, Note, Task, common::CommonState};

/// The answer to a task that was open.
#[derive(Clone, Debug)]
pub(crate) struct Choice<P> {
    /// The task.
    pub(crate) task: Task,
    /// The purpose that the session kept beside it.
    pub(crate) purpose: P,
    /// The square, which is among the task's.
    pub(crate) square: Square,
    /// The search's view of the position, if the square is the search's choice.
    pub(crate) assessment: Option<Assessment>,
}

impl<P> CommonState<P> {
    /// The choice that a decision makes; a square that the task does not allow is replaced. `None`
    /// when the decision is not on the open task.
    pub(crate) fn take_decision(&mut self, decision: Decision) -> Option<Choice<P>> {
        let open = self.close_task(decision.task)?;
        let (task, purpose) = (open.task, open.purpose);
        let allowed = task.moves.contains(decision.square);
        let square = if allowed {
            decision.square
        } else {
            let square = first_move(&task);
            self.note(Note::fault(format!(
                "{} is no legal move: {square} instead",
                decision.square
            )));
            square
        };
        let assessment = decision.assessment.filter(|_| allowed);
        Some(Choice {
            task,
            purpose,
            square,
            assessment,
        })
    }

    /// A choice in place of a decision that did not come before the last moment.
    pub(crate) fn take_overdue(&mut self) -> Option<Choice<P>> {
        let open = self.abandon_overdue()?;
        let square = first_move(&open.task);
        let text = format!("no decision in time: {square} is played");
        self.note(Note::fault(text));
        Some(Choice {
            task: open.task,
            purpose: open.purpose,
            square,
            assessment: None,
        })
    }
}

/// The first of a task's moves, of which there is always one.
fn first_move(task: &Task) -> Square {
    task.moves.first().unwrap_or(Square::A1)
}
