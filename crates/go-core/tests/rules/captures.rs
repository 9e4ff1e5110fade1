//! Captures that are easy to get wrong.

use go_core::{Board, Color, Point};

fn point(name: &str) -> Point {
    name.parse().expect("a point")
}

/// Plays stones, written as `X C3`, and returns the board.
fn play(rows: &str, stones: &[&str]) -> Board {
    let mut board: Board = rows.parse().expect("a board");
    for stone in stones {
        let (color, name) = stone.split_once(' ').expect("a colour and a point");
        board.play(color.parse().expect("a colour"), point(name));
    }
    board
}

fn check(rows: &str, stones: &[&str], expected: &str, captures: [u32; 2]) {
    let (board, expected) = (
        play(rows, stones),
        expected.parse::<Board>().expect("a board"),
    );
    assert_eq!(
        board.stones().collect::<Vec<_>>(),
        expected.stones().collect::<Vec<_>>()
    );
    assert_eq!(board.hash(), expected.hash());
    assert_eq!(board.captures(), captures.into());
}

#[test]
fn one_stone_captures_several_chains() {
    check(
        ". X O X .
         X O . O X
         . X O X .
         . . X . .
         . . . . .",
        &["X C4"],
        ". X . X .
         X . X . X
         . X . X .
         . . X . .
         . . . . .",
        [4, 0],
    );
}

#[test]
fn a_chain_that_touches_the_stone_twice_is_captured_once() {
    check(
        "O O X\nO . X\nX X .",
        &["X B2"],
        ". . X\n. X X\nX X .",
        [3, 0],
    );
}

#[test]
fn captures_come_before_suicide() {
    check(
        "O . X\nX X X\n. . .",
        &["X B3"],
        ". X X\nX X X\n. . .",
        [1, 0],
    );
    check(
        ". X O\nX O .\nO . .",
        &["O A3"],
        "O . O\n. O .\nO . .",
        [0, 2],
    );
}

#[test]
fn suicide_removes_the_whole_chain() {
    let rows = "X . O\nX O .\nO . .";
    assert!(play(rows, &[]).is_suicide(Color::Black, point("B3")));
    check(rows, &["X B3"], ". . O\n. O .\nO . .", [0, 3]);
}

#[test]
fn a_snapback_is_not_a_ko() {
    // White throws in at A1, Black captures that stone, and White captures five by playing A1
    // again.
    let rows = "O O O .\nX X X O\n. . X O";
    let rows = format!(". . . .\n{rows}");
    assert_eq!(play(&rows, &["O A1", "X B1"]).ko(), None);
    check(
        &rows,
        &["O A1", "X B1", "O A1"],
        ". . . .\nO O O .\n. . . O\nO . . O",
        [1, 5],
    );
}

#[test]
fn the_captured_side_may_play_under_the_stones() {
    // White captures two stones with C1, which Black captures by playing on one of their points.
    let rows = ". . . .\n. . . .\nO O X X\nX X . X";
    check(
        rows,
        &["O C1", "X B1"],
        ". . . .\n. . . .\nO O X X\n. X . X",
        [1, 2],
    );
}

#[test]
fn consecutive_kos_may_be_retaken() {
    let rows = ". X O . .
                X . X O .
                . X O . .
                X O . O .
                . X O . .";
    let mut board = play(rows, &["O B4"]);
    assert_eq!(board.ko(), Some((Color::Black, point("C4"))));
    assert!(
        !board.is_legal(Color::Black, point("C4")) && board.is_legal(Color::White, point("C4"))
    );
    // Black takes a second ko, which White may not retake, and gives up the first.
    board.play(Color::Black, point("C2"));
    assert_eq!(board.ko(), Some((Color::White, point("B2"))));
    assert!(board.is_legal(Color::Black, point("C4")));
    board.play(Color::White, point("E1"));
    assert_eq!(board.ko(), None);
}

#[test]
fn a_ko_captures_exactly_one_stone() {
    assert_eq!(play("O O .\nX X O\n. . X", &["X C3"]).ko(), None);
    // A stone with another liberty cannot be recaptured.
    assert_eq!(play("X . O\nO . .\n. . .", &["O B3"]).ko(), None);
}

#[test]
fn a_full_board_of_the_maximum_size_is_captured() {
    let rows = format!(
        "{}\n{}.",
        format!("{}\n", "X".repeat(25)).repeat(24),
        "X".repeat(24)
    );
    let mut board: Board = rows.parse().expect("a board");
    assert_eq!(board.atari(point("A25")), Some(point("Z1")));
    assert!(board.is_suicide(Color::Black, point("Z1")));
    assert_eq!(board.play(Color::White, point("Z1")), 624);
    assert_eq!((board.stone_count(), board.captures().white), (1, 624));
    assert_eq!(board.liberties(point("Z1")).to_string(), "Y1 Z2");
}
