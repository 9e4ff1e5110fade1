//! Parsing of the syntax.

use alloc::{string::String, vec::Vec};
use core::iter;

use super::{
    ParseRecordError, ParseRecordErrorKind as Kind,
    value::{unescape, value_length},
};

/// The maximum nesting depth of variations.
pub const MAX_DEPTH: usize = 10_000;

/// A node: its properties in order.
pub(super) struct Node<'a>(Vec<Property<'a>>);

/// A property of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'a> {
    /// The identifier, whose lower-case letters do not count.
    letters: &'a str,
    /// The values with their brackets and the blanks between them.
    values: &'a str,
    /// The byte offset of the identifier.
    pub(super) offset: usize,
}

impl<'a> Node<'a> {
    pub(super) fn properties(&self) -> impl Iterator<Item = Property<'a>> {
        self.0.iter().copied()
    }

    pub(super) fn has_move(&self) -> bool {
        self.properties().any(|it| it.is("B") || it.is("W"))
    }

    /// Returns the first property with an identifier.
    pub(super) fn property(&self, identifier: &str) -> Option<Property<'a>> {
        self.properties().find(|property| property.is(identifier))
    }
}

impl<'a> Property<'a> {
    pub(super) fn is(self, identifier: &str) -> bool {
        let capitals = self.letters.bytes().filter(u8::is_ascii_uppercase);
        capitals.eq(identifier.bytes())
    }

    /// Returns the escaped values, at least one, as in the file.
    pub(super) fn raw_values(self) -> impl Iterator<Item = &'a str> {
        let mut rest = self.values;
        iter::from_fn(move || {
            let inner = rest.trim_start().strip_prefix('[')?;
            let (value, after) = inner.split_at(value_length(inner)?);
            rest = &after[1..];
            Some(value)
        })
    }

    /// Returns the first value as text, without escapes.
    pub(super) fn text(self) -> String {
        self.raw_values().next().map(unescape).unwrap_or_default()
    }

    /// Returns the first value as a line of text, with line breaks replaced by spaces.
    pub(super) fn line(self) -> String {
        self.text().replace('\n', " ")
    }
}

/// Parses the first game of a file up to its end or the first error, and returns the nodes of its main line.
///
/// Skips a byte order mark and text before the game.
pub(super) fn main_line(text: &str) -> (Vec<Node<'_>>, Option<ParseRecordError>) {
    let (parser, error) = Parser::read(text);
    (parser.nodes, error)
}

/// Iterates over the games of a collection, as text, with what is before each. A game that is not SGF is the last one
/// and extends to the end.
pub fn games(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        let (parser, error) = Parser::read(rest);
        let end = match error.map(|error| error.kind) {
            None => parser.offset,
            Some(Kind::NoGame) => return None,
            Some(_) => rest.len(),
        };
        let (game, after) = rest.split_at(end);
        rest = after;
        Some(game)
    })
}

/// The last token that the parser has read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The `(` of the game or a variation.
    Opened,
    /// A node or one of its properties.
    InNode,
    /// The `)` of a variation after a node.
    Closed,
}

struct Parser<'a> {
    text: &'a str,
    offset: usize,
    state: State,
    /// The offsets of the open game and variations.
    open: Vec<usize>,
    /// True up to the first `)`: every tree's first variation comes first.
    is_main_line: bool,
    nodes: Vec<Node<'a>>,
}

impl<'a> Parser<'a> {
    /// Reads the first game of a text.
    fn read(text: &'a str) -> (Self, Option<ParseRecordError>) {
        let mut parser = Self {
            text,
            offset: 0,
            state: State::Opened,
            open: Vec::new(),
            is_main_line: true,
            nodes: Vec::new(),
        };
        let mut goes_on = parser
            .skip_to_game()
            .and_then(|()| parser.open())
            .map(|()| true);
        while goes_on == Ok(true) {
            goes_on = parser.step();
        }
        (parser, goes_on.err())
    }

