//! Games of Othello (`GM[2]`) in the Smart Game Format, for `loadsgf`.
//!
//! Source: the description of FF 4 at red-bean.com/sgf. It leaves the moves of Othello open; what
//! is read here is what Edax writes, a letter and a digit (`B[f5]`, `W[PA]`), and Go's two letters
//! (`B[fe]`, `W[]`), which cannot be confused.

use alloc::{string::String, vec::Vec};

use nom::{
    Parser,
    branch::alt,
    bytes::complete::{is_not, tag, tag_no_case, take, take_while1},
    character::complete::{char, multispace0, one_of, satisfy},
    combinator::{cut, eof, rest, value},
    multi::{fold_many0, many0, many1},
    sequence::{delimited, preceded, terminated},
};
use othello_core::{Bitboard, Board, ByColor, Color, Move, Square};

use super::entity::square;
use crate::{
    ParseError,
    grammar::{Rule, expect, whole},
};

/// A game as it is written: the moves are not checked, and passes may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// The board at the start.
    pub(super) start: Board,
    /// The moves.
    pub(super) moves: Vec<(Color, Move)>,
}

/// Reads the first game of a file, along the first of all variations.
///
/// # Errors
///
/// When it is no game tree, is of another game or size, or sets discs up after the first move.
pub(super) fn read(text: &str) -> Result<Record, ParseError> {
    let text = othello_core::without_byte_order_mark(text).as_bytes();
    let mut reader = Reader::default();
    for property in whole(main_line, text)? {
        reader.take(&property)?;
    }
    Ok(reader.record())
}

/// A property with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Property {
    /// Its name without lower-case letters, which old files add (`Black`).
    name: String,
    /// Its values without escapes and outer blanks.
    values: Vec<Vec<u8>>,
}

#[derive(Default)]
struct Reader {
    discs: ByColor<Bitboard>,
    /// True when discs were set up: without any, the game begins as usual.
    set_up: bool,
    player: Option<Color>,
    moves: Vec<(Color, Move)>,
}

impl Reader {
    fn take(&mut self, property: &Property) -> Result<(), ParseError> {
        for text in &property.values {
            match property.name.as_str() {
                "GM" => drop(whole(expect("2, the game of Othello", tag("2")), text)?),
                "SZ" => drop(whole(expect("8, the size of the board", tag("8")), text)?),
                "PL" => self.player = Some(whole(expect("B or W", player), text)?),
                "AB" => self.set_up(Some(Color::Black), text)?,
                "AW" => self.set_up(Some(Color::White), text)?,
                "AE" => self.set_up(None, text)?,
                "B" => self.moves.push((Color::Black, whole(mv, text)?)),
                "W" => self.moves.push((Color::White, whole(mv, text)?)),
                _ => {}
            }
        }
        Ok(())
    }

    fn set_up(&mut self, disc: Option<Color>, text: &[u8]) -> Result<(), ParseError> {
        if !self.moves.is_empty() {
            let expected = "no discs set up after the first move";
            return Err(ParseError::new(expected, 0, text));
        }
        let square = whole(point, text)?;
        self.set_up = true;
        self.discs = self.discs.map(|discs| discs.without(square));
        if let Some(color) = disc {
            self.discs[color] |= square.into();
        }
        Ok(())
    }

    fn record(self) -> Record {
        let first = self.moves.first().map(|&(color, _)| color);
        let side = self.player.or(first).unwrap_or(Color::Black);
        let start = if self.set_up {
            Board::from_discs_unchecked(self.discs, side)
        } else {
            Board::START
        };
        Record {
            start,
            moves: self.moves,
        }
    }
}

/// The properties up to the end of the first leaf: since every tree's first variation comes first,
/// all that lies before the first closing parenthesis.
fn main_line(input: &[u8]) -> Rule<'_, Vec<Property>> {
    let blanks = || multispace0;
    let begin = (
        blanks(),
        expect("(, the beginning of a game", char('(')),
        blanks(),
        expect("; of the first node", char(';')),
    );
    let structure = many0(one_of("(; \t\r\n"));
    let end = expect("a property or )", char(')'));
    delimited(
        (begin, structure),
        many0(terminated(property, many0(one_of("(; \t\r\n")))),
        (end, rest),
    )
    .parse(input)
}

