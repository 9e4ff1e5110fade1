//! Parsers over whole messages: one function for each form in rules 2 and 3.
//!
//! Nothing here recurses: only comments nest, and their parentheses are just counted.

use alloc::string::String;

use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take, take_while, take_while1},
    combinator::{cut, eof, map_opt, opt, peek, rest, success, verify},
    sequence::preceded,
};
use othello_core::{Color, Move, Score, Square};

use super::{Leniencies, Message, Parsed, nesting::Nesting};
use crate::{
    ParseError,
    grammar::{Expected, Rule, expect, whole},
};

/// Reads one whole S-expression, as [`Framer`](super::Framer) cuts them.
///
/// # Errors
///
/// Fails if it is no message of rules 2 and 3 in a known spelling.
pub fn parse_expression(text: &[u8]) -> Result<Parsed, ParseError> {
    whole(expression, text)
}

/// Reads one line of the dialect without parentheses, given without its end.
///
/// # Errors
///
/// Fails if it is no message of rules 2 and 3 in a known spelling.
pub fn parse_line(text: &[u8]) -> Result<Parsed, ParseError> {
    whole(line, text)
}

/// A message within parentheses.
fn expression(input: &[u8]) -> Rule<'_, Parsed> {
    let open = expect("an opening parenthesis", tag("("));
    let close = expect("a closing parenthesis", tag(")"));
    let (input, _) = preceded(blanks, open).parse(input)?;
    let (input, (parsed, _)) = (spaced(c_s), close).parse(input)?;
    blanks.map(|_| parsed.clone()).parse(input)
}

/// A message by itself.
fn line(input: &[u8]) -> Rule<'_, Parsed> {
    spaced(c_text).parse(input)
}

/// A message with blanks around it that should not be there. The dialects differ in `comment`.
fn spaced<'a>(
    comment: fn(&'a [u8]) -> Rule<'a, Parsed>,
) -> impl Parser<&'a [u8], Output = Parsed, Error = Expected> {
    let form = alt((play, i_color, r_color, comment, c_column_row));
    let form = expect("a message (I, R, C, B, W, a number or play)", form);
    (blanks, alt((n, form)), blanks).map(|(before, parsed, after)| {
        let wide = !before.is_empty() || !after.is_empty();
        Parsed {
            leniencies: parsed.leniencies | Leniencies::BLANKS.when(wide),
            ..parsed
        }
    })
}

/// `play`.
fn play(input: &[u8]) -> Rule<'_, Parsed> {
    verify(word, |word: &[u8]| word.eq_ignore_ascii_case(b"play"))
        .map(|word| read(Message::Play, Leniencies::LETTER_CASE.when(word != b"play")))
        .parse(input)
}

/// `I W` or `I B`.
fn i_color(input: &[u8]) -> Rule<'_, Parsed> {
    let parts = (keyword(*b"Ii"), blank, color);
    parts
        .map(|(a, b, (color, c))| read(Message::Assign(color), a | b | c))
        .parse(input)
}

/// `R W` or `R B`.
fn r_color(input: &[u8]) -> Rule<'_, Parsed> {
    let parts = (keyword(*b"Rr"), blank, color);
    parts
        .map(|(a, b, (color, c))| read(Message::Ready(color), a | b | c))
        .parse(input)
}

/// `W c r`, `B c r` or, a pass, `W` or `B`.
fn c_column_row(input: &[u8]) -> Rule<'_, Parsed> {
    // A pass leaves the blanks that may follow it.
    let end = alt((tag(")"), eof));
    let pass = peek((blanks, end)).map(|_| (Move::Pass, Leniencies::NONE));
    let square = (blank, column_row).map(|(a, (square, b))| (Move::Place(square), a | b));
    (color, alt((pass, square)))
        .map(|((color, a), (mv, b))| read(Message::Move { color, mv }, a | b))
        .parse(input)
}

/// `n`, the value for Black.
fn n(input: &[u8]) -> Rule<'_, Parsed> {
    let sign = || opt(alt((tag("+"), tag("-"))));
    let number = peek((sign(), take_while1(|c: u8| c.is_ascii_digit())));
    let value = map_opt((sign(), word), |(sign, digits)| {
        let count: i32 = core::str::from_utf8(digits).ok()?.parse().ok()?;
        let minus = sign == Some(b"-");
        let needless = (digits.len() > 1 && digits[0] == b'0') || (minus && count == 0);
        let plus = Leniencies::PLUS_SIGN.when(sign == Some(b"+"));
        let value = Score::new(if minus { -count } else { count })?;
        Some(read(
            Message::Claim(value),
            plus | Leniencies::ZEROS.when(needless),
        ))
    });
    // Text that starts like a number can be no other message.
    preceded(number, cut(expect("a value from -64 to 64", value))).parse(input)
}

/// `C s`, with `s` usually one parenthesised list: the text is then the list's content.
fn c_s(input: &[u8]) -> Rule<'_, Parsed> {
    let comment = |(case, s): (_, &[u8])| {
        let s = s.trim_ascii();
        let list = s.strip_prefix(b"(").and_then(|s| s.strip_suffix(b")"));
        let text = list.filter(|list| closed_at(list) == list.len());
        read(comment(text.unwrap_or(s)), case)
    };
    (keyword(*b"Cc"), s).map(comment).parse(input)
}

/// Anything up to a parenthesis that it did not open.
fn s(input: &[u8]) -> Rule<'_, &[u8]> {
    take(closed_at(input)).parse(input)
}

/// `C text`, up to the end of the line.
fn c_text(input: &[u8]) -> Rule<'_, Parsed> {
    (keyword(*b"Cc"), rest)
        .map(|(case, text)| read(comment(text), case))
        .parse(input)
}

