//! What the end of a game says of the program.

use std::time::Duration;

use othello_arena::{Fault as SeatFault, Outcome};
use othello_core::{Color, Empties, Game, Score};
use othello_proto::session::Cause;

use super::table::Ended;
use crate::fault::{self, Fault};

/// What whoever kept the game knows of it besides its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness<'a> {
    /// The program's colour.
    pub(super) color: Color,
    /// Whether the program was ever ready.
    pub(super) ready: bool,
    /// The first false claim of the program.
    pub(super) claim: Option<Score>,
    /// How long its move was waited for at most.
    pub(super) waited: Duration,
    /// The game so far.
    pub(super) game: &'a Game,
}

impl Witness<'_> {
    /// What the program is to blame for, if for anything.
    pub(super) fn judge(&self, ended: &Ended) -> Option<Fault> {
        if let Some(reason) = not_started(ended) {
            return Some(Fault::NotStarted { reason });
        }
        let cause = match &ended.outcome {
            Some(Outcome::Decided(verdict)) => &verdict.cause,
            Some(Outcome::Cancelled | Outcome::NotStarted { .. }) | None => {
                return self.false_result();
            }
            Some(Outcome::TimedOut | Outcome::Stalled) => return Some(self.hung()),
        };
        if !self.ready {
            let reason = match (excess(ended), cause) {
                (_, Cause::Format { detail, .. }) => format!("it broke the format: {detail}"),
                (Some(fault), _) => format!("it {fault}"),
                (None, Cause::Overtime { .. }) => "it was not ready in time".into(),
                (None, _) => last_words(ended, "it ended before the game"),
            };
            return Some(Fault::NotStarted { reason });
        }
        let detail = match cause {
            Cause::Played => return self.false_result(),
            Cause::IllegalMove { by, detail } if *by == self.color => {
                let answer = detail.clone();
                return Some(Fault::IllegalMove { answer });
            }
            Cause::Format { by, detail } if *by == self.color => detail.clone(),
            Cause::Overtime { by } if *by == self.color => {
                return Some(self.false_result().unwrap_or_else(|| self.hung()));
            }
            Cause::Left { by } if *by == self.color && self.gives_up() => {
                return Some(Fault::Resigned);
            }
            Cause::Left { by } if *by == self.color => {
                return Some(self.false_result().unwrap_or_else(|| left(ended)));
            }
            // The other side has a player of ours, fed with the moves of the same game.
            other => format!("expected a game between two players, found {other:?}"),
        };
        Some(Fault::Format { detail })
    }

    fn hung(&self) -> Fault {
        Fault::Hung {
            waited: self.waited,
        }
    }

    /// Whether the program claimed the result of a game that it loses by a fault.
    fn gives_up(&self) -> bool {
        let lost = match self.color {
            Color::Black => Score::MIN,
            Color::White => Score::MAX,
        };
        self.claim == Some(lost)
    }

    fn false_result(&self) -> Option<Fault> {
        let claim = self.claim?;
        let truth = if self.game.is_over() {
            let board = self.game.board();
            format!("({})", board.score(Color::Black, Empties::OnBoard).discs())
        } else {
            "open".into()
        };
        Some(Fault::FalseResult {
            claim: format!("({})", claim.discs()),
            truth,
        })
    }
}

/// Why the program never ran, if it did not.
fn not_started(ended: &Ended) -> Option<String> {
    let reason = ended.faults.iter().find_map(|fault| match fault {
        SeatFault::NotStarted { reason, .. } => Some(reason),
        _ => None,
    })?;
    Some(match excess(ended) {
        Some(fault) => format!("it {fault}"),
        None if ended.status.is_some() => last_words(ended, reason),
        None => reason.clone(),
    })
}

/// What a program was ended for, if it was: it wrote too much, or did not read.
fn excess(ended: &Ended) -> Option<&SeatFault> {
    ended.faults.iter().find(|fault| {
        matches!(
            fault,
            SeatFault::Flooded { .. }
                | SeatFault::FloodedGame { .. }
                | SeatFault::FloodedStderr { .. }
                | SeatFault::NotReading { .. }
        )
    })
}

/// What a program did that left: it ended, or it was ended for what it wrote.
fn left(ended: &Ended) -> Fault {
    match excess(ended) {
        Some(fault) => Fault::Format {
            detail: fault.to_string(),
        },
        None => Fault::Crashed {
            detail: last_words(ended, "it left in the middle of the game"),
        },
    }
}

