//! The messages, and how they are read and printed.

use core::fmt;

use nom::{
    Parser, branch::alt, bytes::complete::tag, character::complete::satisfy, combinator::value,
};
use othello_core::{Move, Square};

use crate::{
    ParseError,
    grammar::{Rule, expect, whole},
};

/// A message between the judge and a program, either way: two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// `ST`: the judge asks the program to make the first move of the game.
    Start,
    /// A square, as in `D4`: a move.
    Place(Square),
    /// `PS`: a pass.
    Pass,
}

impl Message {
    /// Parses a message in the document's exact form: two characters, letters in upper case.
    ///
    /// # Errors
    ///
    /// When the bytes are anything else.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_core::Square;
    /// use othello_proto::codewarriors::Message;
    ///
    /// assert_eq!(Message::parse(b"D4"), Ok(Message::Place(Square::D4)));
    /// let error = Message::parse(b"a2").unwrap_err();
    /// assert_eq!(error.offset(), 0);
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        whole(message, bytes)
    }

    /// Parses a message whose letters may be in lower case.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are no message in either case.
    pub fn parse_any_case(bytes: &[u8]) -> Result<Self, ParseError> {
        Self::parse(&bytes.to_ascii_uppercase())
            .map_err(|error| ParseError::new(error.expected(), error.offset(), bytes))
    }
}

impl From<Move> for Message {
    fn from(mv: Move) -> Self {
        match mv {
            Move::Place(square) => Self::Place(square),
            Move::Pass => Self::Pass,
        }
    }
}

impl fmt::Display for Message {
    /// The two characters, without a newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("ST"),
            Self::Place(square) => write!(f, "{square:#}"),
            Self::Pass => f.write_str("PS"),
        }
    }
}

fn message(input: &[u8]) -> Rule<'_, Message> {
    let start = value(Message::Start, tag("ST"));
    let pass = value(Message::Pass, tag("PS"));
    expect(
        "ST, PS or a square A1-H8 in upper case",
        alt((start, pass, square.map(Message::Place))),
    )
    .parse(input)
}

fn square(input: &[u8]) -> Rule<'_, Square> {
    let column = satisfy(|c| matches!(c, 'A'..='H'));
    let row = expect("a row 1-8", satisfy(|c| matches!(c, '1'..='8')));
    (column, row)
        .map_opt(|(column, row)| Square::new(column as u8 - b'A', row as u8 - b'1'))
        .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn everything_that_the_document_shows_parses() {
        for (text, message) in [
            ("ST", Message::Start),
            ("A1", Message::Place(Square::A1)),
            ("D4", Message::Place(Square::D4)),
            ("C6", Message::Place(Square::C6)),
            ("PS", Message::Pass),
        ] {
            assert_eq!(Message::parse(text.as_bytes()), Ok(message));
            assert_eq!(message.to_string(), text);
        }
    }

    #[test]
    fn incorrect_messages_of_the_document_are_errors_that_say_where() {
        let error = |text: &[u8]| {
            let error = Message::parse(text).unwrap_err();
            (error.expected(), error.offset())
        };
        let anything = "ST, PS or a square A1-H8 in upper case";
        assert_eq!(error(b"2A"), (anything, 0));
        assert_eq!(error(b"a2"), (anything, 0));
        assert_eq!(error(b"A0"), ("a row 1-8", 1));
        assert_eq!(error(b"A9"), ("a row 1-8", 1));
        assert_eq!(error(b"I1"), (anything, 0));
        assert_eq!(error(b"PA"), (anything, 0));
        assert_eq!(error(b""), (anything, 0));
        assert_eq!(error(b"A11"), ("nothing more", 2));
    }
}
