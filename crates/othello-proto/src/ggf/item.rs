//! A move with its evaluation and its time.

use core::{fmt, time::Duration};

use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take, take_while, take_while1},
    combinator::{map, map_opt, opt, rest, value},
    sequence::preceded,
};
use othello_core::Move;

use super::{
    Value,
    number::{Seconds, seconds},
};
use crate::{
    ParseError,
    grammar::{Rule, expect, whole},
};

/// A move with its player's evaluation and the time that it took: `F5/1.20/3.1`, `F5//3.1`, `PA`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveItem {
    /// The move.
    pub mv: Move,
    /// The evaluation from its player's point of view; a pass has none.
    pub value: Option<Value>,
    /// The time it took.
    pub time: Option<Duration>,
}

impl MoveItem {
    /// Reads a move and its two fields, separated by slashes or by blanks.
    ///
    /// # Errors
    ///
    /// Fails if the text does not start with a move. A field that is no number is unknown.
    pub fn parse(text: &[u8]) -> Result<Self, ParseError> {
        whole(item, text)
    }
}

impl From<Move> for MoveItem {
    fn from(mv: Move) -> Self {
        Self {
            mv,
            value: None,
            time: None,
        }
    }
}

impl fmt::Display for MoveItem {
    /// Squares in upper case, a pass as `PA`, always without an evaluation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.filter(|_| self.mv != Move::Pass);
        MoveText(self.mv).fmt(f)?;
        if value.is_some() || self.time.is_some() {
            f.write_str("/")?;
        }
        if let Some(value) = value {
            value.fmt(f)?;
        }
        if let Some(time) = self.time {
            write!(f, "/{}", Seconds(time))?;
        }
        Ok(())
    }
}

/// Displays a move as GGF has it: a square in upper case, or `PA`.
pub(crate) struct MoveText(pub(crate) Move);

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Move::Place(square) => write!(f, "{square:#}"),
            Move::Pass => f.write_str("PA"),
        }
    }
}

/// A move and its two fields, separated by slashes or, as in Edax, by blanks. A field that is no
/// number, such as `NaN`, is unknown; text after the fields is ignored, and so are letters and
/// digits right after the move.
pub(crate) fn item(input: &[u8]) -> Rule<'_, MoveItem> {
    let (input, mv) = preceded(take_while(is_blank), mv).parse(input)?;
    let (input, _) = take_while(|byte: u8| byte.is_ascii_alphanumeric()).parse(input)?;
    map((opt(field), opt(field), rest), move |(eval, time, _)| {
        MoveItem {
            mv,
            value: eval.and_then(Value::read).filter(|_| mv != Move::Pass),
            time: time.and_then(seconds),
        }
    })
    .parse(input)
}

/// A square in any case, or a pass: `PA`, `PASS`, `ps` or `--`.
pub(crate) fn mv(input: &[u8]) -> Rule<'_, Move> {
    let two = map_opt(take(2_usize), |word: &[u8]| {
        core::str::from_utf8(word).ok()?.parse().ok()
    });
    expect("a move: a square A1-H8 or PA", two)(input)
}

fn field(input: &[u8]) -> Rule<'_, &[u8]> {
    let blanks = || take_while(is_blank);
    let slash = value((), (blanks(), tag("/"), blanks()));
    let gap = alt((slash, value((), take_while1(is_blank))));
    preceded(gap, take_while(|byte| byte != b'/' && !is_blank(byte))).parse(input)
}

const fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn check(text: &str, printed: &str) {
        let read = whole(item, text.as_bytes()).map(|item| item.to_string());
        assert_eq!(read.as_deref(), Ok(printed), "{text:?}");
    }

    #[test]
    fn fields_may_be_missing_or_no_numbers() {
        check("F5", "F5");
        check("f5/1.2/3.10", "F5/1.20/3.1");
        check("f5//3.1", "F5//3.1");
        check("f5/-1.2", "F5/-1.20");
        check("F5/", "F5");
        check("F5//", "F5");
        check("F5/NaN/0.5", "F5//0.5");
        check("F5/-nan(ind)/inf", "F5");
        check("F5/1.20/-3", "F5/1.20");
    }

    #[test]
    fn blanks_may_part_fields_as_edax_has_it() {
        check("d6 -1.00 0.0", "D6/-1.00/0");
        check("  d6   -1.00   0.5  ", "D6/-1.00/0.5");
        check("d6 / 1 / 2", "D6/1.00/2");
        check("d6 ", "D6");
        check("d6/1/2/3", "D6/1.00/2");
        check("d6/1/2 book", "D6/1.00/2");
        check("d6xx/1", "D6/1.00");
    }

    #[test]
    fn a_pass_has_no_evaluation() {
        check("PA/-64", "PA");
        check("pass/NaN/3.1", "PA//3.1");
        check("ps 0.00 0.1", "PA//0.1");
        check("--", "PA");
    }

    #[test]
    fn other_text_than_a_move_is_an_error() {
        for (text, offset) in [("", 0), ("F9", 0), ("  x", 2), ("p", 0)] {
            let error = whole(item, text.as_bytes()).unwrap_err();
            assert_eq!(
                (error.expected(), error.offset()),
                ("a move: a square A1-H8 or PA", offset),
                "{text:?}"
            );
        }
    }
}