/// What happened, the exit status unless the program was ended from here, and the end of what it
/// said.
fn last_words(ended: &Ended, what: &str) -> String {
    let hung = |fault: &SeatFault| matches!(fault, SeatFault::Hung { .. });
    let status = ended.status.filter(|_| !ended.faults.iter().any(hung));
    let status = status.map(|status| format!(", {status}"));
    let said = fault::last_words(&ended.stderr);
    let colon = if said.is_empty() { "" } else { ": " };
    let status = status.unwrap_or_default();
    format!("{what}{status}{colon}{said}")
}

#[cfg(test)]
mod tests {
    use othello_proto::session::Verdict;

    use super::*;

    fn judge(cause: Cause, faults: &[SeatFault], claim: Option<Score>) -> Option<Fault> {
        judge_at(true, cause, faults, claim)
    }

    fn judge_at(
        ready: bool,
        cause: Cause,
        faults: &[SeatFault],
        claim: Option<Score>,
    ) -> Option<Fault> {
        let game = Game::default();
        let verdict = Verdict {
            winner: None,
            cause,
            board: game.board(),
        };
        let ended = Ended {
            outcome: Some(Outcome::Decided(verdict)),
            faults: faults.to_vec(),
            stderr: format!("{}alas", "é".repeat(300)),
            ..Ended::default()
        };
        let witness = Witness {
            color: Color::White,
            ready,
            claim,
            waited: Duration::from_secs(1),
            game: &game,
        };
        witness.judge(&ended)
    }

    #[test]
    fn who_floods_is_not_taken_for_one_that_crashed() {
        let by = Color::White;
        let flooded = [SeatFault::Flooded { bytes: 9 }];
        let fault = judge(Cause::Left { by }, &flooded, None);
        assert!(matches!(fault, Some(Fault::Format { detail }) if detail.contains("9 bytes")));
        let fault = judge(Cause::Left { by }, &[], None);
        let Some(Fault::Crashed { detail }) = fault else {
            panic!("{fault:?}");
        };
        assert!(detail.ends_with("alas") && detail.len() < 400);
    }

    #[cfg(unix)]
    #[test]
    fn who_is_ended_from_here_is_told_why_and_not_by_which_signal() {
        use std::{os::unix::process::ExitStatusExt as _, process::ExitStatus};

        let reason = |faults: &[SeatFault], status: i32| {
            let ended = Ended {
                faults: faults.to_vec(),
                status: Some(ExitStatus::from_raw(status)),
                ..Ended::default()
            };
            not_started(&ended).unwrap()
        };
        let late = || SeatFault::NotStarted {
            program: "yes".into(),
            reason: "it came late".into(),
        };
        let hung = SeatFault::Hung { killed: false };
        let flooded = SeatFault::FloodedStderr { bytes: 9 };
        let told = "it wrote 9 bytes to standard error";
        assert_eq!(reason(&[late(), hung], 15), "it came late");
        assert_eq!(reason(&[late(), flooded.clone()], 9), told);
        assert_eq!(reason(&[late()], 3 << 8), "it came late, exit status: 3");

        let by = Color::White;
        let before = judge_at(false, Cause::Left { by }, &[flooded], None);
        let reason = told.into();
        assert_eq!(before, Some(Fault::NotStarted { reason }));
        let detail = "too much".into();
        let before = judge_at(false, Cause::Format { by, detail }, &[], None);
        let reason = "it broke the format: too much".into();
        assert_eq!(before, Some(Fault::NotStarted { reason }));
    }

    #[test]
    fn who_gives_up_makes_no_false_claim() {
        let by = Color::White;
        let fault = judge(Cause::Left { by }, &[], Some(Score::MAX));
        assert_eq!(fault, Some(Fault::Resigned));
        let fault = judge(Cause::Left { by }, &[], Some(Score::MIN));
        let expected = Fault::FalseResult {
            claim: "(-64)".into(),
            truth: "open".into(),
        };
        assert_eq!(fault, Some(expected));
    }

    #[test]
    fn a_game_that_was_played_blames_nobody() {
        assert_eq!(judge(Cause::Played, &[], None), None);
    }
}
