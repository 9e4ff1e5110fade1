//! Conversion of SGF trees to game records.

use core::{fmt, str::FromStr};

use boardgame_core::{ByColor, Color};

use super::{
    Collection, GameResult, Node, NodeId, ParseSgfError, ParseSgfErrorKind, Property, Record,
    value::{read_move, read_points},
};
use crate::{Game, IllegalMove, Komi, PointSet, Rules, Setup, Size, StonesError};

/// The error of converting a tree to a record of a game of Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ReadRecordError {
    /// The byte offset of the property in the parsed text.
    pub offset: usize,
    pub kind: ReadRecordErrorKind,
}

/// The kind of a [`ReadRecordError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ReadRecordErrorKind {
    /// `GM` names another game.
    OtherGame,
    /// `SZ` is not the size of a square board from 1x1 to 25x25.
    Size,
    /// `KM` is not a finite number.
    Komi,
    /// A value of `AB`, `AW` or `AE` is not a point or rectangle of the board.
    Points,
    /// The stones of `AB` and `AW` cannot be on the board together.
    Stones(StonesError),
    /// The value of `B` or `W` is not a move.
    NoMove { number: usize },
    /// A move is illegal.
    IllegalMove { number: usize, error: IllegalMove },
    /// Stones are added or removed after a move.
    SetupAfterMove,
}

impl fmt::Display for ReadRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: ", self.offset)?;
        match self.kind {
            ReadRecordErrorKind::OtherGame => f.write_str("expected the game of Go, GM[1]"),
            ReadRecordErrorKind::Size => {
                f.write_str("expected the size of a square board, 1 to 25")
            }
            ReadRecordErrorKind::Komi => f.write_str("expected a number of points as komi"),
            ReadRecordErrorKind::Points => f.write_str("expected points of the board"),
            ReadRecordErrorKind::Stones(error) => error.fmt(f),
            ReadRecordErrorKind::NoMove { number } => {
                write!(f, "move {number}: expected a point of the board or a pass")
            }
            ReadRecordErrorKind::IllegalMove { number, error } => {
                write!(f, "move {number}: {error}")
            }
            ReadRecordErrorKind::SetupAfterMove => {
                f.write_str("expected no stones to be added or removed after a move")
            }
        }
    }
}

impl core::error::Error for ReadRecordError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            ReadRecordErrorKind::Stones(error) => Some(error),
            ReadRecordErrorKind::IllegalMove { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl Record {
    /// Reads the main line of a game.
    ///
    /// `KM` is rounded to half points. Defaults are a board of 19x19, komi 0 and Japanese rules, which also replace
    /// unknown rule names; an unknown result becomes [`GameResult::Unknown`]. Without `PL`, the side of the first move
    /// moves first, or White after a handicap. Setup stones may be in several nodes before the first move; `HA` is
    /// ignored, because handicap stones are in `AB`. Moves may be out of turn and may follow two passes.
    ///
    /// # Errors
    ///
    /// Fails if the game is not Go on a square board of at most 25x25, if a value is invalid, if stones are added or
    /// removed after a move, or if a move is illegal.
    ///
    /// # Panics
    ///
    /// May panic if the node belongs to another collection.
    pub fn read(collection: &Collection, game: NodeId) -> Result<Self, ReadRecordError> {
        let (record, error) = Self::read_until_error(collection, game);
        error.map_or(Ok(record), Err)
    }

    /// Reads the main line of a game up to the first error. The record has the part before it.
    ///
    /// # Panics
    ///
    /// May panic if the node belongs to another collection.
    pub fn read_until_error(
        collection: &Collection,
        game: NodeId,
    ) -> (Self, Option<ReadRecordError>) {
        let mut reader = match Reader::new(collection.node(game)) {
            Ok(reader) => reader,
            Err(error) => return (Self::default(), Some(error)),
        };
        let mut line = collection.main_line(game);
        let read = line.try_for_each(|id| reader.node(collection.node(id)));
        let finished = reader.finish();
        (reader.record, read.and(finished).err())
    }

    /// Reads the first game of an SGF file up to the first error. The record has the part before it.
    pub fn parse_until_error(text: &str) -> (Self, Option<ParseRecordError>) {
        let (collection, syntax) = Collection::parse_until_error(text);
        let Some(&game) = collection.games().first() else {
            return (Self::default(), syntax.map(ParseRecordError::Sgf));
        };
        let (record, error) = Self::read_until_error(&collection, game);
        // Errors after the end of the game are ignored.
        let is_inside = |error: &ParseSgfError| {
            collection.games().len() == 1 && error.kind != ParseSgfErrorKind::NoGame
        };
        let syntax = syntax.filter(is_inside).map(ParseRecordError::Sgf);
        (record, error.map(ParseRecordError::Record).or(syntax))
    }
}

/// The error of parsing a record of a game of Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseRecordError {
    /// The text is not SGF.
    Sgf(ParseSgfError),
    /// The first game is not a valid game of Go.
    Record(ReadRecordError),
}

