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

/// The maximum wait for `(W)` as a part of the game's time: 1/N.
pub(in crate::sloan) const OPENING_WAIT_SHARE: u32 = 10;

/// The options of a [`Player`](super::Player).
#[derive(Clone, Debug)]
pub struct PlayerOptions {
    /// The board that every game begins on.
    pub start: Board,
    /// The time from the assignment of the colour for which the side that moves first waits for the
    /// referee's `(W)`; at zero it moves at once, with `None` it waits for ever. The wait is at
    /// most a tenth of the game's time.
    pub opening_wait: Option<Duration>,
    /// The remarks on a move before it is made.
    pub comments: Comments,
    /// Our time for a whole game, or `None` without limit. Rule 0f says 30 minutes.
    pub game_time: Option<Duration>,
    /// The time left of [`game_time`](Self::game_time) at which a legal move is made without a
    /// decision.
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
    /// Returns the wait for `(W)`, bounded by the game's time.
    pub(super) fn bounded_opening_wait(&self) -> Option<Duration> {
        let wait = self.opening_wait?;
        Some(at_most_part(wait, self.game_time, OPENING_WAIT_SHARE))
    }
}
