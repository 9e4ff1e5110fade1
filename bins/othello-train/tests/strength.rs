//! The strength of generations from the log of a match.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use boardgame_match::{
    EngineId, GameId,
    limit::Limit,
    log::{EngineEntry, Header, Log},
    record::{GameResult, PlayedGame, Thought},
};
use othello_core::Game;
use othello_match::record::Othello;

/// The shortest game: Black flips the last disc of White with the ninth move.
const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

/// Writes the log of a match in which Black wins every game. A game is a pair of indices of engines,
/// Black first.
fn write_log(path: &Path, names: &[&str], games: &[[u16; 2]]) {
    let engine = |name: &&str| EngineEntry {
        name: (*name).to_owned(),
        spec: "own".to_owned(),
    };
    let header = Header {
        engines: names.iter().map(engine).collect(),
        schedule: "round-robin".to_owned(),
        openings: "start".to_owned(),
        seed: 1,
        rules: "tolerance=100ms".to_owned(),
    };
    let (mut log, _) = Log::<Othello>::open(path, &header).unwrap();
    let game: Game = SHORTEST.parse().unwrap();
    for (opening, &players) in (0..).zip(games) {
        let [black, white] = players.map(EngineId);
        let played = PlayedGame {
            game: None,
            id: GameId {
                opening,
                black,
                white,
            },
            names: players.map(|player| names[usize::from(player)].to_owned()),
            limits: [Limit::default(); 2],
            finished: 0,
            setup: None,
            moves: SHORTEST.to_owned(),
            opening_plies: 0,
            thoughts: vec![Thought::default(); 9],
            result: GameResult::of(&game.board()).unwrap(),
            faults: Vec::new(),
        };
        log.append(&played).unwrap();
    }
}

fn strength(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_othello-train"));
    let command = command.current_dir(folder).arg("strength").args(arguments);
    command.output().unwrap()
}

fn failure(folder: &Path) -> String {
    let output = strength(folder, &["match.jsonl", "--plot", "none.svg"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!folder.join("none.svg").exists());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn generations_are_rated_and_drawn_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Generation 10 won three games of four against generation 2.
    let games = [[0, 1], [0, 1], [1, 0], [0, 1]];
    write_log(&folder.join("match.jsonl"), &["10", "2"], &games);
    let output = strength(folder, &["match.jsonl", "--plot", "strength.svg"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{error}");
    // Each engine has a virtual draw against an engine of rating 0. At the difference d, four games
    // with d and one with d/2 have an expected score of 3.5 points.
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "\
generation  games  points  Elo                          gain
         2      4     1.0  -82.4 [-259.6, +94.8]
        10      4     3.0  +82.4 [-94.8, +259.6]        +164.8 [-189.6, +519.2]
"
    );
    let svg = fs::read_to_string(folder.join("strength.svg")).unwrap();
    // Both ends of two intervals and the lines between them; the later generation is on the right.
    assert_eq!(svg.matches(r##"stroke="#0072b2"/>"##).count(), 6, "{svg}");
    assert!(svg.contains(r#"<polyline points="60.0,"#), "{svg}");
    assert!(svg.contains(">2<") && svg.contains(">10<"), "{svg}");

    // With only the later generation in the mean, its rating is 0, and it alone is drawn.
    let output = strength(folder, &["match.jsonl", "--from", "3", "--plot", "one.svg"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("  +0.0 [+0.0, +0.0]  "), "{text}");
    let svg = fs::read_to_string(folder.join("one.svg")).unwrap();
    assert_eq!(svg.matches("<circle").count(), 1, "{svg}");
    let output = strength(folder, &["match.jsonl", "--from", "11"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("expected an engine of the number 11 or more"),
        "{text}"
    );
}

#[test]
fn a_log_that_is_not_of_generations_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    for (names, games, expected) in [
        (
            ["1", "new"],
            vec![[0, 1]],
            "expected engines named by numbers, found \"new\"",
        ),
        (
            ["1", "01"],
            vec![[0, 1]],
            "expected engines named by numbers, found \"01\"",
        ),
        (
            ["1", "2"],
            vec![],
            "expected games that connect all 2 engines, found some that have no opponents in \
             common, directly or indirectly",
        ),
    ] {
        let log = folder.path().join("match.jsonl");
        write_log(&log, &names, &games);
        let text = failure(folder.path());
        assert_eq!(text, format!("othello-train: match.jsonl: {expected}\n"));
        fs::remove_file(log).unwrap();
    }
    fs::write(folder.path().join("match.jsonl"), "notes\n").unwrap();
    let text = failure(folder.path());
    assert!(
        text.contains("match.jsonl is not the log of a match"),
        "{text}"
    );
}
