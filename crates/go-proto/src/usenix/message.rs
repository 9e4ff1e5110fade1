//! The messages, and how they are read and printed.

use alloc::vec::Vec;
use core::fmt;

use boardgame_core::Color;
use go_core::{Move, Point};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::tag,
    character::complete::{digit1, satisfy},
    combinator::{value, verify},
};

use crate::{
    ParseError,
    grammar::{Rule, expect, whole},
};

/// A move as written: a line of a program, or the opponent's move relayed by the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// A stone on a point of a board of some size, as in `G12`.
    Place(Point),
    /// A letter and a number of a point on no board, such as `B0`.
    OffBoard {
        /// The letter of the column, `A` to `Z` without `I`.
        column: char,
        /// The number of the row, not 1 to 25; greater numbers than the maximum become the maximum.
        row: u32,
    },
    /// `pass`.
    Pass,
}

/// A message from the referee to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefereeMessage {
    /// `black` or `white`, the first line: the colour that the program plays.
    Color(Color),
    /// The opponent's move.
    Play(Play),
    /// `byo-romi`: the main time is used up, and each further move has its own limit.
    ByoRomi,
}

/// A message with the leniencies used to parse it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lenient<T> {
    /// The message.
    pub message: T,
    /// The names of the leniencies on the page of the format.
    pub leniencies: Vec<&'static str>,
}

impl Play {
    /// Parses a move in the document's exact form.
    ///
    /// # Errors
    ///
    /// When the bytes are anything else.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_proto::usenix::Play;
    ///
    /// assert_eq!(Play::parse(b"G12"), Ok(Play::Place("G12".parse()?)));
    /// assert_eq!(Play::parse(b"B0"), Ok(Play::OffBoard { column: 'B', row: 0 }));
    /// assert!(Play::parse(b"I5").is_err());
    /// # Ok::<(), go_core::ParseTextError>(())
    /// ```
    pub fn parse(line: &[u8]) -> Result<Self, ParseError> {
        whole(play, line)
    }

    /// Parses a move as a referee does: blanks and tabs are dropped, and a row may have leading zeros.
    ///
    /// # Errors
    ///
    /// When the bytes are no move.
    pub fn parse_lenient(line: &[u8]) -> Result<Lenient<Self>, ParseError> {
        read(line, play, false)
    }

    /// Returns the move for the rules, or `None` if it is off every board.
    pub const fn to_move(self) -> Option<Move> {
        match self {
            Self::Place(point) => Some(Move::Place(point)),
            Self::OffBoard { .. } => None,
            Self::Pass => Some(Move::Pass),
        }
    }
}

impl From<Move> for Play {
    fn from(mv: Move) -> Self {
        match mv {
            Move::Place(point) => Self::Place(point),
            Move::Pass => Self::Pass,
        }
    }
}

impl fmt::Display for Play {
    /// Writes the line without its newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(point) => write!(f, "{point}"),
            Self::OffBoard { column, row } => write!(f, "{column}{row}"),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl RefereeMessage {
    /// Parses a message in the document's exact form.
    ///
    /// # Errors
    ///
    /// When the bytes are anything else.
    pub fn parse(line: &[u8]) -> Result<Self, ParseError> {
        whole(referee_message, line)
    }

    /// Reads a message as a player does: besides what [`Play::parse_lenient`] permits, letters may be in
    /// either case and `byo-romi` may be spelled `byo-yomi`.
    ///
    /// # Errors
    ///
    /// When the bytes are no message.
    pub fn parse_lenient(line: &[u8]) -> Result<Lenient<Self>, ParseError> {
        read(line, referee_message, true)
    }
}

impl fmt::Display for RefereeMessage {
    /// Writes the line without its newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Color(Color::Black) => f.write_str("black"),
            Self::Color(Color::White) => f.write_str("white"),
            Self::Play(play) => play.fmt(f),
            Self::ByoRomi => f.write_str("byo-romi"),
        }
    }
}

