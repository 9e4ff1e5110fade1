//! The hosts, with players of ours and with programs that break the rules.

use crate::support::{OTHELLO, Sandbox, check};

fn ours(format: &str, depth: u32) -> String {
    format!("'{OTHELLO}' player {format} --depth {depth} --hash 1")
}

fn host(name: &str, line: &str, programs: [&str; 2]) {
    let sandbox = Sandbox::new();
    let mut arguments: Vec<&str> = line.split_whitespace().collect();
    arguments.extend(programs);
    arguments.extend(["--record", "games.jsonl"]);
    check(name, &sandbox.run(&arguments, &["games.jsonl"]));
}

#[test]
fn whole_games() {
    let pair = |format| [3, 2].map(|depth| ours(format, depth));
    let play = |name: &str, line: &str, [one, other]: [String; 2]| host(name, line, [&one, &other]);
    play("referee", "host sloan --games 2", pair("sloan"));
    play("judge", "host codewarriors --games 2", pair("codewarriors"));
    play(
        "gui",
        "host gui --form stay-v2",
        pair("gui").map(|one| one + " --mode stay"),
    );
}

#[test]
fn programs_that_break_the_rules() {
    let good = ours("sloan", 2);
    let sloan = |name: &str, bad: &str| host(name, "host sloan --time 20s", [&good, bad]);
    sloan(
        "referee_illegal_move",
        "sh -c 'echo \"(R W)\"; read x; read x; echo \"(W a 1)\"; cat'",
    );
    sloan(
        "referee_left",
        "sh -c 'echo \"(R W)\"; read x; read x; echo oops >&2; exit 3'",
    );
    let good = ours("codewarriors", 2);
    let judge =
        |name: &str, bad: &str| host(name, "host codewarriors --limit 1500ms", [&good, bad]);
    judge(
        "judge_illegal_move",
        "sh -c 'cat > /dev/null; sleep 60 & echo A1; wait'",
    );
    judge("judge_too_much_output", "sh -c 'echo A1A1A1; cat'");
    judge("judge_overtime", "sh -c 'sleep 60'");
    let good = ours("gui", 2) + " --mode released";
    host("gui_illegal_move", "host gui", [&good, "sh -c 'echo a1'"]);
}
