//! The seat of a player that is part of the server.

use alloc::{collections::VecDeque, format};

use boardgame_core::ClockState;
use boardgame_session::{
    Conventions, Order, SeatAction, SeatEvent, SeatFault, SeatSession, Thought,
};
use othello_core::{Board, Color, Move};

use crate::session::{Clock, Decision, Effort, Note, Task, TaskId, Timestamp};

/// The seat of a player that is part of the server: its questions are tasks for the driver, who calls
/// [`decide`](Self::decide).
#[derive(Clone, Debug)]
pub(super) struct BuiltInSeat {
    color: Color,
    board: Board,
    /// The task that is to be decided.
    open: Option<Task>,
    /// True until that task is given to the driver.
    is_new: bool,
    /// The end of the time for that task.
    deadline: Option<Timestamp>,
    /// The number of tasks so far.
    tasks: u64,
    actions: VecDeque<SeatAction<Move>>,
}

impl BuiltInSeat {
    /// Returns the seat of a colour before its game.
    pub(super) const fn new(color: Color) -> Self {
        Self {
            color,
            board: Board::START,
            open: None,
            is_new: false,
            deadline: None,
            tasks: 0,
            actions: VecDeque::new(),
        }
    }

    /// Returns a new task for the driver, once.
    pub(super) fn take_task(&mut self) -> Option<Task> {
        self.open
            .filter(|_| core::mem::replace(&mut self.is_new, false))
    }

    /// Takes the answer to a task. A square that is no move is replaced by one that is.
    pub(super) fn decide(&mut self, decision: &Decision, now: Timestamp) {
        let Some(task) = self.open.filter(|task| task.id == decision.task) else {
            return;
        };
        self.stop();
        let square = Some(decision.square).filter(|&square| task.moves.contains(square));
        if square.is_none() {
            let text = format!(
                "the built-in player chose {}, which is no move here",
                decision.square
            );
            self.actions.push_back(SeatAction::Note(Note::fault(text)));
        }
        if let Some(square) = square.or_else(|| task.moves.first()) {
            let thought = Thought {
                took: now - task.clock.started,
                ..Thought::default()
            };
            self.tell(SeatEvent::Move(square.into(), thought));
        }
    }

    /// Drops the task: no answer is wanted any more.
    pub(super) const fn stop(&mut self) {
        self.open = None;
        self.deadline = None;
    }

    fn ask(&mut self, clock: &ClockState, now: Timestamp) {
        self.open = Some(Task {
            id: TaskId(self.tasks),
            board: self.board,
            moves: self.board.legal_moves(),
            clock: Clock {
                started: now,
                game: clock.main(),
                per_move: clock.control().per_move,
            },
            effort: Effort::default(),
        });
        self.is_new = true;
        self.deadline = clock.allowed().map(|limit| now + limit);
        self.tasks += 1;
    }

    fn played(&mut self, mv: Move) {
        // The conductor has judged it.
        let _ = self.board.play(mv);
    }

    fn tell(&mut self, event: SeatEvent<Move>) {
        self.actions.push_back(SeatAction::Event(event));
    }
}

impl SeatSession<Board> for BuiltInSeat {
    fn conventions(&self) -> Conventions {
        Conventions {
            asks_forced_moves: false,
            closing_moves: false,
        }
    }

    fn order(&mut self, order: Order<Board>, now: Timestamp) {
        match order {
            Order::Begin { setup, moves, .. } => {
                self.board = setup;
                for mv in moves {
                    self.played(mv);
                }
                self.tell(SeatEvent::Ready);
            }
            Order::Choose { clocks } => {
                self.ask(&clocks[self.color], now);
                self.tick(now);
            }
            Order::Played { mv, .. } => self.played(mv),
            Order::Said(_) => {}
            Order::Over { .. } => self.tell(SeatEvent::Completed),
            Order::Conclude(_) => {
                self.stop();
                self.tell(SeatEvent::Closed);
            }
            Order::CallOff => self.stop(),
        }
    }

    fn receive(&mut self, _bytes: &[u8], _now: Timestamp) {}

    fn end_of_input(&mut self, _now: Timestamp) {}

    fn deadline(&self) -> Option<Timestamp> {
        self.deadline
    }

    fn tick(&mut self, now: Timestamp) {
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.stop();
            self.tell(SeatEvent::Fault(SeatFault::Overtime));
        }
    }

    fn poll(&mut self) -> Option<SeatAction<Move>> {
        self.actions.pop_front()
    }
}
