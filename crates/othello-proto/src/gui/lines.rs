//! The grammar of single lines.

use alloc::vec::Vec;
use core::time::Duration;

use nom::{
    Parser,
    branch::alt,
    bytes::complete::tag,
    character::complete::{digit0, one_of, satisfy, space0, space1, u64 as number},
    combinator::{cut, eof, not, opt},
    multi::{count, many0},
    sequence::{delimited, preceded},
};
use othello_core::{Color, Square};

use crate::{
    ParseError,
    grammar::{Rule, expect, whole},
};

/// The line that lists the possible moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct List {
    /// The number before the moves, if it can be read.
    pub(super) count: Option<u64>,
    /// The count of entries that follow it.
    pub(super) entries: usize,
    /// The entries that are squares.
    pub(super) moves: Vec<Square>,
}

/// Reads a row of the board: eight squares, `None` for an empty one.
pub(super) fn row(line: &[u8]) -> Result<Vec<Option<Color>>, ParseError> {
    let tile = alt((disc.map(Some), one_of(".").map(|_| None)));
    let row = count(expect("a square: . X or O", tile), 8);
    whole(within_blanks(row), line)
}

/// Reads the side to move.
pub(super) fn side(line: &[u8]) -> Result<Color, ParseError> {
    let rule = expect("the side to move (X or O)", disc);
    whole(within_blanks(rule), line)
}

/// Reads the time in whole milliseconds.
pub(super) fn time(line: &[u8]) -> Result<Duration, ParseError> {
    let rule = expect("the time in whole milliseconds", millis);
    whole(within_blanks(rule), line)
}

/// Parses a time with a leading plus sign or a fraction, which is cut off.
pub(super) fn odd_time(line: &[u8]) -> Option<Duration> {
    let fraction = (tag("."), digit0);
    let rule = delimited(opt(tag("+")), millis, opt(fraction));
    whole(within_blanks(rule), line).ok()
}

/// Returns `true` if a line that is no number starts like one: with a digit or a sign.
pub(super) fn begins_as_number(line: &[u8]) -> bool {
    let first = line.trim_ascii_start().first();
    first.is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-'))
}

/// Reads the number of possible moves and the moves, which may be more or fewer.
pub(super) fn moves(line: &[u8]) -> Result<List, ParseError> {
    let number = expect("the number of possible moves", number);
    let gap = (space1, not(eof));
    let listed = preceded(gap, cut(expect("a move a1-h8", square_in_any_case)));
    let (count, moves) = whole(within_blanks((number, many0(listed))), line)?;
    Ok(List {
        count: Some(count),
        entries: moves.len(),
        moves,
    })
}

/// Parses the moves of a line that may hold other words too; `None` if there are none.
pub(super) fn moves_among_words(line: &[u8]) -> Option<List> {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .peekable();
    let count = words.next_if(|word| any_move(word).is_err());
    let count = count.and_then(|word| whole(number, word).ok());
    let entries: Vec<Option<Square>> = words.map(|word| any_move(word).ok()).collect();
    let moves: Vec<Square> = entries.iter().copied().flatten().collect();
    let entries = entries.len();
    (!moves.is_empty()).then_some(List {
        count,
        entries,
        moves,
    })
}

/// Parses a line in place of the list that starts with a number other than 0 but holds no move.
pub(super) fn list_without_moves(line: &[u8]) -> Option<List> {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let first = words.next().filter(|word| begins_as_number(word))?;
    let count = whole(number, first).ok();
    (count != Some(0)).then(|| List {
        count,
        entries: words.count(),
        moves: Vec::new(),
    })
}

/// Returns `true` if only the end of the line is missing: it has the stated number of entries, the
/// last one a move.
pub(super) fn is_whole_list(line: &[u8]) -> bool {
    let last = line.trim_ascii_end().last_chunk::<2>();
    last.is_some_and(|square| any_move(square).is_ok())
        && moves_among_words(line).is_some_and(|list| list.count == Some(list.entries as u64))
}

/// Reads a line that holds a move in lower case and nothing else.
pub(super) fn exact_move(line: &[u8]) -> Result<Square, ParseError> {
    whole(
        expect("a move a1-h8 in lower case", lower_case_square),
        line,
    )
}

/// Reads a line that holds a move in any case, with blanks around it or not.
pub(super) fn any_move(line: &[u8]) -> Result<Square, ParseError> {
    let rule = expect("a move a1-h8", square_in_any_case);
    whole(within_blanks(rule), line)
}

fn within_blanks<'a, P>(rule: P) -> impl FnOnce(&'a [u8]) -> Rule<'a, P::Output>
where
    P: Parser<&'a [u8], Error = crate::grammar::Expected>,
{
    let mut rule = delimited(space0, rule, space0);
    move |input| rule.parse(input)
}

fn disc(input: &[u8]) -> Rule<'_, Color> {
    let color = |disc| match disc {
        'X' | 'x' => Color::Black,
        _ => Color::White,
    };
    one_of("XxOo").map(color).parse(input)
}

fn millis(input: &[u8]) -> Rule<'_, Duration> {
    number.map(Duration::from_millis).parse(input)
}

fn square_in_any_case(input: &[u8]) -> Rule<'_, Square> {
    alt((lower_case_square, upper_case_square)).parse(input)
}

fn lower_case_square(input: &[u8]) -> Rule<'_, Square> {
    (satisfy(|c| matches!(c, 'a'..='h')), row_digit)
        .map_opt(|(column, row)| Square::new(column as u8 - b'a', row))
        .parse(input)
}

