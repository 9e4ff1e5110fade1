//! `othello analyze` of several games, and the store.

use std::{fmt::Write as _, fs};

use othello_core::{Game, Move};

use crate::support::Folder;

/// The options of quick analyses, which take a few milliseconds a game.
const QUICK: &str = "--depth 3 --exact-from 6 --hash 1";

/// Returns a game whose every move follows from a number.
fn game(mut number: u64) -> Game {
    let mut game = Game::default();
    while !game.is_over() {
        number = number.wrapping_mul(6364136223846793005).wrapping_add(1);
        let moves: Vec<_> = game.board().legal_moves().into_iter().collect();
        let chosen = (number >> 33) as usize % moves.len().max(1);
        let mv = moves
            .get(chosen)
            .map_or(Move::Pass, |&square| Move::Place(square));
        game.play(mv).expect("a legal move");
    }
    game
}

/// Returns records of games between three players in GGF.
pub(crate) fn records(games: u64) -> String {
    let mut text = String::new();
    for number in 0..games {
        let names = ["Ann", "Bob", "Cid"];
        let [black, white] = [0, 1].map(|at| names[(number as usize + at) % 3]);
        let _ = write!(text, "(;GM[Othello]PB[{black}]PW[{white}]");
        for (at, mv) in game(number).moves().iter().enumerate() {
            let square = mv.square();
            let square = square.map_or("PA".to_owned(), |square| square.to_string());
            let _ = write!(text, "{}[{square}]", ["B", "W"][at % 2]);
        }
        text += ";)\n";
    }
    text
}

#[test]
fn merged_games_are_those_of_one_process_whatever_the_number_of_shards() {
    let folder = Folder::new();
    folder.write("a.ggf", records(7));
    for options in ["", "--json"] {
        let batch = format!("analyze a.ggf --batch {QUICK} {options}");
        let whole = folder.printed(&format!("{batch} --threads 1"));
        assert_eq!(folder.printed(&format!("{batch} --threads 3")), whole);
        for count in [1, 3, 9] {
            let parts = format!("{batch} --parts {count}");
            for index in (0..count).rev() {
                folder.printed(&format!("{parts} --shard {index}/{count}"));
            }
            assert_eq!(folder.printed(&format!("{parts} --merge")), whole);
        }
    }
}

#[test]
fn nothing_is_read_beyond_the_first_games() {
    let folder = Folder::new();
    folder.write("a.ggf", records(2) + "(;GM[Othello]B[F5]W[F5];)\n");
    let batch = format!("analyze a.ggf nowhere.ggf --batch --black Bob {QUICK}");
    let ran = folder.run(&format!("{batch} --first 1"));
    let told = "a.ggf: GGF, the first 2 games\n";
    assert_eq!((ran.code, &*ran.errors), (Some(0), told));
    let errors = folder.refused(&format!("{batch} --first 2"));
    assert!(
        errors.contains("game 3, ") && errors.contains("nowhere"),
        "{errors}"
    );
}

#[test]
fn parts_of_other_games_or_settings_are_refused() {
    let folder = Folder::new();
    folder.write("a.ggf", records(2));
    folder.write("b.ggf", records(2).replace("Ann", "Dan"));
    folder.printed(&format!(
        "analyze a.ggf --batch {QUICK} --parts p --shard 0/1"
    ));
    for (line, expected) in [
        ("a.ggf --depth 4 --exact-from 6 --hash 1", "depth = 4"),
        (&format!("b.ggf {QUICK}"), "games = "),
        (&format!("a.ggf --first 1 {QUICK}"), ", 1 item, "),
    ] {
        for division in ["--merge", "--shard 0/1"] {
            let told = folder.refused(&format!("analyze {line} --batch --parts p {division}"));
            let is_told = told.contains("is of other work") && told.contains(expected);
            assert!(is_told, "{told}");
        }
    }
}

#[test]
fn the_files_of_a_folder_are_analyzed_by_their_names() {
    let folder = Folder::new();
    fs::create_dir(folder.path("games")).expect("a folder");
    folder.write("games/b.ggf", records(1));
    folder.write("games/a.txt", "f5d6c3\nx9\n");
    folder.write("games/notes", "nothing of games");
    let ran = folder.run(&format!("analyze games --batch {QUICK}"));
    // A game cannot be read.
    assert_eq!(ran.code, Some(1));
    let lines: Vec<&str> = ran.out.lines().collect();
    for (line, start) in [
        (0, "a.txt 1: ? - ?, Perpendicular: Black loses "),
        (1, "b.ggf 1: Ann - Bob, "),
        (3, "accuracy "),
    ] {
        assert!(lines[line].starts_with(start), "{}", lines[line]);
    }
    for part in ["notes: left out: expected moves", "a.txt, game 2, byte "] {
        assert!(ran.errors.contains(part), "{}", ran.errors);
    }
}

