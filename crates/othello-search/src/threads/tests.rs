//! Searches on several threads, complete and cut short.

use std::{
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread::{sleep, yield_now},
    time::{Duration, Instant},
};

use othello_core::{Backend, Position, Tier, WithBackend};

use super::{Pending, SplitMove, Task, Team};
use crate::{
    Exactness, Limits, Options, Searcher, TimeBudget,
    control::{Control, Search},
    eval::{Network, Node},
    pool::Pool,
    private::PrivateTable,
    score::Units,
    table::Table,
    testing::{random_play, scattered},
    worker::Worker,
};

fn searcher(threads: usize) -> Searcher {
    Searcher::new(Options {
        hash_mib: 4,
        threads: NonZeroUsize::new(threads).expect("some thread"),
        ..Options::default()
    })
}

/// Solves exactly.
fn solution(searcher: &mut Searcher, position: Position) -> i32 {
    let limits = Limits::depth(position.empties().count());
    let report = searcher.search(position, &limits);
    assert_eq!(report.exactness, Exactness::Exact);
    report.score.units()
}

#[test]
fn several_threads_find_the_solutions_of_one() {
    let mut alone = searcher(1);
    assert!(alone.team().is_none());
    let mut teams = [2, 3, 4].map(searcher);
    for seed in 0..16 {
        let position = if seed % 2 == 0 {
            scattered(seed, 18)
        } else {
            random_play(seed, 16)
        };
        let expected = solution(&mut alone, position);
        for searcher in &mut teams {
            let found = solution(searcher, position);
            assert_eq!(found, expected, "{position:?}");
        }
    }
    for searcher in &teams {
        let team = searcher.team().expect("there are several threads");
        assert!(team.helped() > 0, "nobody helped");
    }
}

#[test]
fn several_threads_find_the_values_of_one() {
    let mut alone = searcher(1);
    let mut teams = [2, 3, 4].map(searcher);
    for seed in 0..6 {
        let position = random_play(seed, 30);
        // Without selectivity, a value does not depend on the order in which moves are searched.
        let limits = Limits {
            selective: false,
            multi_pv: 1 + seed as usize % 3,
            ..Limits::depth(6 + seed as u32 % 2)
        };
        let scores = |searcher: &mut Searcher| {
            searcher.clear();
            let report = searcher.search(position, &limits);
            let others = report.others.iter().map(|line| (line.score, &line.pv));
            let lines = std::iter::once((report.score, &report.pv)).chain(others);
            let scores = lines.map(|(score, pv)| {
                let mut end = position;
                let played = pv.iter().try_for_each(|mv| end.play(*mv));
                assert!(played.is_ok() && !pv.is_empty(), "{position:?}: {pv:?}");
                score
            });
            scores.collect::<Vec<_>>()
        };
        let expected = scores(&mut alone);
        for searcher in &mut teams {
            assert_eq!(scores(searcher), expected, "{position:?}");
        }
    }
}

#[test]
fn midgame_searches_are_shared_too() {
    let mut searcher = searcher(3);
    // On a single processor, a short search may end before another thread is awake.
    let helped = (12..=18).any(|depth| {
        let report = searcher.search(Position::START, &Limits::depth(depth));
        assert_eq!(report.depth, depth);
        searcher.team().expect("several threads").helped() > 0
    });
    assert!(helped, "nobody helped");
}

#[test]
fn a_search_cut_short_leaves_no_thread_working() {
    let mut searcher = searcher(4);
    for seed in 0..12 {
        let position = random_play(seed, 26);
        let handle = searcher.stop_handle();
        let limits = match seed % 3 {
            0 => Limits::nodes(200_000),
            1 => Limits::time(TimeBudget::fixed(Duration::from_millis(5))),
            _ => Limits::default(),
        };
        let report = searcher.search_observed(position, &limits, &mut |report| {
            if report.depth == 9 && seed % 3 == 2 {
                handle.stop();
            }
        });
        assert!(
            position
                .legal_moves()
                .contains(report.best.expect("a move"))
        );
        let team = searcher.team().expect("several threads");
        assert!(
            comes_to_rest(team),
            "expected no open split after the search"
        );
    }
}

