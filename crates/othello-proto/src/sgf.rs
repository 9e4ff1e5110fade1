//! Games of Othello (`GM[2]`) in the Smart Game Format.
//!
//! Source: the description of FF 4 at red-bean.com/sgf. It leaves the moves of Othello open; this module reads a letter
//! and a digit as Edax writes them (`B[f5]`, `W[PA]`), and Go's two letters (`B[fe]`, `W[]`), which cannot be confused.
//! It writes the former.
//!
//! ```
//! use othello_proto::sgf::Record;
//!
//! let record = Record::parse(b"(;GM[2]PB[a]SZ[8];B[f5];W[fd]C[why?])")?;
//! assert_eq!(record.text("PB"), Some("a"));
//! assert_eq!(record.to_string(), "(;FF[4]GM[2]SZ[8]PB[a];B[f5];W[f4]C[why?])");
//! # Ok::<(), othello_proto::ParseError>(())
//! ```

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};
use core::fmt;

use nom::{
    Parser,
    branch::alt,
    bytes::complete::{is_not, tag, tag_no_case, take, take_while1},
    character::complete::{char, multispace0, one_of, satisfy},
    combinator::{cut, eof, fail, opt, rest, value},
    multi::fold_many0,
    sequence::{delimited, preceded, terminated},
};
use othello_core::{Bitboard, Board, ByColor, Color, Move, Square};

use crate::{
    ParseError,
    grammar::{Rule, expect, whole},
    gtp::square,
};

/// The byte order mark that some editors write at the start of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The number of values that a game may have along its first variations, moves among them.
pub const MAX_VALUES: usize = 1 << 16;

/// The number of letters that the name of a property may have.
const MAX_NAME: usize = 64;

/// A game as it is written: the moves are not checked, and passes may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The board at the start.
    pub start: Board,
    /// The properties of the nodes up to the first move, without those that set the start up.
    pub properties: Vec<Property>,
    /// The moves.
    pub moves: Vec<Ply>,
}

/// A move of a [`Record`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The colour that makes it.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// The other properties of its node and of nodes without a move that follow.
    pub properties: Vec<Property>,
}

/// A property with one of its values; one with several values is listed once for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name in upper case, such as `PB`.
    pub name: String,
    /// The value without escapes and outer blanks.
    pub value: String,
}

impl Default for Record {
    /// Returns a game on the standard start without properties and moves.
    fn default() -> Self {
        Self {
            start: Board::START,
            properties: Vec::new(),
            moves: Vec::new(),
        }
    }
}

impl Record {
    /// Reads the first game of a file, along the first of all variations.
    ///
    /// # Errors
    ///
    /// Fails if the text is no game tree, is of another game or size, sets discs up after the first move, or has more
    /// than [`MAX_VALUES`].
    pub fn parse(text: &[u8]) -> Result<Self, ParseError> {
        let (record, error) = Self::parse_until_error(text);
        error.map_or(Ok(record), Err)
    }

    /// Parses the first game of a file like [`parse`](Self::parse), but keeps everything before the first error.
    pub fn parse_until_error(text: &[u8]) -> (Self, Option<ParseError>) {
        let mut reader = Reader::default();
        let error = reader.read(text).err();
        (reader.record(), error)
    }

    /// Returns the first value of a property of the game.
    pub fn text(&self, name: &str) -> Option<&str> {
        let mut properties = self.properties.iter();
        properties
            .find(|property| property.name == name)
            .map(|property| property.value.as_str())
    }
}

#[derive(Default)]
struct Reader {
    discs: ByColor<Bitboard>,
    /// True when discs were set up: without any, the game begins as usual.
    set_up: bool,
    player: Option<Color>,
    properties: Vec<Property>,
    moves: Vec<Ply>,
    /// The other properties of the current node.
    node: Vec<Property>,
    /// True after the first node.
    is_later: bool,
    /// The number of values so far.
    values: usize,
}

impl Reader {
    /// Reads the nodes up to the first closing parenthesis. They end at the first leaf, since every tree's first
    /// variation comes first.
    fn read(&mut self, text: &[u8]) -> Result<(), ParseError> {
        let mut rest = step(begin, text, text)?.0;
        let read = loop {
            rest = rest.trim_ascii_start();
            match rest {
                [b'(', after @ ..] => rest = after,
                [b';', after @ ..] => {
                    self.end_node();
                    rest = after;
                }
                [b')', ..] => break Ok(()),
                _ => match self.take_property(rest, text) {
                    Ok(after) => rest = after,
                    Err(error) => break Err(error),
                },
            }
        };
        self.end_node();
        read
    }

    /// Ends a node. Edax puts the first move into the node with the game's properties.
    fn end_node(&mut self) {
        let is_later = core::mem::replace(&mut self.is_later, true);
        let of_move = self.moves.last_mut().filter(|_| is_later);
        let properties = of_move.map(|ply| &mut ply.properties);
        properties
            .unwrap_or(&mut self.properties)
            .append(&mut self.node);
    }

