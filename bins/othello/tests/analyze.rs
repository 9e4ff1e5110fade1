//! The analysis of games as a user asks for it.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

/// A wipe-out after nine moves.
const SHORT: &str = "e6f4e3f6g5d6e7f5c5";

/// A game that ends with a full board.
const WHOLE: &str = "f5d6c3f3f4d3c4g6f6e6c5c6d7d8e7g5e3d2g4h3f7b5h5g3b4b6c8b8c7e8f8g8h4h6e2d1c1a3a6a5e1f2g7c2a4h8a2b7\
                     f1b3b1b2h7--a7a8a1--g1g2h2h1";

const GAMES: &str = "\
(;GM[Othello]PB[Ann]PW[Bob]DT[2003.12.15]RE[-4.00]TY[8]B[F5]W[D6]C[as usual]B[C3]W[D3]B[C4];)
(;GM[Othello]PB[Cid]PW[Ann]B[F5]W[F5];)
";

/// Runs the tool in a folder, with `input` as its standard input.
fn run(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_othello"))
        .arg("analyze")
        .args(arguments)
        .args(["--threads", "1", "--hash", "4", "--no-store"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A tool that refuses its arguments does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the tool ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Returns what a successful run prints.
fn printed(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(folder, arguments, input);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Returns what a run that fails tells.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments, "");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    text(&output.stderr)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn a_game_is_told_in_a_table_a_curve_and_sums() {
    let folder = folder();
    let told = printed(folder.path(), &[SHORT, "--depth", "4"], "");
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "Black - White, 64-0, opening: Perpendicular");
    let rows = lines.iter().skip(3).take(9);
    let rows = rows.filter(|line| line.contains("  X "));
    assert_eq!(rows.count(), 5, "{told}");
    assert!(told.contains("  9  X c5        +64\n"), "{told}");
    for part in ["Black's value in discs", "Worst moves", "mistakes  opening"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn an_unfinished_game_has_its_next_moves() {
    let folder = folder();
    let told = printed(folder.path(), &["f5", "--depth", "3"], "");
    for mv in ["d6", "f4", "f6"] {
        assert!(told.contains(&format!("  {mv} ")), "{told}");
    }
}

#[test]
fn the_json_agrees_with_itself() {
    let folder = folder();
    let arguments = [SHORT, "--depth", "4", "--json"];
    let told: Value = serde_json::from_str(&printed(folder.path(), &arguments, "")).expect("JSON");
    assert_eq!(told["format"], 1);
    assert_eq!(told["settings"]["depth"], 4);
    assert_eq!(told["game"]["result"]["black"], 64.0);
    let positions = told["positions"].as_array().expect("positions");
    let curve = told["curve"].as_array().expect("a curve");
    assert_eq!((positions.len(), curve.len()), (10, 10));
    for (position, next) in positions.iter().zip(&positions[1..]) {
        let best = &position["moves"][0];
        assert_eq!(position["value"]["score"], best["score"]);
        assert_eq!(best["bound"], "exact");
        let is_exact = |value: &Value| value["source"]["kind"] == "exact";
        assert!(is_exact(best) || !is_exact(&position["value"]));
        let played = &position["played"];
        let rank = played["rank"].as_u64().expect("a rank") as usize;
        let value = &position["moves"][rank - 1];
        assert_eq!(value["move"], played["move"]);
        assert_eq!(value["loss"], played["loss"]);
        let score = |value: &Value| value.as_f64().expect("a score");
        let sum = score(&value["score"]) + score(&next["value"]["score"]);
        assert!(sum.abs() < 0.001, "{position}");
        assert!(score(&played["loss"]) >= 0.0);
    }
    let end = positions.last().expect("the end");
    assert_eq!(end["to_move"], Value::Null);
    assert_eq!(end["value"]["source"]["kind"], "over");
    assert_eq!(end["played"], Value::Null);
}

#[test]
fn a_file_of_json_is_written_besides_and_replaces_only_its_like() {
    let folder = folder();
    let arguments = [SHORT, "--depth", "2", "--json=out.json"];
    let told = printed(folder.path(), &arguments, "");
    assert!(told.contains("mistakes"));
    printed(folder.path(), &arguments, "");
    let written = fs::read_to_string(folder.path().join("out.json")).expect("a file");
    assert_eq!(
        serde_json::from_str::<Value>(&written).expect("JSON")["format"],
        1
    );
    fs::write(folder.path().join("out.json"), "my own text").expect("a file");
    // Before the game is read, so that no analysis is lost.
    for target in ["--json=out.json", "--html=out.json"] {
        let error = refused(folder.path(), &["no-game", target]);
        assert!(
            error.contains("out.json: expected no file or one that begins"),
            "{error}"
        );
    }
}

#[test]
fn exact_values_with_a_proof_are_marked() {
    let folder = folder();
    let json = |arguments: &[&str]| -> Value {
        let arguments = [
            &[WHOLE, "--depth", "2", "--exact-from", "9", "--json"],
            arguments,
        ]
        .concat();
        serde_json::from_str(&printed(folder.path(), &arguments, "")).expect("JSON")
    };
    let ply = 54;
    let position = &json(&[])["positions"][ply];
    assert_eq!(position["proof"], Value::Null);
    // The proof is of the image under half a turn, with the colours exchanged.
    let board = position["board"].as_str().expect("a board").chars().rev();
    let board: String = board.map(exchanged).collect();
    let side = position["to_move"].as_str().expect("a side");
    let side = if side.eq_ignore_ascii_case("black") {
        "O"
    } else {
        "X"
    };
    let prove = |options: &[&str]| {
        let status = Command::new(env!("CARGO_BIN_EXE_othello"))
            .current_dir(folder.path())
            .args([
                "prove",
                &format!("{board} {side}"),
                "--hash",
                "1",
                "--threshold",
                "2",
            ])
            .args(options)
            .stdout(Stdio::null())
            .status();
        assert!(status.expect("the tool starts").success());
    };
    fs::create_dir(folder.path().join("proofs")).expect("a folder");
    prove(&["--at-least", "-63", "--out", "proofs/0.proof"]);
    prove(&["--out", "proofs/1.proof"]);
    fs::write(folder.path().join("proofs/2.proof"), "othproof 2\n").expect("a file");

    let told = json(&["--proofs", "proofs"]);
    for (at, position) in told["positions"]
        .as_array()
        .expect("positions")
        .iter()
        .enumerate()
    {
        let expected = if at == ply {
            json!("proofs/1.proof")
        } else {
            Value::Null
        };
        assert_eq!(position["proof"], expected, "{at}");
    }
    let arguments = [WHOLE, "--depth", "2", "--proofs", "proofs/1.proof"];
    let html = [&arguments[..], &["--html", "a.html", "--exact-from", "9"]].concat();
    let told = printed(folder.path(), &html, "");
    assert!(
        told.contains(&format!("Proved values *\n {ply}  ")),
        "{told}"
    );
    assert_eq!(told.matches('*').count(), 2, "{told}");
    let page = fs::read_to_string(folder.path().join("a.html")).expect("a page");
    assert!(page.contains("\"proof\":\"proofs/1.proof\""));

    // A value that is only estimated is not marked, and a proof that is refused is not used.
    let output = run(
        folder.path(),
        &[&arguments[..], &["--exact-from", "4"]].concat(),
        "",
    );
    let note =
        format!("proofs/1.proof: proves the position after move {ply}, which is not solved here");
    assert!(
        text(&output.stderr).contains(&note),
        "{}",
        text(&output.stderr)
    );
    assert!(!text(&output.stdout).contains("Proved"));
    let whole = fs::read(folder.path().join("proofs/1.proof")).expect("a proof");
    fs::write(
        folder.path().join("proofs/1.proof"),
        &whole[..whole.len() - 1],
    )
    .expect("a file");
    let output = run(folder.path(), &html, "");
    let refused = "warning: proofs/1.proof: refused: byte ";
    assert!(
        text(&output.stderr).contains(refused),
        "{}",
        text(&output.stderr)
    );
    assert!(!text(&output.stdout).contains("Proved"));
}

#[test]
fn a_proof_that_takes_too_long_to_check_is_refused() {
    let folder = folder();
    let start = "---------------------------OX------XO---------------------------";
    let header = format!("othproof 1 {start} X -62 -62 16\n");
    let proof = [header.as_bytes(), &[0; 1000]].concat();
    fs::write(folder.path().join("a.proof"), proof).expect("a file");
    let arguments = "f5 --depth 2 --proofs a.proof --proof-nodes 1000";
    let output = run(folder.path(), &arguments.split(' ').collect::<Vec<_>>(), "");
    let told = text(&output.stderr);
    assert!(output.status.success(), "{told}");
    let (start, end) = (
        "warning: a.proof: refused: byte ",
        ": expected a proof that takes at most 1000 nodes to check\n",
    );
    assert!(told.contains(start) && told.contains(end), "{told}");
}

/// The disc of the other colour.
fn exchanged(disc: char) -> char {
    match disc {
        'X' => 'O',
        'O' => 'X',
        empty => empty,
    }
}

#[test]
fn annotated_records_keep_what_was_told() {
    let folder = folder();
    fs::write(folder.path().join("a.ggf"), GAMES).expect("a file");
    for name in ["b.sgf", "b.ggf"] {
        let arguments = ["a.ggf", "--depth", "2", "--annotate", name];
        let output = run(folder.path(), &arguments, "");
        let told = text(&output.stderr);
        assert!(output.status.success(), "{told}");
        assert!(told.contains("a.ggf: GGF, game 1 of several"), "{told}");
        let written = fs::read_to_string(folder.path().join(name)).expect("a file");
        assert!(written.contains("C[as usual | Black "), "{written}");
        assert!(written.contains("Ann"), "{written}");
        assert_eq!(
            written.matches("depth 1").count() + written.matches("depth 2").count(),
            5,
            "{written}"
        );
        let again = refused(folder.path(), &arguments);
        assert!(again.contains("expected a new file"), "{again}");
    }
}

#[test]
fn files_are_written_although_nobody_reads_what_is_printed() {
    let folder = folder();
    let files = ["a.json", "a.html", "a.sgf"];
    let arguments = "--depth 2 --no-store --json=a.json --html a.html --annotate a.sgf";
    let mut child = Command::new(env!("CARGO_BIN_EXE_othello"))
        .args(["analyze", SHORT])
        .args(arguments.split(' '))
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    drop(child.stdout.take());
    assert!(child.wait().expect("the tool ends").success());
    for file in files {
        assert!(folder.path().join(file).exists(), "{file}");
    }
    assert_eq!(
        fs::read_dir(folder.path()).expect("a folder").count(),
        files.len()
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_analysis_whose_file_cannot_be_written_is_printed() {
    let folder = folder();
    let output = run(
        folder.path(),
        &[SHORT, "--depth", "2", "--html", "/dev/full"],
        "",
    );
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(told.contains("/dev/full"), "{told}");
    assert!(text(&output.stdout).contains("mistakes"));
}

#[test]
fn standard_input_and_a_number_choose_the_game() {
    let folder = folder();
    let games = "f5d6\nf5f6c4\n";
    let arguments = ["-", "--depth", "2", "--game", "2", "--json"];
    let told: Value =
        serde_json::from_str(&printed(folder.path(), &arguments, games)).expect("JSON");
    assert_eq!(told["game"]["opening"]["name"], "Diagonal");
    assert_eq!(told["positions"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_damaged_game_before_the_one_analyzed_is_told() {
    let folder = folder();
    let arguments = ["-", "--depth", "2", "--json"];
    let told = text(&run(folder.path(), &arguments, "f5f5\nf5d6\n").stderr);
    assert!(
        told.contains("game 1, byte 2: move 2: illegal move f5"),
        "{told}"
    );
    assert!(told.contains("game 2 of several"), "{told}");
}

#[test]
fn a_time_limit_ends_the_analysis() {
    let folder = folder();
    let output = run(folder.path(), &["f5d6c3d3c4", "--time", "300ms"], "");
    let told = text(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(
        told.contains("the time is over: all positions to depth"),
        "{told}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_says_how_far_it_came() {
    let folder = folder();
    // The store exists once the searches have begun, soon after the first of them is waited for.
    let mut child = Command::new(env!("CARGO_BIN_EXE_othello"))
        .args(["analyze", WHOLE, "--threads", "1", "--hash", "4"])
        .args(["--depth", "40", "--store", "store"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    while !folder.path().join("store").exists() {
        assert_eq!(child.try_wait().expect("a process"), None, "it ended");
        thread::sleep(Duration::from_millis(10));
    }
    thread::sleep(Duration::from_secs(1));
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill starts").success());
    let output = child.wait_with_output().expect("the tool ends");
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(told.contains("\ninterrupted"), "{told}");
    assert!(text(&output.stdout).starts_with("Black - White"));
}

#[test]
fn errors_say_what_was_expected() {
    let folder = folder();
    fs::write(folder.path().join("a.ggf"), GAMES).expect("a file");
    fs::write(folder.path().join("empty"), "\n").expect("a file");
    for (arguments, expected) in [
        (
            vec!["none.sgf"],
            "none.sgf: expected a file, - for standard input, or moves such as f5d6c3",
        ),
        (
            vec!["f5f5"],
            "the game given: game 1, byte 2: move 2: illegal move f5",
        ),
        (vec!["empty"], "empty: expected game records, found nothing"),
        (
            vec!["a.ggf", "--game", "3"],
            "a.ggf: expected at least 3 games, found 2",
        ),
        (
            vec!["f5", "--annotate", "a.pgn"],
            "a.pgn: expected a file whose name ends in .sgf or .ggf",
        ),
    ] {
        let told = refused(folder.path(), &arguments);
        assert!(told.contains(expected), "{told}");
    }
}
