//! The stones of the last two moves.

use go_core::{Move, Point, Position};

/// The stones of the last two moves; `None` for a pass or if there was no move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LastStones {
    /// The opponent's last stone.
    pub(crate) last: Option<Point>,
    /// The own stone before it.
    pub(crate) before: Option<Point>,
}

impl LastStones {
    /// Returns the last stones of a game.
    pub(crate) fn of(position: &Position) -> Self {
        let [before, last] = position.last_moves().map(|mv| mv.and_then(Move::point));
        Self { last, before }
    }

    /// Returns the last stones after one more move, from the other side's point of view.
    pub(crate) const fn after(self, mv: Option<Point>) -> Self {
        Self {
            last: mv,
            before: self.last,
        }
    }
}