fn upper_case_square(input: &[u8]) -> Rule<'_, Square> {
    (satisfy(|c| matches!(c, 'A'..='H')), row_digit)
        .map_opt(|(column, row)| Square::new(column as u8 - b'A', row))
        .parse(input)
}

fn row_digit(input: &[u8]) -> Rule<'_, u8> {
    let digit = satisfy(|c| matches!(c, '1'..='8')).map(|digit| digit as u8 - b'1');
    expect("a row 1-8", digit).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn error<T: core::fmt::Debug>(read: Result<T, ParseError>) -> (&'static str, usize) {
        let error = read.unwrap_err();
        (error.expected(), error.offset())
    }

    #[test]
    fn lines_read_with_blanks_around_and_in_any_case() {
        let (black, white) = (Some(Color::Black), Some(Color::White));
        let tiles = vec![None, black, white, None, black, white, None, None];
        assert_eq!(row(b".XO.xo.."), Ok(tiles.clone()));
        assert_eq!(row(b" .XO.XO.. \t"), Ok(tiles));
        assert_eq!(side(b"X"), Ok(Color::Black));
        assert_eq!(side(b"o "), Ok(Color::White));
        assert_eq!(time(b" 3000"), Ok(Duration::from_secs(3)));
        let list = |count, moves: &[Square]| List {
            count,
            entries: moves.len(),
            moves: moves.into(),
        };
        let listed = [Square::C3, Square::E3];
        assert_eq!(moves(b"2 c3 e3"), Ok(list(Some(2), &listed)));
        assert_eq!(moves(b" 3  C3 e3 "), Ok(list(Some(3), &listed)));
        assert_eq!(moves(b"0"), Ok(list(Some(0), &[])));
        assert_eq!(any_move(b" E3 "), Ok(Square::E3));
        assert_eq!(exact_move(b"e3"), Ok(Square::E3));
    }

    #[test]
    fn errors_say_what_was_expected_and_where() {
        assert_eq!(error(row(b"...X...")), ("a square: . X or O", 7));
        assert_eq!(error(row(b"...X.-..")), ("a square: . X or O", 5));
        assert_eq!(error(row(b"...X.....")), ("nothing more", 8));
        assert_eq!(error(side(b"Black")), ("the side to move (X or O)", 0));
        assert_eq!(error(time(b"-1")), ("the time in whole milliseconds", 0));
        assert_eq!(error(time(b"3000.5")), ("nothing more", 4));
        let too_long = time(b"99999999999999999999999");
        assert_eq!(error(too_long), ("the time in whole milliseconds", 0));
        assert_eq!(error(moves(b"c3")), ("the number of possible moves", 0));
        assert_eq!(error(moves(b"2 c3 i3")), ("a move a1-h8", 5));
        assert_eq!(error(moves(b"2 c3 e9")), ("a row 1-8", 6));
        assert_eq!(error(moves(b"2 c3e3")), ("nothing more", 4));
        assert_eq!(error(exact_move(b"E3")), ("a move a1-h8 in lower case", 0));
        assert_eq!(error(exact_move(b"e3 ")), ("nothing more", 2));
        assert_eq!(error(any_move(b"v1.0.0")), ("a move a1-h8", 0));
    }

    #[test]
    fn odd_times_are_read_as_far_as_they_are_times() {
        for line in ["+500", " 500.75 ", "+500.", "500"] {
            let half_second = Some(Duration::from_millis(500));
            assert_eq!(odd_time(line.as_bytes()), half_second, "{line}");
        }
        for line in ["-500", "500ms", "5 000", "", "18446744073709551616"] {
            assert_eq!(odd_time(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn moves_are_found_among_other_words() {
        let check = |line: &str, count, entries, moves: &[Square]| {
            let expected = List {
                count,
                entries,
                moves: moves.into(),
            };
            assert_eq!(moves_among_words(line.as_bytes()), Some(expected), "{line}");
        };
        let listed = [Square::C3, Square::E3];
        check("-1 c3 E3", None, 2, &listed);
        check("c3 e3", None, 2, &listed);
        check(" 3 c3\ti9 e3 ", Some(3), 3, &listed);
        check("3 c3 e3c5 e3", Some(3), 3, &listed);
        for line in ["", "0", "3", "-1", "1 z9", "........"] {
            assert_eq!(moves_among_words(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_list_without_moves_begins_with_a_number_other_than_0() {
        for (line, count, entries) in [
            ("3 i9 j9 k9", Some(3), 3),
            ("3", Some(3), 0),
            ("-1", None, 0),
            (" +2 z", None, 1),
        ] {
            let moves = Vec::new();
            let expected = List {
                count,
                entries,
                moves,
            };
            assert_eq!(
                list_without_moves(line.as_bytes()),
                Some(expected),
                "{line}"
            );
        }
        for line in ["", "0", "00", "0 i9", "........", "many i9"] {
            assert_eq!(list_without_moves(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_list_is_whole_with_the_second_character_of_its_last_move() {
        for line in ["2 c3 e3", "2 c3 E3 ", "02 i9 e3"] {
            assert!(is_whole_list(line.as_bytes()), "{line}");
        }
        for line in [
            "", "2", "2 c3", "2 c3 ", "2 c3 e", "2 c3 i9", "1 c3 e3", "c3 e3",
        ] {
            assert!(!is_whole_list(line.as_bytes()), "{line}");
        }
    }
}
