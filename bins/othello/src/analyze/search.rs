//! The searches of an analysis: more and more thorough, until they are done, time is up, or a user stops them.

use std::{thread, time::Duration};

use othello_analysis::{Analysis, Search, Settings};
use othello_core::Game;
use othello_engine::Settings as EngineSettings;
use othello_search::StopHandle;

use super::Args;
use crate::{
    interrupt::{Interrupt, Work},
    output::progress_bar,
};

/// An analysis, as far as it came.
pub(super) struct Done {
    pub(super) analysis: Analysis,
    /// The thoroughness that all positions reached.
    pub(super) settings: Settings,
    pub(super) end: End,
}

/// The reason why the searches ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Complete,
    TimeOver,
    Interrupted,
}

impl Done {
    /// Describes the end, if it was not the usual one.
    pub(super) fn end_in_words(&self) -> Option<String> {
        let Settings { depth, exact_from } = self.settings;
        let reached = format!(
            "all positions to depth {depth}, exact from {exact_from} empty squares, later ones deeper"
        );
        match self.end {
            End::Complete => None,
            End::Interrupted if !self.analysis.is_complete() => {
                Some("interrupted; the first positions have no values".to_owned())
            }
            End::Interrupted => Some(format!("interrupted: {reached}")),
            End::TimeOver => Some(format!("the time is over: {reached}")),
        }
    }
}

/// Analyzes a game.
pub(super) fn run(args: &Args, game: &Game) -> anyhow::Result<Done> {
    let mut searcher = engine(args).searcher()?;
    let mut store = args.store.open(args.evaluation.weights.as_ref())?;
    let mut analysis = Analysis::new(game);
    let stops = Stops::watch(args.time);
    let bar = progress_bar(0);
    let mut done = Settings::FIRST_LOOK;
    for (settings, number) in steps(args).into_iter().zip(0..) {
        bar.set_length(analysis.pending(&settings) as u64);
        bar.set_position(0);
        bar.set_message(format!(
            "depth {}, exact from {} empty",
            settings.depth, settings.exact_from
        ));
        let stop = stops.of_step(number);
        let mut search = Search::with_stop(&mut searcher, stop);
        let all = analysis.deepen(&settings, &mut search, Some(&mut store), &mut |_| {
            bar.inc(1);
        });
        if number == 0 || all {
            done = settings;
        }
        if !all {
            break;
        }
    }
    bar.finish_and_clear();
    store.warn_of_failure()?;
    Ok(Done {
        analysis,
        settings: done,
        end: stops.end(),
    })
}

/// Returns the settings of the searcher.
pub(super) fn engine(args: &Args) -> EngineSettings {
    EngineSettings {
        threads: args.threads,
        hash: args.hash,
        ..args.evaluation.settings()
    }
}

/// Returns the settings of the steps, more and more thorough: a first look and then the requested ones, or with a time
/// limit as thorough as it allows.
fn steps(args: &Args) -> Vec<Settings> {
    let defaults = match args.time {
        Some(_) => Settings::EXACT,
        None => Settings::default(),
    };
    let last = Settings {
        depth: args.depth.unwrap_or(defaults.depth),
        exact_from: args.exact_from.unwrap_or(defaults.exact_from),
    };
    match args.time {
        Some(_) => last.deepening_steps(),
        None => last.steps(),
    }
}

/// The stops of the searches.
struct Stops {
    /// A user's stop.
    interrupt: StopHandle,
    /// A user's stop, or the end of the time.
    any: StopHandle,
    /// A signal stops the searches until this is dropped.
    _work: Work,
}

impl Stops {
    /// Watches for a user's stop, and for the end of the time.
    fn watch(time: Option<Duration>) -> Self {
        let [interrupt, any] = [StopHandle::new(), StopHandle::new()];
        let work = Interrupt::watch(vec![any.clone(), interrupt.clone()]).work();
        if let Some(time) = time {
            let any = any.clone();
            thread::spawn(move || {
                thread::sleep(time);
                any.stop();
            });
        }
        Self {
            interrupt,
            any,
            _work: work,
        }
    }

    /// Returns the handle of a step. The first one is short, and gives every position a value: only a user stops it.
    fn of_step(&self, number: u32) -> StopHandle {
        let stop = if number == 0 {
            &self.interrupt
        } else {
            &self.any
        };
        stop.clone()
    }

    fn end(&self) -> End {
        if self.interrupt.is_stopped() {
            End::Interrupted
        } else if self.any.is_stopped() {
            End::TimeOver
        } else {
            End::Complete
        }
    }
}
