//! The checkers in Python and Rust accept and refuse the same files.

use std::{io, process::Command};

use crate::support::{CHECKER, by_python, proof, random_board, searcher, solved, with_checksum};
use othello_analysis::proof::Claim;
use othello_core::{Board, Score};

#[test]
fn both_checkers_accept_proofs() {
    let mut searcher = searcher();
    let mut files = Vec::new();
    let mut claims = Vec::new();
    for (seed, empties, threshold) in [(1, 6, 0), (2, 8, 3), (3, 10, 4), (4, 12, 6), (5, 14, 5)] {
        let board = random_board(seed, empties);
        let exact = solved(&mut searcher, board);
        let file = proof(&mut searcher, &Claim::exact(board, exact, threshold));
        files.push(file.expect("a true claim"));
        claims.push(Ok(format!("{board}: score from {exact} to {exact}")));
        othello_check::check(files[files.len() - 1].as_slice()).expect("a proof");
    }
    if let Some(answers) = by_python(&files) {
        assert_eq!(answers, claims);
    }
}

#[test]
fn both_checkers_refuse_damaged_files() {
    let mut searcher = searcher();
    let board = random_board(6, 8);
    let exact = solved(&mut searcher, board);
    let file = proof(&mut searcher, &Claim::exact(board, exact, 3)).expect("a true claim");
    let changed = |at: usize| {
        let mut file = file.clone();
        file[at] ^= 1;
        file
    };
    let last = file.len() - 1;
    let files = [
        changed(0),
        changed(last),
        file[..last].to_vec(),
        [file.as_slice(), b"\n"].concat(),
        Vec::new(),
    ];
    for file in &files {
        assert!(othello_check::check(file.as_slice()).is_err());
    }
    let Some(answers) = by_python(&files) else {
        return;
    };
    for (answer, expected) in answers.iter().zip([
        "expected othproof 1",
        "checksum mismatch",
        "",
        "",
        "expected othproof 1",
    ]) {
        let error = answer.as_ref().expect_err("no proof");
        assert!(error.contains(expected), "{error}");
    }
}

/// Claims that differ from the exact score, and changed choices, each with a valid checksum.
fn forgeries(board: Board, exact: Score, file: &[u8], threshold: u32) -> Vec<Vec<u8>> {
    let line = file.iter().position(|&byte| byte == b'\n');
    let choices = &file[line.expect("a first line") + 1..file.len() - 4];
    let score = |discs: i32| Score::new(discs.clamp(-64, 64)).expect("within the bounds");
    let exact = exact.discs();
    let claims = [
        (0, 0),
        (2, 2),
        (-2, -2),
        (-2, 64),
        (2, 64),
        (-64, 2),
        (-64, -2),
    ];
    let mut files = Vec::new();
    for (lower, upper) in claims {
        let claim = Claim {
            board,
            lower: score(if lower == -64 { -64 } else { exact + lower }),
            upper: score(if upper == 64 { 64 } else { exact + upper }),
            threshold,
        };
        let line = format!("{claim}\n").into_bytes();
        files.push(with_checksum(&[line.as_slice(), choices].concat()));
        for at in 0..choices.len() {
            let mut choices = choices.to_vec();
            choices[at] ^= 0x55;
            files.push(with_checksum(&[line.as_slice(), &choices].concat()));
        }
    }
    files
}

#[test]
fn both_checkers_accept_the_same_forgeries_and_no_false_ones() {
    let mut searcher = searcher();
    let mut files = Vec::new();
    for (seed, threshold) in (0..12).zip([0, 1, 2, 4].into_iter().cycle()) {
        let board = random_board(seed, 6 + seed as u32 % 3);
        let exact = solved(&mut searcher, board);
        let file = proof(&mut searcher, &Claim::exact(board, exact, threshold));
        let file = file.expect("a true claim");
        files.extend(forgeries(board, exact, &file, threshold));
    }
    for file in &files {
        // This compares with brute force what the checker in Rust accepts.
        boardgame_laws::othello::proofs::check(&file[..file.len() - 4]);
    }
    let accepted = |file: &Vec<u8>| othello_check::check(file.as_slice()).is_ok();
    let by_rust: Vec<bool> = files.iter().map(accepted).collect();
    let count = by_rust.iter().filter(|&&accepted| accepted).count();
    assert!((12..files.len() - 12).contains(&count), "{count}");
    if let Some(answers) = by_python(&files) {
        let by_python: Vec<bool> = answers.iter().map(Result::is_ok).collect();
        assert_eq!(by_python, by_rust);
    }
}

#[test]
fn python_prints_its_usage_without_files() {
    let output = match Command::new("python3").arg(CHECKER).output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        output => output.expect("Python starts"),
    };
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.starts_with("usage: check.py"), "{error}");
}
