//! What the end of a game says of the program.

use std::time::Duration;

use boardgame_core::Margin;
use boardgame_io::Fault as ProgramFault;
use boardgame_match::fault::{self, Fault};
use boardgame_match::{Outcome, SeatReport};
use boardgame_session::{Cause, SeatFault};
use othello_core::{Color, Empties, Game};

/// What whoever kept the game knows of it besides its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness<'a> {
    /// Whether the program was ever ready.
    pub(super) ready: bool,
    /// The first false claim of the program.
    pub(super) claim: Option<Margin>,
    /// The longest time that its move was waited for.
    pub(super) waited: Duration,
    /// The game so far.
    pub(super) game: &'a Game,
}

impl Witness<'_> {
    /// Returns what the program is to blame for, if for anything.
    pub(super) fn judge(&self, outcome: &Outcome, report: &SeatReport) -> Option<Fault> {
        if let Some(reason) = not_started(report) {
            return Some(Fault::NotStarted { reason });
        }
        let cause = match outcome {
            Outcome::Decided(verdict) => &verdict.cause,
            Outcome::TimedOut | Outcome::Stalled => return Some(self.hung()),
            _ => return self.false_result(),
        };
        let fault = match cause {
            Cause::Forfeit { fault, .. } if !self.ready => {
                let reason = unready(fault, report);
                return Some(Fault::NotStarted { reason });
            }
            Cause::Forfeit { fault, .. } => fault,
            Cause::Resigned { .. } => return Some(Fault::Resigned),
            _ => return self.false_result(),
        };
        Some(match fault {
            SeatFault::IllegalMove { detail } => Fault::IllegalMove {
                answer: detail.clone(),
            },
            SeatFault::Overtime => self.false_result().unwrap_or_else(|| self.hung()),
            SeatFault::Format { detail } | SeatFault::CannotBegin { detail } => Fault::Format {
                detail: detail.clone(),
            },
            _ => self.false_result().unwrap_or_else(|| left(report)),
        })
    }

    fn hung(&self) -> Fault {
        Fault::Hung {
            waited: self.waited,
        }
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
            claim: format!("({})", claim.half_points() / 2),
            truth,
        })
    }
}

/// Returns why the program never ran, if it did not.
fn not_started(report: &SeatReport) -> Option<String> {
    report.faults.iter().find_map(|fault| match fault {
        ProgramFault::NotStarted { reason: told, .. } => Some(reason(report, told)),
        _ => None,
    })
}

/// Returns why a program that was not ready has lost.
fn unready(fault: &SeatFault, report: &SeatReport) -> String {
    match (excess(report), fault) {
        (_, SeatFault::Format { detail } | SeatFault::CannotBegin { detail }) => {
            format!("it broke the format: {detail}")
        }
        (Some(fault), _) => format!("it {fault}"),
        (None, SeatFault::Overtime) => "it was not ready in time".into(),
        (None, _) => last_words(report, "it ended before the game"),
    }
}

/// Returns the reason why there was no game, with what is known of the program if it ran.
pub(super) fn reason(report: &SeatReport, reason: &str) -> String {
    match excess(report) {
        Some(fault) => format!("it {fault}"),
        None if report.status.is_some() => last_words(report, reason),
        None => reason.into(),
    }
}

/// What a program was ended for, if it was: it wrote too much, or did not read.
fn excess(report: &SeatReport) -> Option<&ProgramFault> {
    report.faults.iter().find(|fault| {
        matches!(
            fault,
            ProgramFault::Flooded { .. }
                | ProgramFault::FloodedGame { .. }
                | ProgramFault::FloodedStderr { .. }
                | ProgramFault::NotReading { .. }
        )
    })
}

/// What a program did that left: it ended, or it was ended for what it wrote.
fn left(report: &SeatReport) -> Fault {
    match excess(report) {
        Some(fault) => Fault::Format {
            detail: fault.to_string(),
        },
        None => Fault::Crashed {
            detail: last_words(report, "it left in the middle of the game"),
        },
    }
}

