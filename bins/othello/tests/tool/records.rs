//! `othello convert` and `othello games`.

use crate::support::{Folder, Ran};

const GAMES: &str = "\
(;GM[Othello]PC[here]DT[2003.12.15]PB[Ann]PW[Bob]RE[-4.00]TI[5:00]TY[8]B[F5//1.5]W[D6]B[C3]W[D3]B[C4];)
(;GM[Othello]PB[Cid]PW[Ann]B[F5]W[F5];)
(;GM[Othello]DT[2004]PB[Cid]PW[Ann]RE[+64.00:r]B[F5]W[F6];)
(;GM[Othello]PB[Bob]PW[Cid]BO[8 ---------------------------*O------O*--------------------------- *]B[C5];)
";

/// Returns the exit status, output and messages of a run.
fn told(ran: &Ran) -> String {
    let code = ran.code.expect("an exit status");
    format!("status {code}\n{}---\n{}", ran.out, ran.errors)
}

fn run(folder: &Folder, line: &str) -> String {
    told(&folder.run(line))
}

/// Runs the tool with an input, and checks that what it tells has all parts.
#[track_caller]
fn check_told(line: &str, input: &str, parts: &[&str]) {
    let told = told(&Folder::new().run_with(line, input));
    for part in parts {
        assert!(told.contains(part), "{line}: {part}: {told}");
    }
}

#[test]
fn what_a_record_should_not_be_trusted_in_is_said() {
    let white = "-".repeat(5) + &"O".repeat(59);
    let second = "(;GM[Othello]TY[8a]RE[-127.000]B[F5]W[D6];)\n";
    let games = format!("(;GM[Othello]RE[+8]BO[8 {white} *];)\n{second}");
    let anti = "anti-Othello (TY[8a]): the player with fewer discs wins";
    let result = "the result contradicts the board at the end, 0-59";
    check_told(
        "games -",
        &games,
        &[
            &format!("1: ? - ?, +8, 0 moves, {result}"),
            &format!("2: ? - ?, 2 moves, Perpendicular, {anti}"),
            "Black won 1, White 0, 0 drawn, 1 without a result",
        ],
    );
    let [first, other] = [format!("game 1: {result}"), format!("game 2: {anti}")];
    check_told("convert - --to sgf", &games, &[&first, &other, "RE[B+8]"]);
    for store in ["--no-store", "--batch"] {
        let line = format!("analyze - --depth 2 --exact-from 0 --threads 1 {store}");
        check_told(&line, second, &[anti]);
    }
}

