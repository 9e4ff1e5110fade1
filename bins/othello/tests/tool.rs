//! The tool as a user meets it: started as a process, read through pipes.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Command, Output, Stdio},
};

fn othello(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_othello"));
    command
        .args(arguments)
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    othello(arguments).output().expect("the tool starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The command line of our own player of a format, fast and weak.
fn player(format: &str) -> String {
    let tool = env!("CARGO_BIN_EXE_othello");
    format!("'{tool}' player {format} --depth 2 --threads 1 --hash 1")
}

/// Plays two games between our own players and checks that both were played to their end.
fn two_games(format: &str, more: &[&str]) {
    let program = player(format);
    let mut arguments = vec!["host", format, &program, &program, "--games", "2"];
    arguments.extend(more);
    let output = run(&arguments);
    let out = stdout(&output);
    assert!(output.status.success(), "{out}{}", stderr(&output));
    assert_eq!(out.matches("played to the end").count(), 2, "{out}");
}

#[test]
fn help_shows_what_each_command_takes() {
    let commands = [
        "analyze", "bench", "check", "convert", "demo", "games", "hint", "host", "match", "perft",
        "play", "prove", "solve", "web",
    ];
    for command in commands {
        insta::assert_snapshot!(command, stdout(&run(&[command, "--help"])));
    }
    for format in ["sloan", "lth", "codewarriors", "gui"] {
        let help = stdout(&run(&["host", format, "--help"]));
        insta::assert_snapshot!(format!("host_{format}"), help);
    }
    insta::assert_snapshot!("othello", stdout(&run(&["--help"])));
}

#[test]
fn perft_counts_and_divides() {
    let output = run(&["perft", "5", "--divide"]);
    assert!(output.status.success());
    let expected = "d3: 349\nc4: 349\nf5: 349\ne6: 349\n1396 leaves at depth 5\n";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn perft_counts_from_any_board() {
    // Black must pass, then White takes a1, and nobody can move.
    let board = format!("-XOOOOOO{} X", "-".repeat(56));
    for depth in ["1", "2", "3"] {
        let output = run(&["perft", depth, "--board", &board]);
        assert_eq!(stdout(&output), format!("1 leaves at depth {depth}\n"));
    }
}

#[test]
fn a_forced_tier_gives_the_same_count_or_is_refused() {
    for tier in ["portable", "avx2", "avx512"] {
        let output = othello(&["perft", "7"])
            .env("OTHELLO_TIER", tier)
            .output()
            .unwrap();
        if output.status.success() {
            assert_eq!(stdout(&output), "55092 leaves at depth 7\n", "{tier}");
        } else {
            assert!(
                stderr(&output).contains("this CPU lacks"),
                "{}",
                stderr(&output)
            );
        }
    }
}

#[test]
fn an_empty_variable_is_none() {
    let mut perft = othello(&["perft", "5"]);
    let output = perft.env("OTHELLO_TIER", "").output().unwrap();
    assert_eq!(stdout(&output), "1396 leaves at depth 5\n");
    let mut player = othello(&["player", "sloan"]);
    let output = player.env("OTHELLO_TIER", "").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn wrong_arguments_say_what_was_expected() {
    for (arguments, expected) in [
        (&["perft", "many"][..], "invalid value 'many'"),
        (
            &["perft", "3", "--board", "--?"],
            "expected one of 64 squares (X, O or -) at offset 2",
        ),
        (
            &["hint", "--moves", "f5a1"],
            "othello: --moves: illegal move a1: it flips nothing at offset 2",
        ),
        (
            &["hint", "--depth", "0"],
            "expected a number of plies from 1 to 60",
        ),
        (
            &["games", "a.ggf", "--date", "2001..1999"],
            "expected a first date that is not after the last one",
        ),
        (
            &["match", "--concurrency", "0"],
            "expected a number from 1 on",
        ),
        (&["play", "./program"], "--format"),
        (
            &["host", "codewarriors", "a 'b"],
            "expected a closing quote",
        ),
        (
            &["demo", "--guest", "chess=x"],
            "expected sloan, lth, codewarriors, gui or usenix",
        ),
        (&["solve", "/does/not/exist"], "/does/not/exist"),
        (
            &["host", "lth", "--without", "testing,evaluation,competition"],
            "nothing to serve",
        ),
        (
            &["host", "lth", "--limit", "0s"],
            "expected a time longer than 0",
        ),
        (
            &["host", "lth", "--limit", "18446744073709551615s"],
            "expected a time of at most 365 days",
        ),
        (
            &["host", "codewarriors", "--limit", "18446744073709551615s"],
            "expected a time of at most 365 days",
        ),
        (
            &["host", "lth", "--store", "Cargo.toml", "--testing", "0"],
            "Cargo.toml: expected a log of games, found another kind of file",
        ),
        (
            &["host", "codewarriors", "--limit", "2"],
            "expected a time such as 500ms",
        ),
        (&["frobnicate"], "unrecognized subcommand"),
    ] {
        let output = run(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(
            stderr(&output).contains(expected),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn threads_are_a_number_or_auto() {
    for command in ["solve", "hint", "analyze", "play", "web", "prove"] {
        for wrong in ["0", "x", "10000"] {
            let output = run(&[command, "--threads", wrong]);
            let told = stderr(&output);
            let expected = format!(
                "invalid value '{wrong}' for '--threads <N>': expected a number of threads from 1 to 1024, or auto"
            );
            assert!(told.contains(&expected), "{command}: {told}");
            assert_eq!(output.status.code(), Some(2), "{command}");
        }
    }
    let rows = hints(&["--depth", "2", "--threads", "auto"]);
    assert_eq!(rows.len(), 4, "{rows:?}");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = othello(&["perft", "4", "--divide"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

/// FFO #40, with another score.
const TWENTY_EMPTIES: &str =
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+2;";

#[test]
fn solve_agrees_with_the_problems_or_says_so() {
    let problem =
        "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2;";
    let solve = |options: &[&str], problem: &str| {
        let mut command = othello(&["solve", "-", "--hash", "1"]);
        command.args(options);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(problem.as_bytes())
            .unwrap();
        child.wait_with_output().unwrap()
    };
    let right = solve(&[], problem);
    assert!(right.status.success());
    assert!(stdout(&right).contains(" 0 wrong"), "{}", stdout(&right));
    assert!(!solve(&[], "").status.success());
    let wrong = solve(&[], &problem.replace("+6", "+8"));
    assert!(!wrong.status.success());
    assert!(stdout(&wrong).contains(" 1 wrong"), "{}", stdout(&wrong));

    // A score that is not exact is never wrong.
    let probable = solve(&["--confidence", "79"], TWENTY_EMPTIES);
    assert!(probable.status.success());
    let told = stdout(&probable);
    assert!(told.contains("at depth 20"), "{told}");
    let winner = solve(&["--confidence", "79", "--wld"], TWENTY_EMPTIES);
    assert_eq!(winner.status.code(), Some(2));

    let glance = solve(&["--depth", "0"], &problem.replace("+6", "+60"));
    assert!(glance.status.success());
    let told = stdout(&glance);
    assert!(told.contains("at depth 0 -"), "{told}");
    assert!(told.contains("mean absolute error"), "{told}");
    assert!(!told.contains("best moves"), "{told}");

    let outcome = solve(&["--wld"], &problem.replace("+6", "+60"));
    assert!(outcome.status.success());
    assert!(stdout(&outcome).contains("found win  h5"));
    let outcome = solve(&["--wld"], &problem.replace("+6", "-6"));
    assert!(!outcome.status.success());
    assert!(stdout(&outcome).contains(" 1 wrong"));

    let told = stdout(&solve(&["--stats"], problem));
    assert!(told.lines().all(|line| line.contains(" besides")), "{told}");

    let json = stdout(&solve(&["--json"], problem));
    assert!(!json.contains("generated"), "{json}");
    let lines: Vec<&str> = json.lines().collect();
    assert_eq!(lines.len(), 2, "{json}");
    assert!(lines[0].contains(r#""expected":6,"expected_moves":["h5"],"score":6.0"#));
    assert!(lines[0].contains(r#""exact":true,"best":"h5""#), "{json}");
    assert!(lines[1].contains(r#""wrong":0"#), "{json}");
}

#[test]
fn merged_answers_are_the_same_whatever_the_number_of_shards() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO-";
    let problem = |number: usize| {
        let claim = ["X; H5:+6; G6:-2;", "O;", "X; H5:+8;"][number % 3];
        format!("{board} {claim}\n")
    };
    let problems = folder.path().join("problems.obf");
    std::fs::write(&problems, (0..16).map(problem).collect::<String>()).expect("written");
    let solve = |line: &str| {
        let mut command = othello(&["solve", "problems.obf", "--hash", "1"]);
        command
            .current_dir(folder.path())
            .args(line.split_whitespace());
        command.output().expect("the tool starts")
    };
    let shards = |count: u32, more: &str| {
        for index in 0..count {
            for _ in 0..2 {
                let told = solve(&format!("--parts p{count} --shard {index}/{count} {more}"));
                assert!(told.status.success(), "{}", stderr(&told));
                let end = format!("p{count}/solve-{index}of{count}.part\n");
                assert!(stdout(&told).ends_with(&end), "{}", stdout(&told));
            }
        }
        solve(&format!("--parts p{count} --merge {more}"))
    };
    let (one, seven) = (shards(1, ""), shards(7, ""));
    assert_eq!(one, seven);
    let told = stdout(&seven);
    assert_eq!(told.lines().count(), 17, "{told}");
    assert!(told.ends_with(" nodes, 5 wrong\n"), "{told}");
    assert!(!seven.status.success());
    let json = stdout(&solve("--parts p7 --merge --json"));
    assert!(json.lines().all(|line| !line.contains("seconds")), "{json}");

    let other = stderr(&solve("--parts p7 --merge --depth 2"));
    assert!(
        other.contains("solve-0of7.part is of other work: expected depth = 2, found no depth"),
        "{other}"
    );
    // Shards have one thread by default, on every machine.
    let one = solve("--parts p7 --merge --threads 1");
    assert_eq!(stdout(&one), told);
    let two = stderr(&solve("--parts p7 --merge --threads 2"));
    assert!(two.contains("expected threads = "), "{two}");
    std::fs::remove_file(folder.path().join("p7/solve-2of7.part")).expect("a part");
    let missing = stderr(&solve("--parts p7 --merge"));
    assert!(missing.contains("found none of 2/7"), "{missing}");
}

/// Runs `hint` and gives the words of its lines that begin with a value.
fn hints(more: &[&str]) -> Vec<Vec<String>> {
    let output = run(&[&["hint", "--hash", "1", "--no-store"][..], more].concat());
    let out = stdout(&output);
    assert!(output.status.success(), "{out}{}", stderr(&output));
    assert!(!out.contains('\u{1b}'), "{out}");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    let rows = out.lines().map(words);
    rows.filter(|row: &Vec<String>| row.first().is_some_and(|word| word.starts_with(['+', '-'])))
        .collect()
}

fn values(rows: &[Vec<String>]) -> Vec<f64> {
    rows.iter().map(|row| row[0].parse().unwrap()).collect()
}

#[test]
fn hint_values_every_move_and_shows_as_many_lines_as_asked_for() {
    let rows = hints(&["--moves", "f5d6", "--depth", "3", "--best", "3"]);
    assert_eq!(rows.len(), 5, "{rows:?}");
    assert!(values(&rows).is_sorted_by(|a, b| a >= b), "{rows:?}");
    for (rank, row) in rows.iter().enumerate() {
        assert_eq!(row[2..6], ["depth", "3,", "79", "%"], "{row:?}");
        // A line begins with the move that it is the line of.
        let line: &[String] = if rank < 3 { &row[6..] } else { &[] };
        assert_eq!(line.len(), if rank < 3 { 3 } else { 0 }, "{row:?}");
        assert!(line.first().is_none_or(|first| *first == row[1]), "{row:?}");
    }
}

#[test]
fn hint_tells_an_exact_score_and_plays_its_line_to_the_end() {
    let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    let rows = hints(&[board, "--best", "9"]);
    assert_eq!(values(&rows), [6.0, -2.0, -4.0, -10.0]);
    for row in rows {
        assert_eq!(row[2], "exact");
        let mut game = othello_core::Game::new(board.parse().unwrap());
        for mv in &row[3..] {
            game.play(mv.parse::<othello_core::Move>().unwrap())
                .unwrap();
        }
        let black = othello_core::Color::Black;
        let score = game.board().score(black, othello_core::Empties::ToWinner);
        assert!(game.is_over(), "{row:?}");
        assert_eq!(score.to_string(), row[0], "{row:?}");
    }
}

#[test]
fn hint_searches_a_single_move_like_any_other() {
    let board = "--XXXX--O-XXXXX-OOOOOXXOOXOOXXXOOXOXOOXOOOXOXXXOOXXXXX---O-XXX-- X";
    let rows = hints(&[board, "--time", "1d"]);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!((&*rows[0][0], &*rows[0][2]), ("-36", "exact"), "{rows:?}");
}

#[test]
fn the_referee_plays_whole_games() {
    two_games("sloan", &["--pass-comments", "--send-play"]);
    two_games("sloan", &["--no-parentheses"]);
    two_games("sloan", &["--opening-pass", "always"]);
}

#[test]
fn the_judge_plays_whole_games() {
    two_games("codewarriors", &["--concurrency", "2"]);
}

#[test]
fn the_gui_plays_whole_games_in_one_process() {
    let program = player("gui") + " --mode stay";
    let output = run(&["host", "gui", &program, &program, "--form", "stay-v2"]);
    assert!(
        stdout(&output).contains("played to the end"),
        "{}",
        stdout(&output)
    );
}

/// Our players stand in for the programs that are missing, and keep to the host's limit.
#[test]
fn without_programs_ours_play_within_the_limit() {
    let few_empties = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    let gui = |form| vec!["host", "gui", "--form", form, "--board", few_empties];
    for (arguments, stand_in) in [
        (
            vec!["host", "sloan", "--time", "8s"],
            "othello-sloan --game-time 8s #2 ",
        ),
        (
            vec![
                "host",
                "codewarriors",
                "--limit",
                "250ms",
                "--grace",
                "750ms",
            ],
            "othello-codewarriors --move-time 250ms #2 ",
        ),
        (
            gui("released"),
            "othello-guibot --mode released --move-time 3s #2 ",
        ),
        (
            gui("v2"),
            "othello-guibot --mode document --move-time 3s #2 ",
        ),
        (
            gui("stay-v1"),
            "othello-guibot --mode stay --move-time 3s #2 ",
        ),
    ] {
        let output = run(&arguments);
        let out = stdout(&output);
        assert!(output.status.success(), "{out}{}", stderr(&output));
        assert!(out.contains("played to the end"), "{arguments:?}: {out}");
        assert!(out.contains(stand_in), "{out}");
    }
}

#[test]
fn the_demo_plays_every_format() {
    let output = run(&["demo", "--move-time", "5ms", "--quiet"]);
    let out = stdout(&output);
    assert!(output.status.success(), "{out}{}", stderr(&output));
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
fn a_guest_of_the_demo_that_plays_go_has_the_whole_board() {
    let guest = "usenix=sh -c 'read c; read m; echo T19; read m; echo T19; read m'";
    let output = run(&["demo", "usenix", "--guest", guest]);
    let out = stdout(&output);
    assert!(!output.status.success(), "{out}");
    let row = out.lines().find(|line| line.starts_with("usenix"));
    assert!(
        row.is_some_and(|row| row.contains("illegal move by White")),
        "{out}"
    );
}

#[test]
fn a_guest_of_the_demo_that_fails_has_its_line_in_the_table() {
    let go = cfg!(target_os = "linux").then_some("usenix");
    for format in ["lth", "gui"].into_iter().chain(go) {
        let guest = format!("{format}=/does/not/exist");
        let output = run(&["demo", format, "--guest", &guest]);
        let out = stdout(&output);
        assert!(!output.status.success(), "{out}");
        let row = out.lines().find(|line| line.starts_with(format));
        assert!(row.is_some_and(|row| row.contains("exist")), "{out}");
    }
}

/// Sends a signal to a process of ours.
#[cfg(unix)]
fn signal(name: &str, process: u32) {
    let sent = Command::new("kill")
        .args([name, &process.to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_whole_demo() {
    let guest = "sloan=sh -c 'echo \"(C here)\"; cat > /dev/null'";
    let mut demo = othello(&["demo", "--comments", "--guest", guest])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(demo.stdout.take().unwrap());
    let mut line = String::new();
    while line != "White: here\n" {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0);
    }
    signal("-INT", demo.id());
    let output = demo.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "othello: interrupted\n");
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("LTH"), "{rest}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_person_leaves_no_program_behind() {
    // The program ignores the end of its input and the request to terminate.
    let script = r#"trap "" TERM; echo "(C $$)"; while :; do sleep 1; done"#;
    let mut play = othello(&["play", &format!("sh -c '{script}'"), "--format", "sloan"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(play.stdout.take().unwrap());
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    let program = first.trim().strip_prefix("White: ").expect(&first);
    signal("-TERM", play.id());
    play.wait().unwrap();
    let left = Command::new("kill").args(["-0", program]).output().unwrap();
    assert!(!left.status.success(), "{program} still runs");
}

#[cfg(unix)]
#[test]
fn a_program_that_leaves_loses_to_the_person() {
    let out = typed(&["play", "sh -c 'exit 1'", "--format", "sloan"], "");
    assert!(out.contains("Black wins.\nWhite left"), "{out}");
}

#[cfg(unix)]
#[test]
fn a_judge_survives_whatever_the_programs_are() {
    let good = player("codewarriors");
    for (bad, expected) in [
        ("sh -c 'exit 3'", "White left"),
        ("sh -c 'cat; sleep 60'", "illegal move by White"),
        ("sh -c 'yes A'", "White broke the format"),
        ("sh -c 'sleep 60'", "White ran out of time"),
        (
            r"sh -c 'printf \\377\\376; sleep 60'",
            "White broke the format",
        ),
    ] {
        let output = run(&["host", "codewarriors", &good, bad, "--limit", "1500ms"]);
        let out = stdout(&output);
        assert!(
            out.contains("Black wins"),
            "{bad}: {out}{}",
            stderr(&output)
        );
        assert!(out.contains(expected), "{bad}: {out}");
    }
}

#[test]
fn a_program_that_does_not_start_is_an_error_and_no_forfeit() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("games.jsonl");
    for format in ["sloan", "codewarriors", "gui"] {
        let (good, bad) = (player(format), "/does/not/exist".to_owned());
        for programs in [[&good, &bad], [&bad, &good]] {
            let [first, second] = programs;
            let record = record.to_str().unwrap();
            let output = run(&[
                "host", format, first, second, "--games", "3", "--record", record,
            ]);
            assert_eq!(output.status.code(), Some(1), "{format}");
            let expected = "othello: \"/does/not/exist\" did not start: ";
            let told = stderr(&output);
            assert!(told.starts_with(expected), "{format}: {told}");
            assert_eq!(stdout(&output), "", "{format}");
        }
    }
    assert_eq!(std::fs::read_to_string(record).unwrap(), "");
    for format in ["sloan", "codewarriors", "gui", "lth"] {
        let program = "/does/not/exist";
        let output = run(&["play", program, "--format", format, "--color", "white"]);
        assert_eq!(output.status.code(), Some(1), "{format}");
        assert!(stderr(&output).contains("/does/not/exist"), "{format}");
    }
}

#[cfg(unix)]
#[test]
fn a_record_has_a_line_for_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    two_games("codewarriors", &["--record", file.to_str().unwrap()]);
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(
        text.lines().all(|line| line.contains("\"moves\":\"")),
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn the_server_serves_until_it_is_told_to_stop() {
    let ports = ["--testing", "0", "--without", "evaluation,competition"];
    let mut server = othello(&[&["host", "lth"][..], &ports].concat())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap());
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    let address = first.split_whitespace().next().unwrap();
    let client = run(&[
        "player", "lth", address, "--name", "4711", "--color", "white", "--depth", "2",
    ]);
    assert!(client.status.success(), "{}", stderr(&client));
    signal("-TERM", server.id());
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert!(server.wait().unwrap().success());
    assert!(
        rest.contains("white 4711") && rest.contains("played to the end"),
        "{rest}"
    );
}

/// Types into `play` against a program over a format, and gives what it prints.
fn typed(arguments: &[&str], keys: &str) -> String {
    let mut command = othello(arguments);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(keys.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    stdout(&output)
}

#[test]
fn a_person_may_take_moves_back_from_the_engine() {
    let out = typed(&["play", "--depth", "2"], "f5\nundo\nd3\nquit\n");
    assert_eq!(
        out.matches("Black X 2, White O 2; Black to move").count(),
        2,
        "{out}"
    );
    assert_eq!(out.matches("White plays").count(), 2, "{out}");
}

#[test]
fn a_person_plays_a_program_over_every_format() {
    for (format, undo) in [
        ("sloan", "A Sloan referee cannot take a move back."),
        (
            "codewarriors",
            "A Code Warriors judge cannot take a move back.",
        ),
        ("lth", "An LTH server cannot take a move back."),
        ("gui", "There is no move of yours to take back."),
    ] {
        let mut program = player(format);
        if format == "lth" {
            program += " {host}:{port} --name program";
        }
        let keys = "undo\nf5\nanalyze\nquit\n";
        let out = typed(&["play", "--no-store", &program, "--format", format], keys);
        assert!(out.contains(undo), "{format}: {out}");
        assert!(out.contains("White plays"), "{format}: {out}");
        assert!(out.contains("  1  X f5 "), "{format}: {out}");
    }
}

/// Black wins with h5, and the game is over.
const ONE_MOVE: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

#[test]
fn a_person_analyzes_and_saves_a_game_during_it_and_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (during, after) = (file("during.ggf"), file("after.sgf"));
    let keys = format!("analyze\nsave {during}\nh5\nanalyze\nsave {after}\nsave {after}\n");
    let out = typed(
        &["play", "--no-store", "--board", ONE_MOVE, "--depth", "2"],
        &keys,
    );
    for told in [
        "There is no move yet.",
        &format!("Saved as GGF in {during}."),
        "  1  X h5         +6",
        &format!("{after} exists; type save! {after} to replace it"),
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
    let games = run(&["games", &during, &after]);
    let list = stdout(&games);
    assert_eq!(list.matches("Person").count(), 2, "{list}");
}

#[test]
fn a_game_whose_input_stays_open_ends_with_the_game() {
    let mut command = othello(&["play", "--board", ONE_MOVE, "--depth", "2"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keys = child.stdin.take().unwrap();
    keys.write_all(b"h5\n").unwrap();
    let mut out = String::new();
    let mut output = child.stdout.take().unwrap();
    output.read_to_string(&mut out).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(out.ends_with("Black wins.\nh5\n"), "{out}");
    drop(keys);
}

#[test]
fn an_analysis_is_written_as_a_page_over_no_file_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("game.html");
    let path = page.to_str().unwrap();
    let analyze = || {
        run(&[
            "analyze",
            "f5d6c3",
            "--depth",
            "2",
            "--hash",
            "1",
            "--no-store",
            "--html",
            path,
        ])
    };
    for _ in 0..2 {
        let output = analyze();
        assert!(output.status.success(), "{}", stderr(&output));
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.starts_with("<!DOCTYPE html>"), "{text}");
        assert!(text.contains(r#""move":"d6""#), "{text}");
    }
    std::fs::write(&page, "my notes").unwrap();
    let refused = analyze();
    assert!(!refused.status.success());
    assert!(
        stderr(&refused).contains("found \"my notes\""),
        "{}",
        stderr(&refused)
    );
}
