//! Faults of an engine in a game, derived from the outcome and the seat's observations.

use std::time::Duration;

use boardgame_core::{ClockState, Color, Margin, TimeMeasure};
use boardgame_io::Fault as ProgramFault;
use boardgame_session::{Cause, SeatFault};

use super::Patience;
use crate::{
    Outcome, SeatReport,
    fault::{self, Fault, StartFailure},
};

/// The number of lines of standard error quoted for a crash.
const LAST_LINES: usize = 3;

/// The fault of a program that may not start processes.
const FORKED: &str = "it started another process; that of a shell script around the program counts";

/// Observations of an engine's seat in a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Observed {
    /// True once the engine was ready for the game.
    pub(super) ready: bool,
    /// The engine's clock at the last question.
    pub(super) asked: Option<ClockState>,
    /// The time that the answer to it took, once that has come.
    pub(super) took: Option<Duration>,
    /// The waiting time after which the seat gave up, if it did.
    pub(super) gave_up: Option<Duration>,
    /// The first false claim of the engine.
    pub(super) claim: Option<Margin>,
    /// True once the rules have ended the game.
    pub(super) over: bool,
    /// The first complaint of the engine's session after that.
    pub(super) complaint: Option<String>,
    /// True if the game was restarted because the engine misread the opening.
    pub(super) restarted: bool,
}

/// The wording of an engine's faults in records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wording {
    /// The wording for engines that are kept between games.
    Kept,
    /// The wording for programs that are started for one game.
    OneGame,
}

/// The evidence for the faults of an engine in a game.
#[derive(Clone, Debug)]
pub(super) struct Evidence<'a> {
    pub(super) color: Color,
    pub(super) wording: Wording,
    pub(super) patience: &'a Patience,
    pub(super) observed: &'a Observed,
    /// The end of the game.
    pub(super) outcome: &'a Outcome,
    /// The report of the engine's seat.
    pub(super) report: &'a SeatReport,
    /// True if the rules have ended the game.
    pub(super) is_over: bool,
    /// The side to move in the last position.
    pub(super) side_to_move: Color,
    /// The fault of the first false claim of the engine.
    pub(super) false_result: Option<Fault>,
}

impl Evidence<'_> {
    /// Returns the faults of the engine: first a misread opening that restarted the game, then the fault
    /// that ended the game or came at its end. Faults of the other side do not count.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let misreading = self.observed.restarted.then_some(Fault::MisreadOpening);
        let faults = misreading.into_iter().chain(self.fault());
        faults.map(Fault::brief).collect()
    }

    fn fault(&self) -> Option<Fault> {
        match self.outcome {
            Outcome::Decided(verdict) => match &verdict.cause {
                Cause::Resigned { by } if *by == self.color => Some(Fault::Resigned),
                Cause::Forfeit { by, fault } if *by == self.color => Some(self.forfeit(fault)),
                _ if self.is_over => self.false_result.clone().or_else(|| self.complaint()),
                _ => None,
            },
            Outcome::NotStarted { seat } if *seat == self.color => {
                Some(self.forfeit(&SeatFault::Left))
            }
            Outcome::TimedOut | Outcome::Stalled if self.side_to_move == self.color => {
                Some(self.hung())
            }
            _ => None,
        }
    }

    /// Returns the fault for which the engine lost the game, or which came after the last move.
    fn forfeit(&self, fault: &SeatFault) -> Fault {
        if let Some(reason) = never_ran(self.report) {
            let failure = StartFailure::NotRun;
            return Fault::NotStarted { failure, reason };
        }
        if self.observed.ready {
            return self.in_game(fault);
        }
        let failure = match fault {
            _ if excess(self.report).is_some() => StartFailure::Other,
            SeatFault::Overtime { .. } | SeatFault::Idle { .. } => StartFailure::Silent,
            SeatFault::Left => StartFailure::Ended,
            _ => StartFailure::Other,
        };
        let reason = match self.wording {
            Wording::OneGame => unready(fault, self.report),
            Wording::Kept => self.in_game(fault).to_string(),
        };
        Fault::NotStarted { failure, reason }
    }

    fn in_game(&self, fault: &SeatFault) -> Fault {
        match fault {
            SeatFault::IllegalMove { mv, detail } => Fault::IllegalMove {
                mv: mv.clone(),
                answer: detail.clone(),
            },
            SeatFault::Overtime { .. } => {
                let false_result = || self.false_result.clone();
                (self.late().or_else(false_result)).unwrap_or_else(|| self.hung())
            }
            SeatFault::Format { detail } | SeatFault::CannotBegin { detail } => Fault::Format {
                detail: detail.clone(),
            },
            SeatFault::Idle { for_time } => hung(*for_time),
            SeatFault::Forked => Fault::Format {
                detail: FORKED.into(),
            },
            _ => self.false_result.clone().unwrap_or_else(|| self.left()),
        }
    }

    /// Returns the fault of a move that came after its time. Once the game is over, the last move was in
    /// time, or within the tolerance.
    fn late(&self) -> Option<Fault> {
        let clock = self.observed.asked.filter(|_| !self.is_over)?;
        let allowed = clock.allowed()?;
        // User CPU time is watched: a program that has used it up is ended before it answers.
        let is_watched =
            clock.control().measure == TimeMeasure::UserCpu && self.observed.gave_up.is_none();
        if is_watched && self.observed.took.is_none() {
            return Some(Fault::Late {
                took: allowed,
                allowed,
            });
        }
        let took = self.observed.took?;
        (took > allowed).then_some(Fault::Late { took, allowed })
    }

    /// Returns the fault of an engine whose answer did not come.
    fn hung(&self) -> Fault {
        let waited = if let Some(waited) = self.observed.gave_up {
            waited
        } else if !self.observed.ready {
            self.patience.start
        } else if self.is_over {
            self.patience.ending
        } else {
            let clock = self.observed.asked;
            let allowed = clock.and_then(|clock| clock.allowed());
            self.patience.for_a_move(allowed)
        };
        hung(waited)
    }

    /// Returns a fault that the engine's session saw after the last move, if it did not end the game.
    fn complaint(&self) -> Option<Fault> {
        let complaint = self.observed.complaint.clone();
        // In one-game formats a fault ends the game, and complaints are less than faults.
        let detail = complaint.filter(|_| self.wording == Wording::Kept)?;
        let crashed = status(self.report).is_some();
        Some(if crashed {
            self.left()
        } else {
            Fault::Format { detail }
        })
    }

    /// Returns the fault of an engine that ended, or was ended because of its output.
    fn left(&self) -> Fault {
        if let Some(fault) = excess(self.report) {
            let detail = fault.to_string();
            return if fault.is_over_limit() {
                Fault::OverLimit { detail }
            } else {
                Fault::Format { detail }
            };
        }
        let failed = self.report.faults.iter().find_map(|fault| match fault {
            ProgramFault::PlayerFailed { reason } => Some(reason.clone()),
            _ => None,
        });
        let detail = failed.unwrap_or_else(|| match self.wording {
            Wording::Kept => {
                let status = status(self.report).unwrap_or("it closed its output".into());
                status + &said(self.report)
            }
            Wording::OneGame => last_words(self.report, "it left in the middle of the game"),
        });
        Fault::Crashed { detail }
    }
}

