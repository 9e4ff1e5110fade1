//! The referee of the tool, between scripts.

use std::{
    io::Read as _,
    process::{Command, Stdio},
};

use crate::support::{Folder, Ran};

/// A script of Black that plays C3 and passes, without another process.
const BLACK: &str = r#""sh -c 'read c; echo C3; read m; echo pass; read m'""#;

/// A script of White that passes.
const WHITE: &str = r#""sh -c 'read c; read m; echo pass; read m'""#;

/// A script that plays C3 as Black, and passes.
const EITHER: &str =
    r#""sh -c 'read c; if [ $c = black ]; then echo C3; fi; read m; echo pass; read m'""#;

/// Returns the command line of a referee.
fn line(black: &str, white: &str, more: &str) -> String {
    format!("referee --size 5 --playouts 200 {black} {white} {more}")
}

#[track_caller]
fn check_parts(out: &str, parts: &[&str]) {
    for part in parts {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn a_game_is_judged_printed_and_kept() {
    let folder = Folder::new();
    let out = folder.printed(&line(BLACK, WHITE, "--sgf games"));
    assert!(
        out.starts_with("game 1: Black won: played to the end\n"),
        "{out}"
    );
    check_parts(&out, &["White: sh -c"]);
    check_parts(&folder.read("games/1.sgf"), &["RE[B+18.5]"]);
}

#[test]
fn a_program_is_not_told_the_secrets_of_the_environment() {
    let folder = Folder::new();
    let says = r#"read c; if [ "$OTHELLO_TOKEN$API_KEY$SHOWN" ]; then echo C3; else echo pass; fi
                  read m; echo pass; read m"#;
    folder.write("says.sh", says);
    let mut command = folder.command(&line("'sh says.sh'", WHITE, ""));
    command
        .env("OTHELLO_TOKEN", "secret")
        .env("API_KEY", "secret");
    let out = |command: &mut Command| Ran::from(command.output().unwrap()).out;
    let told = out(&mut command);
    assert!(told.starts_with("game 1: White won"), "{told}");
    let told = out(command.env("SHOWN", "1"));
    assert!(told.starts_with("game 1: Black won"), "{told}");
}

#[test]
fn the_records_of_an_earlier_run_stay() {
    let folder = Folder::new();
    folder.write("2.sgf", "old");
    let errors = folder.refused(&line(EITHER, EITHER, "--games 2 --sgf ."));
    check_parts(&errors, &["without records of other games"]);
    assert_eq!((&*folder.read("2.sgf"), folder.count()), ("old", 1));
}

#[test]
fn colours_alternate_and_a_fault_forfeits() {
    let occupied = r#""sh -c 'read c; if [ $c = white ]; then read m; echo C3; else echo C3; read m; echo C3; fi'""#;
    let both =
        r#""sh -c 'read c; if [ $c = white ]; then read m; echo pass; else echo C3; fi; read m'""#;
    let out = Folder::new().printed(&line(occupied, both, "--games 2"));
    let parts = [
        "game 1: White won: illegal move by Black",
        "game 2: Black won: illegal move by White",
    ];
    check_parts(&out, &parts);
}

#[test]
fn programs_have_names_and_a_seed_for_each_game() {
    let seeded = r#""sh -c 'read c; [ $c = white ] && read m; if [ $1 = 2 ]; then echo C3; read m; fi; echo pass; read m' x {seed}""#;
    let passes =
        r#""sh -c 'read c; [ $c = white ] && read m; echo pass; read m; echo pass; read m'""#;
    let folder = Folder::new();
    let names = "--names 'A B' C --games 2 --sgf .";
    let out = folder.printed(&line(seeded, passes, names));
    check_parts(&out, &["  White: A B: "]);
    let first = ["PB[A B]", "PW[C]", "RE[W+5.5]"];
    check_parts(&folder.read("1.sgf"), &first);
    let second = ["PB[C]", "PW[A B]", "W[cc]", "RE[W+29.5]"];
    check_parts(&folder.read("2.sgf"), &second);
}

#[test]
fn a_person_has_the_last_word_on_each_game() {
    let folder = Folder::new();
    let ask = line(EITHER, EITHER, "--games 2 --judge ask --sgf");
    let ran = folder.run_with(&format!("{ask} told"), "dead C3\nok\nincomplete\n");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let parts = [
        "ok accepts the result B+18.5",
        "game 1: White won: played to the end",
        "game 2: no result: the judge calls",
    ];
    check_parts(&ran.out, &parts);
    check_parts(&folder.read("told/1.sgf"), &["RE[W+6.5]"]);
    check_parts(&folder.read("told/2.sgf"), &["RE[Void]"]);
    // The end of input accepts what is shown.
    let out = folder.printed(&format!("{ask} shown"));
    check_parts(&out, &["game 2: Black won: played to the end"]);
}

#[test]
fn a_game_is_kept_when_its_judge_is_interrupted() {
    let folder = Folder::new();
    let mut referee = folder.start(&line(BLACK, WHITE, "--games 2 --judge ask --sgf ."));
    let _open = referee.stdin.take();
    let mut out = referee.stdout.take().unwrap();
    let mut printed = String::new();
    while !printed.ends_with("judge> ") {
        let mut byte = [0];
        out.read_exact(&mut byte).unwrap();
        printed.push(byte[0].into());
    }
    let id = referee.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(killed.success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(referee.wait().unwrap().code(), Some(1));
    check_parts(&rest, &["game 1: Black won: played to the end"]);
    check_parts(&folder.read("1.sgf"), &["RE[B+18.5]"]);
    assert!(!folder.path("2.sgf").exists());
}

#[test]
fn a_game_is_kept_when_nobody_reads_of_it() {
    for judge in ["auto", "ask"] {
        let folder = Folder::new();
        let mut command = folder.command(&line(BLACK, WHITE, &format!("--judge {judge} --sgf .")));
        let unread = command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut referee = unread.spawn().unwrap();
        drop(referee.stdout.take());
        assert_eq!(referee.wait().unwrap().code(), Some(1), "{judge}");
        check_parts(&folder.read("1.sgf"), &["RE[B+18.5]"]);
    }
}

#[test]
fn wrong_arguments_say_what_was_expected() {
    Folder::new().check_refusals(&[
        (&line(BLACK, "", ""), 2, "<WHITE>"),
        (&line(BLACK, WHITE, "--limit soon"), 2, "expected a time"),
        (&line(BLACK, WHITE, "--max-moves 0"), 2, "0 is not in"),
        (&line(BLACK, "\"'\"", ""), 2, "quot"),
        (
            &line("/does/not/exist", WHITE, ""),
            1,
            "go-game: \"/does/not/exist\" did not start: ",
        ),
    ]);
}

#[test]
fn the_current_game_is_on_a_page() {
    let folder = Folder::new();
    // White keeps the page that it finds after Black's move, without another process.
    let white = r#"read c; read m; while read -r text; do echo "$text"; done <live.html >seen.html
                   echo pass; read m"#;
    folder.write("white.sh", white);
    let names = "--names <One> Two";
    folder.printed(&line(
        BLACK,
        "'sh white.sh'",
        &format!("--html live.html {names}"),
    ));
    let data = |file| {
        let html = folder.read(file);
        let (_, data) = html.split_once("id=\"data\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        serde_json::from_str::<serde_json::Value>(data).unwrap()
    };
    let seen = data("seen.html");
    assert_eq!(seen["is_live"], true);
    assert_eq!(seen["game"]["result"], serde_json::Value::Null);
    assert_eq!(seen["positions"][0]["played"]["move"], "C3");
    let comment = seen["positions"][1]["comment"].as_str().unwrap();
    assert!(comment.starts_with("Black: "), "{comment}");
    let last = data("live.html");
    assert_eq!(last.get("is_live"), None);
    assert_eq!(last["game"]["result"], "B+18.5");
    assert_eq!(last["game"]["black"], "<One>");
    assert_eq!(last["positions"].as_array().unwrap().len(), 4);
    let mut unknown = folder.command(&line("./unknown", WHITE, "--html live.html"));
    assert!(!unknown.output().unwrap().status.success());
    assert_eq!(data("live.html").get("is_live"), None);
    folder.write("other.html", "(;GM[1])");
    let error = folder.refused(&line(BLACK, WHITE, "--html other.html"));
    assert!(
        error.contains("other.html: expected no file or one"),
        "{error}"
    );
}
