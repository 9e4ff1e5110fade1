//! Parsing of trees.

use alloc::vec::Vec;
use core::{fmt, str::FromStr};

use super::{Collection, NodeId, value::value_length};

/// The maximum nesting depth of variations.
pub const MAX_DEPTH: usize = 10_000;

/// The error of parsing SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ParseSgfError {
    /// The byte offset of the unexpected text, or of the start of an unclosed part.
    pub offset: usize,
    pub kind: ParseSgfErrorKind,
}

/// The kind of a [`ParseSgfError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseSgfErrorKind {
    /// The bytes are not UTF-8.
    NotUtf8,
    /// Expected a game, which begins with `(;`.
    NoGame,
    /// Expected `;` after `(`.
    NoNode,
    /// Expected a property, `;`, `(` or `)`.
    NoProperty,
    /// Expected an identifier with an upper-case letter.
    Identifier,
    /// Expected `[` after an identifier.
    NoValue,
    /// Expected `(` or `)` after a variation.
    AfterVariation,
    /// A value lacks its `]`.
    UnclosedValue,
    /// A game or variation lacks its `)`.
    UnclosedTree,
    /// Variations are nested more than [`MAX_DEPTH`] deep.
    TooDeep,
    /// The text has 4 GiB or more.
    TooLong,
}

impl fmt::Display for ParseSgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            ParseSgfErrorKind::NotUtf8 => "expected UTF-8",
            ParseSgfErrorKind::NoGame => "expected a game, which begins with (;",
            ParseSgfErrorKind::NoNode => "expected ; after (",
            ParseSgfErrorKind::NoProperty => "expected a property, ;, ( or )",
            ParseSgfErrorKind::Identifier => "expected an identifier with an upper-case letter",
            ParseSgfErrorKind::NoValue => "expected [ after an identifier",
            ParseSgfErrorKind::AfterVariation => "expected ( or ) after a variation",
            ParseSgfErrorKind::UnclosedValue => "expected ] at the end of the value that begins",
            ParseSgfErrorKind::UnclosedTree => "expected ) at the end of the variation that begins",
            ParseSgfErrorKind::TooDeep => "expected fewer variations within each other",
            ParseSgfErrorKind::TooLong => "expected less than 4 GiB",
        })?;
        write!(f, " at offset {}", self.offset)
    }
}

impl core::error::Error for ParseSgfError {}

impl Collection {
    /// Parses a file.
    ///
    /// Skips a byte order mark and text before and after games, except text after a game that contains `[` and may
    /// therefore be part of a game.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not UTF-8, or not SGF with at least one game.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::sgf::Collection;
    ///
    /// let collection = Collection::parse(b"(;FF[4];B[aa])")?;
    /// assert_eq!(collection.games().len(), 1);
    /// let error = Collection::parse(b"(;FF[4];B[aa)").unwrap_err();
    /// assert_eq!(error.to_string(), "expected ] at the end of the value that begins at offset 9");
    /// # Ok::<(), go_core::sgf::ParseSgfError>(())
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseSgfError> {
        let text = core::str::from_utf8(bytes).map_err(|error| ParseSgfError {
            offset: error.valid_up_to(),
            kind: ParseSgfErrorKind::NotUtf8,
        })?;
        text.parse()
    }

    /// Parses the text of a file up to the first error. The collection has the nodes before it.
    pub fn parse_until_error(text: &str) -> (Self, Option<ParseSgfError>) {
        let mut parser = Parser::new(text);
        let mut goes_on = match u32::try_from(text.len()) {
            Ok(_) => parser.skip_to_game().map(|()| true),
            Err(_) => Err(parser.error(ParseSgfErrorKind::TooLong)),
        };
        while goes_on == Ok(true) {
            goes_on = parser.step();
        }
        (parser.collection, goes_on.err())
    }
}

impl FromStr for Collection {
    type Err = ParseSgfError;

    /// Parses the text of a file: see [`Collection::parse`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (collection, error) = Self::parse_until_error(text);
        error.map_or(Ok(collection), Err)
    }
}

/// The last token that the parser has read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing, or a complete game.
    Outside,
    /// The `(` of a game or variation.
    Opened,
    /// A node or one of its properties.
    InNode(NodeId),
    /// The `)` of a variation after a node.
    Closed(NodeId),
}

/// An open game or variation: its start, and its parent node (`None` for a game).
struct Open {
    offset: usize,
    parent: Option<NodeId>,
}

struct Parser<'a> {
    text: &'a str,
    offset: usize,
    state: State,
    open: Vec<Open>,
    collection: Collection,
}

impl<'a> Parser<'a> {
    const fn new(text: &'a str) -> Self {
        Self {
            text,
            offset: 0,
            state: State::Outside,
            open: Vec::new(),
            collection: Collection::new(),
        }
    }

