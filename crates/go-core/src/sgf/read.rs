//! Reading of game records.

use alloc::vec::Vec;
use core::str::FromStr;

use boardgame_core::{ByColor, Color};

use super::{
    GameResult, ParseRecordError, ParseRecordErrorKind as Kind, Record, RecordLeniency,
    RecordLeniencyKind as Leniency,
    parse::{Node, Property, main_line},
    value::{read_move, read_points},
};
use crate::{Game, Komi, PointSet, Rules, Setup, Size};

/// The first game of an SGF file, as far as it could be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadRecord {
    /// The game up to the first error.
    pub record: Record,
    /// The accepted faults.
    pub leniencies: Vec<RecordLeniency>,
    /// The first error, if there is one.
    pub error: Option<ParseRecordError>,
}

impl Record {
    /// Parses the first game of an SGF file up to the first error or to the position after `max_moves` moves; errors
    /// after it do not matter.
    pub fn read(text: &str, max_moves: usize) -> ReadRecord {
        let (nodes, syntax) = main_line(text);
        let unclosed = syntax.filter(|error| error.kind == Kind::UnclosedTree);
        let syntax = syntax.filter(|_| unclosed.is_none());
        let mut reader = match nodes.first().map(|root| Reader::new(root, max_moves)) {
            Some(Ok(reader)) => reader,
            failed => {
                let error = failed.and_then(Result::err).or(syntax);
                return ReadRecord {
                    error,
                    ..ReadRecord::default()
                };
            }
        };
        let last_move = nodes.iter().rposition(Node::has_move);
        let read = nodes.iter().enumerate().try_for_each(|(number, node)| {
            reader.moves_follow = Some(number) <= last_move;
            reader.node(node)
        });
        let finished = reader.finish();
        let mut leniencies = reader.leniencies;
        leniencies.extend(unclosed.map(|error| RecordLeniency {
            offset: error.offset,
            kind: Leniency::Unclosed,
        }));
        ReadRecord {
            record: reader.record,
            leniencies,
            error: match read {
                Err(Stop::MaxMoves) => finished.err(),
                Err(Stop::Error(error)) => Some(error),
                Ok(()) => finished.err().or(syntax),
            },
        }
    }
}

impl FromStr for Record {
    type Err = ParseRecordError;

    /// Parses the first game of an SGF file.
    ///
    /// Defaults are a board of 19x19, komi 0 and Japanese rules, which also replace unknown rule names; an unknown
    /// result becomes [`GameResult::Unknown`]. Without `PL`, the side of the first move moves first, or White after a
    /// handicap. Setup stones may be in several nodes; `HA` is ignored, because handicap stones are in `AB`. Moves may
    /// be out of turn and may follow two passes. The faults that [`RecordLeniency`] names are accepted.
    ///
    /// # Errors
    ///
    /// Fails if the text is not SGF, if the game is not Go on a square board of at most 25x25, if a value is invalid,
    /// or if a move is illegal.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let ReadRecord { record, error, .. } = Self::read(text, usize::MAX);
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
    /// True after the first move since the last setup, which `record.game` then has.
    has_moves: bool,
    /// True if a move follows in this node or a later one.
    moves_follow: bool,
    /// The number of moves before the game's setup.
    earlier_moves: usize,
    max_moves: usize,
    leniencies: Vec<RecordLeniency>,
    record: Record,
}

/// The end of reading before the end of the text.
enum Stop {
    /// All moves asked for are read.
    MaxMoves,
    Error(ParseRecordError),
}

impl From<ParseRecordError> for Stop {
    fn from(error: ParseRecordError) -> Self {
        Self::Error(error)
    }
}

fn error(property: Property<'_>, kind: Kind) -> ParseRecordError {
    ParseRecordError {
        offset: property.offset,
        kind,
    }
}

