//! Parsers over whole messages: one function for each form in rules 2 and 3.
//!
//! Nothing here recurses: what nests are comments, and those are only counted through.

use alloc::string::String;

use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag_no_case, take_while, take_while_m_n},
    character::complete::{one_of, satisfy},
    combinator::{eof, not, opt, peek, rest, success},
    error::ErrorKind,
    sequence::terminated,
};
use othello_core::{Color, Move, Score, Square};

use super::{Leniencies, Message, Parsed};
use crate::ParseError;

/// Reads one whole S-expression, as [`Framer`](super::Framer) cuts them.
///
/// # Errors
///
/// When it is none of the messages of rules 2 and 3, in a spelling that is not known to occur.
pub fn parse_expression(text: &[u8]) -> Result<Parsed, ParseError> {
    let (open, body) = opening(text)?;
    let Some(body) = body.strip_suffix(b")") else {
        return Err(ParseError::new("a closing parenthesis", text.len(), text));
    };
    let message = alt((play, i_color, r_color, c_s, n, c_column_row));
    whole(message, body).map_err(|e| e.within(text, open + body.len()))
}

/// Reads one line of the dialect without parentheses, given without its end.
///
/// # Errors
///
/// When it is none of the messages of rules 2 and 3, in a spelling that is not known to occur.
pub fn parse_line(text: &[u8]) -> Result<Parsed, ParseError> {
    let message = alt((play, i_color, r_color, c_text, n, c_column_row));
    whole(message, text).map_err(|e| e.within(text, text.len()))
}

/// The length of the opening parenthesis with the blanks before it, and what follows.
fn opening(text: &[u8]) -> Result<(usize, &[u8]), ParseError> {
    let inner = text.trim_ascii_start().strip_prefix(b"(");
    inner
        .map(|body| (text.len() - body.len(), body))
        .ok_or_else(|| ParseError::new("an opening parenthesis", 0, text))
}

/// What is expected where none of the forms begins.
const A_MESSAGE: &str = "a message (I, R, C, B, W, a number or play)";

/// What was expected, and what stood there instead.
#[derive(Clone, Copy, Debug)]
struct Expected<'a> {
    what: &'static str,
    at: &'a [u8],
}

impl Expected<'_> {
    /// The error in terms of `text`, in which the parsed part ended at `end`.
    fn within(self, text: &[u8], end: usize) -> ParseError {
        ParseError::new(self.what, end - self.at.len(), text)
    }
}

impl<'a> nom::error::ParseError<&'a [u8]> for Expected<'a> {
    fn from_error_kind(at: &'a [u8], _: ErrorKind) -> Self {
        Self {
            what: A_MESSAGE,
            at,
        }
    }

    fn append(_: &'a [u8], _: ErrorKind, other: Self) -> Self {
        other
    }

    /// The one that came further.
    fn or(self, other: Self) -> Self {
        if other.at.len() < self.at.len() {
            other
        } else {
            self
        }
    }
}

type Read<'a, T> = IResult<&'a [u8], T, Expected<'a>>;

/// Names what `parser` expects.
fn expect<'a, T>(
    what: &'static str,
    mut parser: impl Parser<&'a [u8], Output = T, Error = Expected<'a>>,
) -> impl Parser<&'a [u8], Output = T, Error = Expected<'a>> {
    move |at| {
        let named = |e: nom::Err<_>| e.map(|_: Expected<'a>| Expected { what, at });
        parser.parse(at).map_err(named)
    }
}

/// A message with nothing but blanks around it.
fn whole<'a>(
    message: impl Parser<&'a [u8], Output = Parsed, Error = Expected<'a>>,
    text: &'a [u8],
) -> Result<Parsed, Expected<'a>> {
    let end = expect("the end of the message", eof);
    let parsed = (blanks, message, blanks, end).parse(text);
    match parsed {
        Ok((_, (before, mut parsed, after, _))) => {
            let wide = !before.is_empty() || !after.is_empty();
            parsed.leniencies = parsed.leniencies | Leniencies::BLANKS.when(wide);
            Ok(parsed)
        }
        Err(nom::Err::Error(e) | nom::Err::Failure(e)) => Err(e),
        // Complete parsers never ask for more.
        Err(nom::Err::Incomplete(_)) => Err(Expected {
            what: "a whole message",
            at: &text[text.len()..],
        }),
    }
}

/// `play`.
fn play(input: &[u8]) -> Read<'_, Parsed> {
    let word = terminated(tag_no_case("play"), boundary);
    let (after, word) = expect(A_MESSAGE, word).parse(input)?;
    let case = Leniencies::LETTER_CASE.when(word != b"play");
    Ok((after, read(Message::Play, case)))
}

/// `I W` or `I B`.
fn i_color(input: &[u8]) -> Read<'_, Parsed> {
    let parts = (keyword("iI"), blank, color);
    parts
        .map(|(a, b, (color, c))| read(Message::Assign(color), a | b | c))
        .parse(input)
}

