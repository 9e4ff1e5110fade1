//! The grammar of single lines.

use alloc::vec::Vec;
use core::time::Duration;

use nom::{
    Parser,
    branch::alt,
    character::complete::{one_of, satisfy, space0, space1, u64 as number},
    combinator::{cut, eof, not},
    multi::{count, many0},
    sequence::{delimited, preceded},
};
use othello_core::{Color, Square};

use super::MAX_MOVES;
use crate::{
    ParseError,
    grammar::{Rule, expect, whole},
};

/// The line after the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SideOrTime {
    /// `X` or `O`: version 2.
    Side(Color),
    /// Whole milliseconds: version 1.
    Time(Duration),
}

/// Reads a row of the board: eight squares, `None` for an empty one.
pub(super) fn row(line: &[u8]) -> Result<Vec<Option<Color>>, ParseError> {
    let tile = alt((disc.map(Some), one_of(".").map(|_| None)));
    let row = count(expect("a square: . X or O", tile), 8);
    whole(within_blanks(row), line)
}

/// Reads the line after the board.
pub(super) fn side_or_time(line: &[u8]) -> Result<SideOrTime, ParseError> {
    let rule = alt((disc.map(SideOrTime::Side), millis.map(SideOrTime::Time)));
    let expected = "the side to move (X or O) or the time in whole milliseconds";
    whole(within_blanks(expect(expected, rule)), line)
}

/// Reads the time in whole milliseconds.
pub(super) fn time(line: &[u8]) -> Result<Duration, ParseError> {
    let rule = expect("the time in whole milliseconds", millis);
    whole(within_blanks(rule), line)
}

/// Reads the number of possible moves and the moves, which may be more or fewer.
pub(super) fn moves(line: &[u8]) -> Result<(u64, Vec<Square>), ParseError> {
    let number = expect("the number of possible moves", number);
    let gap = (space1, not(eof));
    let listed = preceded(gap, cut(expect("a move a1-h8", square_in_any_case)));
    let read = whole(within_blanks((number, many0(listed))), line)?;
    if read.1.len() > MAX_MOVES {
        return Err(ParseError::new("at most 64 moves", 0, line));
    }
    Ok(read)
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
        assert_eq!(side_or_time(b"X"), Ok(SideOrTime::Side(Color::Black)));
        assert_eq!(side_or_time(b"o "), Ok(SideOrTime::Side(Color::White)));
        let time_3s = Duration::from_secs(3);
        assert_eq!(side_or_time(b"3000"), Ok(SideOrTime::Time(time_3s)));
        assert_eq!(time(b" 3000"), Ok(time_3s));
        let listed = vec![Square::C3, Square::E3];
        assert_eq!(moves(b"2 c3 e3"), Ok((2, listed.clone())));
        assert_eq!(moves(b" 3  C3 e3 "), Ok((3, listed)));
        assert_eq!(moves(b"0"), Ok((0, vec![])));
        assert_eq!(any_move(b" E3 "), Ok(Square::E3));
        assert_eq!(exact_move(b"e3"), Ok(Square::E3));
    }

    #[test]
    fn errors_say_what_was_expected_and_where() {
        assert_eq!(error(row(b"...X...")), ("a square: . X or O", 7));
        assert_eq!(error(row(b"...X.-..")), ("a square: . X or O", 5));
        assert_eq!(error(row(b"...X.....")), ("nothing more", 8));
        let side = "the side to move (X or O) or the time in whole milliseconds";
        assert_eq!(error(side_or_time(b"Black")), (side, 0));
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
        let many = alloc::format!("65{}", " a1".repeat(65));
        assert_eq!(error(moves(many.as_bytes())), ("at most 64 moves", 0));
    }
}
