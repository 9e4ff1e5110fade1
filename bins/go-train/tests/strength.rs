//! The strength of numbers of playouts from the log of a match.
#![forbid(unsafe_code)]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use boardgame_match::{
    EngineId, GameId,
    limit::Limit,
    log::{EngineEntry, Header, Log},
    record::{GameResult, PlayedGame, RecordFormat as _, Side, Thought},
};
use go_match::Go;

/// Writes the log of a match in which Black wins every game. A game is a pair of indices of engines, Black first.
fn write_log(path: &Path, names: &[&str], games: &[[u16; 2]]) {
    let engine = |name: &&str| EngineEntry {
        name: (*name).to_owned(),
        spec: "gtp".to_owned(),
    };
    let header = Header {
        engines: names.iter().map(engine).collect(),
        schedule: "round-robin".to_owned(),
        openings: "empty".to_owned(),
        seed: 1,
        rules: String::new(),
    };
    let (mut log, _) = Log::<Go>::open(path, &header).unwrap();
    for (opening, &players) in (0..).zip(games) {
        let [black, white] = players.map(EngineId);
        let played = PlayedGame {
            game: Go::GAME.map(str::to_owned),
            id: GameId {
                opening,
                black,
                white,
            },
            names: players.map(|player| names[usize::from(player)].to_owned()),
            limits: [Limit::default(); 2],
            finished: 0,
            setup: Some("5x5 komi 5.5".to_owned()),
            moves: "C3".to_owned(),
            opening_plies: 0,
            thoughts: vec![Thought::default()],
            result: GameResult::Forfeit { by: Side::White },
            faults: Vec::new(),
        };
        log.append(&played).unwrap();
    }
}

fn strength(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-train"));
    let command = command.current_dir(folder).arg("strength").args(arguments);
    command.output().unwrap()
}

#[test]
fn numbers_of_playouts_are_rated_and_drawn_by_doublings() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // 200 playouts won three games of four against 100.
    let games = [[0, 1], [0, 1], [1, 0], [0, 1]];
    write_log(&folder.join("match.jsonl"), &["200", "100"], &games);
    let output = strength(folder, &["match.jsonl", "--plot", "strength.svg"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{error}");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "\
playouts  games  points  Elo                          gain
     100      4     1.0  -82.4 [-259.6, +94.8]
     200      4     3.0  +82.4 [-94.8, +259.6]        +164.8 [-189.6, +519.2]
"
    );
    let svg = fs::read_to_string(folder.join("strength.svg")).unwrap();
    for text in [">Strength by playouts<", ">64<", ">128<", ">256<"] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
    assert_eq!(svg.matches("<circle").count(), 2, "{svg}");
    let output = strength(folder, &["match.jsonl", "--plot", "match.jsonl"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        error.contains("expected no file or one that begins with"),
        "{error}"
    );
}
