//! Our own engine, in this process.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use othello_core::Game;
use othello_engine::Settings;
use othello_search::{Limits, Report, Searcher, StopHandle, TableError, allocate};
use tokio::task::spawn_blocking;

use super::{Choice, Clock, Failure};
use crate::{
    cpu,
    engine::{OwnSettings, OwnWeights},
    fault::Fault,
    limit::Limit,
};

/// What a game's clock loses with a move besides the search: waking up and handing over.
const RESERVE: Duration = Duration::from_millis(5);

/// The same of a limit for the move, which is used up at every move: a twentieth of it, and no more
/// than this.
const MOVE_RESERVE: Duration = Duration::from_millis(2);

/// Our own engine: its searches run on a thread of their own.
pub struct Own {
    settings: OwnSettings,
    limit: Limit,
    /// Whether nothing else in this process works while it thinks.
    alone: bool,
    /// Taken while a search has it, and lost if the search panics.
    searcher: Option<Searcher>,
}

impl Own {
    /// The engine with its table allocated; `alone` if nothing else in this process works while
    /// it thinks, so that the process's CPU time is its own.
    ///
    /// # Errors
    ///
    /// When there is no memory for the table.
    pub fn new(settings: OwnSettings, limit: Limit, alone: bool) -> Result<Self, TableError> {
        Ok(Self {
            alone,
            searcher: Some(searcher(&settings)?),
            settings,
            limit,
        })
    }

    /// Lets it think more or less from here on.
    pub fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
    }

    /// Begins a game: what was learnt in the one before is forgotten.
    pub fn begin(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    /// Searches the game's board. Dropping the future stops the search.
    ///
    /// # Errors
    ///
    /// When the search panics or finds no move, or when there is no memory for another table after a
    /// panic.
    pub async fn choose(&mut self, game: &Game, clock: &Clock) -> Result<Choice, Failure> {
        let position = game.board().position();
        let stop = StopHandle::new();
        let limits = Limits {
            stop: Some(stop.clone()),
            ..self.limits(clock, position.empties().count())
        };
        let meter = self.meter();
        let searcher = match self.searcher.take() {
            Some(searcher) => Ok(searcher),
            None => searcher(&self.settings),
        };
        let mut searcher = searcher.map_err(|error| crash(error.to_string()))?;
        let work = spawn_blocking(move || {
            let before = meter();
            let report = searcher.search(position, &limits, &mut |_| {});
            let used = |(after, before): (Duration, _)| after.saturating_sub(before);
            (searcher, report, meter().zip(before).map(used))
        });
        let _stopped_when_dropped = StopOnDrop(stop);
        let (searcher, report, cpu) = work.await.map_err(|panic| crash(panic.to_string()))?;
        self.searcher = Some(searcher);
        choice(&report, cpu)
    }

    /// What tells the CPU time of a search from before and after it: the clock of one thread says
    /// nothing of the others.
    fn meter(&self) -> fn() -> Option<Duration> {
        match (self.settings.threads.get(), self.alone) {
            (1, _) => cpu::of_this_thread,
            (_, true) => || cpu::of_process(std::process::id()),
            (_, false) => || None,
        }
    }

    fn limits(&self, clock: &Clock, empties: u32) -> Limits {
        let timed = clock.game.is_some() || clock.per_move.is_some();
        let budget = allocate(
            &othello_search::Clock {
                remaining: clock.game.map(|left| left.saturating_sub(RESERVE)),
                move_limit: clock
                    .per_move
                    .map(|limit| limit.saturating_sub(MOVE_RESERVE.min(limit / 20))),
                increment: clock.increment,
                ..othello_search::Clock::default()
            },
            empties,
        );
        Limits {
            depth: self.limit.depth,
            solve_from: self.settings.solve_from,
            selective: self.settings.selective,
            nodes: self.limit.nodes,
            time: timed.then_some(budget),
            start: Some(Instant::now()),
            ..Limits::default()
        }
    }
}

fn searcher(settings: &OwnSettings) -> Result<Searcher, TableError> {
    let defaults = Settings::default();
    let weights = settings.weights.as_ref();
    let settings = Settings {
        hash: settings.hash,
        threads: settings.threads,
        tier: settings.tier,
        network: weights.map_or_else(|| Arc::clone(&defaults.network), OwnWeights::network),
        ..defaults
    };
    settings.searcher()
}

fn choice(report: &Report, cpu: Option<Duration>) -> Result<Choice, Failure> {
    let square = report.best.ok_or_else(|| crash("found no move".into()))?;
    Ok(Choice {
        score: Some(report.score.discs()),
        depth: Some(report.depth),
        nodes: Some(report.nodes),
        cpu,
        ..Choice::bare(square)
    })
}

fn crash(detail: String) -> Failure {
    Failure {
        fault: Fault::Crashed { detail },
        usable: true,
    }
}

/// Stops a search whose answer nobody waits for any more.
struct StopOnDrop(StopHandle);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
