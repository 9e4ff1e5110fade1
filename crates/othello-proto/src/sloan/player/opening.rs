//! The first move of the side that moves first.

use super::{Player, Stage};
use crate::session::{Note, Timestamp};

impl Player {
    pub(super) fn late_cue(&mut self) {
        self.lenient("late-opening-pass", "an opening pass after our first move");
    }

    /// Returns when we move first without a cue, in a game that waits for one.
    pub(super) fn opening_deadline(&self) -> Option<Timestamp> {
        match self.game.as_ref()?.stage {
            Stage::AwaitingCue { since } => {
                let wait = self.options.bounded_opening_wait()?;
                Some(since + wait)
            }
            _ => None,
        }
    }

    /// Moves first without a cue once it is time. The clock has run since the colour was assigned: a referee that sends
    /// no cue counts from there.
    pub(super) fn open_if_due(&mut self) {
        let now = self.common.now();
        if self.common.is_finished() || self.opening_deadline().is_none_or(|due| now < due) {
            return;
        }
        if let Some(mut game) = self.game.take() {
            if let Stage::AwaitingCue { since } = game.stage {
                self.common.note(Note::info("no opening pass came"));
                self.take_turn(&mut game, since);
            }
            self.game = Some(game);
        }
    }
}
