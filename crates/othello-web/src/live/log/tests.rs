use std::{fs, future, num::NonZeroUsize, sync::Arc};

use boardgame_match::{
    contest::Ending,
    engine::Patience,
    log::{EngineEntry, Log},
    schedule::Form,
};
use othello_host::record::Winner;
use othello_match::{
    engine::EngineSpec,
    openings::{Openings, Source},
    runner::Match,
};

use super::*;
use crate::live::{GameView, Run};

fn engine(text: &str, limit: &str) -> EngineSpec {
    EngineSpec {
        limit: limit.parse().unwrap(),
        ..text.parse().unwrap()
    }
}

/// Plays a match of four games into a watched log.
async fn play(runs: &Runs, path: &Path) {
    let schedule = Schedule::new(Form::Pairs { pairs: 2 }, 2).unwrap();
    let names = vec!["deep".to_owned(), "shallow".to_owned()];
    let watched = MatchRun::new(runs, names, schedule.clone(), None, Some(4));
    let contest = Match {
        engines: vec![
            engine("deep=own:hash=1", "game:60s,depth:3"),
            engine("shallow=own:hash=1", "depth:1"),
        ],
        openings: Arc::new(Openings::load(&Source::Xot, 1).unwrap()),
        schedule,
        concurrency: NonZeroUsize::new(2).unwrap(),
        tolerance: Duration::from_millis(100),
        patience: Patience::default(),
        sprt: None,
        seed: 1,
        observer: Some(Arc::new(watched)),
    };
    let entry = |engine: &EngineSpec| EngineEntry {
        name: engine.name.clone(),
        spec: engine.to_string(),
    };
    let header = Header {
        engines: contest.engines.iter().map(entry).collect(),
        schedule: contest.schedule.form().family().into(),
        openings: contest.openings.fingerprint().into(),
        seed: 1,
        rules: String::new(),
    };
    let (mut log, _) = Log::<Othello>::open(path, &header).unwrap();
    let mut tally = Tally::new(2, Othello::FORFEIT);
    let run = contest.run(&mut log, &mut tally, None, |_, _| {}, future::pending());
    assert_eq!(run.await.unwrap(), Ending::Complete);
}

/// Returns the games of a run by their transcripts, without details that depend on the order or time of reading.
fn games(runs: &Runs, run: &Run) -> Vec<GameView> {
    let view = |id| GameView {
        now: 0,
        ..runs.game(run.info.id, id).unwrap()
    };
    let mut games: Vec<GameView> = run.games.iter().map(|game| view(game.id)).collect();
    games.sort_by_key(|game| (game.transcript.clone(), game.summary.black.clone()));
    for game in &mut games {
        game.summary.id = 0;
    }
    games
}

#[tokio::test]
async fn the_log_of_a_match_replays_what_was_watched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let runs = Runs::default();
    let mut live = runs.subscribe();
    let mut state = crate::live::State::default();
    state.apply(&*live.next().await);
    play(&runs, &path).await;

    // Every game was seen move by move.
    let mut moves = 0;
    while state != runs.state() {
        let event = live.next().await;
        moves += usize::from(matches!(*event, crate::live::Event::Moved { .. }));
        state.apply(&event);
    }
    let watched = &state.runs[0];
    assert!(!watched.info.live && watched.info.finished == 4);
    let played = games(&runs, watched);
    let after_openings = played.iter().map(|game| game.moves.len() - game.opening);
    assert_eq!(moves, after_openings.sum::<usize>());
    let deep = played.iter().map(|game| {
        let is_black = game.summary.black == "deep";
        let clocks = game.summary.clocks;
        if is_black { clocks.black } else { clocks.white }
    });
    assert!(deep.flatten().filter(|&left| left <= 60_000).count() == 4);

    let log = LogRun::open(&runs, &path).unwrap();
    let replayed = runs.run(2).unwrap();
    assert!(replayed.info.live);
    assert_eq!(games(&runs, &replayed), played);
    assert_eq!(replayed.standings, watched.standings);
    drop(log);
    assert!(!runs.run(2).unwrap().info.live);
}

#[tokio::test]
async fn a_log_that_grows_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, growing] = ["whole", "growing"].map(|name| folder.path().join(name));
    play(&Runs::default(), &whole).await;
    let whole = fs::read_to_string(whole).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();

    let runs = Runs::default();
    fs::write(&growing, "").unwrap();
    let mut log = LogRun::open(&runs, &growing).unwrap();
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let (half, rest) = line.split_at(line.len() / 2);
        for part in [half, rest] {
            text += part;
            fs::write(&growing, &text).unwrap();
            log.read().unwrap();
        }
        let run = runs.run(1).unwrap();
        assert_eq!((run.games.len(), run.info.finished), (index, index as u64));
        assert_eq!(run.standings.map(|table| table.games), Some(index as u64));
    }

    fs::write(&growing, text + "{}\n").unwrap();
    let error = log.read().unwrap_err().to_string();
    assert!(error.contains("growing, line 6: expected"), "{error}");
}