    /// Takes a property with its values, and returns the rest of the text.
    fn take_property<'a>(&mut self, from: &'a [u8], text: &[u8]) -> Result<&'a [u8], ParseError> {
        let (mut rest, name) = step(name, from, text)?;
        loop {
            let begin = rest.trim_ascii_start();
            let (after, value) = step(value_text, begin, text)?;
            self.values += 1;
            if self.values > MAX_VALUES {
                let expected = "at most 65536 values in a game";
                return Err(ParseError::new(expected, text.len() - after.len(), text));
            }
            let of_value = |error: ParseError| {
                let blanks = begin[1..].len() - begin[1..].trim_ascii_start().len();
                let offset = text.len() - begin.len() + 1 + blanks + error.offset();
                ParseError::new(error.expected(), offset.min(text.len()), text)
            };
            if !self.take(&name, &value).map_err(of_value)? {
                let (name, value) = (name.clone(), decode(&value));
                self.node.push(Property { name, value });
            }
            rest = after.trim_ascii_start();
            if !rest.starts_with(b"[") {
                return Ok(rest);
            }
        }
    }

    /// Takes a value of the start or a move, and returns `false` for other properties.
    fn take(&mut self, name: &str, text: &[u8]) -> Result<bool, ParseError> {
        match name {
            "GM" => drop(whole(expect("GM[2], the game of Othello", tag("2")), text)?),
            "SZ" => drop(whole(expect("8, the size of the board", tag("8")), text)?),
            // Each move names its side.
            "PL" if !self.moves.is_empty() => {}
            "PL" => self.player = Some(whole(expect("B or W", player), text)?),
            "AB" => self.set_up(Some(Color::Black), text)?,
            "AW" => self.set_up(Some(Color::White), text)?,
            "AE" => self.set_up(None, text)?,
            "B" => self.play(Color::Black, text)?,
            "W" => self.play(Color::White, text)?,
            "FF" => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn play(&mut self, color: Color, text: &[u8]) -> Result<(), ParseError> {
        let mv = whole(mv, text)?;
        let properties = Vec::new();
        self.moves.push(Ply {
            color,
            mv,
            properties,
        });
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
        let first = self.moves.first().map(|ply| ply.color);
        let side = self.player.or(first).unwrap_or(Color::Black);
        let start = if self.set_up {
            Board::from_discs_unchecked(self.discs, side)
        } else {
            Board::START
        };
        Record {
            start,
            properties: self.properties,
            moves: self.moves,
        }
    }
}

/// Applies a rule to the rest of a text, and returns what follows.
fn step<'a, T>(
    rule: impl FnOnce(&'a [u8]) -> Rule<'a, T>,
    rest: &'a [u8],
    text: &[u8],
) -> Result<(&'a [u8], T), ParseError> {
    let mut after = rest;
    let to_end = |input| {
        let (left, value) = rule(input)?;
        after = left;
        Ok((&[][..], value))
    };
    let offset = text.len() - rest.len();
    let read = whole(to_end, rest)
        .map_err(|error| ParseError::new(error.expected(), offset + error.offset(), text));
    Ok((after, read?))
}

/// The beginning of a game up to its first node, perhaps after a byte order mark.
fn begin(input: &[u8]) -> Rule<'_, ()> {
    let begin = (
        opt(tag(BYTE_ORDER_MARK)),
        multispace0,
        expect("(, the beginning of a game", char('(')),
        multispace0,
        expect("; of the first node", char(';')),
    );
    value((), begin).parse(input)
}

/// The name of a property without lower-case letters, which old files add (`Black`).
fn name(input: &[u8]) -> Rule<'_, String> {
    let letters = take_while1(|byte: u8| byte.is_ascii_alphabetic());
    let (rest, name) = expect("a property or )", letters).parse(input)?;
    if name.len() > MAX_NAME {
        return cut(expect("a name of at most 64 letters", fail())).parse(&input[MAX_NAME..]);
    }
    let capitals = name.iter().filter(|byte| byte.is_ascii_uppercase());
    Ok((rest, capitals.copied().map(char::from).collect()))
}

/// A value between its brackets, without escapes and outer blanks.
fn value_text(input: &[u8]) -> Rule<'_, Vec<u8>> {
    let escaped = preceded(char('\\'), take(1usize));
    let piece = alt((is_not("\\]"), escaped));
    let pieces = fold_many0(piece, Vec::new, |mut text: Vec<u8>, piece: &[u8]| {
        text.extend(piece);
        text
    });
    let open = expect("[, a value", char('['));
    delimited(open, pieces, cut(expect("]", char(']'))))
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

/// A square as a letter and a digit, or as Go's two letters for column and row.
fn point(input: &[u8]) -> Rule<'_, Square> {
    let letter = || satisfy(|c| matches!(c, 'a'..='h'));
    let letters = (letter(), letter())
        .map_opt(|(column, row)| Square::new(column as u8 - b'a', row as u8 - b'a'));
    expect("a square", alt((square, letters))).parse(input)
}

