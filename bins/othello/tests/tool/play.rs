//! `othello play`: a person whose keys come through a pipe.

use std::{io::Read as _, io::Write as _};

use crate::support::{ENDGAME, Folder, player};

/// Types into `play` and gives what it prints.
fn typed(folder: &Folder, options: &str, keys: &str) -> String {
    let ran = folder.run_with(&format!("play --no-store {options}"), keys);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out
}

#[test]
fn a_person_may_take_moves_back_from_the_engine() {
    let out = typed(&Folder::new(), "--depth 2", "f5\nundo\nd3\nquit\n");
    for twice in ["Black X 2, White O 2; Black to move", "White plays"] {
        assert_eq!(out.matches(twice).count(), 2, "{out}");
    }
}

#[test]
fn a_person_plays_a_program_over_every_format() {
    let folder = Folder::new();
    for (format, more, undo) in [
        ("sloan", "", "A Sloan referee cannot take a move back."),
        (
            "codewarriors",
            "",
            "A Code Warriors judge cannot take a move back.",
        ),
        (
            "lth",
            " {host}:{port} --name program",
            "An LTH server cannot take a move back.",
        ),
        ("gui", "", "There is no move of yours to take back."),
        ("gtp", "", "There is no move of yours to take back."),
        ("nboard", "", "There is no move of yours to take back."),
    ] {
        let options = format!("\"{}{more}\" --format {format}", player(format));
        let out = typed(&folder, &options, "undo\nf5\nanalyze\nquit\n");
        for part in [undo, "White plays", "  1  X f5 "] {
            assert!(out.contains(part), "{format}: {out}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_program_that_leaves_loses_to_the_person() {
    let out = typed(&Folder::new(), "\"sh -c 'exit 1'\" --format sloan", "");
    assert!(out.contains("Black wins.\nWhite left"), "{out}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_over_its_limit_loses_to_the_person() {
    let program = "\"sh -c 'filler=$(yes | head -c 40000000); read line; read line'\"";
    for format in ["sloan", "gtp"] {
        let out = typed(
            &Folder::new(),
            &format!("{program} --format {format} --memory 20M"),
            "",
        );
        assert!(out.contains("used more than 20 MiB of memory"), "{out}");
    }
}

#[test]
fn limits_need_a_program_and_a_format_that_allows_them() {
    Folder::new().check_refusals(&[
        (
            "play --memory 1G",
            1,
            "expected a program for the limits of programs",
        ),
        (
            "play cat --format lth --no-network",
            1,
            "expected a format that needs no network",
        ),
    ]);
}

#[test]
fn a_person_analyzes_and_saves_a_game_during_it_and_after_it() {
    let folder = Folder::new();
    let keys = "analyze\nsave during.ggf\nh5\nanalyze\nsave after.sgf\nsave after.sgf\n";
    let out = typed(&folder, &format!("--board '{ENDGAME} X' --depth 2"), keys);
    for told in [
        "There is no move yet.",
        "Saved as GGF in during.ggf.",
        "  1  X h5         +6",
        "after.sgf exists; type save! after.sgf to replace it",
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
    let list = folder.printed("games during.ggf after.sgf");
    assert_eq!(list.matches("Person").count(), 2, "{list}");
}

#[test]
fn a_game_whose_input_stays_open_ends_with_the_game() {
    let mut child = Folder::new().start(&format!("play --board '{ENDGAME} X' --depth 2"));
    let mut keys = child.stdin.take().unwrap();
    keys.write_all(b"h5\n").unwrap();
    let mut out = String::new();
    let mut output = child.stdout.take().unwrap();
    output.read_to_string(&mut out).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(out.ends_with("Black wins.\nh5\n"), "{out}");
    drop(keys);
}
