//! `othello analyze` of one game.

use std::{fs, process::Stdio};

use serde_json::{Value, json};

use crate::support::{Folder, Ran};

/// A wipe-out after nine moves.
const SHORT: &str = "e6f4e3f6g5d6e7f5c5";

/// A game that ends with a full board.
const WHOLE: &str = "f5d6c3f3f4d3c4g6f6e6c5c6d7d8e7g5e3d2g4h3f7b5h5g3b4b6c8b8c7e8f8g8h4h6e2d1c1a3a6a5e1f2g7c2a4h8a2b7\
                     f1b3b1b2h7--a7a8a1--g1g2h2h1";

const GAMES: &str = "\
(;GM[Othello]PB[Ann]PW[Bob]DT[2003.12.15]RE[-4.00]TY[8]B[F5]W[D6]C[as usual]B[C3]W[D3]B[C4];)
(;GM[Othello]PB[Cid]PW[Ann]B[F5]W[F5];)
";

const OPTIONS: &str = "--threads 1 --hash 4 --no-store";

fn analyze(folder: &Folder, line: &str) -> Ran {
    folder.run(&format!("analyze {line} {OPTIONS}"))
}

fn printed(folder: &Folder, line: &str) -> String {
    folder.printed(&format!("analyze {line} {OPTIONS}"))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn a_game_is_told_in_a_table_a_curve_and_sums() {
    let folder = Folder::new();
    let told = printed(&folder, &format!("{SHORT} --depth 4"));
    assert!(told.starts_with("Black - White, 64-0, opening: Perpendicular\n"));
    let rows = told.lines().skip(3).take(9);
    let rows = rows.filter(|line| line.contains("  X "));
    assert_eq!(rows.count(), 5, "{told}");
    for part in [
        "  9  X c5        +64\n",
        "Black's value in discs",
        "Worst moves",
        "mistakes  opening",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    // The next moves of a game that is not over.
    let told = printed(&folder, "f5 --depth 3");
    for mv in ["d6", "f4", "f6"] {
        assert!(told.contains(&format!("  {mv} ")), "{told}");
    }
}

#[test]
fn the_json_agrees_with_itself() {
    let told = json(&printed(
        &Folder::new(),
        &format!("{SHORT} --depth 4 --json"),
    ));
    assert_eq!(
        (&told["format"], &told["settings"]["depth"]),
        (&json!(1), &json!(4))
    );
    assert_eq!(told["game"]["result"]["black"], 64.0);
    let positions = told["positions"].as_array().expect("positions");
    let curve = told["curve"].as_array().expect("a curve");
    assert_eq!((positions.len(), curve.len()), (10, 10));
    let score = |value: &Value| value.as_f64().expect("a score");
    for (position, next) in positions.iter().zip(&positions[1..]) {
        let (best, played) = (&position["moves"][0], &position["played"]);
        assert_eq!(position["value"]["score"], best["score"]);
        assert_eq!(best["bound"], "exact");
        let is_exact = |value: &Value| value["source"]["kind"] == "exact";
        assert!(is_exact(best) || !is_exact(&position["value"]));
        let rank = played["rank"].as_u64().expect("a rank") as usize;
        let value = &position["moves"][rank - 1];
        assert_eq!(
            (&value["move"], &value["loss"]),
            (&played["move"], &played["loss"])
        );
        let sum = score(&value["score"]) + score(&next["value"]["score"]);
        assert!(
            sum.abs() < 0.001 && score(&played["loss"]) >= 0.0,
            "{position}"
        );
    }
    let end = positions.last().expect("the end");
    assert_eq!(end["value"]["source"]["kind"], "over");
    assert!(end["to_move"].is_null() && end["played"].is_null(), "{end}");
}

#[test]
fn exact_values_with_a_proof_are_marked() {
    let folder = Folder::new();
    let game = format!("{WHOLE} --depth 2");
    let positions = |more: &str| {
        let line = format!("{game} --exact-from 9 --json {more}");
        let positions = json(&printed(&folder, &line))["positions"].take();
        positions.as_array().expect("positions").clone()
    };
    let ply = 54;
    let position = &positions("")[ply];
    assert!(position["proof"].is_null(), "{position}");
    // The proofs are of the image under half a turn, with the colours exchanged.
    let exchanged = |disc| match disc {
        'X' => 'O',
        'O' => 'X',
        empty => empty,
    };
    let board = position["board"].as_str().expect("a board").chars().rev();
    let board: String = board.map(exchanged).collect();
    let side = position["to_move"].as_str().expect("a side");
    let side = if side.eq_ignore_ascii_case("black") {
        'O'
    } else {
        'X'
    };
    fs::create_dir(folder.path("proofs")).expect("a folder");
    for claim in [
        "--at-least -63 --out proofs/0.proof",
        "--out proofs/1.proof",
    ] {
        folder.printed(&format!(
            "prove '{board} {side}' --hash 1 --threshold 2 {claim}"
        ));
    }
    folder.write("proofs/2.proof", "othproof 2\n");

    for (at, position) in positions("--proofs proofs").iter().enumerate() {
        let expected = (at == ply).then_some("proofs/1.proof");
        assert_eq!(position["proof"], json!(expected), "{at}");
    }
    let game = format!("{game} --proofs proofs/1.proof");
    let page = format!("{game} --html a.html --exact-from 9");
    let told = printed(&folder, &page);
    assert!(
        told.contains(&format!("Proved values *\n {ply}  ")),
        "{told}"
    );
    assert_eq!(told.matches('*').count(), 2, "{told}");
    assert!(
        folder
            .read("a.html")
            .contains("\"proof\":\"proofs/1.proof\"")
    );

    // A value that is only estimated is not marked, and a proof that is refused is not used.
    let check_unused = |line: &str, expected: &str| {
        let ran = analyze(&folder, line);
        let told = ran.errors.contains(&format!("proofs/1.proof: {expected}"));
        assert!(told && !ran.out.contains("Proved"), "{expected}: {ran:?}");
    };
    let unsolved = format!("proves the position after move {ply}, which is not solved here");
    check_unused(&format!("{game} --exact-from 4"), &unsolved);
    check_unused(&format!("{page} --proof-nodes 1"), "refused: byte ");
    let whole = fs::read(folder.path("proofs/1.proof")).expect("a proof");
    folder.write("proofs/1.proof", &whole[..whole.len() - 1]);
    check_unused(&page, "refused: byte ");
}

#[test]
fn files_replace_only_their_like_and_need_no_reader_of_what_is_printed() {
    let folder = Folder::new();
    let line = format!("analyze {SHORT} --depth 2 --json=a.json --html a.html {OPTIONS}");
    let mut command = folder.command(&format!("{line} --annotate a.sgf"));
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the tool");
    drop(child.stdout.take());
    assert!(child.wait().expect("the end").success());
    assert!(folder.path("a.sgf").exists() && folder.count() == 3);
    assert!(folder.printed(&line).contains("mistakes"));
    assert_eq!(json(&folder.read("a.json"))["format"], 1);
    assert!(folder.read("a.html").contains("<svg"));
    for name in ["a.json", "a.html"] {
        folder.write(name, "my own text");
    }
    // Before the game is read, so that no analysis is lost.
    for (option, name) in [("--json=", "a.json"), ("--html ", "a.html")] {
        let told = folder.refused(&format!("analyze no-game {option}{name}"));
        let expected = format!("{name}: expected no file or one that begins");
        assert!(told.contains(&expected), "{told}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_analysis_whose_file_cannot_be_written_is_printed() {
    let ran = analyze(
        &Folder::new(),
        &format!("{SHORT} --depth 2 --html /dev/full"),
    );
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.errors.contains("/dev/full") && ran.out.contains("mistakes"),
        "{ran:?}"
    );
}

#[test]
fn annotated_records_keep_what_was_told() {
    let folder = Folder::new();
    folder.write("a.ggf", GAMES);
    for name in ["b.sgf", "b.ggf"] {
        let line = format!("a.ggf --depth 2 --annotate {name}");
        let ran = analyze(&folder, &line);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            ran.errors.contains("a.ggf: GGF, game 1 of several"),
            "{ran:?}"
        );
        let written = folder.read(name);
        assert!(
            written.contains("C[as usual | Black ") && written.contains("Ann"),
            "{written}"
        );
        let depths = ["depth 1", "depth 2"].map(|depth| written.matches(depth).count());
        assert_eq!(depths[0] + depths[1], 5, "{written}");
        let again = analyze(&folder, &line);
        assert!(again.errors.contains("expected a new file"), "{again:?}");
    }
}

#[test]
fn standard_input_and_a_number_choose_the_game() {
    let folder = Folder::new();
    let line = "analyze - --depth 2 --game 2 --json --no-store";
    let told = json(&folder.run_with(line, "f5d6\nf5f6c4\n").out);
    assert_eq!(told["game"]["opening"]["name"], "Diagonal");
    assert_eq!(told["positions"].as_array().map(Vec::len), Some(4));
    // A damaged game before the one analyzed.
    let told = folder.run_with("analyze - --depth 2 --json --no-store", "f5f5\nf5d6\n");
    for part in [
        "game 1, byte 2: move 2: illegal move f5",
        "game 2 of several",
    ] {
        assert!(told.errors.contains(part), "{told:?}");
    }
}

#[test]
fn a_time_limit_ends_the_analysis() {
    let ran = analyze(&Folder::new(), "f5d6c3d3c4 --time 300ms");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.errors
            .contains("the time is over: all positions to depth"),
        "{ran:?}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_says_how_far_it_came() {
    use std::{thread, time::Duration};

    use crate::support::{await_while, signal};

    let folder = Folder::new();
    let line = format!("analyze {WHOLE} --threads 1 --hash 4 --depth 40 --store store");
    let mut child = folder.start(&line);
    // The store exists once the searches have begun, soon after the first of them is waited for.
    await_while(&mut child, || folder.path("store").exists());
    thread::sleep(Duration::from_secs(1));
    signal("INT", child.id());
    let ran = Ran::from(child.wait_with_output().expect("the end"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.errors.contains("\ninterrupted"), "{ran:?}");
    assert!(ran.out.starts_with("Black - White"), "{ran:?}");
}

#[test]
fn errors_say_what_was_expected() {
    let folder = Folder::new();
    folder.write("a.ggf", GAMES);
    folder.write("empty", "\n");
    folder.check_refusals(&[
        (
            "analyze none.sgf",
            1,
            "none.sgf: expected a file, - for standard input, or moves such as f5d6c3",
        ),
        (
            "analyze f5f5",
            1,
            "the game given: game 1, byte 2: move 2: illegal move f5",
        ),
        (
            "analyze empty",
            1,
            "empty: expected game records, found nothing",
        ),
        (
            "analyze a.ggf --game 3",
            1,
            "a.ggf: expected at least 3 games, found 2",
        ),
        (
            "analyze f5 --annotate a.pgn",
            1,
            "a.pgn: expected a file whose name ends in .sgf or .ggf",
        ),
    ]);
}
