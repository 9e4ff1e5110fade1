//! How a game ends: passes and claims once it is over, faults, and the verdict.

use alloc::format;

use othello_core::{Board, Color, Score};

use super::{MAX_FINISHED_PASSES, Referee, Stage, pass};
use crate::{
    session::{Cause, HostAction, HostEvent, Note, Timestamp, Verdict},
    sloan::{
        ClaimReading, Message,
        claim::{forfeit_to, own_claim},
        complaint::Complaint,
    },
};

impl Referee {
    pub(super) fn game_over(&mut self, now: Timestamp) {
        self.stage = Stage::Finished {
            until: now + self.options.grace,
            passes: 0,
        };
    }

    pub(super) fn pass_after_the_end(&mut self, seat: Color) {
        let Stage::Finished { passes, .. } = &mut self.stage else {
            return;
        };
        if *passes == MAX_FINISHED_PASSES {
            self.note(Note::fault(format!("{seat} passes but does not claim")));
            return self.conclude();
        }
        *passes += 1;
        self.note(Note::info(format!(
            "{seat} passes after the end of the game"
        )));
        self.send(!seat, &[pass(seat)]);
        self.next_turn();
    }

    /// Takes a claim or its answer.
    pub(super) fn claimed(
        &mut self,
        seat: Color,
        value: Score,
        now: Timestamp,
    ) -> Result<(), Complaint> {
        let claim = Message::Claim(value);
        match self.stage {
            Stage::Finished { .. } => {
                self.claimed_at_the_end(seat, value);
                Ok(())
            }
            Stage::Faulted { .. } => {
                self.seats[seat as usize].claimed = true;
                self.remark(seat, Note::info(format!("{seat} answers {claim}")));
                self.conclude_if_answered();
                Ok(())
            }
            Stage::Playing { .. } if self.misread_end(seat, value) => {
                self.start_again(now);
                Ok(())
            }
            Stage::Playing { .. } if value == forfeit_to(!seat) => {
                self.note(Note::info(format!("{seat} gives up with {claim}")));
                self.event(HostEvent::FalseClaim { seat, value });
                self.seats[seat as usize].claimed = true;
                self.fault(Cause::Left { by: seat }, now);
                Ok(())
            }
            Stage::Playing { .. } => {
                self.event(HostEvent::FalseClaim { seat, value });
                Err(Complaint::NotOver(value))
            }
            _ => Err(Complaint::NotOver(value)),
        }
    }

    fn claimed_at_the_end(&mut self, seat: Color, value: Score) {
        let claim = Message::Claim(value);
        let answers = self.seats[!seat as usize].claimed;
        let Some(reading) = ClaimReading::of(value, self.game.board()) else {
            self.event(HostEvent::FalseClaim { seat, value });
            self.complain(seat, &Complaint::Misfit(value));
            self.seats[seat as usize].claimed |= answers;
            return self.conclude_if_answered();
        };
        let text = format!("{claim} is true as {reading}");
        match reading.leniency() {
            Some(name) => self.lenient(seat, name, &text),
            None => self.remark(seat, Note::info(format!("{seat}: {text}"))),
        }
        if !core::mem::replace(&mut self.seats[seat as usize].claimed, true) {
            self.send(!seat, &[claim]);
        }
        self.conclude_if_answered();
    }

    /// Ends the game by a fault: both sides are told that the other won by 64.
    pub(super) fn fault(&mut self, cause: Cause, now: Timestamp) {
        let Some(culprit) = cause.culprit() else {
            return;
        };
        self.begin_if_due();
        for seat in Color::ALL {
            self.send(seat, &[Message::Claim(forfeit_to(!culprit))]);
        }
        self.stage = Stage::Faulted {
            until: now + self.options.grace,
            cause,
        };
        self.conclude_if_answered();
    }

    pub(super) fn conclude_if_answered(&mut self) {
        if self.seats.iter().all(|seat| seat.claimed || seat.gone) {
            self.conclude();
        }
    }

    /// Ends the session. If nobody claimed the end of a game, both are told its value.
    pub(super) fn conclude(&mut self) {
        let board = self.game.board();
        let stage = core::mem::replace(&mut self.stage, Stage::Done);
        let (winner, cause) = if let Stage::Faulted { cause, .. } = stage {
            (cause.culprit().map(|by| !by), cause)
        } else {
            self.announce(board);
            (board.leader(), Cause::Played)
        };
        for seat in Color::ALL {
            self.actions.push_back(HostAction::HangUp(seat));
        }
        self.actions.push_back(HostAction::Finish(Verdict {
            winner,
            cause,
            board,
        }));
    }

    fn announce(&mut self, board: Board) {
        if self.seats.iter().all(|seat| !seat.claimed) {
            for seat in Color::ALL {
                self.send(seat, &[Message::Claim(own_claim(board))]);
            }
        }
    }
}
