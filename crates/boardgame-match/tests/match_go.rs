//! A match of random movers at Go on 5x5: schedule, runner, log and observer.

mod common;

use std::{
    collections::BTreeMap,
    fmt, future,
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    thread::{self, ThreadId},
    time::Duration,
};

use boardgame_core::{ByColor, Game as _};
use boardgame_match::{
    Choice, GameId, GameSpec, LocalPlayer, LocalSeat, MatchObserver, Turn,
    contest::{Match, Openings},
    engine::{Engine, OpenError, OpenSeat, Patience, SeatRequest},
    limit::Limit,
    log::{EngineEntry, Header, Log},
    record::{PlayedGame, RecordFormat},
    runner::Ending,
    schedule::{Form, Schedule},
    tally::Tally,
};
use boardgame_session::{GameEvent, Thought};
use common::go::{Go, POINTS, Play, score};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

/// The text form of the game in records: Display and `FromStr` of its setup and moves.
struct Format;

impl RecordFormat for Format {
    type Game = Go;
}

/// An engine that makes random legal moves.
#[derive(Clone, Debug)]
struct RandomMover {
    name: &'static str,
    seed: u64,
    limit: Limit,
}

impl fmt::Display for RandomMover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=random:seed={}", self.name, self.seed)
    }
}

impl Engine for RandomMover {
    type Format = Format;

    fn name(&self) -> &str {
        self.name
    }

    fn limit(&self) -> Limit {
        self.limit
    }

    fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
    }

    async fn open(&self, _: &SeatRequest<'_, Go>) -> Result<OpenSeat<Go>, OpenError> {
        let player = Player(Pcg64::seed_from_u64(self.seed));
        let seat = LocalSeat::new(self.name, player);
        Ok(OpenSeat::kept(seat.map_err(OpenError::new)?))
    }
}

struct Player(Pcg64);

impl LocalPlayer<Go> for Player {
    fn choose(&mut self, turn: &Turn<Go>) -> Choice<Play> {
        let mut trials = (0..10).map(|_| self.0.random_range(0..POINTS));
        let legal = trials.find(|&mv| turn.position.clone().play(mv).is_ok());
        // A pass.
        Choice::Move(legal.unwrap_or(POINTS), Thought::default())
    }
}

const ENGINES: [&str; 2] = ["a", "b"];

fn engine(id: u16) -> RandomMover {
    RandomMover {
        name: ENGINES[usize::from(id)],
        seed: id.into(),
        limit: Limit::default(),
    }
}

fn header(schedule: Schedule) -> Header {
    let entry = |id: usize| EngineEntry {
        name: ENGINES[id].into(),
        spec: engine(id as u16).to_string(),
    };
    Header {
        engines: (0..2).map(entry).collect(),
        schedule: schedule.form().family().into(),
        openings: "empty".into(),
        seed: 1,
        rules: "komi 0.5".into(),
    }
}

/// Openings and a judge that keep the threads on which they worked.
#[derive(Clone, Debug, Default)]
struct Threads(Arc<Mutex<Vec<(&'static str, ThreadId)>>>);

impl Threads {
    fn keep(&self, work: &'static str) {
        self.0.lock().unwrap().push((work, thread::current().id()));
    }
}

impl Openings<RandomMover> for Threads {
    fn game(&self, _: u32) -> GameSpec<Go> {
        self.keep("opening");
        let judge = self.clone();
        let judge = move |position: &Go| {
            judge.keep("judgement");
            score(position)
        };
        GameSpec {
            scorer: Some(Arc::new(judge)),
            ..GameSpec::new("5x5".into())
        }
    }
}

/// An observer that keeps the moves that it is told of each game, and the games that are over.
#[derive(Default)]
struct Watcher(Mutex<Watched>);

#[derive(Default)]
struct Watched {
    moves: BTreeMap<GameId, Vec<Play>>,
    over: Vec<PlayedGame>,
    ended_after: usize,
}

impl MatchObserver<Go> for Watcher {
    fn game_begins(&self, id: GameId, names: ByColor<&str>, game: &GameSpec<Go>) {
        let expected = [id.black, id.white].map(|engine| ENGINES[usize::from(engine.0)]);
        assert_eq!((names.into_array(), game.seed > 0), (expected, true));
        let moves = &mut self.0.lock().unwrap().moves;
        assert!(moves.insert(id, Vec::new()).is_none(), "{id:?} began twice");
    }

    fn game_event(&self, id: GameId, event: &GameEvent<Play>) {
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

#[tokio::test]
async fn an_observer_sees_every_move_of_a_match() {
    let watcher = Arc::new(Watcher::default());
    let contest = Match {
        engines: [0, 1].map(engine).to_vec(),
        openings: Arc::new(Threads::default()),
        schedule: Schedule::new(Form::Pairs { pairs: 3 }, 2).unwrap(),
        concurrency: NonZeroUsize::new(2).unwrap(),
        tolerance: Duration::from_secs(1),
        patience: Patience::default(),
        sprt: None,
        seed: 1,
        observer: Some(watcher.clone()),
    };
    let folder = tempfile::tempdir().unwrap();
    let header = header(contest.schedule);
    let (mut log, _) = Log::<Format>::open(&folder.path().join("log"), &header).unwrap();
    let mut tally = Tally::new(2);
    let run = contest.run(&mut log, &mut tally, None, |_, _| {}, future::pending());
    assert_eq!(run.await.unwrap(), Ending::Complete);
    let watched = watcher.0.lock().unwrap();
    assert_eq!((watched.over.len(), watched.ended_after), (6, 6));
    for played in &watched.over {
        let moves = Format::write_moves(&watched.moves[&played.id]);
        assert_eq!(played.moves, moves);
    }
}

#[tokio::test]
async fn openings_and_judgements_are_made_beside_the_thread_of_the_games() {
    let threads = Threads::default();
    let contest = Match {
        engines: [0, 1].map(engine).to_vec(),
        openings: Arc::new(threads.clone()),
        schedule: Schedule::new(Form::Pairs { pairs: 1 }, 2).unwrap(),
        concurrency: NonZeroUsize::MIN,
        tolerance: Duration::from_secs(1),
        patience: Patience::default(),
        sprt: None,
        seed: 1,
        observer: None,
    };
    contest.try_engines().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let header = header(contest.schedule);
    let (mut log, _) = Log::<Format>::open(&folder.path().join("log"), &header).unwrap();
    let mut tally = Tally::new(2);
    let run = contest.run(&mut log, &mut tally, None, |_, _| {}, future::pending());
    assert_eq!(run.await.unwrap(), Ending::Complete);
    let kept = threads.0.lock().unwrap();
    let of = |work| kept.iter().filter(move |(kept, _)| *kept == work).count();
    assert_eq!((of("opening"), of("judgement")), (3, 2));
    let here = thread::current().id();
    assert!(kept.iter().all(|(_, thread)| *thread != here), "{kept:?}");
}
