//! The words that lines are made of, read leniently.

use alloc::string::String;

use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_while, take_while_m_n, take_while1},
    character::complete::one_of,
    combinator::{eof, opt, value},
    error::{ErrorKind, ParseError as NomError},
};

use crate::ParseError;

pub(super) type Read<'a, T> = IResult<&'a [u8], T, Failure<'a>>;

/// The expectation where nothing better is known.
pub(super) const A_LINE: &str = "a line of the server";

/// The place where reading failed, and what was expected there.
#[derive(Debug)]
pub(super) struct Failure<'a> {
    pub(super) rest: &'a [u8],
    pub(super) expected: &'static str,
}

impl<'a> NomError<&'a [u8]> for Failure<'a> {
    fn from_error_kind(rest: &'a [u8], _: ErrorKind) -> Self {
        Self {
            rest,
            expected: A_LINE,
        }
    }

    fn append(_: &'a [u8], _: ErrorKind, other: Self) -> Self {
        other
    }

    /// Of two alternatives the one that got farther knows better what is wrong.
    fn or(self, other: Self) -> Self {
        if other.rest.len() < self.rest.len() {
            other
        } else {
            self
        }
    }
}

/// Reads a line, blanks around it apart.
pub(super) fn run<'a, T>(
    line: &'a [u8],
    mut parser: impl FnMut(&'a [u8]) -> Read<'a, T>,
) -> Result<T, ParseError> {
    let input = line.trim_ascii();
    parser(input).map(|(_, read)| read).map_err(|error| {
        let (rest, expected) = match &error {
            nom::Err::Error(failure) | nom::Err::Failure(failure) => {
                (failure.rest.len(), failure.expected)
            }
            nom::Err::Incomplete(_) => (0, A_LINE),
        };
        let before = line.len() - line.trim_ascii_start().len();
        ParseError::new(expected, before + input.len() - rest, line)
    })
}

/// `parser`, whose failure says that `what` was expected where it began.
pub(super) fn expect<'a, T>(
    what: &'static str,
    mut parser: impl Parser<&'a [u8], Output = T, Error = Failure<'a>>,
) -> impl FnMut(&'a [u8]) -> Read<'a, T> {
    move |input| {
        parser.parse(input).map_err(|_| {
            nom::Err::Error(Failure {
                rest: input,
                expected: what,
            })
        })
    }
}

/// The end of the line, with or without a mark before it.
pub(super) fn end(input: &[u8]) -> Read<'_, ()> {
    expect(
        "the end of the line",
        value((), (blanks, opt(one_of(".!?:")), blanks, eof)),
    )(input)
}

/// Returns `true` if the byte separates words.
pub(super) const fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// Any number of blanks.
pub(super) fn blanks(input: &[u8]) -> Read<'_, &[u8]> {
    take_while(is_blank).parse(input)
}

/// `words` in any case; a blank stands for any number of blanks but none, and an apostrophe for
/// any of its typographic forms.
pub(super) fn phrase<'a>(words: &'static str) -> impl Fn(&'a [u8]) -> Read<'a, ()> {
    move |input| {
        let failure = || {
            nom::Err::Error(Failure {
                rest: input,
                expected: A_LINE,
            })
        };
        let mut left = input;
        for &wanted in words.as_bytes() {
            let step = match wanted {
                b' ' => take_while1(is_blank).parse(left),
                b'\'' => apostrophe(left),
                letter => {
                    take_while_m_n(1, 1, |byte: u8| byte.eq_ignore_ascii_case(&letter)).parse(left)
                }
            };
            left = step.map_err(|_: nom::Err<Failure<'_>>| failure())?.0;
        }
        Ok((left, ()))
    }
}

/// An apostrophe: straight, typographic in UTF-8 or in Windows-1252, or an accent.
fn apostrophe(input: &[u8]) -> Read<'_, &[u8]> {
    alt((
        tag("'"),
        tag("\u{2019}"),
        tag("\u{2018}"),
        tag("`"),
        tag("\u{b4}"),
        tag(&b"\x92"[..]),
    ))
    .parse(input)
}

/// Words of the other side as text, without blanks around them.
pub(super) fn text(words: &[u8]) -> String {
    String::from_utf8_lossy(words.trim_ascii()).into_owned()
}