/// A word of one letter, given first in the document's case and then in lower case.
fn keyword<'a>(
    [upper, lower]: [u8; 2],
) -> impl Parser<&'a [u8], Output = Leniencies, Error = Expected> {
    map_opt(word, move |word: &[u8]| match word {
        [letter] if *letter == upper => Some(Leniencies::NONE),
        [letter] if *letter == lower => Some(Leniencies::LETTER_CASE),
        _ => None,
    })
}

/// `B` or `W`.
fn color(input: &[u8]) -> Rule<'_, (Color, Leniencies)> {
    let black = keyword(*b"Bb").map(|case| (Color::Black, case));
    let white = keyword(*b"Ww").map(|case| (Color::White, case));
    expect("a colour (B or W)", alt((black, white))).parse(input)
}

/// `c 3`, or without the blank `c3`.
fn column_row(input: &[u8]) -> Rule<'_, (Square, Leniencies)> {
    let gap = alt((blank, success(Leniencies::JOINED_SQUARE)));
    let parts = (column, gap, row);
    map_opt(parts, |((column, case), gap, row)| {
        Some((Square::new(column, row)?, case | gap))
    })
    .parse(input)
}

/// A letter a to h, as a number from 0.
fn column(input: &[u8]) -> Rule<'_, (u8, Leniencies)> {
    let letter = verify(
        take(1usize),
        |c: &[u8]| matches!(c[0], b'a'..=b'h' | b'A'..=b'H'),
    );
    expect("a column (a to h)", letter)
        .map(|letter| {
            let upper = Leniencies::UPPER_CASE_COLUMN.when(letter[0].is_ascii_uppercase());
            (letter[0].to_ascii_lowercase() - b'a', upper)
        })
        .parse(input)
}

/// A digit 1 to 8, as a number from 0.
fn row(input: &[u8]) -> Rule<'_, u8> {
    let digit = verify(take(1usize), |c: &[u8]| matches!(c[0], b'1'..=b'8'));
    expect("a row (1 to 8)", digit)
        .map(|digit| digit[0] - b'1')
        .parse(input)
}

/// The separator of two parts: a blank, or leniently more white space.
fn blank(input: &[u8]) -> Rule<'_, Leniencies> {
    let some = take_while1(|c: u8| c.is_ascii_whitespace());
    expect("a blank", some)
        .map(|white| Leniencies::BLANKS.when(white != b" "))
        .parse(input)
}

fn blanks(input: &[u8]) -> Rule<'_, &[u8]> {
    take_while(|c: u8| c.is_ascii_whitespace()).parse(input)
}

/// A run of letters and digits.
fn word(input: &[u8]) -> Rule<'_, &[u8]> {
    take_while1(|c: u8| c.is_ascii_alphanumeric()).parse(input)
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

/// Returns the length of the text before the first unmatched closing parenthesis, or of all of it.
fn closed_at(text: &[u8]) -> usize {
    let mut nesting = Nesting::OPENED;
    let end = text.iter().position(|&byte| {
        nesting = nesting.after(byte);
        nesting.is_closed()
    });
    end.unwrap_or(text.len())
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
        check_error("(I B W)", "a closing parenthesis at 5");
        check_error("(W z 3)", "a column (a to h) at 3");
        check_error("(W c 9)", "a row (1 to 8) at 5");
        check_error("(W c 33)", "a closing parenthesis at 6");
        check_error("(W c 3 d)", "a closing parenthesis at 7");
        check_error("(65)", "a value from -64 to 64 at 1");
        check_error("(-65)", "a value from -64 to 64 at 1");
        check_error("(64 3)", "a closing parenthesis at 4");
        check_error("(C a) b)", "nothing more at 6");
        check_error("(C (a)", "a closing parenthesis at 6");
        check_error("(C ((a)", "a closing parenthesis at 7");
        check_error(
            "(playing)",
            "a message (I, R, C, B, W, a number or play) at 1",
        );
    }

    fn check_leniency(text: &str, canonical: &str, expect: &[&str]) {
        let parsed = parse_expression(text.as_bytes()).unwrap();
        assert_eq!(parsed.message.to_string(), canonical);
        let names: std::vec::Vec<_> = parsed.leniencies.names().collect();
        assert_eq!(names, expect, "{text}");
    }

    #[test]
    fn numbers_may_have_a_plus_sign_or_needless_zeros() {
        check_leniency("(+12)", "(12)", &["plus-sign"]);
        check_leniency("(007)", "(7)", &["zeros"]);
        check_leniency("(-0)", "(0)", &["zeros"]);
        check_leniency("(+03)", "(3)", &["plus-sign", "zeros"]);
    }

    #[test]
    fn needless_blanks_are_told_beside_what_else_is_odd() {
        check_leniency("(W c 3)", "(W c 3)", &[]);
        check_leniency("( W c 3)", "(W c 3)", &["blanks"]);
        check_leniency("(W c 3 )", "(W c 3)", &["blanks"]);
        check_leniency("(W  c 3)", "(W c 3)", &["blanks"]);
        check_leniency("( w c 3)", "(W c 3)", &["letter-case", "blanks"]);
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
        check_text("(C (\"sad :(\"))", "\"sad :(\"");
        check_text("(C \"(\" (x))", "\"(\" (x)");
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
        fn printed_messages_read_back(message in message()) {
            let plain = |message| read(message, Leniencies::NONE);
            let text = print(&message, Dialect::Expressions);
            prop_assert_eq!(parse_expression(text.as_bytes()), Ok(plain(message.clone())));
            let line = print(&message, Dialect::Lines);
            prop_assert_eq!(parse_line(line.as_bytes()), Ok(plain(message)));
        }

    }
}
