//! Batches of analyses and the store, as a user meets them.

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use othello_core::{Game, Move};

/// The options of quick analyses, which take a few milliseconds a game.
const QUICK: &str = "--depth 3 --exact-from 6 --hash 1";

/// Runs the tool in a folder, where its caches are too.
fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_othello"));
    command
        .args(line.split_whitespace())
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("caches"))
        .env("HOME", folder)
        .env("LOCALAPPDATA", folder)
        .stdin(Stdio::null());
    command
}

fn run(folder: &Path, line: &str) -> Output {
    command(folder, line).output().expect("the tool starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Runs the tool successfully and returns what it printed.
fn printed(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    text(&output.stdout)
}

/// Runs the tool and returns its status and what it wrote to standard error.
fn failed(folder: &Path, line: &str) -> (Option<i32>, String) {
    let output = run(folder, line);
    (output.status.code(), text(&output.stderr))
}

/// The moves of a game whose every move follows from a number.
fn game(mut number: u64) -> Game {
    let mut game = Game::default();
    while !game.is_over() {
        number = number.wrapping_mul(6364136223846793005).wrapping_add(1);
        let moves: Vec<Move> = game
            .board()
            .legal_moves()
            .into_iter()
            .map(Move::Place)
            .collect();
        let chosen = (number >> 33) as usize % moves.len().max(1);
        let mv = moves.get(chosen).copied().unwrap_or(Move::Pass);
        game.play(mv).expect("a legal move");
    }
    game
}

/// Records of games between three players in GGF.
fn records(games: u64) -> String {
    let mut text = String::new();
    for number in 0..games {
        let names = ["Ann", "Bob", "Cid"];
        let [black, white] = [0, 1].map(|at| names[(number as usize + at) % 3]);
        let _ = write!(text, "(;GM[Othello]PB[{black}]PW[{white}]");
        for (at, mv) in game(number).moves().iter().enumerate() {
            let color = ["B", "W"][at % 2];
            let mv = mv
                .square()
                .map_or("PA".to_owned(), |square| square.to_string());
            let _ = write!(text, "{color}[{mv}]");
        }
        text += ";)\n";
    }
    text
}

#[test]
fn merged_games_are_those_of_one_process_whatever_the_number_of_shards() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("a.ggf"), records(7)).expect("a file");
    let batch = format!("analyze a.ggf --batch {QUICK}");
    for options in ["", "--json"] {
        let whole = printed(folder, &format!("{batch} {options} --threads 1"));
        let threads = printed(folder, &format!("{batch} {options} --threads 3"));
        assert_eq!(threads, whole);
        for count in [1, 3, 9] {
            let parts = format!("{batch} {options} --parts {count}");
            for index in (0..count).rev() {
                printed(folder, &format!("{parts} --shard {index}/{count}"));
            }
            assert_eq!(printed(folder, &format!("{parts} --merge")), whole);
        }
    }
}

#[test]
fn nothing_is_read_beyond_the_first_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let games = records(2) + "(;GM[Othello]B[F5]W[F5];)\n";
    fs::write(folder.join("a.ggf"), games).expect("a file");
    let batch = format!("analyze a.ggf nowhere.ggf --batch --black Bob {QUICK}");
    let (status, errors) = failed(folder, &format!("{batch} --first 1"));
    assert_eq!(
        (status, &*errors),
        (Some(0), "a.ggf: GGF, the first 2 games\n")
    );
    let (status, errors) = failed(folder, &format!("{batch} --first 2"));
    assert_eq!(status, Some(1));
    assert!(
        errors.contains("game 3, ") && errors.contains("nowhere"),
        "{errors}"
    );
}

#[test]
fn a_shard_that_was_killed_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("a.ggf"), records(12)).expect("a file");
    let batch = "analyze a.ggf --batch --json --depth 5 --exact-from 10 --hash 1 --threads 1";
    let whole = printed(folder, batch);
    let shard = format!("{batch} --parts parts --shard 0/1");
    for pause in (10..=100).step_by(10) {
        let mut process = command(folder, &shard)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the tool starts");
        thread::sleep(Duration::from_millis(pause));
        process.kill().expect("killed");
        process.wait().expect("ended");
    }
    printed(folder, &shard);
    assert_eq!(
        printed(folder, &format!("{batch} --parts parts --merge")),
        whole
    );
}

#[test]
fn parts_of_other_games_or_settings_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("a.ggf"), records(2)).expect("a file");
    fs::write(folder.join("b.ggf"), records(2).replace("Ann", "Dan")).expect("a file");
    printed(
        folder,
        &format!("analyze a.ggf --batch {QUICK} --parts p --shard 0/1"),
    );
    for (line, expected) in [
        (
            "a.ggf --batch --depth 4 --exact-from 6 --hash 1".to_owned(),
            "depth = 4",
        ),
        (format!("b.ggf --batch {QUICK}"), "games = "),
        (format!("a.ggf --batch --first 1 {QUICK}"), ", 1 item, "),
    ] {
        for division in ["--merge", "--shard 0/1"] {
            let line = format!("analyze {line} --parts p {division}");
            let (status, errors) = failed(folder, &line);
            assert_eq!(status, Some(1), "{line}");
            assert!(errors.contains("is of other work"), "{errors}");
            assert!(errors.contains(expected), "{errors}");
        }
    }
}

