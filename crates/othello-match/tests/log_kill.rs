//! The log of a match survives a writer that is killed at any moment.
#![cfg(unix)]

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use boardgame_match::{
    EngineId, GameId,
    limit::Limit,
    log::{EngineEntry, Header, Log},
    record::{GameResult, PlayedGame, Thought},
};
use othello_core::Game;
use othello_match::record::Othello;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// The variable with the path that the child writes to, set when this test is that child.
const LOG: &str = "OTHELLO_MATCH_TEST_LOG";

const KILLS: usize = 100;

fn header() -> Header {
    let engine = |name: &str| EngineEntry {
        name: name.to_owned(),
        spec: "own".to_owned(),
    };
    Header {
        engines: vec![engine("a"), engine("b")],
        schedule: "pairs".to_owned(),
        openings: "start".to_owned(),
        seed: 1,
        rules: "tolerance=100ms".into(),
    }
}

fn game(opening: u32) -> PlayedGame {
    let game: Game = "e6f4e3f6g5d6e7f5c5".parse().unwrap();
    PlayedGame {
        game: None,
        id: GameId {
            opening,
            black: EngineId(0),
            white: EngineId(1),
        },
        names: ["a".to_owned(), "b".to_owned()],
        limits: ["depth:5".parse().unwrap(), Limit::default()],
        finished: 1_700_000_000,
        setup: None,
        moves: game.transcript().to_string(),
        opening_plies: 0,
        thoughts: vec![Thought::default(); 9],
        result: GameResult::of(&game.board()).unwrap(),
        faults: Vec::new(),
    }
}

/// Adds games for ever, and says of each, once it is added, which it is.
fn write_for_ever(path: &Path) -> ! {
    let (mut log, contents) = Log::<Othello>::open(path, &header()).unwrap();
    for number in contents.games.len() as u32.. {
        log.append(&game(number)).unwrap();
        // One write, so that no line is torn.
        let line = format!("kept {number}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
    unreachable!("there are numbers enough");
}

/// Starts a child, kills it after a number of games and some time more, and returns what it said that
/// it kept.
fn write_and_kill(path: &Path, games: usize, more: Duration) -> Vec<u32> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "every_kept_game_survives_a_kill", "--nocapture"])
        .env(LOG, path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut kept: Vec<String> = lines.by_ref().take(games).map(Result::unwrap).collect();
    std::thread::sleep(more);
    child.kill().unwrap();
    child.wait().unwrap();
    // What the pipe still holds was kept too.
    kept.extend(lines.map(Result::unwrap));
    let number = |line: &String| line.strip_prefix("kept ")?.parse().ok();
    let numbers = kept
        .iter()
        .map(|line| number(line).unwrap_or_else(|| panic!("{kept:?}")));
    numbers.collect()
}

#[test]
fn every_kept_game_survives_a_kill() {
    if let Some(path) = std::env::var_os(LOG) {
        write_for_ever(Path::new(&path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let mut random = Pcg64::seed_from_u64(1);
    let mut games = 0;
    for kill in 0..KILLS {
        // Some before the log is open, some between games, and some within one.
        let wanted = random.random_range(0..4);
        let longest = if wanted == 0 { 20_000 } else { 5_000 };
        let more = Duration::from_micros(random.random_range(0..longest));
        let kept = write_and_kill(&path, wanted, more);
        assert!(kept.len() >= wanted, "the child ended by itself: {kept:?}");

        let (mut log, contents) = Log::<Othello>::open(&path, &header()).unwrap();
        let there: Vec<u32> = contents.games.iter().map(|game| game.id.opening).collect();
        let distinct: BTreeSet<u32> = there.iter().copied().collect();
        assert_eq!(distinct.len(), there.len(), "kill {kill}: a game twice");
        let expected = games..games + kept.len() as u32;
        assert_eq!(kept, expected.clone().collect::<Vec<_>>(), "kill {kill}");
        // One more may have been kept without the word of it having come out.
        let unheard = there.len() as u32 - expected.end;
        assert!(
            unheard <= 1,
            "kill {kill}: {unheard} games that nobody kept"
        );
        assert!(there.into_iter().eq(0..expected.end + unheard));

        games = expected.end + unheard;
        log.append(&game(games)).unwrap();
        games += 1;
    }
    assert!(games as usize > 2 * KILLS, "{games} games");
}