/// What happened, the exit status unless the program was ended from here, and the end of what it
/// said.
fn last_words(report: &SeatReport, what: &str) -> String {
    let hung = |fault: &ProgramFault| matches!(fault, ProgramFault::Hung { .. });
    let status = report.status.filter(|_| !report.faults.iter().any(hung));
    let status = status.map(|status| format!(", {status}"));
    let said = fault::last_words(&report.stderr);
    let colon = if said.is_empty() { "" } else { ": " };
    let status = status.unwrap_or_default();
    format!("{what}{status}{colon}{said}")
}

#[cfg(test)]
mod tests {
    use boardgame_session::Verdict;

    use super::*;

    fn judge(ready: bool, fault: SeatFault, faults: &[ProgramFault]) -> Option<Fault> {
        judge_claim(ready, Verdict::forfeit(Color::White, fault), faults, None)
    }

    fn judge_claim(
        ready: bool,
        verdict: Verdict,
        faults: &[ProgramFault],
        claim: Option<Margin>,
    ) -> Option<Fault> {
        let report = SeatReport {
            faults: faults.to_vec(),
            stderr: format!("{}alas", "é".repeat(300)),
            ..SeatReport::default()
        };
        let witness = Witness {
            ready,
            claim,
            waited: Duration::from_secs(1),
            game: &Game::default(),
        };
        witness.judge(&Outcome::Decided(verdict), &report)
    }

    #[test]
    fn who_floods_is_not_taken_for_one_that_crashed() {
        let flooded = [ProgramFault::Flooded { bytes: 9 }];
        let fault = judge(true, SeatFault::Left, &flooded);
        assert!(matches!(fault, Some(Fault::Format { detail }) if detail.contains("9 bytes")));
        let fault = judge(true, SeatFault::Left, &[]);
        let Some(Fault::Crashed { detail }) = fault else {
            panic!("{fault:?}");
        };
        assert!(detail.ends_with("alas") && detail.len() < 400);
    }

    #[cfg(unix)]
    #[test]
    fn who_is_ended_from_here_is_told_why_and_not_by_which_signal() {
        use std::{os::unix::process::ExitStatusExt as _, process::ExitStatus};

        let reason = |faults: &[ProgramFault], status: i32| {
            let report = SeatReport {
                faults: faults.to_vec(),
                status: Some(ExitStatus::from_raw(status)),
                ..SeatReport::default()
            };
            not_started(&report).unwrap()
        };
        let late = || ProgramFault::NotStarted {
            program: "yes".into(),
            reason: "it came late".into(),
        };
        let hung = ProgramFault::Hung { killed: false };
        let flooded = ProgramFault::FloodedStderr { bytes: 9 };
        let told = "it wrote 9 bytes to standard error";
        assert_eq!(reason(&[late(), hung], 15), "it came late");
        assert_eq!(reason(&[late(), flooded.clone()], 9), told);
        assert_eq!(reason(&[late()], 3 << 8), "it came late, exit status: 3");

        let before = judge(false, SeatFault::Left, &[flooded]);
        let reason = told.into();
        assert_eq!(before, Some(Fault::NotStarted { reason }));
        let before = judge(false, SeatFault::format("too much"), &[]);
        let reason = "it broke the format: too much".into();
        assert_eq!(before, Some(Fault::NotStarted { reason }));
    }

    #[test]
    fn who_gives_up_makes_no_false_claim() {
        let resigned = Verdict::resigned(Color::White);
        let claim = Some(Margin::from_points(64));
        let fault = judge_claim(true, resigned, &[], claim);
        assert_eq!(fault, Some(Fault::Resigned));
        let left = Verdict::forfeit(Color::White, SeatFault::Left);
        let claim = Some(Margin::from_points(-64));
        let fault = judge_claim(true, left, &[], claim);
        let expected = Fault::FalseResult {
            claim: "(-64)".into(),
            truth: "open".into(),
        };
        assert_eq!(fault, Some(expected));
    }

    #[test]
    fn a_game_that_was_played_blames_nobody() {
        let played = Verdict::played(Margin::DRAW);
        assert_eq!(judge_claim(true, played, &[], None), None);
    }
}
