//! The common part of the formats' nom parsers: errors that say what was expected, and where.
//!
//! Rules are made of nom's complete parsers.

use nom::{
    Err, IResult, Parser,
    error::{ErrorKind, ParseError as NomError},
};

use crate::ParseError;

/// The expectation of a rule that [`expect`] gives no name.
pub const UNNAMED: &str = "something else";

/// The expectation that failed, and the number of bytes left at that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    what: &'static str,
    left: usize,
}

impl<'a> NomError<&'a [u8]> for Expected {
    fn from_error_kind(input: &'a [u8], _kind: ErrorKind) -> Self {
        Self {
            what: UNNAMED,
            left: input.len(),
        }
    }

    fn append(_input: &'a [u8], _kind: ErrorKind, other: Self) -> Self {
        other
    }

    /// Returns the alternative that got farther, which tells more.
    fn or(self, other: Self) -> Self {
        if other.left <= self.left { other } else { self }
    }
}

/// Applies `rule` to the whole of `value`, followed by `after` bytes of the message.
///
/// # Errors
///
/// Fails if the rule does not match, or does not match all of `value`.
pub fn within<'a, T>(
    rule: impl FnOnce(&'a [u8]) -> Rule<'a, T>,
    value: &'a [u8],
    after: usize,
) -> Result<T, Err<Expected>> {
    let (what, left) = match rule(value) {
        Ok(([], value)) => return Ok(value),
        Ok((rest, _)) => ("nothing more", rest.len()),
        Err(Err::Error(error) | Err::Failure(error)) => (error.what, error.left),
        // As in `whole`.
        Err(Err::Incomplete(_)) => ("a whole value", 0),
    };
    let left = left + after;
    Err(Err::Failure(Expected { what, left }))
}

/// The result of a grammar rule.
pub type Rule<'a, T> = IResult<&'a [u8], T, Expected>;

/// Names the expectation of `rule` where it starts; an expectation farther on keeps its own name.
pub fn expect<'a, T>(
    what: &'static str,
    mut rule: impl Parser<&'a [u8], Output = T, Error = Expected>,
) -> impl FnMut(&'a [u8]) -> Rule<'a, T> {
    move |input| {
        rule.parse(input).map_err(|error| {
            error.map(|error| {
                if error.left == input.len() {
                    Expected { what, ..error }
                } else {
                    error
                }
            })
        })
    }
}

/// Names what `rule` expects where it begins, even if it fails farther on.
pub fn expect_word<'a, T>(
    what: &'static str,
    mut rule: impl Parser<&'a [u8], Output = T, Error = Expected>,
) -> impl FnMut(&'a [u8]) -> Rule<'a, T> {
    move |input| {
        let left = input.len();
        let parsed = rule.parse(input);
        parsed.map_err(|_| Err::Error(Expected { what, left }))
    }
}

/// Applies `rule` to a whole message.
///
/// # Errors
///
/// Fails if the rule does not match, or does not match all of the message.
///
/// # Examples
///
/// ```
/// use boardgame_session::grammar::{Rule, expect, whole};
/// use nom::{Parser as _, bytes::complete::tag, character::complete::u8};
///
/// fn ask(input: &[u8]) -> Rule<'_, (u8, u8)> {
///     let number = || expect("a number", u8);
///     (number(), tag("+"), number()).map(|(left, _, right)| (left, right)).parse(input)
/// }
///
/// assert_eq!(whole(ask, b"1+2"), Ok((1, 2)));
/// let error = whole(ask, b"1+x").unwrap_err();
/// assert_eq!((error.expected(), error.offset()), ("a number", 2));
/// ```
pub fn whole<'a, T>(
    rule: impl FnOnce(&'a [u8]) -> Rule<'a, T>,
    message: &'a [u8],
) -> Result<T, ParseError> {
    match rule(message) {
        Ok(([], value)) => Ok(value),
        Ok((rest, _)) => Err(ParseError::new(
            "nothing more",
            message.len() - rest.len(),
            message,
        )),
        Err(Err::Error(error) | Err::Failure(error)) => Err(ParseError::new(
            error.what,
            message.len() - error.left,
            message,
        )),
        // The rules are made of complete parsers, which never ask for more.
        Err(Err::Incomplete(_)) => Err(ParseError::new("a whole message", message.len(), message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nom::{branch::alt, bytes::complete::tag};

    fn rule(input: &[u8]) -> Rule<'_, (&[u8], &[u8])> {
        let digit = expect("a digit", alt((tag("1"), tag("2"))));
        expect("a letter", (tag("a"), digit)).parse(input)
    }

    #[test]
    fn an_error_names_what_was_expected_at_its_offset() {
        let error = |message: &[u8]| {
            let error = whole(rule, message).unwrap_err();
            (error.expected(), error.offset())
        };
        assert!(whole(rule, b"a2").is_ok());
        assert_eq!(error(b"b2"), ("a letter", 0));
        assert_eq!(error(b"ab"), ("a digit", 1));
        assert_eq!(error(b"a"), ("a digit", 1));
        assert_eq!(error(b"a1x"), ("nothing more", 2));
    }

    #[test]
    fn an_error_within_a_part_counts_what_follows_the_part() {
        let error = |what, left| Err(Err::Failure(Expected { what, left }));
        assert!(within(rule, b"a2", 3).is_ok());
        assert_eq!(within(rule, b"ab", 3), error("a digit", 4));
        assert_eq!(within(rule, b"a1xy", 3), error("nothing more", 5));
    }
}
