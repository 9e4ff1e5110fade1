//! The opening of a game by the seat: the opening pass, and the game without it if a program misread it.

use alloc::format;
use core::time::Duration;

use boardgame_session::SeatEvent;
use othello_core::{Color, Move, Score};

use super::{
    OpeningPass,
    opening_pass::Opening,
    seat::{RefereeSeat, Stage},
};
use crate::{
    session::{Note, Timestamp},
    sloan::{ClaimReading, Message, OPENING_WAIT, OPENING_WAIT_SHARE, at_most_part},
};

/// The maximum grace for a first move as a part of the game's time: 1/N.
const OPENING_GRACE_SHARE: u32 = 20;

/// The comment to the program on a game that begins again.
const VOID: &str = "the opening pass is void and the game begins again";

/// Returns a pass of `color`.
pub(super) const fn pass(color: Color) -> Message {
    Message::Move {
        color,
        mv: Move::Pass,
    }
}

impl RefereeSeat {
    /// Asks the side that moves first for its move within a limit: now, after a grace period, or not at all. In a game
    /// that started over the grace period is long: a program that takes the pass for an answer has moved by then, and
    /// one that waits for it goes on.
    pub(super) fn open(&mut self, limit: Option<Duration>, now: Timestamp) {
        match self.options.opening_pass {
            OpeningPass::Auto => {
                let grace = if self.restarted {
                    at_most_part(OPENING_WAIT, limit, OPENING_WAIT_SHARE)
                } else {
                    at_most_part(self.options.opening_grace, limit, OPENING_GRACE_SHARE)
                };
                self.opening = Opening::Due { at: now + grace };
            }
            OpeningPass::Always => self.tell(pass(!self.color)),
            OpeningPass::Never => {}
        }
    }

    /// Returns when the opening pass is sent, if the first move does not come before.
    pub(super) const fn opening_due(&self) -> Option<Timestamp> {
        match (self.stage, self.opening) {
            (Stage::Thinking { .. }, Opening::Due { at }) => Some(at),
            _ => None,
        }
    }

    /// Sends the opening pass after the grace period. The program's clock starts anew, since it may have waited. A game
    /// starts over only once, so a second pass leaves no doubt.
    pub(super) fn open_late(&mut self, now: Timestamp) {
        self.opening = if self.restarted {
            Opening::Settled
        } else {
            Opening::Sent
        };
        if let Stage::Thinking { since, .. } = &mut self.stage {
            *since = now;
        }
        self.tell(pass(!self.color));
    }

    /// Returns whether the program may have misread the opening pass.
    pub(super) const fn in_doubt(&self) -> bool {
        let playing = matches!(self.stage, Stage::Waiting | Stage::Thinking { .. });
        playing && matches!(self.opening, Opening::Doubtful(_))
    }

    /// Returns whether a move that cannot be accepted shows that the opening pass was misread.
    pub(super) fn misread(&self, mv: Move) -> bool {
        self.in_doubt() && self.opening.explains(mv)
    }

    /// Returns whether a claim in mid-game shows that the opening pass was misread.
    pub(super) fn misread_end(&self, value: Score) -> bool {
        let end = (self.opening.mistaken_end()).filter(|_| self.in_doubt());
        end.is_some_and(|end| ClaimReading::of(value, end).is_some())
    }

    /// Returns whether the opening pass was misread if the program, which is to move, lets its time run out.
    pub(super) fn misread_silently(&self) -> bool {
        self.in_doubt() && self.opening.mistaken_end().is_some()
    }

    /// Asks for the game to start over, at first without an opening pass. That happens once.
    pub(super) fn start_again(&mut self) {
        let text = format!(
            "{} took the opening pass for the answer to its first move",
            self.color
        );
        self.actions
            .note(Note::leniency("misread-opening-pass", text));
        self.stage = Stage::Void;
        self.actions.event(SeatEvent::Restart);
    }

    /// Tells the program that the game is void. If it left while in doubt, another one is started: some crash on an
    /// unexpected pass.
    pub(super) fn void_game(&mut self) {
        if self.program.gone {
            return self.launch_anew();
        }
        self.program.restart();
        self.tell(Message::Comment(VOID.into()));
    }

    /// Returns whether a message belongs to the game that is void.
    pub(super) const fn is_stale(&self, message: &Message) -> bool {
        let of_game = matches!(message, Message::Claim(_) | Message::Move { .. });
        self.restarted && of_game && matches!(self.stage, Stage::Readying { .. })
    }
}