/// Returns whether `byte` is dropped anywhere in a line.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Reads a line that may differ from the document's form.
fn read<T>(
    line: &[u8],
    rule: fn(&[u8]) -> Rule<'_, T>,
    any_case: bool,
) -> Result<Lenient<T>, ParseError> {
    let mut leniencies = Vec::new();
    let mut take = |text: Vec<u8>, changed: Vec<u8>, name| {
        if changed != text {
            leniencies.push(name);
        }
        changed
    };
    let without_blanks = line.iter().copied().filter(|&byte| !is_blank(byte));
    let mut text = take(line.to_vec(), without_blanks.collect(), "blanks");
    if any_case {
        let changed = usual_case(&text);
        text = take(text, changed, "letter-case");
        let changed = text.clone();
        text = match changed.as_slice() {
            b"byo-yomi" => take(changed, b"byo-romi".to_vec(), "byo-yomi"),
            _ => changed,
        };
    }
    let changed = without_leading_zeros(&text);
    text = take(text, changed, "leading-zeros");
    let message = whole(rule, &text)
        .map_err(|error| ParseError::new(error.expected(), error.offset(), line))?;
    Ok(Lenient {
        message,
        leniencies,
    })
}

/// Returns a point with its letter in upper case, and any other text in lower case.
fn usual_case(text: &[u8]) -> Vec<u8> {
    match text {
        [_, row @ ..] if is_number(row) => text.to_ascii_uppercase(),
        _ => text.to_ascii_lowercase(),
    }
}

fn without_leading_zeros(text: &[u8]) -> Vec<u8> {
    let [column, row @ ..] = text else {
        return Vec::new();
    };
    if !is_number(row) {
        return text.to_vec();
    }
    let zeros = row.iter().take_while(|&&digit| digit == b'0').count();
    let row = &row[zeros.min(row.len() - 1)..];
    [core::slice::from_ref(column), row].concat()
}

fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

fn referee_message(input: &[u8]) -> Rule<'_, RefereeMessage> {
    let black = value(RefereeMessage::Color(Color::Black), tag("black"));
    let white = value(RefereeMessage::Color(Color::White), tag("white"));
    let byo_romi = value(RefereeMessage::ByoRomi, tag("byo-romi"));
    expect(
        "black, white, byo-romi, pass or a point such as G7",
        alt((black, white, byo_romi, play.map(RefereeMessage::Play))),
    )
    .parse(input)
}

fn play(input: &[u8]) -> Rule<'_, Play> {
    let pass = value(Play::Pass, tag("pass"));
    expect("pass or a point such as G7", alt((pass, point))).parse(input)
}

fn point(input: &[u8]) -> Rule<'_, Play> {
    let column = satisfy(|c| matches!(c, 'A'..='H' | 'J'..='Z'));
    (column, expect("the number of a row", row))
        .map(|(column, row)| placed(column, row))
        .parse(input)
}

/// A number without leading zeros.
fn row(input: &[u8]) -> Rule<'_, u32> {
    let canonical = |digits: &&[u8]| digits.len() == 1 || digits[0] != b'0';
    let number = |digits: &[u8]| {
        digits.iter().fold(0_u32, |number, digit| {
            number
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0'))
        })
    };
    verify(digit1, canonical).map(number).parse(input)
}

