//! Threads that analyze a game each.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use othello_analysis::{Analysis, GameLosses, Report, Search};
use othello_engine::{Settings as EngineSettings, ThreadCount};
use othello_search::Searcher;

use super::{Analyzed, Batch, BatchGame, games::Games};

/// Returns what a thread does with a game: its analysis is independent of other games, so it is always the same.
pub(super) fn analyzed(
    batch: &Batch<'_>,
    games: &Games,
) -> impl Fn(&mut Searcher, u64) -> Analyzed + Sync {
    |searcher, item| {
        let game = &games.list[item as usize];
        Analyzed::new(item, game, losses(batch, searcher, game))
    }
}

/// Has each item worked on by one of the engine's threads with a searcher of its own, and calls `take` with each result
/// in order.
pub(crate) fn each<T: Send>(
    engine: &EngineSettings,
    items: Vec<u64>,
    work: impl Fn(&mut Searcher, u64) -> T + Sync,
    take: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let count = engine.threads.get().min(items.len());
    let settings = EngineSettings {
        threads: ThreadCount::default(),
        ..engine.clone()
    };
    let searchers = (0..count).map(|_| settings.searcher());
    let searchers = searchers.collect::<Result<Vec<Searcher>, _>>()?;
    let items = Mutex::new(items.into_iter().enumerate());
    let (done, results) = mpsc::channel();
    thread::scope(|scope| {
        for mut searcher in searchers {
            let (done, items, work): (Sender<(usize, T)>, _, _) = (done.clone(), &items, &work);
            scope.spawn(move || {
                let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some((place, item)) = next() {
                    // Nobody receives once `take` has failed.
                    if done.send((place, work(&mut searcher, item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(done);
        in_order(results, take)
    })
}

/// Calls `take` with the results in the order of their places.
fn in_order<T>(
    results: Receiver<(usize, T)>,
    mut take: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (place, game) in results {
        early.insert(place, game);
        while let Some(game) = early.remove(&next) {
            take(game)?;
            next += 1;
        }
    }
    Ok(())
}

fn losses(batch: &Batch<'_>, searcher: &mut Searcher, game: &BatchGame) -> GameLosses {
    searcher.clear();
    let mut analysis = Analysis::new(&game.record.game);
    analysis.deepen(
        &batch.settings,
        &mut Search::new(searcher),
        None,
        &mut |_| {},
    );
    let report = Report::new("", &game.record, &analysis, &batch.settings);
    GameLosses::new(&report)
}