#[test]
fn threads_end_with_their_searcher_used_or_not() {
    for threads in 1..=5 {
        let mut used = searcher(threads);
        let unused = searcher(threads);
        solution(&mut used, random_play(7, 16));
        for searcher in [used, unused] {
            let team = searcher.team().map(Arc::downgrade);
            drop(searcher);
            assert!(team.is_none_or(|team| team.upgrade().is_none()));
        }
    }
}

#[test]
fn an_observer_may_panic() {
    let mut searcher = searcher(3);
    let position = random_play(3, 18);
    for _ in 0..5 {
        let search = || {
            searcher.search_observed(position, &Limits::default(), &mut |report| {
                assert!(report.depth < 5, "the observer panics at depth 5");
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err());
        let report = searcher.search(position, &Limits::depth(6));
        assert_eq!(report.depth, 6);
    }
}

/// A position's moves shared among a team for a task; the result is whether the search was stopped.
struct Share<'a>(&'a Arc<Search>, &'a Team, Position, Task);

impl WithBackend for Share<'_> {
    type Output = bool;

    fn run<B: Backend>(self, backend: B) -> bool {
        let Self(search, team, position, task) = self;
        let mut private = PrivateTable::new().expect("512 KiB are there");
        let mut worker = Worker::new(backend, search, &mut private, Some(team), 0);
        let node = Node::of(position);
        let moves = position.legal_moves().into_iter();
        let moves = moves.map(|square| SplitMove {
            square,
            child: position.play_unchecked(square),
            estimate: None,
        });
        worker.share(&node, task, moves.collect(), (Units::ZERO, None));
        assert!(worker.place.is_none() && worker.pending.is_empty());
        worker.stopped
    }
}

fn search() -> Arc<Search> {
    Arc::new(Search {
        tier: Tier::best(),
        network: Network::built_in(),
        table: Arc::new(Table::new(0).expect("a small table fits into memory")),
        control: Control::default(),
    })
}

/// The misbehaviour of a helper; the calling thread waits for it.
#[derive(Clone, Copy)]
pub(crate) enum Misbehaviour {
    /// It panics.
    Panic,
    /// It blocks until the search is over.
    Stall,
}

impl Misbehaviour {
    /// Searches no move: misbehaves in a helper thread, and waits for a helper in the calling
    /// thread.
    pub(crate) fn act<B: Backend>(self, worker: &mut Worker<'_, B>) -> Units {
        match (self, worker.thread) {
            (Self::Panic, 0) => {
                while !worker.stopped {
                    worker.poll();
                }
            }
            (Self::Panic, _) => panic!("a helper panics on purpose"),
            (Self::Stall, 0) => {
                let is_helped = |pending: &Pending| {
                    let split = pending.split.as_ref();
                    split.is_some_and(|split| {
                        split.in_progress().any(|(_, thread)| thread > Some(0))
                    })
                };
                while !worker.stopped && worker.pending.last().is_some_and(|node| !is_helped(node))
                {
                    worker.poll();
                }
            }
            (Self::Stall, _) => {
                let begun = Instant::now();
                while !worker.control.is_finished() {
                    let waited = begun.elapsed();
                    assert!(
                        waited < Duration::from_mins(1),
                        "expected another thread to take the move over"
                    );
                    yield_now();
                }
            }
        }
        Units::ZERO
    }
}

/// Waits until the helpers have noticed the end of the search.
fn comes_to_rest(team: &Team) -> bool {
    (0..60_000).any(|_| {
        sleep(Duration::from_millis(1));
        team.is_at_rest()
    })
}

#[test]
fn a_helper_that_panics_ends_the_search() {
    let pool = Pool::new(2);
    for _ in 0..10 {
        let search = search();
        let stopped = search.tier.dispatch(Share(
            &search,
            pool.team(),
            Position::START,
            Task::Test(Misbehaviour::Panic),
        ));
        assert!(stopped);
        assert!(search.control.take_failure().is_some());
        assert!(comes_to_rest(pool.team()));
    }
}

#[test]
fn a_stalled_helpers_move_is_taken_over() {
    for helpers in [1, 3] {
        let pool = Pool::new(helpers);
        let search = search();
        let stopped = search.tier.dispatch(Share(
            &search,
            pool.team(),
            Position::START,
            Task::Test(Misbehaviour::Stall),
        ));
        assert!(!stopped);
        search.control.finish();
        assert!(comes_to_rest(pool.team()));
        assert!(search.control.take_failure().is_none());
    }
}
