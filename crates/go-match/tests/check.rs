//! A check finds the faults of programs in shell, and finds none in a program that plays well.
#![cfg(unix)]

use std::time::Duration;

use boardgame_io::{CommandLine, ProgramLimits};
use boardgame_match::check::{CaseResult, Check};
use go_match::{Format, check::Subject};

/// Returns the cases that a program fails, each with the fault and its cause.
async fn failures(format: Format, line: CommandLine, only: &[&str]) -> Vec<String> {
    let limit = "move:5s".parse().expect("a limit");
    let check = Check {
        subject: Subject::new(format, line, limit, "9".parse().expect("a size")),
        limits: ProgramLimits::default(),
        tries: 2,
        time: Duration::from_mins(5),
        seed: 1,
        only: only.iter().map(ToString::to_string).collect(),
    };
    let cases = check.run(|_| {}).await.into_iter();
    let failures = cases.filter_map(|case| match case.result {
        CaseResult::Failed(failure) => {
            let cause = failure.cause.unwrap_or_default();
            Some(format!("{}: {}: {cause}", case.name, failure.fault))
        }
        _ => None,
    });
    failures.collect()
}

/// A program of GTP in shell. It passes, but answers `genmove` with a point once the last `play` and the number of
/// those since `clear_board` match a pattern such as `9:*E5`.
fn gtp(pattern: &str, point: &str) -> CommandLine {
    let script = format!(
        "n=0; while read command last; do answer=; case $command in \
         clear_board) n=0;; play) n=$((n + 1)); at=$last;; list_commands) answer=' play';; \
         genmove) case $n:$at in {pattern}) answer=' {point}';; *) answer=' pass';; esac;; \
         esac; printf '=%s\\n\\n' \"$answer\"; if [ $command = quit ]; then exit; fi; done"
    );
    CommandLine::new("sh", ["-c", &script])
}

fn assert_found(found: &[String], case: &str, words: &str) {
    let named = |it: &String| it.starts_with(case) && it.contains(words);
    assert!(
        found.iter().any(named),
        "expected {case}: {words}: {found:?}"
    );
}

#[tokio::test]
async fn a_program_that_always_passes_loses_no_game_by_a_fault() {
    let only = ["must-pass", "handicap", "board-19", "second-game"];
    let found = failures(Format::Gtp, gtp("never", ""), &only).await;
    assert_eq!(found, [""; 0]);
}

#[tokio::test]
async fn illegal_moves_are_explained() {
    let found = failures(Format::Gtp, gtp("*", "E5"), &["ko"]).await;
    assert_found(&found, "black", "E5 has its own stone");
    let usenix = CommandLine::new("sh", ["-c", "read c; while read m; do echo A1; done"]);
    let found = failures(Format::Usenix, usenix, &["pieces"]).await;
    assert_found(&found, "white", "A1 has its own stone");
}

#[tokio::test]
async fn faults_in_situations_are_named() {
    for (pattern, point, case, words) in [
        ("8:*E5|9:*E5", "D5", "ko", "retakes the ko at once"),
        (
            "[34]:*B1",
            "A1",
            "suicide",
            "no liberty and captures nothing",
        ),
        ("*:*H9", "E5", "must-pass", "must pass: `pass`"),
    ] {
        let found = failures(Format::Gtp, gtp(pattern, point), &[case]).await;
        assert_found(&found, case, words);
    }
}

#[tokio::test]
async fn answers_of_commands_are_judged() {
    let program = gtp("never", "");
    let found = failures(Format::Gtp, program, &["commands", "illegal-plays"]).await;
    assert_found(
        &found,
        "commands",
        "expected `=7` after `7 name`, found `=`",
    );
    assert_found(&found, "illegal-plays", "expected `?` after `play w C3`");
}
