//! The words that lines are made of, read leniently.

use alloc::string::String;

use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_while, take_while_m_n, take_while1},
    character::complete::one_of,
    combinator::{eof, fail, opt, value},
};

use crate::{
    ParseError,
    grammar::{Rule, UNNAMED, expect_word, whole},
};

/// Parses a line, ignoring blanks around it.
pub(super) fn run<'a, T>(
    line: &'a [u8],
    rule: impl FnOnce(&'a [u8]) -> Rule<'a, T>,
) -> Result<T, ParseError> {
    let before = line.len() - line.trim_ascii_start().len();
    whole(rule, line.trim_ascii()).map_err(|error| {
        let expected = match error.expected() {
            UNNAMED => "a line of the server",
            expected => expected,
        };
        ParseError::new(expected, before + error.offset(), line)
    })
}

/// The end of the line, with or without a mark before it.
pub(super) fn end(input: &[u8]) -> Rule<'_, ()> {
    expect_word(
        "the end of the line",
        value((), (blanks, opt(one_of(".!?:")), blanks, eof)),
    )(input)
}

/// Returns `true` if the byte separates words.
pub(super) const fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// Any number of blanks.
pub(super) fn blanks(input: &[u8]) -> Rule<'_, &[u8]> {
    take_while(is_blank).parse(input)
}

/// `words` in any case; a blank stands for one or more blanks, and an apostrophe for any of its
/// typographic forms.
pub(super) fn phrase<'a>(words: &'static str) -> impl Fn(&'a [u8]) -> Rule<'a, ()> {
    move |input| {
        let mut left = input;
        for &wanted in words.as_bytes() {
            let step: Rule<'_, _> = match wanted {
                b' ' => take_while1(is_blank).parse(left),
                b'\'' => apostrophe(left),
                letter => {
                    take_while_m_n(1, 1, |byte: u8| byte.eq_ignore_ascii_case(&letter)).parse(left)
                }
            };
            let Ok((after, _)) = step else {
                return fail().parse(input);
            };
            left = after;
        }
        Ok((left, ()))
    }
}

/// An apostrophe: straight, typographic in UTF-8 or in Windows-1252, or an accent.
fn apostrophe(input: &[u8]) -> Rule<'_, &[u8]> {
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
