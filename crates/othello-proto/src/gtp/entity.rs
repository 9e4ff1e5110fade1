//! Vertices and the answer to `genmove` (section 2.11 of the specification).

use core::fmt;

use nom::{
    Parser, branch::alt, bytes::complete::tag_no_case, character::complete::satisfy,
    combinator::value,
};
use othello_core::{Move, Square};

use crate::{
    ParseError,
    grammar::{Rule, expect, whole},
};

/// The answer of an engine to `genmove`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// It made this move, or passed.
    Move(Move),
    /// It gives up the game.
    Resign,
}

impl fmt::Display for Answer {
    /// The square in upper case, `pass` or `resign`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(Move::Place(square)) => write!(f, "{square:#}"),
            Self::Move(Move::Pass) => f.write_str("pass"),
            Self::Resign => f.write_str("resign"),
        }
    }
}

/// Reads the text of a response to `genmove` or `reg_genmove`: a square, `pass` or `resign`, in
/// any case.
///
/// # Errors
///
/// When it is anything else.
pub fn parse_answer(text: &str) -> Result<Answer, ParseError> {
    let resign = value(Answer::Resign, tag_no_case("resign"));
    let answer = alt((vertex.map(Answer::Move), resign));
    whole(
        expect("a square A1-H8, pass or resign", answer),
        text.as_bytes(),
    )
}

/// Reads a vertex: a square or `pass`, in any case. Row 1 is at the top, as in Othello.
///
/// # Errors
///
/// When it is anything else.
pub fn parse_vertex(text: &str) -> Result<Move, ParseError> {
    whole(expect("a square A1-H8 or pass", vertex), text.as_bytes())
}

fn vertex(input: &[u8]) -> Rule<'_, Move> {
    let pass = value(Move::Pass, tag_no_case("pass"));
    alt((pass, square.map(Move::Place))).parse(input)
}

pub(crate) fn square(input: &[u8]) -> Rule<'_, Square> {
    let column = satisfy(|c| matches!(c.to_ascii_uppercase(), 'A'..='H'));
    let row = expect("a row 1-8", satisfy(|c| matches!(c, '1'..='8')));
    (column, row)
        .map_opt(|(column, row)| {
            Square::new(column.to_ascii_uppercase() as u8 - b'A', row as u8 - b'1')
        })
        .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_of_peers_are_read() {
        for (text, answer) in [
            ("D3", Answer::Move(Move::Place(Square::D3))),
            ("f5", Answer::Move(Move::Place(Square::F5))),
            ("PASS", Answer::Move(Move::Pass)),
            ("pass", Answer::Move(Move::Pass)),
            ("resign", Answer::Resign),
        ] {
            assert_eq!(parse_answer(text), Ok(answer), "{text}");
        }
    }

    #[test]
    fn an_error_says_what_was_expected_and_where() {
        let error = |text| {
            let error = parse_answer(text).unwrap_err();
            (error.expected(), error.offset())
        };
        assert_eq!(error("I5"), ("a square A1-H8, pass or resign", 0));
        assert_eq!(error(""), ("a square A1-H8, pass or resign", 0));
        assert_eq!(error("D9"), ("a row 1-8", 1));
        assert_eq!(error("D33"), ("nothing more", 2));
        assert_eq!(error("passed"), ("nothing more", 4));
        let error = parse_vertex("resign").unwrap_err();
        assert_eq!(error.expected(), "a square A1-H8 or pass");
    }
}
