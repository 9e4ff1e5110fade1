//! Game records as a user converts and lists them.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Output, Stdio},
};

const GAMES: &str = "\
(;GM[Othello]PC[here]DT[2003.12.15]PB[Ann]PW[Bob]RE[-4.00]TI[5:00]TY[8]B[F5//1.5]W[D6]B[C3]W[D3]B[C4];)
(;GM[Othello]PB[Cid]PW[Ann]B[F5]W[F5];)
(;GM[Othello]DT[2004]PB[Cid]PW[Ann]RE[+64.00:r]B[F5]W[F6];)
(;GM[Othello]PB[Bob]PW[Cid]BO[8 ---------------------------*O------O*--------------------------- *]B[C5];)
";

/// Runs the tool in a folder, with `input` as its standard input.
fn run(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_othello"))
        .args(arguments)
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

/// Returns the exit status, output and messages of a run.
fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code().expect("an exit status");
    format!(
        "status {status}\n{}---\n{}",
        text(&output.stdout),
        text(&output.stderr)
    )
}

#[test]
fn what_a_record_should_not_be_trusted_in_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let white = "-".repeat(5) + &"O".repeat(59);
    let games = format!(
        "(;GM[Othello]RE[+8]BO[8 {white} *];)\n(;GM[Othello]TY[8a]RE[-127.000]B[F5]W[D6];)\n"
    );
    let anti = "anti-Othello (TY[8a]): the player with fewer discs wins";
    let result = "the result contradicts the board at the end, 0-59";
    let listed = told(&run(folder.path(), &["games", "-"], &games));
    assert!(
        listed.contains(&format!("1: ? - ?, +8, 0 moves, {result}")),
        "{listed}"
    );
    assert!(
        listed.contains(&format!("2: ? - ?, 2 moves, Perpendicular, {anti}")),
        "{listed}"
    );
    assert!(
        listed.contains("Black won 1, White 0, 0 drawn, 1 without a result"),
        "{listed}"
    );
    let converted = told(&run(
        folder.path(),
        &["convert", "-", "--to", "sgf"],
        &games,
    ));
    assert!(
        converted.contains(&format!("game 1: {result}")),
        "{converted}"
    );
    assert!(
        converted.contains(&format!("game 2: {anti}")),
        "{converted}"
    );
    assert!(converted.contains("RE[B+8]"), "{converted}");
    let second = games.lines().nth(1).expect("a game");
    for store in ["--no-store", "--batch"] {
        let analyze = [
            "analyze",
            "-",
            "--depth",
            "2",
            "--exact-from",
            "0",
            "--threads",
            "1",
            store,
        ];
        let analyzed = told(&run(folder.path(), &analyze, second));
        assert!(analyzed.contains(anti), "{analyzed}");
    }
}

#[test]
fn boards_are_read_in_the_notation_of_others_and_that_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let digits = "0".repeat(27) + "21000000" + "12" + &"0".repeat(27) + " 1\n";
    let converted = told(&run(
        folder.path(),
        &["convert", "-", "--to", "board"],
        &digits,
    ));
    let start = "-".repeat(27) + "OX------XO" + &"-".repeat(27) + " X";
    assert!(
        converted.contains("1 is Black, 2 White, 0 empty"),
        "{converted}"
    );
    let problems = format!("# a comment\n{start}; F5:+0; --:-127;\n{digits}");
    let solve = ["solve", "-", "--hash", "1", "--depth", "1", "--json"];
    let solved = told(&run(folder.path(), &solve, &problems));
    assert!(solved.contains(r#""problems":2"#), "{solved}");
}

#[test]
fn the_log_of_a_match_and_the_records_of_a_host_are_converted() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| {
        let output = run(folder.path(), arguments, "");
        assert!(output.status.success(), "{}", told(&output));
        output
    };
    run(&[
        "match",
        "-e",
        "ann=own",
        "-e",
        "bob=own",
        "-l",
        "depth:2",
        "--games",
        "2",
        "--openings",
        "start",
        "--log",
        "log",
    ]);
    let converted = told(&run(&["convert", "log", "--to", "ggf"]));
    assert!(
        converted.contains("log: the log of a match, 2 games"),
        "{converted}"
    );
    for players in ["PB[ann]PW[bob]", "PB[bob]PW[ann]"] {
        assert!(converted.contains(players), "{converted}");
    }
    // A move with its value and its time.
    let first = converted.split_once("]B[").expect("a move").1;
    let first = first.split_once(']').expect("its end").0;
    assert_eq!(first.split('/').count(), 3, "{first}");
    let listed = told(&run(&["games", "log"]));
    assert!(
        listed.contains("ann") && listed.contains("status 0"),
        "{listed}"
    );
    let game = r#"{"finished":1700000000,"event":"x","black":"ann","white":"bob","moves":"f5d6","discs":[3,3],"winner":"none","cause":"called off"}"#;
    fs::write(folder.path().join("host"), format!("{game}\n")).expect("a file");
    let converted = told(&run(&["convert", "host", "--to", "pgn"]));
    assert!(converted.contains("[Date \"2023.11.14\"]"), "{converted}");
    assert!(
        converted.contains("host: records of a host, 1 game"),
        "{converted}"
    );
}

