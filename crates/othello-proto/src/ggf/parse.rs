//! Reading records, one small parser for each rule.

use alloc::string::{String, ToString as _};

use nom::{
    Err, Parser,
    branch::alt,
    bytes::complete::{tag, tag_no_case, take_till, take_while, take_while1},
    character::complete::one_of,
    combinator::{fail, opt, value},
    sequence::{delimited, preceded, terminated},
};
use othello_core::{Bitboard, Board, ByColor, Color, Square};

use super::{Clock, Outcome, Ply, Record, item};
use crate::grammar::{Rule, expect, within};

/// The number of tags that a record may have, moves among them.
const MAX_TAGS: usize = 1 << 16;

/// A record; blanks may stand around it and its tags, and the number of a synchronized game
/// before it.
pub(crate) fn record(input: &[u8]) -> Rule<'_, Record> {
    let mut record = Record::default();
    let (rest, ()) = fill(&mut record, input)?;
    Ok((rest, record))
}

/// Fills a record up to its end or the first error.
pub(super) fn fill<'a>(record: &mut Record, input: &'a [u8]) -> Rule<'a, ()> {
    let number = opt(terminated(one_of("12"), blanks));
    let (mut input, _) = (
        preceded(blanks, number),
        expect("a record: (;", tag("(;")),
        blanks,
    )
        .parse(input)?;
    let mut tags = 0;
    loop {
        let end: Rule<'_, &[u8]> = delimited(blanks, tag(";)"), blanks).parse(input);
        if let Ok((rest, _)) = end {
            return Ok((rest, ()));
        }
        if tags == MAX_TAGS {
            return expect("at most 65536 tags in a record", fail()).parse(input);
        }
        tags += 1;
        input = property(record, input)?.0;
    }
}

/// A tag and its value, which goes to its place in the record.
fn property<'a>(record: &mut Record, input: &'a [u8]) -> Rule<'a, ()> {
    let name = expect(
        "a tag or ;)",
        take_while1(|byte: u8| byte.is_ascii_alphabetic()),
    );
    let open = (blanks, expect("[", tag("[")));
    let (input, name) = terminated(name, open).parse(input)?;
    let (rest, body) = take_till(|byte| byte == b']').parse(input)?;
    take_value(record, &name.to_ascii_uppercase(), body, rest.len())?;
    value((), (expect("]", tag("]")), blanks)).parse(rest)
}

/// Stores the value of a tag, followed by `after` bytes of the message.
fn take_value(
    record: &mut Record,
    name: &[u8],
    body: &[u8],
    after: usize,
) -> Result<(), Err<crate::grammar::Expected>> {
    match name {
        b"GM" => return within(othello, body, after),
        b"BO" => record.start = within(board, body, after)?,
        b"B" | b"W" => {
            let color = if name == b"B" {
                Color::Black
            } else {
                Color::White
            };
            let item = within(item, body, after)?;
            record.moves.push(Ply { color, item });
        }
        b"C" => record.comments.push((record.moves.len(), text(body))),
        b"PC" => record.place = text(body),
        b"DT" => record.date = text(body),
        b"PB" => record.players.black.name = text(body),
        b"PW" => record.players.white.name = text(body),
        b"TY" if !text(body).is_empty() => record.kind = text(body),
        _ => take_lenient(record, name, &text(body)),
    }
    Ok(())
}

/// Stores a value, verbatim if it cannot be parsed.
fn take_lenient(record: &mut Record, name: &[u8], body: &str) {
    let clock = || Clock::read(body).filter(|_| !body.is_empty());
    match name {
        b"RE" if matches!(body, "?" | "") => record.outcome = None,
        b"TY" => {}
        b"RE" if Outcome::read(body).is_some() => record.outcome = Outcome::read(body),
        b"TI" if clock().is_some() => {
            for player in record.players.iter_mut() {
                player.clock = clock();
            }
        }
        b"TB" if clock().is_some() => record.players.black.clock = clock(),
        b"TW" if clock().is_some() => record.players.white.clock = clock(),
        _ => {
            let name = String::from_utf8_lossy(name).into_owned();
            record.others.push((name, body.to_string()));
        }
    }
}

fn othello(input: &[u8]) -> Rule<'_, ()> {
    let name = expect("Othello", tag_no_case("othello"));
    value((), delimited(blanks, name, blanks)).parse(input)
}

/// The size, the squares row by row from a1 with or without blanks between them, and the side to
/// move, Black when it is missing.
fn board(input: &[u8]) -> Rule<'_, Board> {
    let size = expect(
        "the size of the board: 8",
        terminated(tag("8"), expect("a blank", take_while1(is_blank))),
    );
    let (mut input, _) = preceded(blanks, size).parse(input)?;
    let mut discs: ByColor<Bitboard> = ByColor::default();
    for square in Square::ALL {
        let (rest, disc) =
            terminated(expect("a square: * O or -", square_of), blanks).parse(input)?;
        input = rest;
        if let Some(color) = disc {
            discs[color] |= square.into();
        }
    }
    let side = opt(terminated(side, blanks)).parse(input)?;
    let (input, side) = (side.0, side.1.unwrap_or(Color::Black));
    // No square is in both.
    Ok((input, Board::from_discs_unchecked(discs, side)))
}

fn square_of(input: &[u8]) -> Rule<'_, Option<Color>> {
    alt((side.map(Some), value(None, one_of("-.")))).parse(input)
}

/// A disc, or the side to move: `*` or `X`, `O` or `0`.
fn side(input: &[u8]) -> Rule<'_, Color> {
    alt((
        value(Color::Black, one_of("*xX")),
        value(Color::White, one_of("oO0")),
    ))
    .parse(input)
}

/// A value as text in one line.
fn text(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value.trim_ascii());
    let text: String = text.chars().map(in_value).collect();
    text.trim().to_string()
}

/// Replaces a character that a value cannot hold.
pub(super) fn in_value(letter: char) -> char {
    match letter {
        ']' => ')',
        letter if letter.is_control() => ' ',
        letter => letter,
    }
}

fn blanks(input: &[u8]) -> Rule<'_, ()> {
    value((), take_while(is_blank)).parse(input)
}

const fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}