impl fmt::Display for ParseRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sgf(error) => error.fmt(f),
            Self::Record(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseRecordError {}

impl FromStr for Record {
    type Err = ParseRecordError;

    /// Parses the first game of an SGF file: see [`Record::read`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (record, error) = Self::parse_until_error(text);
        error.map_or(Ok(record), Err)
    }
}

/// A record being read: first the setup, then moves.
struct Reader {
    setup: Setup,
    stones: ByColor<PointSet>,
    /// The side in `PL`.
    first: Option<Color>,
    /// The offset of the last property with stones.
    stones_offset: usize,
    /// True after the first move; `record.game` then has the setup.
    has_moves: bool,
    record: Record,
}

fn error(property: Property<'_>, kind: ReadRecordErrorKind) -> ReadRecordError {
    ReadRecordError {
        offset: property.offset(),
        kind,
    }
}

impl Reader {
    /// Reads the game properties of the first node.
    fn new(root: Node<'_>) -> Result<Self, ReadRecordError> {
        if let Some(game) = root.property("GM").filter(|game| game.text().trim() != "1") {
            return Err(error(game, ReadRecordErrorKind::OtherGame));
        }
        let line = |identifier| {
            root.property(identifier)
                .map(Property::line)
                .unwrap_or_default()
        };
        let size = root.property("SZ").map_or(Ok(Size::default()), read_size)?;
        let mut setup = Setup::new(size);
        if let Some(komi) = root.property("KM") {
            let points: Option<f64> = komi.text().trim().parse().ok();
            let value = points.and_then(Komi::nearest);
            setup = setup.with_komi(value.ok_or_else(|| error(komi, ReadRecordErrorKind::Komi))?);
        }
        let result = root.property("RE").map(Property::line);
        let record = Record {
            players: ByColor {
                black: line("PB"),
                white: line("PW"),
            },
            event: line("EV"),
            date: line("DT"),
            result: result.map(|text| text.trim().parse().unwrap_or(GameResult::Unknown)),
            ..Record::default()
        };
        Ok(Self {
            setup: setup.with_rules(read_rules(&line("RU"))),
            stones: ByColor::default(),
            first: None,
            stones_offset: 0,
            has_moves: false,
            record,
        })
    }

    /// Reads the stones, moves and comment of a node.
    fn node(&mut self, node: Node<'_>) -> Result<(), ReadRecordError> {
        for property in node.properties() {
            match property.identifier() {
                "AB" => self.set_points(property, Some(Color::Black))?,
                "AW" => self.set_points(property, Some(Color::White))?,
                "AE" => self.set_points(property, None)?,
                "PL" if !self.has_moves => self.first = read_color(&property.text()),
                _ => {}
            }
        }
        for property in node.properties() {
            match property.identifier() {
                "B" => self.play(property, Color::Black)?,
                "W" => self.play(property, Color::White)?,
                _ => {}
            }
        }
        if let Some(comment) = node.property("C").map(Property::text) {
            self.add_comment(&comment);
        }
        Ok(())
    }

    /// Adds stones of a colour, or removes stones of both.
    fn set_points(
        &mut self,
        property: Property<'_>,
        color: Option<Color>,
    ) -> Result<(), ReadRecordError> {
        if self.has_moves {
            return Err(error(property, ReadRecordErrorKind::SetupAfterMove));
        }
        for value in property.raw_values() {
            let points = read_points(value, self.setup.size())
                .ok_or(error(property, ReadRecordErrorKind::Points))?;
            for stones in self.stones.iter_mut() {
                *stones = *stones - points;
            }
            if let Some(color) = color {
                self.stones[color] = self.stones[color] | points;
            }
        }
        self.stones_offset = property.offset();
        Ok(())
    }