#[test]
fn games_are_converted_and_what_is_lost_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.ggf"), GAMES).expect("a file");
    for format in ["pgn", "transcript", "rows"] {
        let output = run(folder.path(), &["convert", "a.ggf", "--to", format], "");
        insta::assert_snapshot!(format!("convert_{format}"), told(&output));
    }
    let piped = run(
        folder.path(),
        &["convert", "-", "--to", "sgf"],
        "F5 D6 c3\n",
    );
    insta::assert_snapshot!("convert_stdin", told(&piped));
    // The format is that of what stands after the comments, however many there are.
    let commented = "% a comment line\n".repeat(1000) + "f5d6c3\n";
    let piped = run(
        folder.path(),
        &["convert", "-", "--to", "transcript"],
        &commented,
    );
    assert!(
        told(&piped).starts_with("status 0\nf5d6c3\n"),
        "{}",
        told(&piped)
    );
}

#[test]
fn wthor_is_written_with_its_names_and_read_with_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = GAMES.replace("DT[2004]", "DT[2003]");
    fs::write(folder.path().join("a.ggf"), games).expect("a file");
    let arguments = ["convert", "a.ggf", "--to", "wthor"];
    let refused = told(&run(folder.path(), &arguments, ""));
    assert!(refused.contains("expected --output FILE"), "{refused}");
    let to_file = [&arguments[..], &["--output", "a.wtb"]].concat();
    let written = told(&run(folder.path(), &to_file, ""));
    insta::assert_snapshot!("convert_wthor", written);
    let again = told(&run(folder.path(), &to_file, ""));
    assert!(again.contains("a.wtb: expected a new file"), "{again}");
    let names = ["--players", "a.jou", "--tournaments", "a.trn"];
    let listed = run(
        folder.path(),
        &[&["games", "a.wtb"], &names[..]].concat(),
        "",
    );
    insta::assert_snapshot!("games_wthor", told(&listed));
    let wrong = run(folder.path(), &["games", "a.wtb", "--players", "a.trn"], "");
    insta::assert_snapshot!("games_wrong_names", told(&wrong));
    // Names that are there already are noticed before anything is written.
    for (output, message) in [
        ("a.WTB", "a.jou: expected a new file"),
        ("b.jou", "b.jou: expected another extension"),
    ] {
        let refused = told(&run(
            folder.path(),
            &[&arguments[..], &["--output", output]].concat(),
            "",
        ));
        assert!(refused.contains(message), "{refused}");
        assert!(!folder.path().join(output).exists(), "{output}");
    }
    let as_games = run(folder.path(), &["games", "a.jou"], "");
    insta::assert_snapshot!("games_names", told(&as_games));
}

#[test]
fn games_are_listed_by_what_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.ggf"), GAMES).expect("a file");
    let listed = |more: &[&str]| {
        let output = run(folder.path(), &[&["games", "a.ggf"], more].concat(), "");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    insta::assert_snapshot!("games", listed(&[]));
    let numbers = |more: &[&str]| -> Vec<u32> {
        let text = listed(more);
        let numbers = text
            .lines()
            .filter_map(|line| line.strip_prefix("a.ggf ")?.split(':').next()?.parse().ok());
        numbers.collect()
    };
    for (filter, expected) in [
        (&["--player", "ann"][..], &[1, 2, 3][..]),
        (&["--black", "ann"], &[1]),
        (&["--white", "ann"], &[2, 3]),
        (&["--date", "2003"], &[1]),
        (&["--date", "2003-12-16..2004"], &[3]),
        (&["--result", "white"], &[1]),
        (&["--result", "unknown"], &[2, 4]),
        (&["--opening", "TIGER"], &[1]),
        (&["--opening", "Diagonal"], &[3]),
        (&["--event", "x"], &[]),
        (&["--player", "ann", "--result", "black"], &[3]),
    ] {
        assert_eq!(numbers(filter), expected, "{filter:?}");
    }
    let expected = "4 games: Black won 1, White 1, 0 drawn, 2 without a result\n";
    assert_eq!(listed(&["--count"]), expected);
}