fn property(input: &[u8]) -> Rule<'_, Property> {
    let name = take_while1(|byte: u8| byte.is_ascii_alphabetic());
    let values = many1(delimited(multispace0, text, multispace0));
    (name, cut(expect("[, a value", values)))
        .map(|(name, values): (&[u8], _)| Property {
            name: (name.iter().filter(|byte| byte.is_ascii_uppercase()))
                .map(|&byte| char::from(byte))
                .collect(),
            values,
        })
        .parse(input)
}

/// A value between its brackets.
fn text(input: &[u8]) -> Rule<'_, Vec<u8>> {
    let escaped = preceded(char('\\'), take(1usize));
    let piece = alt((is_not("\\]"), escaped));
    let pieces = fold_many0(piece, Vec::new, |mut text: Vec<u8>, piece: &[u8]| {
        text.extend(piece);
        text
    });
    delimited(char('['), pieces, cut(expect("]", char(']'))))
        .map(|text| text.trim_ascii().to_vec())
        .parse(input)
}

fn player(input: &[u8]) -> Rule<'_, Color> {
    let black = value(Color::Black, one_of("Bb1"));
    let white = value(Color::White, one_of("Ww2"));
    terminated(alt((black, white)), rest).parse(input)
}

/// A move: a point, or a pass in one of its spellings.
fn mv(input: &[u8]) -> Rule<'_, Move> {
    let pass = alt((
        tag_no_case("pass"),
        tag_no_case("pa"),
        tag_no_case("ps"),
        tag("tt"),
        tag("--"),
        eof,
    ));
    let mv = alt((point.map(Move::Place), value(Move::Pass, pass)));
    expect("a square or a pass", mv).parse(input)
}

/// A square as a letter and a digit, or as Go's two letters, of which the second is the row.
fn point(input: &[u8]) -> Rule<'_, Square> {
    let letter = || satisfy(|c| matches!(c, 'a'..='h'));
    let letters = (letter(), letter())
        .map_opt(|(column, row)| Square::new(column as u8 - b'a', row as u8 - b'a'));
    expect("a square", alt((square, letters))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{string::ToString, vec};

    const BLACK: Color = Color::Black;
    const WHITE: Color = Color::White;

    #[test]
    fn a_game_is_read_along_its_first_variations() {
        let record = read(
            "\u{feff} (;FF[4]GM[2] AP[Edax:4.6]\nPB[a \\] b]C[(;B[a1\\])]SZ[8]\r\n\
             ;B[f5];W[d6](;Black[cc]C[x];W[];B[PA])(;B[c4]))\n(;GM[1])",
        );
        let record = record.unwrap();
        assert_eq!(record.start, Board::START);
        let place = |square| Move::Place(square);
        let moves = vec![
            (BLACK, place(Square::F5)),
            (WHITE, place(Square::D6)),
            (BLACK, place(Square::C3)),
            (WHITE, Move::Pass),
            (BLACK, Move::Pass),
        ];
        assert_eq!(record.moves, moves);
    }

    #[test]
    fn a_position_is_set_up_by_its_discs_and_the_player() {
        let board = |text: &str| read(text).unwrap().start.to_string();
        let discs = "AB[b1][cc]AW[a1][d8]AE[d8]";
        let shown = "OX----------------X--------------------------------------------- ";
        for (rest, side) in [
            ("", "X"),
            ("PL[W]", "O"),
            ("PL[black]", "X"),
            (";W[c1]", "O"),
        ] {
            assert_eq!(
                board(&std::format!("(;GM[2]{discs}{rest})")),
                std::format!("{shown}{side}")
            );
        }
    }

    #[test]
    fn records_of_other_games_are_refused() {
        for (text, expected) in [
            ("", "(, the beginning of a game"),
            ("f5d6", "(, the beginning of a game"),
            ("()", "; of the first node"),
            ("(;GM[2]", "a property or )"),
            ("(;GM[2];B)", "[, a value"),
            ("(;C[open)", "]"),
            ("(;GM[1])", "2, the game of Othello"),
            ("(;GM[22])", "nothing more"),
            ("(;SZ[10])", "8, the size of the board"),
            ("(;B[i9])", "a square or a pass"),
            ("(;B[f5];AB[a1])", "no discs set up after the first move"),
        ] {
            assert_eq!(read(text).unwrap_err().expected(), expected, "{text}");
        }
    }
}
