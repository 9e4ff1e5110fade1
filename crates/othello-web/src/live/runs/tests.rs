use std::future::ready;

use othello_core::Board;
use othello_host::record::Winner;
use proptest::prelude::*;

use super::*;
use crate::live::{Row, coalesce};

const LIMITS: Limits = Limits {
    games: 2,
    listed: 3,
    events: 4,
};

/// A change of the runs, or a read by a reader.
#[derive(Clone, Copy, Debug)]
enum Step {
    AddRun,
    EndRun(usize),
    Start(usize),
    Begin(usize, u64),
    Play(usize, u64, usize),
    Finish(usize, u64),
    SetStandings(usize, u32),
    Read(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let run = 0..3_usize;
    let game = 1..12_u64;
    prop_oneof![
        1 => Just(Step::AddRun),
        1 => run.clone().prop_map(Step::EndRun),
        5 => run.clone().prop_map(Step::Start),
        3 => (run.clone(), game.clone()).prop_map(|(run, id)| Step::Begin(run, id)),
        9 => (run.clone(), game.clone(), 0..60_usize).prop_map(|(run, id, at)| Step::Play(run, id, at)),
        5 => (run.clone(), game).prop_map(|(run, id)| Step::Finish(run, id)),
        2 => (run, 0..9_u32).prop_map(|(run, wins)| Step::SetStandings(run, wins)),
        6 => (1..4_usize).prop_map(Step::Read),
    ]
}

const NAMES: ByColor<&str> = ByColor {
    black: "a",
    white: "b \"c\"",
};

fn move_number(runs: &Runs, run: u32, id: u64, number: usize) -> Option<Move> {
    let game = runs.game(run, id).ok()?;
    let board: Board = format!("{} {}", game.summary.squares, side(&game)?)
        .parse()
        .unwrap();
    let legal: Vec<_> = board.legal_moves().into_iter().collect();
    if legal.is_empty() {
        return Some(Move::Pass);
    }
    Some(legal[number % legal.len()].into())
}

fn side(game: &GameView) -> Option<char> {
    let side = game.summary.to_move.as_deref()?;
    Some(if side == "black" { 'X' } else { 'O' })
}

/// A reader, which knows only the events' JSON.
struct Reader {
    subscription: Subscription,
    state: State,
    snapshots: usize,
}

impl Reader {
    fn new(runs: &Runs) -> Self {
        Self {
            subscription: runs.subscribe(),
            state: State::default(),
            snapshots: 0,
        }
    }

    /// Reads an event; returns `false` if there is none yet.
    async fn read(&mut self) -> bool {
        tokio::select! {
            biased;
            event = self.subscription.next() => self.take(&event),
            () = ready(()) => return false,
        }
        true
    }

    /// Reads all waiting events, without the superfluous ones.
    fn read_all(&mut self) {
        let events = std::iter::from_fn(|| self.subscription.try_next());
        for event in coalesce(events.collect()) {
            self.take(&event);
        }
    }