#[test]
fn what_is_no_file_of_games_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("empty"), "\n").expect("a file");
    fs::write(folder.path().join("page.html"), "<html>f5d6</html>").expect("a file");
    let mut text = String::new();
    for arguments in [
        &["games", "nowhere"][..],
        &["games", "empty"],
        &["games", "page.html"],
        &["games", "page.html", "--from", "ggf"],
        &["games", "page.html", "--opening", "tigre"],
        &["convert", "page.html", "--to", "pgn"],
        &["convert", "empty", "--to", "xml"],
    ] {
        text += &told(&run(folder.path(), arguments, ""));
    }
    insta::assert_snapshot!("refused", text);
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_others_from_it() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("page.html"), "<html>").expect("a file");
    fs::write(folder.path().join("a.txt"), "f5d6c3\n").expect("a file");
    let files = ["page.html", "nowhere", "a.txt"];
    let listed = run(folder.path(), &[&["games"], &files[..]].concat(), "");
    insta::assert_snapshot!("games_of_some_files", told(&listed));
    let arguments = [&["convert"], &files[..], &["--to", "transcript"]].concat();
    let converted = told(&run(folder.path(), &arguments, ""));
    assert!(
        converted.starts_with("status 1\nf5d6c3\n---\npage.html: "),
        "{converted}"
    );
}

#[test]
fn without_games_no_file_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = "(;GM[Othello]BO[8 ---------------------------*O------O*--------------------------- *]B[C5];)\n";
    fs::write(folder.path().join("set-up.ggf"), games).expect("a file");
    fs::write(folder.path().join("empty"), "\n").expect("a file");
    for (file, format) in [
        ("empty", "pgn"),
        ("empty", "wthor"),
        ("set-up.ggf", "transcript"),
        ("set-up.ggf", "wthor"),
    ] {
        let arguments = ["convert", file, "--to", format, "--output", "out"];
        let told = told(&run(folder.path(), &arguments, ""));
        assert!(
            told.ends_with("\nout: no games, so not written\n"),
            "{told}"
        );
        assert!(told.starts_with("status 1\n"), "{told}");
        assert!(!folder.path().join("out").exists(), "{file} {format}");
    }
}

#[test]
fn the_moves_before_a_fault_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = r#"{"finished":1,"event":"e","black":"a","white":"b","moves":"f5d6a1c3","discs":[3,3],"winner":"none","cause":"x"}"#;
    let host = format!("{host}\n");
    for text in ["(;GM[2];B[f5];W[d6];AB[a1];B[c3])", host.as_str()] {
        fs::write(folder.path().join("games"), text).expect("a file");
        for command in [&["games"][..], &["convert", "--to", "transcript"]] {
            let output = told(&run(folder.path(), &[command, &["games"]].concat(), ""));
            assert!(output.starts_with("status 1\n"), "{output}");
            assert!(output.contains("; 2 moves kept\n"), "{output}");
            let kept = ["f5d6\n", ", 2 moves"]
                .iter()
                .any(|kept| output.contains(kept));
            assert!(kept, "{output}");
        }
    }
    let analyze = ["analyze", "-", "--depth", "2"];
    let analyzed = told(&run(folder.path(), &analyze, "f5d6a1c3\n"));
    assert!(analyzed.starts_with("status 1\n"), "{analyzed}");
    assert!(analyzed.contains("; 2 moves kept\n"), "{analyzed}");
}

#[test]
fn text_in_other_encodings_is_told_and_written_as_utf_8() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = b"(;GM[Othello]PB[J\xfcrgen M\xfcller]PW[Ren\xe9]B[F5];)\n(;GM[Othello]B[F5];)\n";
    fs::write(folder.path().join("a.ggf"), text).expect("a file");
    let convert = ["convert", "a.ggf", "--to", "sgf"];
    let output = told(&run(folder.path(), &convert, ""));
    let name = "CA[UTF-8]PB[Jürgen Müller]PW[René]";
    assert!(
        output.starts_with("status 0\n") && output.contains(name),
        "{output}"
    );
    assert!(
        output.contains("a.ggf: 1 game read as windows-1252\n"),
        "{output}"
    );
}
