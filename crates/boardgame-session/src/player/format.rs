//! The shell of a player's session, around its format.

use boardgame_core::TimeMeasure;

use super::{
    AnsweredTask, CommonState, Decision, Ending, PlayerAction, PlayerSession, Progress, Question,
};
use crate::{Note, Timestamp, framing::Framing};

/// A piece of a format's input.
type Piece<F> = <<F as PlayerFormat>::Framing as Framing>::Piece;

/// The part of a player's session that belongs to its format: reading a piece of input and printing an answer. The rest
/// of the [`PlayerSession`] is implemented for every format.
///
/// Pieces are taken when actions are polled, one after the other, even while a task is open. Once the input is used up
/// and no answer is owed, the session finishes.
pub trait PlayerFormat: Sized {
    /// The question of the session's tasks.
    type Question: Question;
    /// The data that the session keeps with a task until its answer.
    type Purpose;
    /// The framing of the input.
    type Framing: Framing;

    /// Returns the common state.
    fn common(&self) -> &CommonState<Self::Question, Self::Purpose>;

    /// Returns the common state and the framing.
    fn parts(
        &mut self,
    ) -> (
        &mut CommonState<Self::Question, Self::Purpose>,
        &mut Self::Framing,
    );

    /// Takes a piece of input.
    fn take(&mut self, piece: Piece<Self>);

    /// Takes the answer to a task.
    fn answer(&mut self, answered: &AnsweredTask<Self::Question, Self::Purpose>);

    /// Returns the ending of a session whose input is used up and that owes no answer.
    fn ending(&mut self) -> Ending<Self::Question>;

    /// Returns the progress of the game, for the log.
    fn progress(&self) -> Progress;

    /// Returns the kind of time that the timestamps count.
    fn measure(&self) -> TimeMeasure {
        TimeMeasure::Wall
    }

    /// Begins the session.
    fn begin(&mut self) {}

    /// Takes bytes that arrived.
    fn take_bytes(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }

    /// Adds bytes to the framing, with a note on a byte order mark.
    fn push(&mut self, bytes: &[u8]) {
        let (common, framing) = self.parts();
        framing.push(bytes);
        if framing.take_mark() {
            common.note_input(Note::leniency("byte-order-mark", "skipped"));
        }
    }

    /// Takes the end of the bytes.
    fn end_bytes(&mut self) {
        self.parts().1.finish();
    }

    /// Returns the next piece that may be taken now.
    fn next_piece(&mut self) -> Option<Piece<Self>> {
        self.parts().1.next_piece()
    }

    /// Takes the next input; returns `false` if nothing may be taken now.
    fn take_next(&mut self) -> bool {
        let Some(piece) = self.next_piece() else {
            return false;
        };
        self.take(piece);
        true
    }

    /// Takes all input so far, for a format whose state must reflect it before actions are polled.
    fn take_all(&mut self) {
        while !self.common().is_finished() && self.take_next() {}
    }

    /// Returns when the format's own wait ends, if there is one. None while a task is open.
    fn wait_end(&self) -> Option<Timestamp> {
        None
    }

    /// Takes the end of that wait.
    fn stop_waiting(&mut self) {}
}

impl<F: PlayerFormat> PlayerSession for F {
    type Question = F::Question;

    fn measure(&self) -> TimeMeasure {
        PlayerFormat::measure(self)
    }

    fn start(&mut self, now: Timestamp) {
        self.parts().0.advance(now);
        self.begin();
    }

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        self.parts().0.advance(now);
        if !self.common().input_ended() && !self.common().is_finished() {
            self.take_bytes(bytes);
        }
    }

    fn end_of_input(&mut self, now: Timestamp) {
        self.parts().0.advance(now);
        if !self.common().input_ended() {
            self.parts().0.end_input();
            self.end_bytes();
        }
    }

    fn decide(&mut self, decision: Decision<F::Question>, now: Timestamp) {
        let common = self.parts().0;
        common.advance(now);
        if let Some(answered) = common.take_decision(decision) {
            self.answer(&answered);
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        if self.common().is_finished() {
            return None;
        }
        self.wait_end().or(self.common().last_moment())
    }

    fn tick(&mut self, now: Timestamp) {
        let common = self.parts().0;
        common.advance(now);
        if let Some(answered) = common.take_overdue() {
            self.answer(&answered);
        } else if !self.common().is_finished() && self.wait_end().is_some_and(|end| now >= end) {
            self.stop_waiting();
        }
    }

    fn poll(&mut self) -> Option<PlayerAction<F::Question>> {
        loop {
            if let Some(action) = self.parts().0.next_action() {
                return Some(action);
            }
            if self.common().is_finished() {
                return None;
            }
            if self.take_next() {
                continue;
            }
            if !self.common().is_exhausted() {
                return None;
            }
            let ending = self.ending();
            self.parts().0.finish(ending);
        }
    }

    fn progress(&self) -> Progress {
        PlayerFormat::progress(self)
    }
}