#[test]
fn the_files_of_a_folder_are_analyzed_by_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let games = folder.join("games");
    fs::create_dir(&games).expect("a folder");
    fs::write(games.join("b.ggf"), records(1)).expect("a file");
    fs::write(games.join("a.txt"), "f5d6c3\nx9\n").expect("a file");
    fs::write(games.join("notes"), "nothing of games").expect("a file");
    let output = run(folder, &format!("analyze games --batch {QUICK}"));
    // A game cannot be read.
    assert_eq!(output.status.code(), Some(1));
    let lines = text(&output.stdout);
    let lines: Vec<&str> = lines.lines().collect();
    assert!(
        lines[0].starts_with("a.txt 1: ? - ?, Perpendicular: Black loses "),
        "{}",
        lines[0]
    );
    assert!(lines[1].starts_with("b.ggf 1: Ann - Bob, "), "{}", lines[1]);
    assert!(lines[3].starts_with("accuracy "), "{}", lines[3]);
    let errors = text(&output.stderr);
    assert!(
        errors.contains("notes: left out: expected moves"),
        "{errors}"
    );
    assert!(errors.contains("a.txt, game 2, byte "), "{errors}");
}

#[test]
fn filters_choose_games_and_a_pair_of_players_has_tables_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("a.ggf"), records(9)).expect("a file");
    let text = printed(
        folder,
        &format!("analyze a.ggf --batch {QUICK} --black ann --white bob"),
    );
    assert_eq!(text.matches("Ann - Bob").count(), 3, "{text}");
    assert!(text.contains("Ann, by opponent\n  Bob "), "{text}");
    assert!(text.contains("Bob, by phase\n  opening "), "{text}");
}

#[test]
fn options_of_a_batch_need_a_batch_and_the_other_way_round() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("a.ggf"), records(2)).expect("a file");
    for (line, status, expected) in [
        (
            "a.ggf a.ggf",
            1,
            "expected one game, or --batch for several; found 2",
        ),
        (
            "a.ggf --shard 0/2 --parts p",
            1,
            "expected --batch with filters, --shard and --merge",
        ),
        (
            "a.ggf --black Ann",
            1,
            "expected --batch with filters, --shard and --merge",
        ),
        (
            "a.ggf --batch --json=x",
            1,
            "expected --json without a file",
        ),
        ("a.ggf --batch --game 2", 2, "cannot be used with"),
        ("a.ggf --batch --time 1s", 2, "cannot be used with"),
        ("a.ggf --batch --store x", 2, "cannot be used with"),
        ("a.ggf --batch --black Dan", 1, "expected games, found none"),
        ("nothing --batch", 1, "nothing: "),
    ] {
        let (found, errors) = failed(folder, &format!("analyze {line}"));
        assert_eq!(found, Some(status), "{line}: {errors}");
        assert!(errors.contains(expected), "{line}: {errors}");
    }
}

#[test]
fn what_was_analyzed_is_found_again_whichever_way_the_board_is_turned() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let analyze =
        |moves: &str, options: &str| printed(folder, &format!("analyze {moves} --json {options}"));
    let deep = analyze("f5d6c3d3c4", "--depth 9");
    // From the store, all values are as deep as before.
    let values = |json: &str| {
        json.split("\"settings\"")
            .nth(1)
            .map(|rest| rest[30..].to_owned())
    };
    let again = analyze("f5d6c3d3c4", "--depth 2");
    assert_eq!(values(&again), values(&deep));
    assert_ne!(
        values(&analyze("f5d6c3d3c4", "--depth 2 --no-store")),
        values(&deep)
    );
    let turned = analyze("c4e3f6e6f5", "--depth 2");
    let scores = |json: &str| {
        json.split("\"curve\"")
            .nth(1)
            .map(|rest| rest.split(']').next().map(str::to_owned))
    };
    assert_eq!(scores(&turned), scores(&deep));
}

#[test]
fn without_a_store_that_can_be_used_the_analysis_goes_on_with_one_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("other"), "a file of another kind").expect("a file");
    let analyze = "analyze f5d6 --depth 3";
    let whole = printed(folder, &format!("{analyze} --no-store"));
    for (path, expected) in [
        (
            "other",
            "other: expected a store of analyses of this version, found another kind of file",
        ),
        ("other/below", "other/below: "),
        (".", ".: Is a directory"),
    ] {
        let output = run(folder, &format!("{analyze} --store {path}"));
        assert!(output.status.success());
        assert_eq!(text(&output.stdout), whole);
        let errors = text(&output.stderr);
        assert_eq!(errors.matches("warning").count(), 1, "{errors}");
        let warning = format!("warning: without the store of analyses: {expected}");
        assert!(errors.contains(&warning), "{errors}");
    }
    let kept = fs::read_to_string(folder.join("other")).expect("a file");
    assert_eq!(kept, "a file of another kind");
}

#[test]
fn a_hint_finds_what_was_analyzed_and_keeps_what_it_finds() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let hint = |line: &str| printed(folder, &format!("hint --hash 1 {line}"));
    let game = game(1);
    let moves = game.moves()[..48].iter().map(Move::to_string);
    let endgame = format!("--moves {}", moves.collect::<String>());
    let solved = hint(&endgame);
    assert!(solved.contains(" exact"), "{solved}");
    assert!(!solved.contains("from the store"), "{solved}");
    let known = hint(&endgame);
    assert!(known.ends_with("from the store of analyses\n"), "{known}");
    let values = |text: &str| {
        let rows = text.lines().filter(|line| line.contains(" exact"));
        rows.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(values(&known), values(&solved));
    printed(folder, "analyze f5d6c3 --depth 6");
    let deeper = hint("--moves f5d6 --depth 3");
    assert!(deeper.ends_with("from the store of analyses\n"), "{deeper}");
    let own = hint("--moves f5d6 --depth 3 --no-store");
    assert!(own.contains("depth 3"), "{own}");
}
