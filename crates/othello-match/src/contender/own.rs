//! Our own engine, in this process.

use std::{sync::Arc, time::Duration};

use boardgame_core::ClockState;
use boardgame_io::cpu;
use othello_core::Game;
use othello_engine::{Engine, Report, Request, Settings, StopHandle, Strength, TableError};
use tokio::task::spawn_blocking;

use super::{Choice, Failure};
use crate::engine::{OwnSettings, OwnWeights};
use boardgame_match::{fault::Fault, limit::Limit};

/// Our own engine, with the pace of the players: its searches run on a thread of their own.
pub struct Own {
    settings: OwnSettings,
    limit: Limit,
    /// Whether nothing else in this process works while it thinks.
    alone: bool,
    /// Taken while a search has it, and lost if the search panics.
    engine: Option<Engine>,
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
            engine: Some(engine(&settings, limit)?),
            settings,
            limit,
        })
    }

    /// Lets it think more or less from here on.
    pub fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
        if let Some(engine) = &mut self.engine {
            engine.set_strength(strength(&self.settings, limit));
        }
    }

    /// Begins a game: what was learnt in the one before is forgotten.
    pub fn begin(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.new_game();
        }
    }

    /// Searches the game's board. Dropping the future stops the search.
    ///
    /// # Errors
    ///
    /// When the search panics or finds no move, or when there is no memory for another table after a
    /// panic.
    pub async fn choose(&mut self, game: &Game, clock: &ClockState) -> Result<Choice, Failure> {
        let stop = StopHandle::new();
        let request = Request {
            stop: Some(stop.clone()),
            ..Request::new(game.board(), engine_clock(clock))
        };
        let meter = self.meter();
        let engine = match self.engine.take() {
            Some(engine) => Ok(engine),
            None => engine(&self.settings, self.limit),
        };
        let mut engine = engine.map_err(|error| crash(error.to_string()))?;
        let work = spawn_blocking(move || {
            let before = meter();
            let report = engine.answer(&request);
            let used = |(after, before): (Duration, _)| after.saturating_sub(before);
            (engine, report, meter().zip(before).map(used))
        });
        let _stopped_when_dropped = StopOnDrop(stop);
        let (engine, report, cpu) = work.await.map_err(|panic| crash(panic.to_string()))?;
        self.engine = Some(engine);
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
}

fn engine(settings: &OwnSettings, limit: Limit) -> Result<Engine, TableError> {
    let defaults = Settings::default();
    let weights = settings.weights.as_ref();
    Engine::try_new(Settings {
        hash: settings.hash,
        threads: settings.threads,
        tier: settings.tier,
        network: weights.map_or_else(|| Arc::clone(&defaults.network), OwnWeights::network),
        strength: strength(settings, limit),
        ..defaults
    })
}

/// The bounds of a search that come from the settings and the limit, time apart.
fn strength(settings: &OwnSettings, limit: Limit) -> Strength {
    Strength {
        depth: limit.depth,
        nodes: limit.nodes,
        solve_from: settings.solve_from,
        selective: settings.selective,
    }
}

/// The clock without a reserve: the engine's pace has one of its own.
fn engine_clock(clock: &ClockState) -> othello_engine::Clock {
    othello_engine::Clock {
        remaining: clock.main(),
        move_limit: clock.control().per_move,
        increment: clock.control().increment,
        reserve: Duration::ZERO,
    }
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

#[cfg(test)]
mod tests {
    use boardgame_core::TimeControl;

    use super::*;

    fn no_clock() -> ClockState {
        Limit::default().clock()
    }

    fn chosen(limit: &str, clock: ClockState) -> Choice {
        let mut own = Own::new(OwnSettings::default(), limit.parse().unwrap(), true).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let game = Game::default();
        runtime.block_on(own.choose(&game, &clock)).unwrap()
    }

    #[test]
    fn a_limit_bounds_the_search() {
        assert_eq!(chosen("depth:5", no_clock()).depth, Some(5));
        let nodes = chosen("nodes:2000", no_clock()).nodes.unwrap();
        assert!((2_000..10_000).contains(&nodes), "{nodes}");
    }

    #[test]
    fn a_changed_limit_counts_from_the_next_move() {
        let mut own = Own::new(OwnSettings::default(), "depth:2".parse().unwrap(), true).unwrap();
        own.set_limit("depth:4".parse().unwrap());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let choice = runtime.block_on(own.choose(&Game::default(), &no_clock()));
        assert_eq!(choice.unwrap().depth, Some(4));
    }

    #[test]
    fn the_clock_of_a_game_reaches_the_engine() {
        let limit: Limit = "game:3s+20ms,move:1s".parse().unwrap();
        let expected = othello_engine::Clock {
            remaining: Some(Duration::from_secs(3)),
            move_limit: Some(Duration::from_secs(1)),
            increment: Duration::from_millis(20),
            reserve: Duration::ZERO,
        };
        assert_eq!(engine_clock(&limit.clock()), expected);
        // Without time it looks no deeper than it must, whatever the other limits allow.
        let no_time = ClockState::new(TimeControl {
            main: Some(Duration::ZERO),
            ..TimeControl::default()
        });
        assert!(chosen("depth:60", no_time).depth.unwrap() <= 1);
    }
}
