//! Matches and their logs.

use crate::support::{OTHELLO, Sandbox, check};

/// Plays a match and compares its log and the end of its output.
fn play(name: &str, line: &str, engines: &[&str]) {
    let sandbox = Sandbox::new();
    let mut arguments = vec!["match"];
    for engine in engines {
        arguments.extend(["-e", engine]);
    }
    arguments.extend(line.split_whitespace());
    arguments.extend(["--log", "match.jsonl"]);
    let mut output = sandbox.othello(&arguments).output().unwrap();
    // The table with times: everything before it depends only on the games.
    let printed = String::from_utf8(output.stdout).unwrap();
    let games = printed.split("\n\n").next().unwrap_or_default();
    output.stdout = games.as_bytes().to_vec();
    check(name, &sandbox.report(&output, &["match.jsonl"]));
}

#[test]
fn our_engine_against_itself() {
    let engines = ["a=own:hash=1", "b=own:hash=1,solve-from=8"];
    play(
        "match_own",
        "-l a=nodes:300 -l b=depth:2 --games 4 --seed 7 --concurrency 1",
        &engines,
    );
}

#[test]
fn every_protocol() {
    let own = "a=own:hash=1";
    for (protocol, format) in [
        ("sloan", "sloan"),
        ("sloan-lines", "sloan"),
        ("codewarriors", "codewarriors"),
        ("gtp", "gtp"),
        ("nboard", "nboard"),
        ("gui-stay-v2", "gui --mode stay"),
    ] {
        let other = format!("b={protocol}:'{OTHELLO}' player {format} --hash 1");
        let line = "-l depth:2 --games 2 --openings start --concurrency 1";
        let own_depth = other.replace("--hash 1", "--hash 1 --depth 2");
        let engines = match protocol {
            "gtp" | "nboard" => [own, &other],
            _ => [own, &own_depth],
        };
        play(
            &format!("match_{}", protocol.replace('-', "_")),
            line,
            &engines,
        );
    }
}

#[test]
fn a_tournament() {
    let engines = ["a=own:hash=1", "b=own:hash=1", "c=own:hash=1"];
    let line =
        "--form round-robin -l a=depth:3 -l b=depth:2 -l c=depth:1 --rounds 2 --concurrency 1";
    play("match_round_robin", line, &engines);
}