#[test]
fn filters_choose_games_and_a_pair_of_players_has_tables_of_their_own() {
    let folder = Folder::new();
    folder.write("a.ggf", records(9));
    let line = format!("analyze a.ggf --batch {QUICK} --black ann --white bob");
    let text = folder.printed(&line);
    assert_eq!(text.matches("Ann - Bob").count(), 3, "{text}");
    for table in ["Ann, by opponent\n  Bob ", "Bob, by phase\n  opening "] {
        assert!(text.contains(table), "{text}");
    }

    // Of three players only the one who is named has them.
    let text = folder.printed(&format!("analyze a.ggf --batch {QUICK} --player ann"));
    assert!(text.contains("Ann, by opponent\n  "), "{text}");
    assert!(!text.contains("Bob, by"), "{text}");
}

#[test]
fn players_are_compared_with_those_of_another_batch() {
    let folder = Folder::new();
    folder.write("a.ggf", records(9).replace("PW[", "DT[1999-05-01]PW["));
    folder.write("b.ggf", records(36));
    let others = folder.printed(&format!("analyze b.ggf --batch {QUICK} --json"));
    folder.write("others.json", &others);
    let batch = format!("analyze a.ggf --batch {QUICK} --black ann --white bob");
    let compared = format!("{batch} --compare others.json --html page.html");
    let text = folder.printed(&compared);
    for part in [
        "Ann, by year\n  1999 ",
        "compared with\n  all  ",
        "of 3 players with 10 games or more.\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = folder.printed(&format!("{compared} --json"));
    let total: serde_json::Value =
        serde_json::from_str(json.lines().last().unwrap_or_default()).expect("JSON");
    assert_eq!(total["compared"]["all"]["games"], 36);
    let page = folder.read("page.html");
    assert!(page.contains("Ann, by year"), "{page}");
    let refused = folder.refused(&format!("{batch} --compare a.ggf"));
    assert!(
        refused.contains("a.ggf: expected the output of analyze --batch --json"),
        "{refused}"
    );
}

#[test]
fn options_of_a_batch_need_a_batch_and_the_other_way_round() {
    let folder = Folder::new();
    folder.write("a.ggf", records(2));
    let batch = "expected --batch with filters, --shard and --merge";
    folder.check_refusals(&[
        (
            "analyze a.ggf a.ggf",
            1,
            "expected one game, or --batch for several; found 2",
        ),
        ("analyze a.ggf --shard 0/2 --parts p", 1, batch),
        ("analyze a.ggf --black Ann", 1, batch),
        (
            "analyze a.ggf --batch --json=x",
            1,
            "expected --json without a file",
        ),
        ("analyze a.ggf --batch --game 2", 2, "cannot be used with"),
        ("analyze a.ggf --batch --time 1s", 2, "cannot be used with"),
        ("analyze a.ggf --batch --store x", 2, "cannot be used with"),
        (
            "analyze a.ggf --batch --black Dan",
            1,
            "expected games, found none",
        ),
        ("analyze nothing --batch", 1, "nothing: "),
    ]);
}

#[test]
fn what_was_analyzed_is_found_again_whichever_way_the_board_is_turned() {
    let folder = Folder::new();
    let analyze = |line: &str| {
        let text = folder.printed(&format!("analyze {line} --json"));
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON")
    };
    let deep = analyze("f5d6c3d3c4 --depth 9");
    // From the store, all values are as deep as before.
    assert_eq!(
        analyze("f5d6c3d3c4 --depth 2")["positions"],
        deep["positions"]
    );
    let shallow = analyze("f5d6c3d3c4 --depth 2 --no-store");
    assert_ne!(shallow["positions"], deep["positions"]);
    assert_eq!(analyze("c4e3f6e6f5 --depth 2")["curve"], deep["curve"]);
}

#[test]
fn without_a_store_that_can_be_used_the_analysis_goes_on_with_one_warning() {
    let folder = Folder::new();
    folder.write("other", "a file of another kind");
    let analyze = "analyze f5d6 --depth 3";
    let whole = folder.printed(&format!("{analyze} --no-store"));
    for (path, expected) in [
        (
            "other",
            "other: expected a store of analyses of this version, found another kind of file",
        ),
        ("other/below", "other/below: "),
        (".", ".: Is a directory"),
    ] {
        let ran = folder.run(&format!("{analyze} --store {path}"));
        assert_eq!((ran.code, ran.out), (Some(0), whole.clone()));
        assert_eq!(ran.errors.matches("warning").count(), 1, "{}", ran.errors);
        let warning = format!("warning: without the store of analyses: {expected}");
        assert!(ran.errors.contains(&warning), "{}", ran.errors);
    }
    assert_eq!(folder.read("other"), "a file of another kind");
}