/// `R W` or `R B`.
fn r_color(input: &[u8]) -> Read<'_, Parsed> {
    let parts = (keyword("rR"), blank, color);
    parts
        .map(|(a, b, (color, c))| read(Message::Ready(color), a | b | c))
        .parse(input)
}

/// `W c r`, `B c r` or, a pass, `W` or `B`.
fn c_column_row(input: &[u8]) -> Read<'_, Parsed> {
    // A pass leaves the blanks that may follow it.
    let pass = peek((blanks, eof)).map(|_| (Move::Pass, Leniencies::NONE));
    let square = (blank, column_row).map(|(a, (square, b))| (Move::Place(square), a | b));
    (color, alt((square, pass)))
        .map(|((color, a), (mv, b))| read(Message::Move { color, mv }, a | b))
        .parse(input)
}

/// `n`, the value for Black.
fn n(input: &[u8]) -> Read<'_, Parsed> {
    let digits = take_while_m_n(1, 8, |c: u8| c.is_ascii_digit());
    let number = terminated((opt(one_of("+-")), digits), boundary);
    let (after, (sign, digits)) = expect("a value from -64 to 64", number).parse(input)?;
    let count = digits
        .iter()
        .fold(0, |n, digit| n * 10 + i32::from(digit - b'0'));
    let value = if sign == Some('-') { -count } else { count };
    match Score::new(value) {
        Some(value) => {
            let plus = Leniencies::PLUS_SIGN.when(sign == Some('+'));
            Ok((after, read(Message::Claim(value), plus)))
        }
        // It is a number, so it can be no other message.
        None => Err(nom::Err::Failure(Expected {
            what: "a value from -64 to 64",
            at: input,
        })),
    }
}

/// `C s`, with `s` usually one parenthesised list: the text is then what that holds.
fn c_s(input: &[u8]) -> Read<'_, Parsed> {
    let (body, case) = keyword("cC").parse(input)?;
    if let Some(at) = unbalanced(body) {
        return Err(nom::Err::Error(Expected {
            what: "balanced parentheses",
            at: &body[at..],
        }));
    }
    let body = body.trim_ascii();
    let text = if is_one_list(body) {
        &body[1..body.len() - 1]
    } else {
        body
    };
    Ok((&input[input.len()..], read(comment(text), case)))
}

/// `C text`, up to the end of the line.
fn c_text(input: &[u8]) -> Read<'_, Parsed> {
    let (body, case) = keyword("cC").parse(input)?;
    rest.map(|text: &[u8]| read(comment(text), case))
        .parse(body)
}

/// A letter, in either case, that says which message it is; the document has it in upper case.
fn keyword<'a>(
    cases: &'static str,
) -> impl Parser<&'a [u8], Output = Leniencies, Error = Expected<'a>> {
    expect(A_MESSAGE, terminated(one_of(cases), boundary))
        .map(|letter: char| Leniencies::LETTER_CASE.when(letter.is_ascii_lowercase()))
}

/// `B` or `W`.
fn color(input: &[u8]) -> Read<'_, (Color, Leniencies)> {
    let letter = terminated(one_of("BWbw"), boundary);
    let (after, letter) = expect("a colour (B or W)", letter).parse(input)?;
    let color = match letter.to_ascii_uppercase() {
        'B' => Color::Black,
        _ => Color::White,
    };
    let case = Leniencies::LETTER_CASE.when(letter.is_ascii_lowercase());
    Ok((after, (color, case)))
}

/// `c 3`, or without the blank `c3`.
fn column_row(input: &[u8]) -> Read<'_, (Square, Leniencies)> {
    let column = expect("a column (a to h)", one_of("abcdefghABCDEFGH"));
    let gap = alt((blank, success(()).map(|()| Leniencies::JOINED_SQUARE)));
    let row = expect("a row (1 to 8)", one_of("12345678"));
    let (after, (column, gap, row)) = (column, gap, row).parse(input)?;
    let upper = Leniencies::UPPER_CASE_COLUMN.when(column.is_ascii_uppercase());
    let index = column.to_ascii_lowercase() as u8 - b'a';
    match Square::new(index, row as u8 - b'1') {
        Some(square) => Ok((after, (square, upper | gap))),
        None => Err(nom::Err::Error(Expected {
            what: "a square",
            at: input,
        })),
    }
}

/// What separates two parts: a blank, or leniently more white space.
fn blank(input: &[u8]) -> Read<'_, Leniencies> {
    let some = take_while_m_n(1, usize::MAX, |c: u8| c.is_ascii_whitespace());
    let (after, white) = expect("a blank", some).parse(input)?;
    Ok((after, Leniencies::BLANKS.when(white != b" ")))
}