    const fn error(&self, kind: Kind) -> ParseRecordError {
        ParseRecordError {
            offset: self.offset,
            kind,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.offset += rest.len() - rest.trim_start().len();
    }

    /// Skips text before the first `(` that is followed by `;`.
    fn skip_to_game(&mut self) -> Result<(), ParseRecordError> {
        let begins_game =
            |&(offset, _): &(usize, &str)| self.rest()[offset + 1..].trim_start().starts_with(';');
        match self.rest().match_indices('(').find(begins_game) {
            Some((offset, _)) => {
                self.offset += offset;
                Ok(())
            }
            None => Err(self.error(Kind::NoGame)),
        }
    }

    /// Parses one bracket, node or property. Returns whether the game goes on.
    fn step(&mut self) -> Result<bool, ParseRecordError> {
        self.skip_blanks();
        let Some(next) = self.rest().bytes().next() else {
            let offset = self.open.last().copied().unwrap_or_default();
            let kind = Kind::UnclosedTree;
            return Err(ParseRecordError { offset, kind });
        };
        match (next, self.state) {
            (b'(', State::InNode | State::Closed) => self.open()?,
            (b';', State::Opened | State::InNode) => {
                self.offset += 1;
                self.state = State::InNode;
                if self.is_main_line {
                    self.nodes.push(Node(Vec::new()));
                }
            }
            (b')', State::InNode | State::Closed) => {
                self.open.pop();
                self.offset += 1;
                self.state = State::Closed;
                self.is_main_line = false;
                return Ok(!self.open.is_empty());
            }
            (byte, State::InNode) if byte.is_ascii_alphabetic() => self.property()?,
            (_, State::Opened) => return Err(self.error(Kind::NoNode)),
            (_, State::InNode) => return Err(self.error(Kind::NoProperty)),
            (_, State::Closed) => return Err(self.error(Kind::AfterVariation)),
        }
        Ok(true)
    }

    fn open(&mut self) -> Result<(), ParseRecordError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.error(Kind::TooDeep));
        }
        self.open.push(self.offset);
        self.offset += 1;
        self.state = State::Opened;
        Ok(())
    }

    fn property(&mut self) -> Result<(), ParseRecordError> {
        let (offset, rest) = (self.offset, self.rest());
        let count = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let letters = &rest[..count];
        // In older versions, identifiers may have lower-case letters, which are ignored.
        if !letters.contains(|letter: char| letter.is_ascii_uppercase()) {
            return Err(self.error(Kind::Identifier));
        }
        self.offset += count;
        let begin = self.offset;
        self.skip_blanks();
        if !self.rest().starts_with('[') {
            return Err(self.error(Kind::NoValue));
        }
        let mut end = begin;
        let mut read = Ok(());
        while self.rest().starts_with('[') {
            let inner = &self.rest()[1..];
            let Some(length) = value_length(inner) else {
                read = Err(self.error(Kind::UnclosedValue));
                break;
            };
            self.offset += 1 + length + 1;
            end = self.offset;
            self.skip_blanks();
        }
        if self.is_main_line
            && end > begin
            && let Some(node) = self.nodes.last_mut()
        {
            let values = &self.text[begin..end];
            node.0.push(Property {
                letters,
                values,
                offset,
            });
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::ToString};

    /// Returns the nodes of the main line as text, and the error.
    fn parse(text: &str) -> (String, Option<(usize, Kind)>) {
        let (nodes, error) = main_line(text);
        let mut shown = String::new();
        for node in nodes {
            shown.push(';');
            for property in node.properties() {
                shown.extend(property.letters.chars().filter(char::is_ascii_uppercase));
                shown.extend(property.raw_values().flat_map(|value| ["[", value, "]"]));
            }
        }
        (shown, error.map(|error| (error.offset, error.kind)))
    }

    #[test]
    fn the_main_line_has_nodes_and_properties() {
        for (text, line) in [
            (
                "mail: (hi)\n( ;FF[4]AB[aa] [bb];B[cc](;W[dd]C[a\\]b];B[ee])\n(;W[ff](;B[])))(;C[])",
                ";FF[4]AB[aa][bb];B[cc];W[dd]C[a\\]b];B[ee]",
            ),
            // Older identifiers and empty nodes.
            ("\u{feff}(;;GaMe[1]Black[aa])", ";;GM[1]B[aa]"),
            // What follows the game does not matter.
            ("(;C[one])\nand (that) was it;B[aa])", ";C[one]"),
        ] {
            assert_eq!(parse(text), (line.into(), None), "{text}");
        }
        let text = "(;C[a]SZ[9]C[b\nc])";
        let (nodes, _) = main_line(text);
        assert_eq!(nodes[0].property("SZ").unwrap().offset, 6);
        assert_eq!(nodes[0].property("C").unwrap().text(), "a");
    }

    #[test]
    fn a_collection_has_games_up_to_the_first_that_is_broken() {
        let text = "two: (;B[aa](;W[bb])(;W[cc]))\n(;C[(;])\nend";
        let found: Vec<&str> = games(text).collect();
        assert_eq!(found, ["two: (;B[aa](;W[bb])(;W[cc]))", "\n(;C[(;])"]);
        let broken: Vec<&str> = games("(;B[aa])(;B)(;W[aa])").collect();
        assert_eq!(broken, ["(;B[aa])", "(;B)(;W[aa])"]);
    }

    #[test]
    fn errors_give_offset_and_kind_and_the_nodes_before_them_are_kept() {
        for (text, offset, kind, line) in [
            ("", 0, Kind::NoGame, ""),
            ("()", 0, Kind::NoGame, ""),
            ("(;(;)()", 6, Kind::NoNode, ";;"),
            ("(;[1])", 2, Kind::NoProperty, ";"),
            ("(;B[aa]x[])", 7, Kind::Identifier, ";B[aa]"),
            ("(;B aa)", 4, Kind::NoValue, ";"),
            ("(;(;);)", 5, Kind::AfterVariation, ";;"),
            ("(;B[aa\\])", 3, Kind::UnclosedValue, ";"),
            ("(;B[aa];W[bb", 9, Kind::UnclosedValue, ";B[aa];"),
            ("(;B[aa](;", 7, Kind::UnclosedTree, ";B[aa];"),
            ("(;B[aa](;W[bb]", 7, Kind::UnclosedTree, ";B[aa];W[bb]"),
            (
                "(;B[aa](;W[bb])(;W[cc",
                18,
                Kind::UnclosedValue,
                ";B[aa];W[bb]",
            ),
            ("(;B[aa]", 0, Kind::UnclosedTree, ";B[aa]"),
        ] {
            let error = Some((offset, kind));
            assert_eq!(parse(text), (line.into(), error), "{text:?}");
        }
    }

    #[test]
    fn errors_name_the_expected_text() {
        for (kind, text) in [
            (Kind::NoGame, "expected a game, which begins with (;"),
            (Kind::NoNode, "expected ; after ("),
            (Kind::NoProperty, "expected a property, ;, ( or )"),
            (
                Kind::Identifier,
                "expected an identifier with an upper-case letter",
            ),
            (Kind::NoValue, "expected [ after an identifier"),
            (Kind::AfterVariation, "expected ( or ) after a variation"),
            (
                Kind::UnclosedValue,
                "expected ] at the end of the value that begins",
            ),
            (
                Kind::UnclosedTree,
                "expected ) at the end of the variation that begins",
            ),
            (Kind::TooDeep, "expected fewer variations within each other"),
        ] {
            let error = ParseRecordError { offset: 7, kind };
            assert_eq!(error.to_string(), format!("{text} at offset 7"));
        }
    }

    #[test]
    fn depth_is_bounded_and_does_not_recurse() {
        let nested = |depth: usize| "(;".repeat(depth) + &")".repeat(depth);
        assert_eq!(parse(&nested(MAX_DEPTH)).1, None);
        let too_deep = (2 * MAX_DEPTH, Kind::TooDeep);
        assert_eq!(parse(&nested(MAX_DEPTH + 1)).1, Some(too_deep));
    }
}