    fn play(&mut self, property: Property<'_>, color: Color) -> Result<(), ReadRecordError> {
        let number = self.move_count() + 1;
        let mv = read_move(&property.text(), self.setup.size())
            .ok_or(error(property, ReadRecordErrorKind::NoMove { number }))?;
        if !self.has_moves {
            self.begin(Some(color))?;
            self.has_moves = true;
        }
        self.record.game.resume();
        self.record.game.play_as(color, mv).map_err(|illegal| {
            let kind = ReadRecordErrorKind::IllegalMove {
                number,
                error: illegal,
            };
            error(property, kind)
        })
    }

    /// Starts the game with the setup, which is now complete.
    fn begin(&mut self, first_mover: Option<Color>) -> Result<(), ReadRecordError> {
        let setup = self
            .setup
            .clone()
            .with_stones(self.stones)
            .map_err(|stones| ReadRecordError {
                offset: self.stones_offset,
                kind: ReadRecordErrorKind::Stones(stones),
            })?;
        let after_handicap = setup.clone().with_first(Color::White).handicap() > 0;
        let default = if after_handicap {
            Color::White
        } else {
            Color::Black
        };
        let first = self.first.or(first_mover).unwrap_or(default);
        self.record.game = Game::new(setup.with_first(first));
        Ok(())
    }

    /// Returns the number of moves read.
    fn move_count(&self) -> usize {
        if self.has_moves {
            self.record.game.moves().len()
        } else {
            0
        }
    }

    fn add_comment(&mut self, comment: &str) {
        let moves = self.move_count();
        if comment.is_empty() {
            return;
        }
        let text = self.record.comments.entry(moves).or_default();
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(comment);
    }

    fn finish(&mut self) -> Result<(), ReadRecordError> {
        if self.has_moves {
            return Ok(());
        }
        self.begin(None)
    }
}

/// Parses `19` or `19:19`.
fn read_size(property: Property<'_>) -> Result<Size, ReadRecordError> {
    let text = property.text().trim().replace(':', "x");
    text.parse()
        .map_err(|_| error(property, ReadRecordErrorKind::Size))
}

/// Parses rules by SGF's names, by the names of [`Rules`], or as single rules; returns [`Rules::JAPANESE`] for others.
fn read_rules(text: &str) -> Rules {
    match text.trim().to_ascii_lowercase().as_str() {
        "nz" | "new zealand" => Rules::NEW_ZEALAND,
        "tromp taylor" => Rules::TROMP_TAYLOR,
        name => name.parse().unwrap_or_default(),
    }
}