const fn hung(waited: Duration) -> Fault {
    Fault::Hung {
        waited,
        cause: None,
    }
}

/// Returns the reason why a program lost before it was ready.
fn unready(fault: &SeatFault, report: &SeatReport) -> String {
    match (excess(report), fault) {
        (_, SeatFault::Format { detail } | SeatFault::CannotBegin { detail }) => {
            format!("it broke the format: {detail}")
        }
        (Some(fault), _) => format!("it {fault}"),
        (None, SeatFault::Overtime { .. }) => "it was not ready in time".into(),
        (None, _) => last_words(report, "it ended before the game"),
    }
}

/// Returns the reason why a program never ran, if it did not.
fn never_ran(report: &SeatReport) -> Option<String> {
    report.faults.iter().find_map(|fault| match fault {
        ProgramFault::NotStarted { reason: told, .. } => Some(reason(report, told)),
        _ => None,
    })
}

/// Returns the reason why there was no game, with the status and last words of the program if it ran.
pub(super) fn reason(report: &SeatReport, reason: &str) -> String {
    match excess(report) {
        Some(fault) => format!("it {fault}"),
        None if report.status.is_some() => last_words(report, reason),
        None => reason.into(),
    }
}

/// Returns the fault of a program that was ended because it wrote too much, did not read or exceeded a limit.
fn excess(report: &SeatReport) -> Option<&ProgramFault> {
    report.faults.iter().find(|fault| {
        matches!(
            fault,
            ProgramFault::Flooded { .. }
                | ProgramFault::FloodedGame { .. }
                | ProgramFault::FloodedStderr { .. }
                | ProgramFault::NotReading { .. }
        ) || fault.is_over_limit()
    })
}

/// Returns `what` with the exit status of a program that ended by itself, and its last words.
fn last_words(report: &SeatReport, what: &str) -> String {
    let status = status(report).map(|status| format!(", {status}"));
    format!("{what}{}{}", status.unwrap_or_default(), said(report))
}

/// Returns the exit status of a program, unless this process ended it.
fn status(report: &SeatReport) -> Option<String> {
    let hung = |fault: &ProgramFault| matches!(fault, ProgramFault::Hung { .. });
    let status = report.status.filter(|_| !report.faults.iter().any(hung));
    let killed = |fault: &ProgramFault| matches!(fault, ProgramFault::Killed(_));
    let by = if report.faults.iter().any(killed) {
        ", which the host did not send"
    } else {
        ""
    };
    status.map(|status| format!("{status}{by}"))
}

/// Returns the last lines of standard error after a colon.
fn said(report: &SeatReport) -> String {
    let lines = fault::last_words(&report.stderr).lines();
    let lines: Vec<&str> = lines.filter(|line| !is_usage(line)).collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    let colon = if last.is_empty() { "" } else { ": " };
    format!("{colon}{}", last.join(" / "))
}

/// Returns true if a line is empty or part of the usage text after a command-line error.
fn is_usage(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with("Usage:") || line.starts_with("For more information")
}

#[cfg(test)]
mod tests;