impl Reader {
    /// Reads the game properties of the first node.
    fn new(root: &Node<'_>, max_moves: usize) -> Result<Self, ParseRecordError> {
        if let Some(game) = root.property("GM").filter(|game| game.text().trim() != "1") {
            return Err(error(game, Kind::OtherGame));
        }
        let line = |identifier| {
            root.property(identifier)
                .map(Property::line)
                .unwrap_or_default()
        };
        let size = root.property("SZ").map_or(Ok(Size::default()), read_size)?;
        let mut setup = Setup::new(size);
        let mut leniencies = Vec::new();
        if let Some(property) = root.property("KM") {
            let (komi, is_lenient) =
                read_komi(&property.text()).ok_or_else(|| error(property, Kind::Komi))?;
            setup = setup.with_komi(komi);
            leniencies.extend(is_lenient.then_some(RecordLeniency {
                offset: property.offset,
                kind: Leniency::Komi { read_as: komi },
            }));
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
            moves_follow: false,
            earlier_moves: 0,
            max_moves,
            leniencies,
            record,
        })
    }

    /// Reads the stones, moves and comment of a node.
    fn node(&mut self, node: &Node<'_>) -> Result<(), Stop> {
        for property in node.properties() {
            if property.is("AB") {
                self.set_points(property, Some(Color::Black))?;
            } else if property.is("AW") {
                self.set_points(property, Some(Color::White))?;
            } else if property.is("AE") {
                self.set_points(property, None)?;
            }
        }
        for property in node.properties() {
            if property.is("PL") && !self.has_moves {
                self.first = read_color(&property.text());
            } else if property.is("B") {
                self.play(property, Color::Black)?;
            } else if property.is("W") {
                self.play(property, Color::White)?;
            }
        }
        if let Some(comment) = node.property("C").map(Property::text) {
            self.add_comment(&comment);
        }
        Ok(())
    }

    /// Adds stones of a colour, or removes stones of both.
    fn set_points(&mut self, property: Property<'_>, color: Option<Color>) -> Result<(), Stop> {
        let offset = property.offset;
        if self.has_moves && self.earlier_moves + self.move_count() >= self.max_moves {
            return Err(Stop::MaxMoves);
        }
        let points = property
            .raw_values()
            .try_fold(PointSet::default(), |points, value| {
                Some(points | read_points(value, self.setup.size())?)
            })
            .ok_or(error(property, Kind::Points))?;
        if self.has_moves {
            if !self.moves_follow || self.record.game.position().is_over() {
                let kind = Leniency::SetupAfterEnd;
                self.leniencies.push(RecordLeniency { offset, kind });
                return Ok(());
            }
            self.restart(offset);
        }
        for stones in self.stones.iter_mut() {
            *stones = *stones - points;
        }
        if let Some(color) = color {
            self.stones[color] = self.stones[color] | points;
        }
        self.stones_offset = offset;
        Ok(())
    }

    /// Makes the position the setup of a game without moves.
    fn restart(&mut self, offset: usize) {
        let position = self.record.game.position();
        self.stones = ByColor::default();
        for (point, color) in position.board().stones() {
            self.stones[color].insert(point);
        }
        self.first = Some(position.side_to_move());
        self.earlier_moves += self.move_count();
        self.has_moves = false;
        self.record.comments.clear();
        let moves = self.earlier_moves;
        let kind = Leniency::LateSetup { moves };
        self.leniencies.push(RecordLeniency { offset, kind });
    }

    fn play(&mut self, property: Property<'_>, color: Color) -> Result<(), Stop> {
        let number = self.earlier_moves + self.move_count() + 1;
        if number > self.max_moves {
            return Err(Stop::MaxMoves);
        }
        let mv = read_move(&property.text(), self.setup.size())
            .ok_or(error(property, Kind::NoMove { number }))?;
        if !self.has_moves {
            self.begin(Some(color))?;
            self.has_moves = true;
        }
        let game = &mut self.record.game;
        let was_over = game.position().is_over();
        game.resume();
        game.play_as(color, mv).map_err(|illegal| {
            if was_over && let Some((color, pass)) = game.undo() {
                let again = game.play_as(color, pass);
                debug_assert!(again.is_ok(), "the pass was legal when it was made");
            }
            let kind = Kind::IllegalMove {
                number,
                error: illegal,
            };
            error(property, kind).into()
        })
    }

    /// Starts the game with the setup, which is now complete.
    fn begin(&mut self, first_mover: Option<Color>) -> Result<(), ParseRecordError> {
        let setup = self
            .setup
            .clone()
            .with_stones(self.stones)
            .map_err(|stones| ParseRecordError {
                offset: self.stones_offset,
                kind: Kind::Stones(stones),
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

    fn finish(&mut self) -> Result<(), ParseRecordError> {
        if self.has_moves {
            return Ok(());
        }
        self.begin(None)
    }
}

/// Parses `19` or `19:19`.
fn read_size(property: Property<'_>) -> Result<Size, ParseRecordError> {
    let text = property.text().trim().replace(':', "x");
    text.parse().map_err(|_| error(property, Kind::Size))
}

/// Parses points, and whether they are written otherwise than specified: as nothing, with a comma, as hundredths of
/// points (650), or as stones of two points (3.75) or hundredths of them (375), as the Fox server does.
fn read_komi(text: &str) -> Option<(Komi, bool)> {
    let text = text.trim();
    if text.is_empty() {
        return Some((Komi::default(), true));
    }
    let points: f64 = text.replacen(',', ".", 1).parse().ok()?;
    let exact = Komi::exact(points);
    if let Some(read_as) = exact.filter(|_| is_in_hundredths(text)) {
        let unit = if points > 400.0 { 100.0 } else { 50.0 };
        return Some((Komi::exact(read_as.points() / unit)?, true));
    }
    if exact.is_none() && (2.0..=4.0).contains(&points) {
        return Some((Komi::exact(2.0 * points)?, true));
    }
    Some((exact?, text.contains(',')))
}

/// Returns whether a komi is read as hundredths: a whole number without a decimal point that is too high for points.
pub(super) fn is_in_hundredths(text: &str) -> bool {
    matches!(text.parse(), Ok(200..=400 | 500..=800_u32))
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
    use std::{
        format,
        string::{String, ToString},
    };

    fn read(text: &str) -> Result<Record, ParseRecordError> {
        text.parse()
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
        let comments: Vec<_> = record.comments.into_iter().collect();
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
                "(;KM[6.75])",
                "offset 2: expected whole or half points as komi",
            ),
            (
                "(;KM[inf])",
                "offset 2: expected whole or half points as komi",
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
                "(;SZ[2]AB[aa]AW[ab][ba];B[bb])",
                "offset 13: the stone on B2 leaves a chain without liberties",
            ),
        ] {
            assert_eq!(error_text(text), expected);
        }
    }

    #[test]
    fn the_moves_before_an_error_are_read() {
        for (text, moves, error) in [
            ("(;B[aa];W[aa];B[bb])", "B A19", "illegal move"),
            ("(;B[aa];W[zz])", "B A19", "move 2: expected a point"),
            ("(;B[aa];AB[zz];W[bb])", "B A19", "expected points"),
            ("(;B[aa];W[bb", "B A19", "expected ]"),
        ] {
            let read = Record::read(text, usize::MAX);
            assert_eq!(read.record.game.transcript().to_string(), moves, "{text}");
            assert!(read.error.unwrap().to_string().contains(error), "{text}");
            let moves = read.record.game.moves().len();
            let before = Record::read(text, moves);
            assert_eq!(before.record, read.record, "{text}");
            assert_eq!(before.error.is_none(), !text.ends_with("bb"), "{text}");
        }
        let read = Record::read("(;B[aa]) and more (;SZ[x", usize::MAX);
        assert_eq!((read.record.game.moves().len(), read.error), (1, None));
    }

    #[test]
    fn accepted_faults_are_told() {
        for (text, setup, moves, told) in [
            (
                "KM[]",
                "9x9 komi 0",
                "",
                "komi-notation: offset 7: komi read as 0",
            ),
            (
                "KM[6,5]",
                "9x9 komi 6.5",
                "",
                "komi-notation: offset 7: komi read as 6.5",
            ),
            (
                "KM[375]",
                "9x9 komi 7.5",
                "",
                "komi-notation: offset 7: komi read as 7.5",
            ),
            (
                "KM[3.75]",
                "9x9 komi 7.5",
                "",
                "komi-notation: offset 7: komi read as 7.5",
            ),
            (
                "KM[650]",
                "9x9 komi 6.5",
                "",
                "komi-notation: offset 7: komi read as 6.5",
            ),
            (
                ";B[aa];W[bb]",
                "9x9 komi 0",
                "B A9, W B8",
                "unclosed-record: offset 0: a variation that begins here lacks its )",
            ),
            (
                ";B[aa]C[x];W[ba];AB[cc]AE[aa]C[y];B[dd]C[z]",
                "9x9 komi 0 black C7 white B9",
                "B D6",
                "late-setup: offset 24: stones added or removed after move 2: the game begins there, without earlier \
                prisoners",
            ),
            (
                ";B[aa];AE[aa]PL[B]AB[bb];B[cc]",
                "9x9 komi 0 black B8",
                "B C7",
                "late-setup: offset 14: stones added or removed after move 1: the game begins there, without earlier \
                prisoners",
            ),
            (
                ";B[aa];W[ba];AE[ba]",
                "9x9 komi 0",
                "B A9, W B9",
                "setup-after-end: offset 20: stones added or removed after the end, which changes nothing",
            ),
            (
                ";B[aa];W[];B[];AE[aa]",
                "9x9 komi 0",
                "B A9, W pass, B pass",
                "setup-after-end: offset 22: stones added or removed after the end, which changes nothing",
            ),
        ] {
            let end = if told.starts_with("unclosed") {
                ""
            } else {
                ")"
            };
            let read = Record::read(&format!("(;SZ[9]{text}{end}"), usize::MAX);
            let found = read
                .leniencies
                .iter()
                .map(|it| format!("{}: {it}", it.name()));
            assert_eq!(found.collect::<Vec<_>>(), [told]);
            let game = &read.record.game;
            let shown = game.setup().to_string().replace(" rules japanese", "");
            assert_eq!((&*shown, &*game.transcript().to_string()), (setup, moves));
            assert_eq!(read.error, None);
            assert_eq!(read.record.to_string().parse(), Ok(read.record));
        }
    }
}
