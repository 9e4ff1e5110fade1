use super::*;
use std::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

/// A board with discs on the first and last squares of rows 1 and 2.
const BOARD: &str = "X-OO---XOX-----X-XO-XX----XOX-----OXO---------------------XXX--- O";

/// Replaces the symbols `X`, `O` and `-`.
fn symbols(text: &str, [black, white, empty]: [char; 3]) -> String {
    let other = |symbol| match symbol {
        'X' => black,
        'O' => white,
        '-' => empty,
        other => other,
    };
    text.chars().map(other).collect()
}

#[test]
fn every_notation_is_read() {
    let board: Board = BOARD.parse().unwrap();
    let rows: Vec<&str> = (0..8).map(|row| &BOARD[8 * row..8 * row + 8]).collect();
    let numbered = |before: &str, after: &str| {
        let row = |(number, row): (usize, &&str)| {
            let squares: String = row.chars().flat_map(|symbol| [' ', symbol]).collect();
            format!("{before}{squares} {after}\n").replace('N', &number.to_string())
        };
        let rows: String = (1..).zip(&rows).map(row).collect();
        format!("  A B C D E F G H\n{rows}\n  a b c d e f g h\n\n O to move")
    };
    for text in [
        BOARD.replace(' ', ""),
        format!("% a comment\n# another\n{BOARD} # a third"),
        format!("\u{feff}{BOARD}; A1:+2;% O"),
        format!("{board:#}"),
        format!("{}|\n|\n|O to play", rows.join("|\r\n|")),
        format!("{} O\n\n", rows.join("/")),
        numbered("", ""),
        numbered("N", ""),
        numbered("", "N"),
        numbered("N", "N"),
    ] {
        let sets = "XO- xo. *O_ #o- @O. X0- BW- bw. ●○· ⚫⚪- 120 12-";
        for set in sets.split(' ') {
            let mut letters = set.chars();
            let set = [(); 3].map(|()| letters.next().unwrap());
            let text = symbols(&text, set);
            let read = Board::read(&text);
            assert_eq!(read.map(|read| read.board), Ok(board), "{text}");
            assert_eq!(read.unwrap().assumption.is_some(), set[0] == '1', "{text}");
        }
    }
    let wrapped = format!("{}\n{}", &BOARD[..20], &BOARD[20..]);
    assert_eq!(wrapped.parse(), Ok(board));
}

#[test]
fn the_side_to_move_is_a_symbol_a_name_or_a_sentence() {
    for (text, side) in [
        ("*", Color::Black),
        ("b", Color::Black),
        ("Dark", Color::Black),
        ("0", Color::White),
        ("○", Color::White),
        ("White to move", Color::White),
        ("to move: O", Color::White),
        ("Black X 2, White O 2; White to move", Color::White),
        ("Black (X) 2, White (O) 2, Black to move", Color::Black),
        ("Black ● 2, White ○ 2; game over", Color::Black),
    ] {
        let read = [&BOARD[..64], " ", text].concat().parse();
        assert_eq!(read.map(Board::side_to_move), Ok(side), "{text}");
    }
}

#[test]
fn errors_give_the_offset_and_the_expected_part() {
    let error = |text: &str| {
        let error = text.parse::<Board>().unwrap_err();
        (error.offset, error.expected)
    };
    assert_eq!(error(""), (0, BoardPart::Square));
    assert_eq!(error("--?"), (2, BoardPart::Square));
    assert_eq!(error("-- "), (3, BoardPart::Square));
    assert_eq!(error("--3"), (2, BoardPart::Square));
    let end = |rest: &str| error(&[&BOARD[..64], rest].concat());
    assert_eq!(end(""), (64, BoardPart::SideToMove));
    for rest in [" Q", " -", " X Y"] {
        assert_eq!(end(rest), (65, BoardPart::SideToMove));
    }
    assert_eq!(end(" O\nX"), (67, BoardPart::End));
    let row = |row| error(&format!("{:#}", Board::START).replacen("---OX---", row, 1));
    assert_eq!(row("---OX--"), (34, BoardPart::Row));
    assert_eq!(row("---OX--- 4 -"), (38, BoardPart::Row));
    assert_eq!(row("---OX-?-"), (33, BoardPart::Row));
    assert_eq!(row("- - - O X d4 - -"), (37, BoardPart::Row));
    assert_eq!(row("---O*---"), (39, BoardPart::Disc(Color::Black)));
    let white = BOARD.replacen('O', "W", 1);
    assert_eq!(error(&white), (3, BoardPart::Disc(Color::White)));
    let digits = |set| error(&symbols(BOARD, set));
    assert_eq!(digits(['1', '0', '-']), (1, BoardPart::Digits));
    assert_eq!(digits(['1', '-', '0']), (2, BoardPart::Digits));
    assert_eq!(digits(['1', '0', '0']), (0, BoardPart::Digits));
    assert_eq!(digits(['1', 'O', '-']), (2, BoardPart::Digits));
    let empty = "00000000\n";
    let named = [
        &empty.repeat(2),
        "0 0 0 d3 0 0 0 0\n00012000\n00021000\n",
        &empty.repeat(3),
        "X",
    ]
    .concat();
    assert_eq!(error(&named), (24, BoardPart::Digits));
    let error = "--?".parse::<Board>().unwrap_err().to_string();
    assert_eq!(error, "expected one of 64 squares (X, O or -) at offset 2");
}

#[test]
fn lines_are_classified() {
    for (line, part) in [
        (" A B C D E F G H", Some(BoardLine::Columns)),
        ("########", Some(BoardLine::Row)),
        ("4  -  -  - (O) X  f4 -  -  4", Some(BoardLine::Row)),
        (BOARD, Some(BoardLine::Whole)),
        ("f5d6c3", None),
        ("--------- X", None),
        ("# comment", None),
    ] {
        assert_eq!(BoardLine::of(line), part, "{line}");
    }
    for comment in ["% x", "# XO", "#", &"#".repeat(17), &"#".repeat(70)] {
        assert!(BoardLine::is_comment(comment), "{comment}");
    }
    let black = BOARD.replace('X', "#");
    for line in ["########", &black, &format!("{black}; A1:+2;")] {
        assert!(!BoardLine::is_comment(line), "{line}");
    }
}