    const fn error(&self, kind: ParseSgfErrorKind) -> ParseSgfError {
        ParseSgfError {
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
    fn skip_to_game(&mut self) -> Result<(), ParseSgfError> {
        let begins_game =
            |&(offset, _): &(usize, &str)| self.rest()[offset + 1..].trim_start().starts_with(';');
        match self.rest().match_indices('(').find(begins_game) {
            Some((offset, _)) => {
                self.offset += offset;
                Ok(())
            }
            None => Err(self.error(ParseSgfErrorKind::NoGame)),
        }
    }

    /// Skips text after a game that cannot be part of a game. Returns whether another game follows.
    fn skip_text(&mut self) -> Result<bool, ParseSgfError> {
        let begin = self.offset;
        let found = self.skip_to_game().is_ok();
        let end = if found { self.offset } else { self.text.len() };
        if self.text[begin..end].contains('[') {
            self.offset = begin;
            return Err(self.error(ParseSgfErrorKind::NoGame));
        }
        self.offset = end;
        Ok(found)
    }

    /// Parses one bracket, node or property. Returns whether there is more text.
    fn step(&mut self) -> Result<bool, ParseSgfError> {
        self.skip_blanks();
        let Some(next) = self.rest().bytes().next() else {
            return match self.open.last() {
                None => Ok(false),
                Some(open) => Err(ParseSgfError {
                    offset: open.offset,
                    kind: ParseSgfErrorKind::UnclosedTree,
                }),
            };
        };
        match (next, self.state) {
            (b'(', State::Outside) if self.rest()[1..].trim_start().starts_with(';') => {
                self.open(None)?;
            }
            (b'(', State::InNode(node) | State::Closed(node)) => self.open(Some(node))?,
            (b';', State::Opened) => {
                self.begin_node(self.open.last().and_then(|open| open.parent));
            }
            (b';', State::InNode(node)) => self.begin_node(Some(node)),
            (b')', State::InNode(_) | State::Closed(_)) => self.close(),
            (byte, State::InNode(_)) if byte.is_ascii_alphabetic() => self.property()?,
            (_, State::Outside) => return self.skip_text(),
            (_, State::Opened) => return Err(self.error(ParseSgfErrorKind::NoNode)),
            (_, State::InNode(_)) => return Err(self.error(ParseSgfErrorKind::NoProperty)),
            (_, State::Closed(_)) => return Err(self.error(ParseSgfErrorKind::AfterVariation)),
        }
        Ok(true)
    }

    fn open(&mut self, parent: Option<NodeId>) -> Result<(), ParseSgfError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.error(ParseSgfErrorKind::TooDeep));
        }
        let offset = self.offset;
        self.open.push(Open { offset, parent });
        self.offset += 1;
        self.state = State::Opened;
        Ok(())
    }

    fn begin_node(&mut self, parent: Option<NodeId>) {
        let node = match parent {
            None => self.collection.add_game(),
            Some(parent) => self.collection.add_child(parent),
        };
        self.offset += 1;
        self.state = State::InNode(node);
    }

    fn close(&mut self) {
        let closed = self.open.pop();
        self.offset += 1;
        // Only games have no parent node.
        let parent = closed.and_then(|closed| closed.parent);
        self.state = parent.map_or(State::Outside, State::Closed);
    }

    fn property(&mut self) -> Result<(), ParseSgfError> {
        let rest = self.rest();
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        // In older versions, identifiers may have lower-case letters, which are ignored.
        let identifier = rest[..letters].chars().filter(char::is_ascii_uppercase);
        if identifier.clone().next().is_none() {
            return Err(self.error(ParseSgfErrorKind::Identifier));
        }
        let begin = self.offset;
        self.offset += letters;
        let mut has_value = false;
        loop {
            self.skip_blanks();
            if !self.rest().starts_with('[') {
                break;
            }
            let value = self.value()?;
            if !has_value {
                self.collection.begin_property(identifier.clone(), begin);
                has_value = true;
            }
            self.collection.add_raw_value(value);
        }
        if !has_value {
            return Err(self.error(ParseSgfErrorKind::NoValue));
        }
        Ok(())
    }

    /// Parses a value with its brackets.
    fn value(&mut self) -> Result<&'a str, ParseSgfError> {
        let rest = &self.rest()[1..];
        let end = value_length(rest).ok_or(self.error(ParseSgfErrorKind::UnclosedValue))?;
        self.offset += 1 + end + 1;
        Ok(&rest[..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn error(text: &str) -> (usize, ParseSgfErrorKind) {
        let error = text.parse::<Collection>().unwrap_err();
        (error.offset, error.kind)
    }

    #[test]
    fn trees_have_nodes_properties_and_variations() {
        let text = "mail: (hi)\n( ;FF[4]AB[aa] [bb];B[cc](;W[dd]C[a\\]b];B[ee])\n(;W[ff](;B[])(;B[gg])))(;C[])";
        let collection: Collection = text.parse().unwrap();
        let [first, second] = collection.games() else {
            panic!("two games")
        };
        let identifiers = |id| {
            let properties = collection.node(id).properties();
            properties
                .map(|p| p.identifier().to_string() + &p.raw_values().collect::<Vec<_>>().join(","))
                .collect::<Vec<_>>()
        };
        assert_eq!(identifiers(*first), ["FF4", "ABaa,bb"]);
        let line: Vec<_> = collection.main_line(*first).flat_map(identifiers).collect();
        assert_eq!(line, ["FF4", "ABaa,bb", "Bcc", "Wdd", "Ca\\]b", "Bee"]);
        let fork = collection.main_line(*first).nth(1).unwrap();
        let variations: Vec<_> = collection.node(fork).children().collect();
        let [_, other] = variations[..] else {
            panic!("two variations")
        };
        assert_eq!(identifiers(other), ["Wff"]);
        assert_eq!(collection.node(other).children().count(), 2);
        assert_eq!(identifiers(*second), ["C"]);
        let comment = collection.node(*second).property("C").unwrap();
        assert_eq!(comment.offset(), text.len() - 4);
    }

    #[test]
    fn text_around_games_is_skipped() {
        let text = "mail (a) (;C[one])\nand (that) was it (;C[two]) bye";
        let (collection, error) = Collection::parse_until_error(text);
        assert_eq!(
            (collection.to_string().as_str(), error),
            ("(;C[one])\n(;C[two])\n", None)
        );
    }

    #[test]
    fn nodes_before_an_error_are_kept() {
        for (text, read) in [
            ("(;B[aa];W[bb", "(;B[aa];)\n"),
            ("(;B[aa](;W[bb]", "(;B[aa];W[bb])\n"),
            ("(;B[aa]);W[bb])", "(;B[aa])\n"),
            ("(;B[aa])(;(;C[x]", "(;B[aa])\n(;;C[x])\n"),
            ("none", ""),
        ] {
            let (collection, error) = Collection::parse_until_error(text);
            assert_eq!(collection.to_string(), read);
            assert!(error.is_some(), "{text}");
        }
    }

    #[test]
    fn older_identifiers_and_empty_nodes_are_parsed() {
        let collection: Collection = "\u{feff}(;;GaMe[1]Black[aa])".parse().unwrap();
        let line: Vec<_> = collection.main_line(collection.games()[0]).collect();
        assert_eq!(collection.node(line[0]).properties().count(), 0);
        assert_eq!(collection.node(line[1]).property("GM").unwrap().text(), "1");
        assert_eq!(collection.node(line[1]).property("B").unwrap().text(), "aa");
    }

    #[test]
    fn errors_give_offset_and_kind() {
        use ParseSgfErrorKind as Kind;
        for (text, offset, kind) in [
            ("", 0, Kind::NoGame),
            ("()", 0, Kind::NoGame),
            ("(;);B[aa])", 3, Kind::NoGame),
            ("(;(;)()", 6, Kind::NoNode),
            ("(;[1])", 2, Kind::NoProperty),
            ("(;B[aa]x[])", 7, Kind::Identifier),
            ("(;B aa)", 4, Kind::NoValue),
            ("(;(;);)", 5, Kind::AfterVariation),
            ("(;B[aa\\])", 3, Kind::UnclosedValue),
            ("(;B[aa](;", 7, Kind::UnclosedTree),
            ("(;B[aa]", 0, Kind::UnclosedTree),
        ] {
            assert_eq!(error(text), (offset, kind), "{text:?}");
        }
        let not_utf8 = Collection::parse(b"(;C[\xff])").unwrap_err();
        assert_eq!((not_utf8.offset, not_utf8.kind), (4, Kind::NotUtf8));
    }

    #[test]
    fn errors_name_the_expected_text() {
        use ParseSgfErrorKind as Kind;
        for (kind, text) in [
            (Kind::NotUtf8, "expected UTF-8"),
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
            (Kind::TooLong, "expected less than 4 GiB"),
        ] {
            let error = ParseSgfError { offset: 7, kind };
            assert_eq!(error.to_string(), std::format!("{text} at offset 7"));
        }
    }

    #[test]
    fn depth_is_bounded_and_does_not_recurse() {
        let nested = |depth: usize| "(;".repeat(depth) + &")".repeat(depth);
        assert!(nested(MAX_DEPTH).parse::<Collection>().is_ok());
        let too_deep = (2 * MAX_DEPTH, ParseSgfErrorKind::TooDeep);
        assert_eq!(error(&nested(MAX_DEPTH + 1)), too_deep);
        let long = std::format!("({})", ";".repeat(1_000_000));
        let collection: Collection = long.parse().unwrap();
        assert_eq!(
            collection.main_line(collection.games()[0]).count(),
            1_000_000
        );
    }
}
