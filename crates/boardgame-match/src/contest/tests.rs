use std::{
    collections::BTreeMap,
    fmt,
    future::{pending, ready},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, ThreadId},
};

use boardgame_core::{ByColor, Margin};
use boardgame_session::{GameEvent, Thought};
use tempfile::TempDir;

use super::*;
use crate::{
    Choice, GameId, LocalPlayer, LocalSeat, Turn,
    countdown::Countdown,
    engine::{OpenError, OpenSeat, SeatRequest},
    log::{self, EngineEntry, Header},
    record::RecordFormat,
    schedule::Form,
    stats::SprtSettings,
};

/// The format of games that a judge may end.
enum Judged {}

impl RecordFormat for Judged {
    type Game = Countdown;

    const IS_JUDGED: bool = true;
}

/// An engine that takes one counter a move, which costs a millisecond for each node of its limit. The one named 0 takes
/// as many as it needs to win, where it can.
#[derive(Clone)]
struct Taker {
    name: String,
    limit: Limit,
    started: Arc<Mutex<Vec<String>>>,
}

impl fmt::Display for Taker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Engine for Taker {
    type Format = Judged;

    fn name(&self) -> &str {
        &self.name
    }

    fn limit(&self) -> Limit {
        self.limit
    }

    fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
    }

    fn is_local(&self) -> bool {
        self.limit.byo_yomi.is_none()
    }

    async fn open(&self, _: &SeatRequest<'_, Countdown>) -> Result<OpenSeat<Countdown>, OpenError> {
        self.started.lock().unwrap().push(self.name.clone());
        let cost = Arc::new(AtomicU64::new(1));
        let player = Player {
            wins: self.name == "0",
            cost: Arc::clone(&cost),
        };
        let seat = LocalSeat::new(self.name.clone(), player).map_err(OpenError::new)?;
        let set = move |limit: Limit| cost.store(limit.nodes.unwrap_or(1), Ordering::Relaxed);
        Ok(OpenSeat {
            new_game: Some(Box::new(set)),
            ..OpenSeat::kept(seat)
        })
    }
}

struct Player {
    wins: bool,
    /// The CPU time of a move in milliseconds.
    cost: Arc<AtomicU64>,
}

impl LocalPlayer<Countdown> for Player {
    fn choose(&mut self, turn: &Turn<Countdown>) -> Choice<u32> {
        let wanted = turn.position.left % 3;
        let thought = Thought {
            cpu: Some(Duration::from_millis(self.cost.load(Ordering::Relaxed))),
            ..Thought::default()
        };
        Choice::Move(if self.wins { wanted.max(1) } else { 1 }, thought)
    }
}

/// Games from one heap, with the threads on which they were opened and judged.
#[derive(Clone)]
struct Heaps {
    counters: u32,
    max_moves: Option<usize>,
    threads: Arc<Mutex<Vec<ThreadId>>>,
}

impl Heaps {
    fn take_note(&self) {
        self.threads.lock().unwrap().push(thread::current().id());
    }
}

impl Openings<Taker> for Heaps {
    fn game(&self, _: u32) -> GameSpec<Countdown> {
        self.take_note();
        let judge = self.clone();
        let judge = move |_: &Countdown| {
            judge.take_note();
            Margin::DRAW
        };
        GameSpec {
            max_moves: self.max_moves,
            scorer: Some(Arc::new(judge)),
            ..GameSpec::new(self.counters)
        }
    }
}

/// An observer that records the moves of each game, and the games that are over.
#[derive(Default)]
struct Watcher(Mutex<Watched>);

#[derive(Default)]
struct Watched {
    moves: BTreeMap<GameId, Vec<u32>>,
    over: Vec<PlayedGame>,
    max_playing: usize,
    ended_after: usize,
}

impl MatchObserver<Countdown> for Watcher {
    fn game_begins(&self, id: GameId, names: ByColor<&str>, game: &GameSpec<Countdown>) {
        let expected = [id.black, id.white].map(|engine| engine.0.to_string());
        assert_eq!(names.into_array(), expected);
        assert!(game.seed > 0);
        let mut watched = self.0.lock().unwrap();
        let before = watched.moves.insert(id, Vec::new());
        assert!(before.is_none(), "{id:?} began twice");
        let playing = watched.moves.len() - watched.over.len();
        watched.max_playing = watched.max_playing.max(playing);
    }

    fn game_event(&self, id: GameId, event: &GameEvent<u32>) {
        if let GameEvent::Moved(_, mv, _) = event {
            let mut watched = self.0.lock().unwrap();
            watched.moves.get_mut(&id).unwrap().push(*mv);
        }
    }

