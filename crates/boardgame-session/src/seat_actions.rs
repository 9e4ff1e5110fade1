//! The actions of a seat that wait for its driver.

use alloc::{collections::VecDeque, format, vec::Vec};
use core::time::Duration;

use boardgame_core::Color;

use crate::{Note, SeatAction, SeatEvent, SeatFault, Thought};

/// A queue of the actions that a [`SeatSession`](crate::SeatSession) asks for, drained by its
/// [`poll`](crate::SeatSession::poll).
///
/// # Examples
///
/// ```
/// use boardgame_session::{SeatAction, SeatActions, SeatEvent};
///
/// let mut actions = SeatActions::<u8>::default();
/// actions.send("hello\n");
/// actions.event(SeatEvent::Ready);
/// assert_eq!(actions.poll(), Some(SeatAction::Send(b"hello\n".to_vec())));
/// assert_eq!(actions.poll(), Some(SeatAction::Event(SeatEvent::Ready)));
/// assert_eq!(actions.poll(), None);
/// ```
#[derive(Clone, Debug)]
pub struct SeatActions<M> {
    queue: VecDeque<SeatAction<M>>,
}

impl<M> Default for SeatActions<M> {
    fn default() -> Self {
        Self {
            queue: VecDeque::new(),
        }
    }
}

impl<M> SeatActions<M> {
    /// Asks for the seat's program to be started, in place of the one before.
    pub fn launch(&mut self) {
        self.queue.push_back(SeatAction::Launch);
    }

    /// Sends bytes to the program.
    pub fn send(&mut self, bytes: impl Into<Vec<u8>>) {
        self.queue.push_back(SeatAction::Send(bytes.into()));
    }

    /// Closes the program's input once everything sent is delivered.
    pub fn hang_up(&mut self) {
        self.queue.push_back(SeatAction::HangUp);
    }

    /// Sends an event to the conductor.
    pub fn event(&mut self, event: SeatEvent<M>) {
        self.queue.push_back(SeatAction::Event(event));
    }

    /// Tells the conductor a move and the time that it took; nothing else is known of it.
    pub fn answer(&mut self, mv: M, took: Duration) {
        let thought = Thought {
            took,
            ..Thought::default()
        };
        self.event(SeatEvent::Move(mv, thought));
    }

    /// Reports a fault of the program to the conductor.
    pub fn fault(&mut self, fault: SeatFault) {
        self.event(SeatEvent::Fault(fault));
    }

    /// Writes a note to the log.
    pub fn note(&mut self, note: Note) {
        self.queue.push_back(SeatAction::Note(note));
    }

    /// Writes a note on a byte order mark at the start of a program's output.
    pub fn note_mark(&mut self, color: Color) {
        let text = format!("{color} printed a byte order mark");
        self.note(Note::leniency("byte-order-mark", text));
    }

    /// Returns the oldest waiting action.
    pub fn poll(&mut self) -> Option<SeatAction<M>> {
        self.queue.pop_front()
    }
}