#[test]
fn boards_are_read_in_the_notation_of_others_and_that_is_told() {
    let digits = "0".repeat(27) + "21000000" + "12" + &"0".repeat(27) + " 1\n";
    let start = "-".repeat(27) + "OX------XO" + &"-".repeat(27) + " X";
    let told = "1 is Black, 2 White, 0 empty";
    check_told("convert - --to board", &digits, &[told]);
    let problems = format!("# a comment\n{start}; F5:+0; --:-127;\n{digits}");
    let solve = "solve - --hash 1 --depth 1 --json";
    check_told(solve, &problems, &[r#""problems":2"#]);
}

#[test]
fn the_log_of_a_match_and_the_records_of_a_host_are_converted() {
    let folder = Folder::new();
    let play = "match -e ann=own -e bob=own -l depth:2 --games 2 --openings start --log log";
    folder.printed(play);
    let converted = run(&folder, "convert log --to ggf");
    for part in [
        "status 0",
        "log: the log of a match, 2 games",
        "PB[ann]PW[bob]",
        "PB[bob]PW[ann]",
    ] {
        assert!(converted.contains(part), "{converted}");
    }
    // A move with its value and its time.
    let first = converted.split_once("]B[").expect("a move").1;
    let first = first.split_once(']').expect("its end").0;
    assert_eq!(first.split('/').count(), 3, "{first}");
    assert!(folder.printed("games log").contains("ann"));
    let game = r#"{"finished":1700000000,"event":"x","black":"ann","white":"bob","moves":"f5d6","discs":[3,3],"winner":"none","cause":"called off"}"#;
    folder.write("host", format!("{game}\n"));
    let converted = run(&folder, "convert host --to pgn");
    for part in [
        "status 0",
        "[Date \"2023.11.14\"]",
        "host: records of a host, 1 game",
    ] {
        assert!(converted.contains(part), "{converted}");
    }
}

#[test]
fn games_are_converted_and_what_is_lost_is_named() {
    let folder = Folder::new();
    folder.write("a.ggf", GAMES);
    for format in ["pgn", "transcript", "rows"] {
        let converted = run(&folder, &format!("convert a.ggf --to {format}"));
        insta::assert_snapshot!(format!("convert_{format}"), converted);
    }
    let piped = folder.run_with("convert - --to sgf", "F5 D6 c3\n");
    insta::assert_snapshot!("convert_stdin", told(&piped));
    // The format is that of what stands after the comments, however many there are.
    let commented = "% a comment line\n".repeat(1000) + "f5d6c3\n";
    let expected = "status 0\nf5d6c3\n";
    check_told("convert - --to transcript", &commented, &[expected]);
}

#[test]
fn wthor_is_written_with_its_names_and_read_with_them() {
    let folder = Folder::new();
    folder.write("a.ggf", GAMES.replace("DT[2004]", "DT[2003]"));
    let convert = "convert a.ggf --to wthor";
    assert!(folder.refused(convert).contains("expected --output FILE"));
    let to_file = format!("{convert} --output a.wtb");
    insta::assert_snapshot!("convert_wthor", run(&folder, &to_file));
    let again = folder.refused(&to_file);
    assert!(again.contains("a.wtb: expected a new file"), "{again}");
    for (name, line) in [
        (
            "games_wthor",
            "games a.wtb --players a.jou --tournaments a.trn",
        ),
        ("games_wrong_names", "games a.wtb --players a.trn"),
        ("games_names", "games a.jou"),
    ] {
        insta::assert_snapshot!(name, run(&folder, line));
    }
    // Names that are there already are noticed before anything is written.
    for (output, message) in [
        ("a.WTB", "a.jou: expected a new file"),
        ("b.jou", "b.jou: expected another extension"),
    ] {
        let refused = folder.refused(&format!("{convert} --output {output}"));
        assert!(refused.contains(message), "{refused}");
        assert!(!folder.path(output).exists(), "{output}");
    }
}

#[test]
fn games_are_listed_by_what_is_asked_for() {
    let folder = Folder::new();
    folder.write("a.ggf", GAMES);
    let listed = |more: &str| folder.run(&format!("games a.ggf {more}")).out;
    insta::assert_snapshot!("games", listed(""));
    let number = |line: &str| line.strip_prefix("a.ggf ")?.split(':').next()?.parse().ok();
    for (filter, expected) in [
        ("--player ann", &[1, 2, 3][..]),
        ("--black ann", &[1]),
        ("--white ann", &[2, 3]),
        ("--date 2003", &[1]),
        ("--date 2003-12-16..2004", &[3]),
        ("--result white", &[1]),
        ("--result unknown", &[2, 4]),
        ("--opening TIGER", &[1]),
        ("--opening Diagonal", &[3]),
        ("--event x", &[]),
        ("--player ann --result black", &[3]),
    ] {
        let numbers: Vec<u32> = listed(filter).lines().filter_map(number).collect();
        assert_eq!(numbers, expected, "{filter}");
    }
    let expected = "4 games: Black won 1, White 1, 0 drawn, 2 without a result\n";
    assert_eq!(listed("--count"), expected);
}

#[test]
fn the_moves_of_a_position_are_shown_with_their_games_and_known_values() {
    let folder = Folder::new();
    folder.write("a.ggf", GAMES);
    folder.printed("hint f5 --depth 2 --time 1m --store s");
    let shown = folder.run("games a.ggf --at f5 --store s");
    insta::assert_snapshot!("games_at", shown.out);
    let json = folder
        .run("games a.ggf --at f5 --player ann --json --no-store")
        .out;
    let found: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(found["games"], 3);
    let moves = found["moves"].as_array().expect("moves");
    assert!(moves.iter().all(|one| one["value"].is_null()), "{json}");
    folder.check_refusals(&[
        ("games a.ggf --at f5x", 2, "expected a square a1-h8"),
        ("games a.ggf --json", 2, "--at"),
    ]);
}

#[test]
fn what_is_no_file_of_games_is_refused() {
    let folder = Folder::new();
    folder.write("empty", "\n");
    folder.write("page.html", "<html>f5d6</html>");
    let lines = [
        "games nowhere",
        "games empty",
        "games page.html",
        "games page.html --from ggf",
        "games page.html --opening tigre",
        "convert page.html --to pgn",
        "convert empty --to xml",
    ];
    insta::assert_snapshot!("refused", lines.map(|line| run(&folder, line)).concat());
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_others_from_it() {
    let folder = Folder::new();
    folder.write("page.html", "<html>");
    folder.write("a.txt", "f5d6c3\n");
    let listed = run(&folder, "games page.html nowhere a.txt");
    insta::assert_snapshot!("games_of_some_files", listed);
    let converted = run(&folder, "convert page.html nowhere a.txt --to transcript");
    let start = "status 1\nf5d6c3\n---\npage.html: ";
    assert!(converted.starts_with(start), "{converted}");
}

#[test]
fn without_games_no_file_is_written() {
    let folder = Folder::new();
    folder.write("set-up.ggf", GAMES.lines().last().expect("a game"));
    folder.write("empty", "\n");
    for (file, format) in [
        ("empty", "pgn"),
        ("empty", "wthor"),
        ("set-up.ggf", "transcript"),
        ("set-up.ggf", "wthor"),
    ] {
        let told = folder.refused(&format!("convert {file} --to {format} --output out"));
        assert!(
            told.ends_with("\nout: no games, so not written\n"),
            "{told}"
        );
        assert!(!folder.path("out").exists(), "{file} {format}");
    }
}

#[test]
fn the_moves_before_a_fault_are_kept() {
    let folder = Folder::new();
    let host = r#"{"finished":1,"event":"e","black":"a","white":"b","moves":"f5d6a1c3","discs":[3,3],"winner":"none","cause":"x"}"#;
    for text in ["(;GM[2];B[f5];W[d6];AB[a1];B[c3])", &format!("{host}\n")] {
        folder.write("games", text);
        for (line, kept) in [
            ("games games", ", 2 moves"),
            ("convert games --to transcript", "f5d6\n"),
        ] {
            let ran = folder.run(line);
            assert_eq!(ran.code, Some(1), "{ran:?}");
            assert!(ran.errors.contains("; 2 moves kept\n"), "{ran:?}");
            assert!(ran.out.contains(kept), "{ran:?}");
        }
    }
    let parts = ["status 1", "; 2 moves kept\n"];
    check_told("analyze - --depth 2", "f5d6a1c3\n", &parts);
}

#[test]
fn text_in_other_encodings_is_told_and_written_as_utf_8() {
    let folder = Folder::new();
    let text = b"(;GM[Othello]PB[J\xfcrgen M\xfcller]PW[Ren\xe9]B[F5];)\n(;GM[Othello]B[F5];)\n";
    folder.write("a.ggf", text);
    let output = run(&folder, "convert a.ggf --to sgf");
    for part in [
        "status 0\n",
        "CA[UTF-8]PB[Jürgen Müller]PW[René]",
        "a.ggf: 1 game read as windows-1252\n",
    ] {
        assert!(output.contains(part), "{output}");
    }
}