fn read_color(text: &str) -> Option<Color> {
    match text.trim() {
        "1" => Some(Color::Black),
        "2" => Some(Color::White),
        name => name.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::error::Error as _;
    use std::string::{String, ToString};

    fn read(text: &str) -> Result<Record, ReadRecordError> {
        let collection: Collection = text.parse().unwrap();
        Record::read(&collection, collection.games()[0])
    }

    fn error_text(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    fn setup(text: &str) -> String {
        read(text).unwrap().game.setup().to_string()
    }

    #[test]
    fn setups_are_read_in_all_notations() {
        for (text, expected) in [
            ("(;)", "19x19 komi 0 rules japanese"),
            (
                "(;SZ[9:9]KM[ 6.50 ]RU[nz])",
                "9x9 komi 6.5 rules new-zealand",
            ),
            ("(;SZ[9]RU[Tromp Taylor])", "9x9 komi 0 rules tromp-taylor"),
            ("(;SZ[9]KM[6.75])", "9x9 komi 7 rules japanese"),
            ("(;SZ[9]RU[GOE])", "9x9 komi 0 rules japanese"),
            (
                "(;SZ[9]AB[aa][bb])",
                "9x9 komi 0 rules japanese black B8 A9 first white",
            ),
            (
                "(;SZ[9]AB[aa][bb]PL[B])",
                "9x9 komi 0 rules japanese black B8 A9",
            ),
            (
                "(;SZ[9]AB[aa][bb];B[cc])",
                "9x9 komi 0 rules japanese black B8 A9",
            ),
            (
                "(;SZ[9]AB[aa]AW[bb]PL[2])",
                "9x9 komi 0 rules japanese black A9 white B8 first white",
            ),
            (
                "(;SZ[9];AB[aa:ca];AE[ba]AW[ca])",
                "9x9 komi 0 rules japanese black A9 white C9",
            ),
            (
                "(;SZ[9]PL[white];W[aa])",
                "9x9 komi 0 rules japanese first white",
            ),
            ("(;SZ[9];W[aa])", "9x9 komi 0 rules japanese first white"),
            ("(;SZ[9]PL[1];W[aa])", "9x9 komi 0 rules japanese"),
        ] {
            assert_eq!(setup(text), expected, "{text}");
        }
    }

    #[test]
    fn moves_comments_and_results_are_read() {
        let text = "(;GM[1]PB[A\nB]EV[Cup]DT[2024]RE[W+Time]C[one];C[two];B[aa]C[x\\]];W[];B[tt]PL[W];B[bb]C[])";
        let record = read(text).unwrap();
        assert_eq!(
            record.game.transcript().to_string(),
            "B A19, W pass, B pass, B B18"
        );
        assert_eq!(record.players.black, "A B");
        assert_eq!(
            (record.event.as_str(), record.date.as_str()),
            ("Cup", "2024")
        );
        assert_eq!(record.result.unwrap().to_string(), "W+T");
        let comments: std::vec::Vec<_> = record.comments.into_iter().collect();
        assert_eq!(
            comments,
            [(0, "one\ntwo".to_string()), (1, "x]".to_string())]
        );
        assert_eq!(
            read("(;RE[black won])").unwrap().result,
            Some(GameResult::Unknown)
        );
        assert_eq!(read("(;)").unwrap().result, None);
    }

    #[test]
    fn errors_give_the_offset_and_the_expected_text() {
        for (text, expected) in [
            ("(;GM[2])", "offset 2: expected the game of Go, GM[1]"),
            (
                "(;SZ[9:8])",
                "offset 2: expected the size of a square board, 1 to 25",
            ),
            (
                "(;SZ[26])",
                "offset 2: expected the size of a square board, 1 to 25",
            ),
            (
                "(;KM[inf])",
                "offset 2: expected a number of points as komi",
            ),
            (
                "(;SZ[9]AB[aa][jj])",
                "offset 7: expected points of the board",
            ),
            (
                "(;SZ[9]B[jj])",
                "offset 7: move 1: expected a point of the board or a pass",
            ),
            (
                "(;B[aa];W[aa])",
                "offset 8: move 2: illegal move A19: the point is occupied",
            ),
            (
                "(;B[aa];AW[bb])",
                "offset 8: expected no stones to be added or removed after a move",
            ),
            (
                "(;SZ[2]AB[aa]AW[ab][ba];B[bb])",
                "offset 13: the stone on B2 leaves a chain without liberties",
            ),
        ] {
            assert_eq!(error_text(text), expected);
        }
        let source = |text| read(text).unwrap_err().source().map(ToString::to_string);
        assert_eq!(source("(;GM[2])"), None);
        let illegal = "illegal move A19: the point is occupied";
        assert_eq!(source("(;B[aa];W[aa])").as_deref(), Some(illegal));
        assert!(source("(;SZ[1]AB[aa])").is_some());
    }

    #[test]
    fn the_moves_before_an_error_are_read() {
        for (text, moves, error) in [
            ("(;B[aa];W[aa];B[bb])", "B A19", "illegal move"),
            (
                "(;B[aa]C[x];W[ab];AB[cc];B[dd])",
                "B A19, W A18",
                "offset 18",
            ),
            ("(;B[aa];W[zz])", "B A19", "move 2: expected a point"),
            ("(;B[aa];W[bb", "B A19", "expected ]"),
            ("(;B[aa];W[bb]", "B A19, W B18", "expected )"),
        ] {
            let (record, found) = Record::parse_until_error(text);
            assert_eq!(record.game.transcript().to_string(), moves, "{text}");
            assert!(found.unwrap().to_string().contains(error), "{text}");
        }
        let (record, error) = Record::parse_until_error("(;B[aa]) and more (;SZ[x");
        assert_eq!((record.game.moves().len(), error), (1, None));
    }

    #[test]
    fn invalid_records_are_rejected() {
        let error = |text: &str| text.parse::<Record>().unwrap_err();
        let unclosed = error("(;B[aa]");
        assert_eq!(
            unclosed.to_string(),
            "expected ) at the end of the variation that begins at offset 0"
        );
        let ParseRecordError::Record(illegal) = error("(;B[aa];W[aa])") else {
            panic!("an illegal move")
        };
        assert_eq!(illegal.offset, 8);
        let ReadRecordErrorKind::IllegalMove { error: illegal, .. } = illegal.kind else {
            panic!("an illegal move")
        };
        assert_eq!(illegal.reason, crate::IllegalReason::Occupied);
    }
}