fn blanks(input: &[u8]) -> Read<'_, &[u8]> {
    take_while(|c: u8| c.is_ascii_whitespace()).parse(input)
}

/// The end of a word, which consumes nothing.
fn boundary(input: &[u8]) -> Read<'_, ()> {
    not(satisfy(is_word)).parse(input)
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

const fn read(message: Message, leniencies: Leniencies) -> Parsed {
    Parsed {
        message,
        leniencies,
    }
}

fn comment(text: &[u8]) -> Message {
    let text: String = String::from_utf8_lossy(text.trim_ascii())
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    Message::Comment(text)
}

/// Where the parentheses stop matching, if they do.
fn unbalanced(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' => depth -= 1,
            _ => {}
        }
    }
    (depth > 0).then_some(text.len())
}

/// Whether balanced text is a single list: its first parenthesis closes at its end.
fn is_one_list(text: &[u8]) -> bool {
    match text {
        [b'(', inner @ .., b')'] => unbalanced(inner).is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::{format, string::ToString};

    use crate::sloan::{Dialect, print, safe};

    fn check_error(text: &str, expect: &str) {
        let error = parse_expression(text.as_bytes()).unwrap_err();
        assert_eq!(
            format!("{} at {}", error.expected(), error.offset()),
            expect,
            "{text}"
        );
    }

    #[test]
    fn errors_say_what_was_expected_and_where() {
        check_error("I B", "an opening parenthesis at 0");
        check_error("(I B", "a closing parenthesis at 4");
        check_error("()", "a message (I, R, C, B, W, a number or play) at 1");
        check_error("(I)", "a blank at 2");
        check_error("(I Q)", "a colour (B or W) at 3");
        check_error("(I B W)", "the end of the message at 5");
        check_error("(W z 3)", "a column (a to h) at 3");
        check_error("(W c 9)", "a row (1 to 8) at 5");
        check_error("(W c 33)", "the end of the message at 6");
        check_error("(W c 3 d)", "the end of the message at 7");
        check_error("(65)", "a value from -64 to 64 at 1");
        check_error("(-65)", "a value from -64 to 64 at 1");
        check_error("(64 3)", "the end of the message at 4");
        check_error("(C a) b)", "balanced parentheses at 4");
        check_error(
            "(playing)",
            "a message (I, R, C, B, W, a number or play) at 1",
        );
    }

    fn check_text(text: &str, expect: &str) {
        let message = parse_expression(text.as_bytes()).unwrap().message;
        assert_eq!(message, Message::Comment(expect.to_string()), "{text}");
    }

    #[test]
    fn a_comment_is_a_list_an_atom_or_anything() {
        check_text("(C (a list))", "a list");
        check_text("(C atom)", "atom");
        check_text("(C(close))", "close");
        check_text("(C)", "");
        check_text("(C ((twice)))", "(twice)");
        check_text("(C (one) (two))", "(one) (two)");
        check_text("(C a: 1.5, \"b\"\n;c)", "a: 1.5, \"b\" ;c");
        // Invalid UTF-8 is replaced.
        let parsed = parse_expression(b"(C \xff)").unwrap();
        assert_eq!(parsed.message, Message::Comment("\u{fffd}".to_string()));
    }

    fn message() -> impl Strategy<Value = Message> {
        let color = || prop::sample::select(&Color::ALL[..]);
        let square = prop::sample::select(&Square::ALL[..]);
        let mv = prop_oneof![square.prop_map(Move::Place), Just(Move::Pass)];
        prop_oneof![
            Just(Message::Play),
            color().prop_map(Message::Assign),
            color().prop_map(Message::Ready),
            (color(), mv).prop_map(|(color, mv)| Message::Move { color, mv }),
            (-64..=64i32).prop_map(|n| Message::Claim(Score::new(n).unwrap())),
            "[ -~é\t]{0,40}".prop_map(|text| Message::Comment(safe(&text))),
        ]
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(message in message()) {
            let plain = |message| read(message, Leniencies::NONE);
            let text = print(&message, Dialect::Expressions);
            prop_assert_eq!(parse_expression(text.as_bytes()), Ok(plain(message.clone())));
            let line = print(&message, Dialect::Lines);
            prop_assert_eq!(parse_line(line.as_bytes()), Ok(plain(message)));
        }

        #[test]
        fn what_is_read_prints_in_a_canonical_form(text in r"\( ?[IRCWBwbcir]? ?[a-hA-H]? ?[1-8]? ?(\([ a-z.,]{0,9}\)){0,2}\)") {
            if let Ok(parsed) = parse_expression(text.as_bytes()) {
                let canonical = parsed.message.to_string();
                let again = parse_expression(canonical.as_bytes()).unwrap();
                prop_assert_eq!(again.leniencies, Leniencies::NONE);
                prop_assert_eq!(again.message.to_string(), canonical);
            }
        }
    }
}
