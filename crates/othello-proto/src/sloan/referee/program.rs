//! The state of the program at a seat.

use boardgame_session::NoteLimiter;
use othello_core::Square;

use crate::sloan::Framer;

/// The program at a seat.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) framer: Framer,
    /// A move that came before it was asked for.
    pub(super) early: Option<Square>,
    /// True once it claimed the end of the game or answered the claim.
    pub(super) claimed: bool,
    /// True once nothing more can come from it.
    pub(super) gone: bool,
    /// The bytes that it wrote this turn.
    pub(super) output: usize,
    /// The complaints sent since its last usable message.
    pub(super) complaints: u32,
    /// The limiter of notes on what it said this turn.
    pub(super) note_limiter: NoteLimiter,
}

impl Program {
    /// Forgets the game so far, with the same program.
    pub(super) fn restart(&mut self) {
        *self = Self {
            framer: core::mem::take(&mut self.framer),
            ..Self::default()
        };
    }

    /// Resets the counts after a move.
    pub(super) fn next_turn(&mut self) {
        self.output = 0;
        self.note_limiter.reset();
    }
}
