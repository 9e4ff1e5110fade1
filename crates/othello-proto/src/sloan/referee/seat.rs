//! What a referee knows of one program.

use core::time::Duration;

use othello_core::Square;

use crate::{remarks::Remarks, sloan::Framer};

/// One of the two programs.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) framer: Framer,
    pub(super) ready: bool,
    /// A first move that came before the other side was ready.
    pub(super) early: Option<Square>,
    /// Whether it claimed the end of the game, or answered the claim.
    pub(super) claimed: bool,
    /// Whether nothing more is heard from it.
    pub(super) gone: bool,
    /// What is left of its time, if that is limited.
    pub(super) left: Option<Duration>,
    /// The bytes that it wrote this turn.
    pub(super) output: usize,
    /// The complaints sent since its last message that could be used.
    pub(super) complaints: u32,
    /// The remarks on what it said this turn.
    pub(super) remarks: Remarks,
}

impl Seat {
    pub(super) fn new(time: Option<Duration>) -> Self {
        Self {
            framer: Framer::default(),
            ready: false,
            early: None,
            claimed: false,
            gone: false,
            left: time,
            output: 0,
            complaints: 0,
            remarks: Remarks::default(),
        }
    }

    /// Forgets the game that was played so far, in favour of one with this time.
    pub(super) fn restart(&mut self, time: Option<Duration>) {
        let framer = core::mem::take(&mut self.framer);
        *self = Self {
            framer,
            gone: self.gone,
            ..Self::new(time)
        };
    }

    /// Takes the time that a move took off what is left.
    pub(super) fn spend(&mut self, took: Duration) {
        self.left = self.left.map(|left| left.saturating_sub(took));
    }
}
