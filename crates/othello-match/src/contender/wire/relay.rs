//! The opponent's moves on their way to the host.

use std::{
    sync::mpsc::{self, Receiver, Sender},
    time::Instant,
};

use othello_core::Square;
use othello_net::{Interrupter, Thinker};
use othello_proto::session::{Decision, Task};

/// The near end: whoever keeps the game hands moves in here.
#[derive(Debug)]
pub(super) struct Moves(Sender<Option<Square>>);

/// The far end: a thinker that waits for the next move and answers it.
#[derive(Debug)]
pub(super) struct Relay {
    /// `None` when the wait is over without a move.
    squares: Receiver<Option<Square>>,
    interrupt: Sender<Option<Square>>,
}

/// Both ends.
pub(super) fn relay() -> (Moves, Relay) {
    let (sender, squares) = mpsc::channel();
    let interrupt = sender.clone();
    (Moves(sender), Relay { squares, interrupt })
}

impl Moves {
    /// Hands in a move. If the host's game is over, nobody takes it.
    pub(super) fn hand_in(&self, square: Square) {
        let _ = self.0.send(Some(square));
    }
}

impl Thinker for Relay {
    fn think(&mut self, task: &Task, _: Instant) -> Decision {
        // Without a move the answer is thrown away: that is so once it is interrupted.
        let handed_in = self.squares.recv().ok().flatten();
        Decision {
            task: task.id,
            square: handed_in.or(task.moves.first()).unwrap_or(Square::A1),
            assessment: None,
        }
    }

    fn interrupter(&self) -> Interrupter {
        let interrupt = self.interrupt.clone();
        Box::new(move || {
            // The far end is there as long as anyone waits.
            let _ = interrupt.send(None);
        })
    }
}
