//! Games of a check that are over.

use std::{
    ops::AddAssign,
    time::{Duration, Instant},
};

use boardgame_core::Color;
use boardgame_io::{Exchange, ExchangeKind, cpu, printable};

use super::{CaseResult, Failure, Loss, ShownExchange, Subject, TIME};
use crate::{
    LastOutput,
    engine::Engine,
    fault::{Fault, StartFailure},
    record::{PlayedGame, Side, Thought},
};

/// The number of exchanges that are shown of a lost game, without standard error.
const SHOWN_EXCHANGES: usize = 6;

/// The number of bytes that are shown of an exchange.
const MAX_SHOWN: usize = 200;

/// A program is not to blame for a late move if something waited for a processor for at least this share of a game.
const MAX_PRESSURE: f64 = 0.25;

/// The time in which something waited for a processor, with the time in which that was measured.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pressure {
    /// Zero if the system does not report it.
    waited: Duration,
    elapsed: Duration,
}

impl Pressure {
    /// Returns the pressure since a moment, given the system's count at that moment.
    pub(super) fn since(began: Instant, waited: Option<Duration>) -> Self {
        let more = |before| Some(cpu::pressure()?.saturating_sub(before));
        Self {
            waited: waited.and_then(more).unwrap_or_default(),
            elapsed: began.elapsed(),
        }
    }

    /// Returns the doubt about a fault to which the pressure may have led.
    fn doubt(self, fault: &Fault) -> Option<String> {
        let share = self.waited.div_duration_f64(self.elapsed);
        let is_doubtful = matches!(fault, Fault::Late { .. }) && share >= MAX_PRESSURE;
        is_doubtful.then(|| {
            let percent = share.min(1.0) * 100.0;
            format!(
                "{fault}, but the machine was busy for {percent:.0} % of the time: check again when it is not"
            )
        })
    }
}

impl AddAssign for Pressure {
    fn add_assign(&mut self, other: Self) {
        self.waited += other.waited;
        self.elapsed += other.elapsed;
    }
}

/// A game of a check that is over.
#[derive(Debug)]
pub struct Finished {
    /// The program's colour.
    pub color: Color,
    /// The record of the game.
    pub game: PlayedGame,
    /// The first fault of the program. To resign is none.
    pub fault: Option<Fault>,
    /// The likely cause of the fault, by the program's moves and last output.
    pub(super) likely_cause: Option<String>,
    /// The last bytes that were sent and received.
    pub trace: Vec<Exchange>,
    pub(super) began: Instant,
    pub(super) pressure: Pressure,
}

impl Finished {
    pub(super) fn new(
        color: Color,
        game: PlayedGame,
        likely_cause: Option<String>,
        began: Instant,
        pressure: Pressure,
        trace: Vec<Exchange>,
    ) -> Self {
        let mut faults = game.faults.iter();
        let fault = faults
            .find(|(by, fault)| {
                let is_none = matches!(fault, Fault::MisreadOpening | Fault::Resigned);
                *by == Side::from(color) && !is_none
            })
            .map(|(_, fault)| fault.clone());
        Self {
            color,
            game,
            fault,
            likely_cause,
            trace,
            began,
            pressure,
        }
    }

    /// Returns the times of the program's moves.
    pub(super) fn times<E: Engine>(&self) -> Vec<Duration> {
        let own = |(by, thought): (Color, &Thought)| {
            (by == self.color).then(|| Duration::from_micros(thought.wall_us))
        };
        self.game.own_moves::<E::Format>().filter_map(own).collect()
    }

    /// Returns the name of the case that the program failed, and its result under a pressure, if it made a fault.
    pub(super) fn failure<S: Subject>(
        &self,
        subject: &S,
        pressure: Pressure,
    ) -> Option<(&'static str, CaseResult)> {
        let fault = self.fault.as_ref()?;
        let Loss {
            case,
            cause,
            rule,
            scene,
        } = subject.loss(self);
        let case = match fault {
            Fault::NotStarted { .. } => "start",
            Fault::Crashed { .. } if self.game.moves.is_empty() && !self.has_answered() => "start",
            Fault::Late { .. } => TIME,
            _ => case.unwrap_or(match self.color {
                Color::Black => "black",
                Color::White => "white",
            }),
        };
        if let Some(note) = pressure.doubt(fault) {
            return Some((case, CaseResult::Doubtful { note }));
        }
        let failure = Failure {
            fault: printable(&fault.to_string()),
            cause,
            rule,
            color: self.color.to_string(),
            scene,
            exchanges: shown_exchanges(&self.trace, self.began),
        };
        Some((case, CaseResult::Failed(Box::new(failure))))
    }

    /// Returns whether the program has written anything.
    fn has_answered(&self) -> bool {
        let mut kinds = self.trace.iter().map(|it| it.kind);
        kinds.any(|kind| kind == ExchangeKind::Received)
    }

    /// Returns the likely cause of the fault.
    pub fn cause(&self) -> Option<String> {
        let cause = match self.fault.as_ref()? {
            _ if self.likely_cause.is_some() => return self.likely_cause.clone(),
            Fault::Late { .. } => "it thinks longer than its limit, or starts too slowly",
            Fault::NotStarted { failure, .. } => match failure {
                StartFailure::NotRun => {
                    "it cannot be run: check the path, and that the file may be executed"
                }
                StartFailure::Silent => return Some(LastOutput::default().silence()),
                _ => "the program ended: what it wrote to standard error may say why",
            },
            Fault::Crashed { .. } => {
                "the program ended: what it wrote to standard error may say why"
            }
            Fault::FalseResult { .. } => {
                "its board is not that of the game, or it counts the result differently"
            }
            _ => return None,
        };
        Some(cause.into())
    }
}

/// Returns the last exchanges, with what came in between on standard error.
pub fn shown_exchanges(trace: &[Exchange], began: Instant) -> Vec<ShownExchange> {
    let places = (0..trace.len()).rev();
    let mut shown = places.filter(|&at| trace[at].kind != ExchangeKind::Stderr);
    let first = shown.nth(SHOWN_EXCHANGES - 1).unwrap_or_default();
    let text = |bytes: &[u8]| printable(&String::from_utf8_lossy(bytes));
    let exchanges = trace[first..].iter().map(|it| ShownExchange {
        ms: it.at.saturating_duration_since(began).as_millis() as u64,
        stream: match it.kind {
            ExchangeKind::Sent => "sent",
            ExchangeKind::Received => "received",
            ExchangeKind::Stderr => "stderr",
            ExchangeKind::Closed => "closed",
        },
        text: text(&it.bytes[..it.bytes.len().min(MAX_SHOWN)]),
    });
    exchanges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_on_a_busy_machine_is_doubtful() {
        let pressure = |percent: u64| Pressure {
            waited: Duration::from_millis(percent * 10),
            elapsed: Duration::from_secs(1),
        };
        let late = Fault::Late {
            took: Duration::from_millis(1200),
            allowed: Duration::from_secs(1),
        };
        let doubt = pressure(60).doubt(&late).unwrap();
        assert!(doubt.starts_with("took 1.200s of 1.000s, but"), "{doubt}");
        assert!(doubt.contains("60 %"), "{doubt}");
        assert_eq!(pressure(20).doubt(&late), None);
        assert_eq!(Pressure::default().doubt(&late), None);
        assert_eq!(pressure(60).doubt(&Fault::Resigned), None);
    }
}