fn record(moves: &str, winner: Winner) -> GameRecord {
    GameRecord {
        finished: 1,
        event: "sloan".into(),
        black: "me".into(),
        white: "house".into(),
        start: None,
        moves: moves.into(),
        discs: [40, 24],
        winner,
        cause: "White left".into(),
        used: None,
        faults: vec!["White left".into()],
    }
}

#[test]
fn a_file_of_game_records_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let lines = [
        record("f5d6c3", Winner::Black).to_line(),
        "{\"finished\":1,".to_owned(),
        record("f5f5", Winner::Black).to_line(),
        GameRecord {
            black: "guest".into(),
            ..record("f5", Winner::None)
        }
        .to_line(),
    ];
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let runs = Runs::default();
    let _log = LogRun::open(&runs, &path).unwrap();
    let run = runs.run(1).unwrap();
    assert_eq!((run.info.kind, run.info.finished), (Kind::Host, 2));
    let game = runs.game(1, 1).unwrap();
    assert_eq!((game.transcript.as_str(), game.moves.len()), ("f5d6c3", 3));
    assert_eq!(game.faults, ["White left"]);
    let standings = run.standings.unwrap();
    let rows = standings
        .rows
        .iter()
        .map(|row| (&row.name[..], row.wins, row.losses, row.discs));
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [("me", 1, 0, 64), ("house", 0, 1, -64)]
    );
}

#[test]
fn an_incomplete_first_line_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let game = record("f5d6c3", Winner::Black).to_line();
    fs::write(&path, format!("{{\"finished\":1,\n{game}\n")).unwrap();
    let runs = Runs::default();
    let _log = LogRun::open(&runs, &path).unwrap();
    assert_eq!(runs.run(1).unwrap().info.finished, 1);
    fs::write(&path, "{\"finished\":1,\n{}\n").unwrap();
    let error = LogRun::open(&runs, &path).unwrap_err().to_string();
    assert!(error.contains("line 2: expected the header"), "{error}");
}

#[test]
fn another_file_is_an_error_that_says_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "some notes\n").unwrap();
    let error = LogRun::open(&Runs::default(), &path).unwrap_err();
    assert!(matches!(error, FollowError::NoLog { .. }), "{error}");
    let missing = folder.path().join("missing").join("log");
    let error = LogRun::open(&Runs::default(), &missing).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn a_match_of_another_number_of_engines_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let engine = |name: &str| EngineEntry {
        name: name.into(),
        spec: name.into(),
    };
    let header = Header {
        engines: ["a", "b", "c"].map(engine).into(),
        schedule: "pairs".into(),
        openings: String::new(),
        seed: 1,
        rules: String::new(),
    };
    Log::<Othello>::open(&path, &header).unwrap();
    let error = LogRun::open(&Runs::default(), &path).unwrap_err();
    let expected = "expected the form of a match that 3 engines can play, found \"pairs\"";
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[tokio::test]
async fn a_game_of_the_last_opening_there_can_be_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let [played, last] = ["played", "last"].map(|name| folder.path().join(name));
    play(&Runs::default(), &played).await;
    let contents = boardgame_match::log::read::<Othello>(&played).unwrap();
    let mut game = contents.games[0].clone();
    game.id.opening = u32::MAX;
    let (mut log, _) = Log::<Othello>::open(&last, &contents.header).unwrap();
    log.append(&game).unwrap();
    let runs = Runs::default();
    let _log = LogRun::open(&runs, &last).unwrap();
    assert_eq!(runs.run(1).unwrap().info.finished, 1);
}

#[tokio::test(start_paused = true)]
async fn a_log_is_waited_for_and_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let runs = Runs::default();
    let log = LogRun::open(&runs, &path).unwrap();
    assert_eq!(runs.state().runs, []);
    let following = tokio::spawn(log.follow());
    let mut events = runs.subscribe();
    let mut state = crate::live::State::default();
    state.apply(&*events.next().await);
    let game = GameRecord {
        event: "evaluation".into(),
        ..record("f5d6c3", Winner::Draw)
    };
    let counts = r#"{"id":"a","wins":3,"evaluations":4}"#;
    fs::write(&path, format!("{counts}\n{}\n", game.to_line())).unwrap();
    while state.runs.is_empty() || state.runs[0].standings.is_none() {
        state.apply(&*events.next().await);
    }
    assert_eq!(state.runs[0].info.kind, Kind::Lth);
    assert_eq!(state.runs[0].info.name, "games.jsonl");

    fs::remove_file(&path).unwrap();
    let error = following.await.unwrap().unwrap_err();
    assert!(matches!(error, FollowError::Io { .. }), "{error}");
    assert!(!runs.run(1).unwrap().info.live);
}
