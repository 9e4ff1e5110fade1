//! `othello host` and `othello demo`.

#[cfg(unix)]
use std::io::{BufRead as _, BufReader, Read as _};

#[cfg(unix)]
use crate::support::signal;
use crate::support::{ENDGAME, Folder, player};

#[test]
fn whole_games_are_played_with_each_option_of_a_host() {
    let folder = Folder::new();
    for (format, options) in [
        ("sloan", "--pass-comments --send-play --games 2"),
        ("sloan", "--no-parentheses"),
        ("sloan", "--opening-pass always"),
        ("codewarriors", "--concurrency 2 --games 2"),
    ] {
        let program = player(format);
        let line = format!("host {format} \"{program}\" \"{program}\" {options}");
        let out = folder.printed(&line);
        let games = 1 + options.matches("--games 2").count();
        assert_eq!(out.matches("played to the end").count(), games, "{out}");
    }
}

/// Our players stand in for the programs that are missing, and keep to the host's limit.
#[test]
fn without_programs_ours_play_within_the_limit() {
    let folder = Folder::new();
    let gui = |form: &str| format!("gui --form {form} --board '{ENDGAME} X'");
    for (host, stand_in) in [
        (
            "sloan --time 8s".to_owned(),
            "othello-sloan --game-time 8s #2",
        ),
        (
            "codewarriors --limit 250ms --grace 750ms".to_owned(),
            "othello-codewarriors --move-time 250ms #2",
        ),
        (
            gui("released"),
            "othello-guibot --mode released --move-time 3s #2",
        ),
        (
            gui("v2"),
            "othello-guibot --mode document --move-time 3s #2",
        ),
        (
            gui("stay-v1"),
            "othello-guibot --mode stay --move-time 3s #2",
        ),
    ] {
        let out = folder.printed(&format!("host {host}"));
        assert!(out.contains("played to the end"), "{host}: {out}");
        assert!(out.contains(stand_in), "{out}");
    }
}

#[test]
fn a_program_that_does_not_start_is_an_error_and_no_forfeit() {
    let folder = Folder::new();
    for format in ["sloan", "codewarriors", "gui"] {
        let (good, bad) = (player(format), "/does/not/exist".to_owned());
        for [first, second] in [[&good, &bad], [&bad, &good]] {
            let line = format!("host {format} \"{first}\" \"{second}\"");
            let ran = folder.run(&format!("{line} --games 3 --record games.jsonl"));
            assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{format}");
            let expected = "othello: \"/does/not/exist\" did not start: ";
            assert!(ran.errors.starts_with(expected), "{format}: {ran:?}");
        }
    }
    assert_eq!(folder.read("games.jsonl"), "");
    for format in ["sloan", "codewarriors", "gui", "lth"] {
        let told = folder.refused(&format!(
            "play /does/not/exist --format {format} --color white"
        ));
        assert!(told.contains("/does/not/exist"), "{format}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_host_tells_the_likely_cause_of_a_fault() {
    let (folder, good) = (Folder::new(), player("codewarriors"));
    for (script, expected) in [
        (
            "while read line; do :; done; echo D3",
            "3 bytes came when its input ended: flush standard output",
        ),
        ("read line; echo d3", "in capital letters only"),
        (
            "read line; echo I play D3",
            "this line is no answer: write debugging text",
        ),
    ] {
        let out = folder.printed(&format!(
            "host codewarriors \"sh -c '{script}'\" \"{good}\" --limit 1s --record games.jsonl"
        ));
        assert!(out.contains(expected), "{out}");
        assert!(folder.read("games.jsonl").contains(expected), "{script}");
    }
}

#[test]
fn the_demo_plays_every_format() {
    let out = Folder::new().printed("demo --move-time 5ms --quiet");
    let mut formats = vec!["sloan", "lth", "codewarriors", "gui"];
    if cfg!(target_os = "linux") {
        formats.push("usenix");
    }
    for format in formats {
        let row = out.lines().find(|line| line.starts_with(format));
        assert!(
            row.is_some_and(|row| row.ends_with("played to the end")),
            "{format}: {out}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_guest_of_the_demo_has_its_line_in_the_table_also_if_it_fails() {
    let folder = Folder::new();
    // One that plays Go has the whole board.
    let far = "sh -c 'read c; read m; echo T19; read m; echo T19; read m'";
    for (format, guest, expected) in [
        ("lth", "/does/not/exist", "exist"),
        ("gui", "/does/not/exist", "exist"),
        ("usenix", "/does/not/exist", "exist"),
        ("usenix", far, "illegal move by White"),
    ] {
        let ran = folder.run(&format!("demo {format} --guest \"{format}={guest}\""));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let row = ran.out.lines().find(|line| line.starts_with(format));
        assert!(row.is_some_and(|row| row.contains(expected)), "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_whole_demo() {
    let guest = r#"sloan=sh -c 'echo \"(C here)\"; cat > /dev/null'"#;
    let mut demo = Folder::new().start(&format!("demo --comments --guest \"{guest}\""));
    let mut lines = BufReader::new(demo.stdout.take().unwrap());
    let mut line = String::new();
    while line != "White: here\n" {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0);
    }
    signal("INT", demo.id());
    let output = demo.wait_with_output().unwrap();
    assert_eq!(output.stderr, b"othello: interrupted\n");
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("LTH"), "{rest}");
}

#[test]
fn the_results_of_a_course_are_printed_by_name() {
    let folder = Folder::new();
    folder.write(
        "course.toml",
        "[Monday]\nsecret = \"Ada\"\nother = \"Bo\"\n",
    );
    let game = r#"{"finished":1,"event":"competition","black":"other","white":"secret","moves":"f5","discs":[4,1],
        "winner":"black","cause":"White left"}"#;
    folder.write(
        "games.jsonl",
        format!("{}\n", game.replace("\n        ", "")),
    );
    let csv = folder.printed("host lth --store games.jsonl --students course.toml --results");
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(
        rows,
        ["Monday,Bo,1,1,0,0,0,0,0", "Monday,Ada,0,0,0,1,0,0,0"]
    );
}