/// Decodes bytes as UTF-8, or else as Latin-1, the format's default.
fn decode(bytes: &[u8]) -> String {
    match core::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(;FF[4]GM[2]SZ[8]")?;
        write_properties(&self.properties, f)?;
        if self.start != Board::START {
            write_start(self.start, f)?;
        }
        for ply in &self.moves {
            write!(f, ";{}", letter(ply.color))?;
            match ply.mv {
                Move::Place(square) => write!(f, "[{square}]")?,
                Move::Pass => f.write_str("[PA]")?,
            }
            write_properties(&ply.properties, f)?;
        }
        f.write_str(")")
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// Writes the discs and the player; without any disc, an empty square says that the board was set up.
fn write_start(start: Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let discs = [
        ("AB", start.discs(Color::Black)),
        ("AW", start.discs(Color::White)),
    ];
    for (name, discs) in discs {
        let mut name = name;
        for square in discs {
            write!(f, "{name}[{square}]")?;
            name = "";
        }
    }
    if start.empties() == Bitboard::FULL {
        f.write_str("AE[a1]")?;
    }
    write!(f, "PL[{}]", letter(start.side_to_move()))
}

/// Writes properties, successive values of the same one together, since a node has a property once.
fn write_properties(properties: &[Property], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut last = "";
    for Property { name, value } in properties {
        if name != last {
            f.write_str(name)?;
        }
        write!(f, "[{}]", Escaped(value))?;
        last = name;
    }
    Ok(())
}

/// Displays text as it stands in a value. A parenthesis at the start of a line is escaped too, so that readers of
/// damaged files can look for the starts of games there.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = '\n';
        for letter in self.0.chars() {
            if matches!(letter, ']' | '\\') || letter == '(' && last == '\n' {
                f.write_str("\\")?;
            }
            fmt::Write::write_char(f, letter)?;
            last = letter;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    fn read(text: &str) -> Result<Record, ParseError> {
        Record::parse(text.as_bytes())
    }

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
        let played = record.moves.iter().map(|ply| (ply.color, ply.mv));
        assert_eq!(played.collect::<Vec<_>>(), moves);
        assert_eq!(record.text("PB"), Some("a ] b"));
        assert_eq!(record.text("C"), Some("(;B[a1])"));
        let comment = |value: &str| Property {
            name: "C".into(),
            value: value.into(),
        };
        assert_eq!(record.moves[2].properties, [comment("x")]);
        assert_eq!(read(&record.to_string()), Ok(record));
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
    fn any_start_and_any_text_read_back() {
        for start in ["X", "O"].map(|disc| "-".repeat(63) + disc + " O") {
            let mut record = Record {
                start: start.parse().unwrap(),
                ..Record::default()
            };
            let value = "(a]\\b\n(;GM[2])".to_string();
            let name = "C".to_string();
            record.properties.push(Property { name, value });
            assert_eq!(read(&record.to_string()), Ok(record));
        }
        let empty = Record {
            start: ("-".repeat(64) + " X").parse().unwrap(),
            ..Record::default()
        };
        assert_eq!(read(&empty.to_string()), Ok(empty));
    }

    #[test]
    fn text_that_is_no_utf8_is_latin_1() {
        let record = Record::parse(b"(;PB[Ren\xe9])").unwrap();
        assert_eq!(record.text("PB"), Some("René"));
    }

    #[test]
    fn names_and_numbers_of_values_are_bounded() {
        let game = |name: &str, count| std::format!("(;{name}{})", "[]".repeat(count));
        let longest = "N".repeat(MAX_NAME);
        let record = read(&game(&longest, MAX_VALUES)).unwrap();
        assert_eq!(record.properties.len(), MAX_VALUES);
        let error = |name: &str, count| read(&game(name, count)).unwrap_err().expected();
        assert_eq!(error("A", MAX_VALUES + 1), "at most 65536 values in a game");
        assert_eq!(error(&(longest + "n"), 1), "a name of at most 64 letters");
    }

    #[test]
    fn what_stands_before_an_error_is_read() {
        for (text, offset, moves) in [
            ("(;GM[2]PB[a];B[f5];W[d6];AB[a1];B[c3])", 28, 2),
            ("(;GM[2];B[f5];W[ z9];B[c3])", 17, 1),
            ("(;GM[2];B[f5];W[d6", 18, 1),
            ("(;GM[2];B[f5];W[d6]PL[W]", 24, 2),
            ("(;GM[2];B[f5]C[x];7", 18, 1),
        ] {
            let (record, error) = Record::parse_until_error(text.as_bytes());
            assert_eq!(error.map(|error| error.offset()), Some(offset), "{text}");
            assert_eq!(record.moves.len(), moves, "{text}");
            assert_eq!(record.start, Board::START, "{text}");
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
            ("(;GM[1])", "GM[2], the game of Othello"),
            ("(;GM[22])", "nothing more"),
            ("(;SZ[10])", "8, the size of the board"),
            ("(;B[i9])", "a square or a pass"),
            ("(;B[f5];AB[a1])", "no discs set up after the first move"),
            ("(;C [x] [y]([z])", "a property or )"),
        ] {
            assert_eq!(read(text).unwrap_err().expected(), expected, "{text}");
        }
    }
}