    fn take(&mut self, event: &Event) {
        let json = event.to_json();
        assert!(
            json.starts_with(&format!(r#"{{"event":"{}""#, event.name())),
            "{json}"
        );
        let event: Event = serde_json::from_str(&json).unwrap();
        self.snapshots += usize::from(matches!(event, Event::Snapshot { .. }));
        self.state.apply(&event);
    }
}

struct Writers {
    runs: Runs,
    open: Vec<Option<RunWriter>>,
    games: u64,
}

impl Writers {
    fn take(&mut self, step: Step) {
        let writer = |run: usize| self.open.get(run).and_then(Option::as_ref);
        match step {
            Step::AddRun => {
                let run = self.runs.add(Kind::Match, "a match", Some(9));
                self.open.push(Some(run));
            }
            Step::EndRun(run) => drop(self.open.get_mut(run).and_then(Option::take)),
            Step::Start(run) => {
                if let Some(writer) = writer(run) {
                    self.games += 1;
                    let clocks = ByColor::new_with(|_| Some(Duration::from_secs(self.games)));
                    writer.start(self.games, NAMES, &Game::default(), clocks);
                }
            }
            Step::Begin(run, id) => {
                if let Some(writer) = writer(run) {
                    writer.begin(id);
                }
            }
            Step::Play(run, id, number) => {
                let Some(writer) = writer(run) else { return };
                if let Some(mv) = move_number(&self.runs, writer.id(), id, number) {
                    let details = MoveDetails {
                        took: Some(Duration::from_millis(7)),
                        score: Some(0.1),
                        depth: Some(3),
                    };
                    writer.play(id, mv, details, ByColor::default());
                }
            }
            Step::Finish(run, id) => {
                if let Some(writer) = writer(run) {
                    let end = GameEnd {
                        winner: Winner::Draw,
                        cause: "played".into(),
                    };
                    writer.finish(id, end, vec!["a fault".into()]);
                }
            }
            Step::SetStandings(run, wins) => {
                if let Some(writer) = writer(run) {
                    let row = Row {
                        name: "a".into(),
                        wins,
                        ..Row::default()
                    };
                    writer.set_standings(Standings::of_rows([row].into_iter()));
                }
            }
            Step::Read(_) => {}
        }
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(future)
}

proptest! {
    #[test]
    fn a_reader_that_applies_the_events_has_the_state(steps in prop::collection::vec(step(), 0..120)) {
        block_on(async {
            let runs = Runs::new(LIMITS);
            let mut writers = Writers { runs: runs.clone(), open: Vec::new(), games: 0 };
            let mut reader = Reader::new(&runs);
            for step in steps {
                writers.take(step);
                if let Step::Read(count) = step {
                    for _ in 0..count {
                        reader.read().await;
                    }
                    if count == 3 {
                        reader.read_all();
                    }
                }
            }
            reader.read_all();
            assert_eq!(reader.state, runs.state());
            drop(writers);
            reader.read_all();
            let state = runs.state();
            assert_eq!(reader.state, state);
            for run in &state.runs {
                assert!(!run.info.live && run.games.len() <= LIMITS.listed);
                assert!(run.games.iter().all(|game| game.end.is_some()));
                let kept = run.games.iter().filter(|game| runs.game(run.info.id, game.id).is_ok());
                assert_eq!(kept.count(), run.games.len().min(LIMITS.games));
            }
        });
    }
}

#[test]
fn a_slow_reader_gets_a_new_snapshot_and_holds_nobody_up() {
    block_on(async {
        let runs = Runs::new(LIMITS);
        let mut reader = Reader::new(&runs);
        assert!(reader.read().await);
        let run = runs.add(Kind::Host, "host", None);
        for id in 1..=50 {
            run.start(id, NAMES, &Game::default(), ByColor::default());
            run.finish(id, GameEnd::called_off("called off"), Vec::new());
        }
        reader.read_all();
        assert_eq!((reader.snapshots, &reader.state), (2, &runs.state()));
        assert_eq!(reader.state.runs[0].info.finished, 50);
        assert_eq!(reader.state.runs[0].games.len(), LIMITS.listed);
    });
}

#[test]
fn a_game_that_is_not_there_is_an_error_that_says_what_was_expected() {
    let runs = Runs::new(LIMITS);
    let run = runs.add(Kind::Host, "host", None);
    for id in 1..=4 {
        run.start(id, NAMES, &Game::default(), ByColor::default());
        run.finish(id, GameEnd::called_off("called off"), Vec::new());
    }
    let error = |run, game| runs.game(run, game).unwrap_err().to_string();
    assert_eq!(error(2, 1), "expected the id of a run, found 2");
    assert_eq!(error(1, 9), "expected the id of a game of run 1, found 9");
    assert!(error(1, 2).contains("no longer kept"));
    assert_eq!(runs.game(1, 4).unwrap().summary.id, 4);
}
