//! The options of a player.

use core::time::Duration;

use othello_core::Board;

use super::Comments;
use crate::{
    session::TimeMargin,
    sloan::{GAME_TIME, at_most_part},
};

/// The silence after which the side that moves first takes it that no `(W)` will come: long enough
/// for an opponent that is slow to get ready, short compared to 30 minutes.
pub const OPENING_WAIT: Duration = Duration::from_secs(10);

/// The part of the game's time that is waited for `(W)` at most: 1/N.
pub(in crate::sloan) const OPENING_WAIT_SHARE: u32 = 10;

/// The options of a [`Player`](super::Player).
#[derive(Clone, Debug)]
pub struct PlayerOptions {
    /// The board that every game begins on.
    pub start: Board,
    /// The time for which the side that moves first waits, from the assignment of its colour, for
    /// the referee's `(W)` before it moves without; at zero it moves at once, with `None` it waits
    /// for ever. It waits no longer than a tenth of the game's time.
    pub opening_wait: Option<Duration>,
    /// The remarks on a move before it is made.
    pub comments: Comments,
    /// Our time for a whole game, or `None` without limit. Rule 0f says 30 minutes.
    pub game_time: Option<Duration>,
    /// The time kept back from what is left of [`game_time`](Self::game_time): then a legal move is
    /// made without a decision.
    pub time_margin: TimeMargin,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            start: Board::START,
            opening_wait: Some(OPENING_WAIT),
            comments: Comments::default(),
            game_time: Some(GAME_TIME),
            time_margin: TimeMargin::default(),
        }
    }
}

impl PlayerOptions {
    /// The wait for `(W)` within the game's time.
    pub(super) fn bounded_opening_wait(&self) -> Option<Duration> {
        let wait = self.opening_wait?;
        Some(at_most_part(wait, self.game_time, OPENING_WAIT_SHARE))
    }
}
