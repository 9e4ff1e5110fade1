//! Options of a referee's seat.

use core::time::Duration;

use crate::sloan::Dialect;

/// Options of a [`RefereeSeat`](super::RefereeSeat).
#[derive(Clone, Debug)]
pub struct RefereeOptions {
    /// When the opening pass is sent.
    pub opening_pass: OpeningPass,
    /// The time for which a first move is awaited before [`OpeningPass::Auto`] sends the pass, at most a
    /// twentieth of the game's time.
    pub opening_grace: Duration,
    /// True if `(play)` is sent before the colours.
    pub send_play: bool,
    /// The dialect used with the program at first. A program that uses the other one is recognised.
    pub dialect: Dialect,
    /// The time that a move may take beyond what the clock allows.
    pub tolerance: Duration,
    /// The time for the program to get ready.
    pub ready_time: Duration,
    /// The time after the end of a game for claims and their answers.
    pub grace: Duration,
    /// The bytes that the program may write in a turn, its own or the other's.
    pub output_per_turn: usize,
}

impl Default for RefereeOptions {
    fn default() -> Self {
        Self {
            opening_pass: OpeningPass::default(),
            opening_grace: Duration::from_millis(250),
            send_play: false,
            dialect: Dialect::Expressions,
            tolerance: Duration::ZERO,
            ready_time: Duration::from_mins(1),
            grace: Duration::from_secs(5),
            output_per_turn: 64 * 1024,
        }
    }
}

/// When to send the opening pass, the other side's pass that is the cue for the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningPass {
    /// Once both are ready and it has not moved within [`RefereeOptions::opening_grace`]. If it is found to have taken
    /// the pass for the answer to a move sent meanwhile, the game starts over without it; the pass then comes only
    /// after a silence of [`OPENING_WAIT`](crate::sloan::OPENING_WAIT).
    #[default]
    Auto,
    /// Once both are ready, as the document has it.
    Always,
    /// Never.
    Never,
}
