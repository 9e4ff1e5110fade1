use std::{
    future,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use boardgame_core::Color;
use tempfile::TempDir;

use super::*;
use crate::{
    countdown::Countdown,
    log::{self, EngineEntry, Header},
    record::{GameResult, Thought},
    schedule::Form,
    stats::SprtSettings,
};

/// The events of the engines of a match.
#[derive(Default)]
struct Observed {
    started: Mutex<Vec<EngineId>>,
    closed: Mutex<Vec<EngineId>>,
    playing: AtomicUsize,
    max_playing: AtomicUsize,
}

/// Engines of which the one with the lower number wins. A move costs it a millisecond for each node of its
/// limit, and any other engine one millisecond.
struct Seeded(Arc<Observed>);

struct Engine {
    id: EngineId,
    limit: Limit,
}

impl Players for Seeded {
    type Engine = Engine;

    fn engine(&self, id: EngineId) -> Engine {
        self.0.started.lock().unwrap().push(id);
        let limit = Limit::default();
        Engine { id, limit }
    }

    fn set_limit(&self, engine: &mut Engine, limit: Limit) {
        engine.limit = limit;
    }

    async fn play(&self, id: GameId, engines: ByColor<&mut Engine>) -> PlayedGame {
        assert_eq!([engines.black.id, engines.white.id], [id.black, id.white]);
        let playing = self.0.playing.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.max_playing.fetch_max(playing, Ordering::SeqCst);
        tokio::task::yield_now().await;
        self.0.playing.fetch_sub(1, Ordering::SeqCst);
        played(id, engines.map(|engine| engine.limit))
    }

    async fn close(&self, engine: Engine) {
        self.0.closed.lock().unwrap().push(engine.id);
    }
}

fn name(id: EngineId) -> String {
    format!("engine {}", id.0)
}

/// The side that moves last wins, and each move takes one counter.
fn played(id: GameId, limits: ByColor<Limit>) -> PlayedGame {
    let counters: u32 = if id.black < id.white { 9 } else { 10 };
    let mut position = <Countdown as boardgame_core::Game>::new(&counters);
    let mut thoughts = Vec::new();
    for color in Color::ALL.into_iter().cycle().take(counters as usize) {
        boardgame_core::Game::play(&mut position, 1).unwrap();
        thoughts.push(Thought {
            cpu_us: Some(1000 * limits[color].nodes.unwrap_or(1)),
            ..Thought::default()
        });
    }
    PlayedGame {
        game: Some("countdown".into()),
        id,
        names: [name(id.black), name(id.white)],
        limits: limits.into_array(),
        finished: 0,
        setup: Countdown::write_setup(&counters),
        moves: Countdown::write_moves(&vec![1; counters as usize]),
        opening_plies: 0,
        thoughts,
        result: GameResult::of(&position).unwrap(),
        faults: Vec::new(),
    }
}

/// A match with a log in a folder of its own.
struct Contest {
    observed: Arc<Observed>,
    options: RunnerOptions,
    folder: TempDir,
    tally: Tally,
}

impl Contest {
    fn new(form: Form, engines: usize, lanes: usize) -> Self {
        Self {
            observed: Arc::default(),
            options: RunnerOptions {
                schedule: Schedule::new(form, engines).unwrap(),
                limits: vec![Limit::default(); engines],
                concurrency: NonZeroUsize::new(lanes).unwrap(),
                sprt: None,
            },
            folder: tempfile::tempdir().unwrap(),
            tally: Tally::new(engines),
        }
    }

    fn runner(&self) -> Runner<Seeded> {
        Runner::new(Seeded(Arc::clone(&self.observed)), self.options.clone())
    }

    /// Plays the match and returns its end with the contents of its log.
    async fn run(
        &mut self,
        balance: Option<&mut Balance>,
        cancel: impl Future<Output = ()>,
    ) -> (Ending, log::Contents) {
        let engine = |id| EngineEntry {
            name: name(EngineId(id)),
            spec: "seeded".into(),
        };
        let header = Header {
            engines: (0..self.options.schedule.engines()).map(engine).collect(),
            schedule: self.options.schedule.form().family().into(),
            openings: "none".into(),
            seed: 1,
            rules: String::new(),
        };
        let path = self.folder.path().join("match.jsonl");
        let (mut log, _) = Log::<Countdown>::open(&path, &header).unwrap();
        let mut observed = Vec::new();
        let observer = |_: &Tally, played: &PlayedGame| observed.push(played.id);
        let running = self.runner();
        let running = running.run(&mut log, &mut self.tally, balance, observer, cancel);
        let ending = running.await.unwrap();
        let contents = log::read::<Countdown>(&path).unwrap();
        let logged = contents.games.iter().map(|game| game.id);
        let news = &contents.games[contents.games.len() - observed.len()..];
        assert!(news.iter().map(|game| game.id).eq(observed));
        assert_eq!(logged.clone().collect::<BTreeSet<_>>().len(), logged.len());
        let [mut started, mut closed] = [&self.observed.started, &self.observed.closed]
            .map(|engines| engines.lock().unwrap().clone());
        started.sort();
        closed.sort();
        assert_eq!(started, closed, "all engines are ended");
        (ending, contents)
    }
}

#[tokio::test]
async fn each_game_is_played_once_with_as_many_at_a_time_as_there_are_lanes() {
    let mut contest = Contest::new(Form::DoubleRoundRobin { cycles: 2 }, 4, 3);
    let (ending, contents) = contest.run(None, future::pending()).await;
    assert_eq!((ending, contents.games.len()), (Ending::Complete, 24));
    assert_eq!(contest.observed.max_playing.load(Ordering::SeqCst), 3);
    assert_eq!(contest.tally.results().len(), 24);
}

#[tokio::test]
async fn engines_stay_for_the_next_game_of_their_lane_if_it_is_theirs() {
    let mut contest = Contest::new(Form::Gauntlet { pairs: 2 }, 3, 1);
    contest.run(None, future::pending()).await;
    // 0 meets 1, 2, 1 and 2, twice each.
    let started = contest.observed.started.lock().unwrap().clone();
    assert_eq!(started, [0, 1, 2, 1, 2].map(EngineId));
}

#[tokio::test]
async fn a_match_plays_what_is_missing() {
    let mut contest = Contest::new(Form::Pairs { pairs: 2 }, 2, 2);
    contest.run(None, future::pending()).await;
    contest.options.schedule = Schedule::new(Form::Pairs { pairs: 5 }, 2).unwrap();
    let (ending, contents) = contest.run(None, future::pending()).await;
    assert_eq!((ending, contents.games.len()), (Ending::Complete, 10));
}

#[tokio::test]
async fn all_rounds_of_a_swiss_tournament_are_played() {
    let mut contest = Contest::new(Form::Swiss { rounds: 3 }, 4, 4);
    let (ending, contents) = contest.run(None, future::pending()).await;
    assert_eq!((ending, contents.games.len()), (Ending::Complete, 6));
    let rounds: Vec<u32> = contents.games.iter().map(|game| game.id.opening).collect();
    assert_eq!(rounds, [0, 0, 1, 1, 2, 2]);
}

#[tokio::test]
async fn a_decided_test_ends_the_match() {
    let mut contest = Contest::new(Form::Pairs { pairs: 1000 }, 2, 1);
    let settings = SprtSettings {
        elo1: 50.0,
        ..SprtSettings::default()
    };
    contest.options.sprt = Some(Sprt::new(settings).unwrap());
    let (ending, contents) = contest.run(None, future::pending()).await;
    assert_eq!(ending, Ending::Decided(Verdict::AcceptH1));
    assert!(contents.games.len() < 500, "{}", contents.games.len());
    let again = contest.run(None, future::pending()).await;
    assert_eq!(again, (ending, contents), "nothing is left to play");
}

#[tokio::test]
async fn a_cancelled_match_logs_no_game_in_progress() {
    let mut contest = Contest::new(Form::Pairs { pairs: 2 }, 2, 2);
    let (ending, contents) = contest.run(None, future::ready(())).await;
    assert_eq!((ending, contents.games.len()), (Ending::Cancelled, 0));
    assert!(contest.tally.results().is_empty());
}

#[tokio::test]
async fn a_balance_changes_the_limit_in_the_log_and_of_the_next_games() {
    let mut contest = Contest::new(Form::Pairs { pairs: 4 }, 2, 1);
    contest.options.limits[0] = "nodes:9".parse().unwrap();
    let mut balance = Balance::new(EngineId(0), EngineId(1));
    let (_, contents) = contest.run(Some(&mut balance), future::pending()).await;
    let nodes = |game: &PlayedGame| {
        let own = usize::from(game.id.white == EngineId(0));
        game.limits[own].nodes
    };
    let limits: Vec<_> = contents.games.iter().filter_map(nodes).collect();
    // By a factor of 1.25 after four games.
    assert_eq!(limits, [9, 9, 9, 9, 7, 7, 7, 7]);
    assert_eq!(contents.limits[&EngineId(0)].nodes, Some(7));
}

#[tokio::test]
async fn games_can_be_played_without_a_log() {
    let contest = Contest::new(Form::Pairs { pairs: 1 }, 2, 2);
    let mut runner = contest.runner();
    let mut tally = Tally::new(2);
    let mut games = 0;
    for pairs in [2, 3] {
        runner.set_limit(EngineId(1), "depth:3".parse().unwrap());
        let schedule = Schedule::new(Form::Pairs { pairs }, 2).unwrap();
        let observer = |_: &PlayedGame| games += 1;
        runner
            .play_all::<Countdown>(schedule, &mut tally, observer)
            .await;
    }
    assert_eq!((games, tally.results().len()), (6, 6));
    assert_eq!(tally.usage(EngineId(1)).limit.depth, Some(3));
    runner.close().await;
    let closed = contest.observed.closed.lock().unwrap().len();
    assert_eq!(closed, contest.observed.started.lock().unwrap().len());
}

#[tokio::test]
async fn a_calibration_plays_rounds_until_the_costs_agree() {
    let mut contest = Contest::new(Form::Pairs { pairs: 1 }, 2, 1);
    contest.options.limits = ["nodes:400", "nodes:100"]
        .map(|limit| limit.parse().unwrap())
        .to_vec();
    let mut runner = contest.runner();
    let names = [0, 1].map(|id| name(EngineId(id)));
    let mut limits = Vec::new();
    let observer = |round: &Round| limits.push(round.limit.nodes.unwrap());
    let found = runner
        .calibrate::<Countdown>(&names, observer)
        .await
        .unwrap();
    // The other engine makes nine moves while the one with the limit makes ten.
    assert_eq!(found.nodes, Some(90));
    assert_eq!(limits[..2], [400, 90]);

    contest.options.limits[0] = "depth:3".parse().unwrap();
    let mut runner = contest.runner();
    let error = runner
        .calibrate::<Countdown>(&names, |_| {})
        .await
        .unwrap_err();
    assert_eq!(error, CalibrationError::NoLimit);
}