/// Returns the stone on a column, which is a letter `A` to `Z` without `I`, and a row.
fn placed(column: char, row: u32) -> Play {
    let index = column as u8 - b'A' - u8::from(column > 'I');
    u8::try_from(row)
        .ok()
        .and_then(|row| Point::new(index, row.checked_sub(1)?))
        .map_or(Play::OffBoard { column, row }, Play::Place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::string::ToString;

    fn place(name: &str) -> Play {
        Play::Place(name.parse().unwrap())
    }

    #[test]
    fn everything_that_the_document_shows_parses() {
        for (text, message) in [
            ("black", RefereeMessage::Color(Color::Black)),
            ("white", RefereeMessage::Color(Color::White)),
            ("G7", RefereeMessage::Play(place("G7"))),
            ("pass", RefereeMessage::Play(Play::Pass)),
            ("byo-romi", RefereeMessage::ByoRomi),
        ] {
            assert_eq!(RefereeMessage::parse(text.as_bytes()), Ok(message));
            assert_eq!(message.to_string(), text);
        }
        assert_eq!(Play::parse(b"G12"), Ok(place("G12")));
        assert_eq!(Play::parse(b"pass"), Ok(Play::Pass));
    }

    #[test]
    fn a_letter_and_a_number_are_a_move_wherever_they_are() {
        for (text, column, row) in [
            ("B0", 'B', 0),
            ("M26", 'M', 26),
            ("Z999", 'Z', 999),
            ("A4294967296", 'A', u32::MAX),
        ] {
            let expected = Play::OffBoard { column, row };
            assert_eq!(Play::parse(text.as_bytes()), Ok(expected), "{text}");
            assert_eq!(expected.to_move(), None);
        }
        // It is a point of a larger board.
        assert_eq!(Play::parse(b"M20"), Ok(place("M20")));
    }

    #[test]
    fn anything_else_is_an_error_that_says_where() {
        let error = |text: &[u8]| {
            let error = Play::parse(text).unwrap_err();
            (error.expected(), error.offset())
        };
        let anything = "pass or a point such as G7";
        assert_eq!(error(b"g7"), (anything, 0));
        assert_eq!(error(b"I5"), (anything, 0));
        assert_eq!(error(b"resign"), (anything, 0));
        assert_eq!(error(b""), (anything, 0));
        assert_eq!(error(b"G"), ("the number of a row", 1));
        assert_eq!(error(b"G07"), ("the number of a row", 1));
        assert_eq!(error(b"G7 "), ("nothing more", 2));
        assert_eq!(error(b"passed"), ("nothing more", 4));
        let error = RefereeMessage::parse(b"Black").unwrap_err();
        assert_eq!(
            (error.expected(), error.offset()),
            ("the number of a row", 1)
        );
    }

    #[test]
    fn leniencies_are_named() {
        let read = |text: &str| {
            let Lenient {
                message,
                leniencies,
            } = RefereeMessage::parse_lenient(text.as_bytes()).unwrap();
            (message.to_string(), leniencies.join(" "))
        };
        let expect = |text, message: &str, leniencies: &str| {
            assert_eq!(read(text), (message.into(), leniencies.into()), "{text}");
        };
        expect("Q16", "Q16", "");
        expect(" Q 1\t6", "Q16", "blanks");
        expect("q16", "Q16", "letter-case");
        expect("PASS", "pass", "letter-case");
        expect("Q016", "Q16", "leading-zeros");
        expect("b 00", "B0", "blanks letter-case leading-zeros");
        expect("Byo-Yomi", "byo-romi", "letter-case byo-yomi");
        assert!(RefereeMessage::parse_lenient(b"i5").is_err());
        let referee = |text: &[u8]| Play::parse_lenient(text).map(|read| read.message);
        assert_eq!(referee(b"G 07"), Ok(place("G7")));
        assert!(referee(b"g7").is_err() && referee(b"Pass").is_err());
    }

    proptest! {
        #[test]
        fn moves_read_back(column in 0u8..25, row in 0u8..25) {
            let play = Play::Place(Point::new(column, row).unwrap());
            let text = play.to_string();
            prop_assert_eq!(Play::parse(text.as_bytes()), Ok(play));
            let lenient = RefereeMessage::parse_lenient(text.to_lowercase().as_bytes());
            prop_assert_eq!(lenient.map(|read| read.message), Ok(RefereeMessage::Play(play)));
        }

    }
}
