//! The end of a game: passes and claims once it is over, faults, and the verdict.

use alloc::format;

use boardgame_core::Margin;
use boardgame_session::{Said, SeatEvent, Verdict};
use othello_core::{Move, Score};

use super::{
    MAX_FINISHED_PASSES,
    opening::pass,
    seat::{RefereeSeat, Stage},
};
use crate::{
    session::{Note, Timestamp},
    sloan::{
        ClaimReading, Message,
        claim::{forfeit_to, own_claim},
        complaint::Complaint,
    },
};

impl RefereeSeat {
    pub(super) fn game_over(&mut self, now: Timestamp) {
        self.stage = Stage::Ending {
            until: now + self.options.grace,
            passes: 0,
            answers: false,
            completed: false,
        };
    }

    /// Takes the end of the game. If the other side does not speak for itself, the session passes and
    /// claims in its place.
    pub(super) fn over(&mut self, other_closes: bool, now: Timestamp) {
        if matches!(self.stage, Stage::Waiting | Stage::Thinking { .. }) {
            self.game_over(now);
        }
        if let Stage::Ending { answers, .. } = &mut self.stage {
            *answers = !other_closes;
        }
        self.answer_for_other();
    }

    /// Passes after a move and claims after a pass or a claim, if nobody else does.
    fn answer_for_other(&mut self) {
        let Stage::Ending {
            passes,
            answers: true,
            ..
        } = self.stage
        else {
            return;
        };
        let is_others_turn = !self.is_to_move();
        if self.program.claimed || (is_others_turn && passes > 0) {
            if !core::mem::replace(&mut self.other_claimed, true) {
                self.tell(Message::Claim(own_claim(self.board)));
            }
        } else if is_others_turn {
            self.other_closed(Move::Pass);
        }
    }

    /// Takes a pass of the program.
    pub(super) fn pass_after_the_end(&mut self) {
        let color = self.color;
        let is_last = !self.closing_pass();
        self.actions.note(if is_last {
            Note::fault(format!("{color} passes but does not claim"))
        } else {
            Note::info(format!("{color} passes after the end of the game"))
        });
        // The other seat counts it too.
        self.actions
            .event(SeatEvent::Said(Said::ClosingMove(Move::Pass)));
        if is_last {
            return self.complete();
        }
        self.answer_for_other();
    }

    /// Relays a pass of the other side to the program.
    pub(super) fn other_closed(&mut self, mv: Move) {
        if mv != Move::Pass || self.is_to_move() {
            return;
        }
        if self.closing_pass() {
            self.tell(pass(!self.color));
        } else {
            self.complete();
        }
    }

    /// Counts a pass of the side to move; returns `false` if there were too many.
    fn closing_pass(&mut self) -> bool {
        let Stage::Ending { passes, .. } = &mut self.stage else {
            return false;
        };
        if *passes == MAX_FINISHED_PASSES {
            return false;
        }
        *passes += 1;
        self.board = self.board.passed();
        self.program.next_turn();
        true
    }

    /// Takes a claim or its answer.
    pub(super) fn claimed(&mut self, value: Score) -> Result<(), Complaint> {
        let claim = Message::Claim(value);
        match self.stage {
            Stage::Ending { .. } => self.claimed_at_the_end(value),
            Stage::Faulted { .. } => {
                self.program.claimed = true;
                self.remark(Note::info(format!("{} answers {claim}", self.color)));
                self.finish_if_answered();
            }
            // As far as the program can know, the game has not started.
            Stage::Waiting if self.is_opening() => return Err(Complaint::NotOver(value)),
            Stage::Waiting | Stage::Thinking { .. } if self.misread_end(value) => {
                self.start_again();
            }
            Stage::Waiting | Stage::Thinking { .. } if value == forfeit_to(!self.color) => {
                self.actions
                    .note(Note::info(format!("{} gives up with {claim}", self.color)));
                self.actions
                    .event(SeatEvent::Said(Said::FalseClaim(margin(value))));
                self.program.claimed = true;
                self.stage = Stage::Faulted { until: None };
                self.actions.event(SeatEvent::Resign);
            }
            Stage::Waiting | Stage::Thinking { .. } => {
                self.actions
                    .event(SeatEvent::Said(Said::FalseClaim(margin(value))));
                return Err(Complaint::NotOver(value));
            }
            Stage::Idle | Stage::Readying { .. } | Stage::Void => {
                return Err(Complaint::NotOver(value));
            }
        }
        Ok(())
    }

    fn claimed_at_the_end(&mut self, value: Score) {
        let Some(reading) = ClaimReading::of(value, self.board) else {
            self.actions
                .event(SeatEvent::Said(Said::FalseClaim(margin(value))));
            self.complain(&Complaint::Misfit(value));
            // It counts as an answer.
            self.program.claimed |= self.other_claimed;
            return self.finish_if_answered();
        };
        let text = format!("{} is true as {reading}", Message::Claim(value));
        match reading.leniency() {
            Some(name) => self.lenient(name, &text),
            None => self.remark(Note::info(format!("{}: {text}", self.color))),
        }
        if !core::mem::replace(&mut self.program.claimed, true) {
            self.actions
                .event(SeatEvent::Said(Said::Claim(margin(value))));
            self.answer_for_other();
        }
        self.finish_if_answered();
    }

    /// Relays a true claim of the other side to the program.
    pub(super) fn other_claimed(&mut self, margin: Margin) {
        if let Stage::Ending { .. } = self.stage {
            self.other_claimed = true;
            let value = Score::new(margin.half_points() / 2);
            self.tell(Message::Claim(value.unwrap_or(own_claim(self.board))));
        }
    }

    /// Ends the program's part in the game if nothing more is awaited of it.
    pub(super) fn finish_if_answered(&mut self) {
        if !self.program.claimed && !self.program.gone {
            return;
        }
        match self.stage {
            Stage::Ending { .. } => self.complete(),
            Stage::Faulted { until: Some(_) } => self.close(),
            _ => {}
        }
    }

    pub(super) fn complete(&mut self) {
        if let Stage::Ending { completed, .. } = &mut self.stage
            && !core::mem::replace(completed, true)
        {
            self.actions.event(SeatEvent::Completed);
        }
    }

    /// Sends the verdict: a win by 64 if a side lost early, else the game's value, unless its end was claimed.
    pub(super) fn conclude(&mut self, verdict: &Verdict, now: Timestamp) {
        if let Some(culprit) = verdict.cause.culprit() {
            self.tell(Message::Claim(forfeit_to(!culprit)));
            let until = Some(now + self.options.grace);
            self.stage = Stage::Faulted { until };
            self.drain(now);
            return self.finish_if_answered();
        }
        if !self.program.claimed && !self.other_claimed {
            self.tell(Message::Claim(own_claim(self.board)));
        }
        self.close();
    }

    /// Ends the session after the verdict.
    pub(super) fn close(&mut self) {
        self.let_go();
        self.actions.event(SeatEvent::Closed);
    }

    pub(super) fn let_go(&mut self) {
        self.actions.hang_up();
        self.stage = Stage::Idle;
        self.program.gone = true;
    }
}

fn margin(value: Score) -> Margin {
    Margin::from_points(value.discs())
}
