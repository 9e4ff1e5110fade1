//! `othello check-rules` with programs that answer rightly, wrongly or not at all.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    process::Command,
};

use crate::support::Folder;

#[test]
fn rules_in_python_agree() {
    if Command::new("python3").arg("--version").output().is_err() {
        let _ = writeln!(io::stderr(), "skipped: there is no python3");
        return;
    }
    let folder = Folder::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let rules = fs::read_to_string(crates.join("othello-core/examples/rules.py")).unwrap();
    folder.write("rules.py", &rules);
    let line = "check-rules --games 20 --perft 3 --wait 1m -- python3 rules.py";
    assert_eq!(
        folder.printed(line),
        "20 games and perft to depth 3, no difference\n"
    );
    // The rules of moves are right, the counts are not.
    let miscounted = rules.replace("answer = perft(", "answer = 1 + perft(");
    folder.write("wrong.py", &miscounted);
    let count = folder.refused("check-rules --games 1 --perft 2 --wait 1m -- python3 wrong.py");
    assert!(
        count.contains("expected 4 in answer to \"perft "),
        "{count}"
    );
    // A disc is flipped in every direction but the last.
    folder.write(
        "wrong.py",
        rules.replace("in DIRECTIONS:", "in DIRECTIONS[:-1]:"),
    );
    let difference = folder.refused("check-rules --wait 1m -- python3 wrong.py");
    assert!(difference.starts_with("othello: expected "), "{difference}");
    assert!(difference.contains("\n    a b c d e f g h"), "{difference}");
}

#[cfg(unix)]
#[test]
fn a_program_that_does_not_answer_is_told_from_one_that_answers_wrongly() {
    let folder = Folder::new();
    folder.check_refusals(&[
        ("check-rules", 2, "<PROGRAM>"),
        ("check-rules --wait x -- true", 2, "'--wait <TIME>'"),
        ("check-rules -- ./absent", 1, "cannot start \"./absent\""),
        ("check-rules -- sh -c 'echo cause >&2'", 1, "cause"),
        (
            "check-rules -- sh -c 'exec <&- >&-'",
            1,
            "ended, or closed its output",
        ),
        (
            "check-rules --wait 100ms -- sleep 60",
            1,
            "nothing came in 100ms",
        ),
        (
            "check-rules -- sh -c 'yes | tr -d \"\\n\"'",
            1,
            "more than 10000 bytes",
        ),
        ("check-rules -- yes 'd3 c4 f5 e6'", 1, "more than one line"),
        (
            "check-rules -- sh -c 'printf \"\\033[2J\\n\"; cat'",
            1,
            r#"found "\u{1b}[2J""#,
        ),
    ]);
}