    fn game_over(&self, tally: &Tally, played: &PlayedGame) {
        assert!(tally.results().contains_key(&played.id));
        self.0.lock().unwrap().over.push(played.clone());
    }

    fn match_over(&self, tally: &Tally) {
        self.0.lock().unwrap().ended_after = tally.results().len();
    }
}

/// A match with a log in a folder of its own.
struct Room {
    contest: Match<Taker, Heaps>,
    watcher: Arc<Watcher>,
    tally: Tally,
    folder: TempDir,
}

impl Room {
    fn new(form: Form, engines: usize, lanes: usize) -> Self {
        let started = Arc::default();
        let engine = |id: usize| Taker {
            name: id.to_string(),
            limit: Limit::default(),
            started: Arc::clone(&started),
        };
        Self {
            contest: Match {
                engines: (0..engines).map(engine).collect(),
                openings: Arc::new(Heaps {
                    counters: 9,
                    max_moves: None,
                    threads: Arc::default(),
                }),
                schedule: Schedule::new(form, engines).unwrap(),
                concurrency: NonZeroUsize::new(lanes).unwrap(),
                tolerance: Duration::ZERO,
                patience: Patience::default(),
                sprt: None,
                seed: 1,
                observer: None,
            },
            watcher: Arc::default(),
            tally: Tally::new(engines, None),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn set_limits(&mut self, limits: [&str; 2]) {
        for (engine, limit) in self.contest.engines.iter_mut().zip(limits) {
            engine.limit = limit.parse().unwrap();
        }
    }

    fn started(&self) -> Vec<String> {
        self.contest.engines[0].started.lock().unwrap().clone()
    }

    /// Plays the match and returns its end with the contents of its log.
    async fn run(
        &mut self,
        balance: Option<&mut Balance>,
        cancel: impl Future<Output = ()>,
    ) -> (Ending, log::Contents) {
        let entry = |engine: &Taker| EngineEntry {
            name: engine.name.clone(),
            spec: String::new(),
        };
        let header = Header {
            engines: self.contest.engines.iter().map(entry).collect(),
            schedule: self.contest.schedule.form().family().into(),
            openings: String::new(),
            seed: 1,
            rules: String::new(),
        };
        self.watcher = Arc::default();
        self.contest.observer = Some(self.watcher.clone());
        let path = self.folder.path().join("match.jsonl");
        let (mut log, before) = Log::<Judged>::open(&path, &header).unwrap();
        let mut told = Vec::new();
        let observer = |_: &Tally, played: &PlayedGame| told.push(played.clone());
        let running = self
            .contest
            .run(&mut log, &mut self.tally, balance, observer, cancel);
        let ending = running.await.unwrap();
        let contents = log::read::<Judged>(&path).unwrap();
        assert_eq!(contents.games[before.games.len()..], told);
        let watched = self.watcher.0.lock().unwrap();
        assert_eq!(
            (&watched.over, watched.ended_after),
            (&told, contents.games.len())
        );
        for played in &told {
            let moves = Judged::write_moves(&watched.moves[&played.id]);
            assert_eq!(played.moves, moves);
        }
        (ending, contents)
    }
}

#[tokio::test]
async fn each_game_is_played_once_with_as_many_at_a_time_as_there_are_lanes() {
    let mut room = Room::new(Form::DoubleRoundRobin { cycles: 2 }, 4, 3);
    let (ending, contents) = room.run(None, pending()).await;
    assert_eq!((ending, contents.games.len()), (Ending::Complete, 24));
    assert_eq!(room.watcher.0.lock().unwrap().max_playing, 3);
}

#[tokio::test]
async fn engines_stay_for_the_next_game_of_their_lane_if_it_is_theirs() {
    let mut room = Room::new(Form::Gauntlet { pairs: 2 }, 3, 1);
    room.run(None, pending()).await;
    // 0 meets 1, 2, 1 and 2, twice each.
    let mut started = room.started();
    // Either engine of a game may be opened first.
    started[..2].sort();
    assert_eq!(started, ["0", "1", "2", "1", "2"]);
}

#[tokio::test]
async fn a_match_plays_what_is_missing() {
    let mut room = Room::new(Form::Pairs { pairs: 2 }, 2, 2);
    room.run(None, pending()).await;
    room.contest.schedule = Schedule::new(Form::Pairs { pairs: 5 }, 2).unwrap();
    let (ending, contents) = room.run(None, pending()).await;
    assert_eq!((ending, contents.games.len()), (Ending::Complete, 10));
}

#[tokio::test]
async fn all_rounds_of_a_swiss_tournament_are_played() {
    let mut room = Room::new(Form::Swiss { rounds: 3 }, 4, 4);
    let (ending, contents) = room.run(None, pending()).await;
    let rounds: Vec<u32> = contents.games.iter().map(|game| game.id.opening).collect();
    assert_eq!(
        (ending, &rounds[..]),
        (Ending::Complete, &[0, 0, 1, 1, 2, 2][..])
    );
}

#[tokio::test]
async fn a_decided_test_ends_the_match() {
    let mut room = Room::new(Form::Pairs { pairs: 1000 }, 2, 1);
    let settings = SprtSettings {
        elo1: 50.0,
        ..SprtSettings::default()
    };
    room.contest.sprt = Some(Sprt::new(settings).unwrap());
    let (ending, contents) = room.run(None, pending()).await;
    assert_eq!(ending, Ending::Decided(Verdict::AcceptH1));
    assert!(contents.games.len() < 500, "{}", contents.games.len());
    assert!(room.contest.is_over(&room.tally));
    let again = room.run(None, pending()).await;
    assert_eq!(again, (ending, contents), "nothing is left to play");
}

#[tokio::test]
async fn a_cancelled_match_logs_no_game_in_progress() {
    let mut room = Room::new(Form::Pairs { pairs: 2 }, 2, 2);
    let (ending, contents) = room.run(None, ready(())).await;
    assert_eq!((ending, contents.games.len()), (Ending::Cancelled, 0));
}

#[tokio::test]
async fn a_balance_changes_the_limit_in_the_log_and_of_the_next_games() {
    let mut room = Room::new(Form::Pairs { pairs: 4 }, 2, 1);
    room.contest.openings = Arc::new(Heaps {
        counters: 10,
        ..(*room.contest.openings).clone()
    });
    room.set_limits(["depth:1", "nodes:9"]);
    let mut balance = Balance::new(EngineId(1), EngineId(0));
    let (_, contents) = room.run(Some(&mut balance), pending()).await;
    let nodes = |game: &PlayedGame| {
        let own = usize::from(game.id.white == EngineId(1));
        game.limits[own].nodes
    };
    let limits: Vec<_> = contents.games.iter().filter_map(nodes).collect();
    // By a factor of 1.25 after four games.
    assert_eq!(limits, [9, 9, 9, 9, 7, 7, 7, 7]);
    assert_eq!(contents.limits[&EngineId(1)].nodes, Some(7));
}

#[tokio::test]
async fn a_calibration_plays_rounds_until_the_costs_agree() {
    let mut room = Room::new(Form::RoundRobin { cycles: 1 }, 3, 1);
    // Each makes five moves of ten.
    room.contest.openings = Arc::new(Heaps {
        counters: 10,
        ..(*room.contest.openings).clone()
    });
    let [engine, like] = [1, 2].map(EngineId);
    room.contest.engines[2].limit = "nodes:100".parse().unwrap();
    let mut calibrate = async |limit: &str| {
        room.contest.engines[1].limit = limit.parse().unwrap();
        let mut limits = Vec::new();
        let observer = |round: &Round| limits.push(round.limit.nodes);
        let found = room.contest.calibrate(engine, like, observer).await;
        (found.map(|limit| limit.nodes), limits)
    };
    let (found, limits) = calibrate("nodes:400").await;
    assert_eq!((found, limits), (Ok(Some(100)), vec![Some(400), Some(100)]));
    let (error, _) = calibrate("depth:3").await;
    assert_eq!(error, Err(CalibrationError::NoLimit));
    let (error, _) = calibrate("game:1s,byo-yomi:1s").await;
    let name = "1".into();
    assert_eq!(error, Err(CalibrationError::NotOurs { name }));
}

#[tokio::test]
async fn openings_and_judgements_are_made_beside_the_thread_of_the_games() {
    let mut room = Room::new(Form::Pairs { pairs: 1 }, 2, 1);
    room.contest.openings = Arc::new(Heaps {
        max_moves: Some(4),
        ..(*room.contest.openings).clone()
    });
    room.contest.try_engines().await.unwrap();
    let (_, contents) = room.run(None, pending()).await;
    assert!(
        contents
            .games
            .iter()
            .all(|game| game.moves.len() == "1 1 1 1".len())
    );
    let threads = room.contest.openings.threads.lock().unwrap();
    // Three openings, one to try the engines, and two judgements.
    assert_eq!(threads.len(), 5);
    assert!(!threads.contains(&thread::current().id()));
}
