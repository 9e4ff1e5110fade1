//! Game records.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use boardgame_core::{ByColor, Color};

use super::{
    GameResult,
    read::is_in_hundredths,
    value::{escape, move_value, point_value},
};
use crate::{Game, Move, Rules};

/// The maximum number of nodes per line.
const NODES_PER_LINE: usize = 10;

/// A game with the further information of an SGF record.
///
/// The text form is an SGF file with one game; parsing reads the main line of the first game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Setup and moves.
    pub game: Game,
    /// The names of the players; empty if unknown.
    pub players: ByColor<String>,
    /// The result, or `None` if the record has none.
    pub result: Option<GameResult>,
    /// The name of the event; empty if unknown.
    pub event: String,
    /// The date in ISO 8601; empty if unknown.
    pub date: String,
    /// Non-empty comments by the number of moves before them.
    pub comments: BTreeMap<usize, String>,
}

impl Record {
    /// Creates a record without further information.
    pub fn new(game: Game) -> Self {
        Self {
            game,
            ..Self::default()
        }
    }

    /// Returns the record with annotations by the number of moves before them, displayed as an SGF file.
    pub const fn annotated<'a>(
        &'a self,
        annotations: &'a BTreeMap<usize, Annotation>,
    ) -> AnnotatedRecord<'a> {
        AnnotatedRecord {
            record: self,
            annotations,
        }
    }

    fn write_setup(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = self.game.setup();
        let mut add = |identifier, value: &str| write_property(identifier, [value.into()], f);
        add("FF", "4")?;
        add("CA", "UTF-8")?;
        add("GM", "1")?;
        add("SZ", &setup.size().lines().to_string())?;
        let mut komi = setup.komi().to_string();
        if is_in_hundredths(&komi) {
            komi += ".0";
        }
        add("KM", &komi)?;
        add("RU", &rules_value(setup.rules()))?;
        let handicap = setup.handicap();
        if handicap > 0 {
            add("HA", &handicap.to_string())?;
        }
        for (identifier, value) in [
            ("PB", &self.players.black),
            ("PW", &self.players.white),
            ("EV", &self.event),
            ("DT", &self.date),
        ] {
            if !value.is_empty() {
                add(identifier, value)?;
            }
        }
        if let Some(result) = self.result {
            add("RE", &result.to_string())?;
        }
        add("PL", letter(setup.first()))?;
        let (stones, size) = (setup.stones(), setup.size());
        for (identifier, points) in [("AB", stones.black), ("AW", stones.white)] {
            let values = points.iter().map(|point| point_value(point, size));
            write_property(identifier, values, f)?;
        }
        Ok(())
    }
}

/// The further content of a node of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    /// Properties with their values, such as `V` and `3.5`.
    pub properties: Vec<(&'static str, String)>,
    /// The text after the record's own comment; empty for none.
    pub comment: String,
    /// The moves of a variation instead of the next move, if there is one.
    pub variation: Vec<(Color, Move)>,
    /// The comment on the first move of the variation.
    pub variation_comment: String,
}

/// A record with [annotations](Annotation).
#[derive(Clone, Copy, Debug)]
pub struct AnnotatedRecord<'a> {
    record: &'a Record,
    /// By the number of moves before them.
    annotations: &'a BTreeMap<usize, Annotation>,
}

impl AnnotatedRecord<'_> {
    /// Writes what a node has besides its move.
    fn write_content(&self, moves: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let annotation = self.annotations.get(&moves);
        for (identifier, value) in annotation.iter().flat_map(|it| &it.properties) {
            write_property(identifier, [value.clone()], f)?;
        }
        let own = self.record.comments.get(&moves);
        let comments = own.into_iter().chain(annotation.map(|it| &it.comment));
        let comments: Vec<&str> = comments
            .map(String::as_str)
            .filter(|text| !text.is_empty())
            .collect();
        write_property("C", (!comments.is_empty()).then(|| comments.join("\n")), f)
    }
}

const fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Writes a property with plain-text values, if there are any.
fn write_property(
    identifier: &str,
    values: impl IntoIterator<Item = String>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut identifier = identifier;
    for value in values {
        write!(f, "{identifier}[{}]", escape(&value))?;
        identifier = "";
    }
    Ok(())
}

/// Returns SGF's name of the rules, or their text form.
fn rules_value(rules: Rules) -> String {
    match rules {
        Rules::JAPANESE => "Japanese".into(),
        Rules::CHINESE => "Chinese".into(),
        Rules::AGA => "AGA".into(),
        Rules::NEW_ZEALAND => "NZ".into(),
        _ => rules.to_string(),
    }
}

impl fmt::Display for Record {
    /// Writes an SGF file with this game.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.annotated(&BTreeMap::new()).fmt(f)
    }
}

impl fmt::Display for AnnotatedRecord<'_> {
    /// Writes an SGF file with this game.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(;")?;
        self.record.write_setup(f)?;
        self.write_content(0, f)?;
        let game = &self.record.game;
        let size = game.setup().size();
        // The main line comes first, so variations are written after its end, the last one first.
        let mut variations = Vec::new();
        for (number, &(color, mv)) in (1..).zip(game.moves()) {
            if number % NODES_PER_LINE == 0 {
                f.write_str("\n")?;
            }
            let annotation = self.annotations.get(&(number - 1));
            if let Some(annotation) = annotation.filter(|it| !it.variation.is_empty()) {
                f.write_str("(")?;
                variations.push(annotation);
            }
            write!(f, ";{}[{}]", letter(color), move_value(mv, size))?;
            self.write_content(number, f)?;
        }
        for annotation in variations.into_iter().rev() {
            f.write_str(")\n(")?;
            let mut comment = Some(&annotation.variation_comment).filter(|it| !it.is_empty());
            for &(color, mv) in &annotation.variation {
                write!(f, ";{}[{}]", letter(color), move_value(mv, size))?;
                write_property("C", comment.take().cloned(), f)?;
            }
            f.write_str(")")?;
        }
        f.write_str(")\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Komi, Setup};

    #[test]
    fn records_are_written_with_all_information() {
        let setup: Setup = "9 komi 0.5 rules chinese black C3 G7 first white"
            .parse()
            .unwrap();
        let game = Game::from_transcript(setup, "W E5, B pass").unwrap();
        let mut record = Record::new(game);
        record.players = ["Ann [1d]".to_string(), "Bob".to_string()].into();
        record.result = "W+3.5".parse().ok();
        record.event = "Cup".into();
        record.date = "2024-02-29".into();
        record.comments.insert(0, "Good luck".into());
        record.comments.insert(2, "why?".into());
        let expected = "(;FF[4]CA[UTF-8]GM[1]SZ[9]KM[0.5]RU[Chinese]HA[2]PB[Ann [1d\\]]PW[Bob]EV[Cup]\
            DT[2024-02-29]RE[W+3.5]PL[W]AB[cg][gc]C[Good luck];W[ee];B[]C[why?])\n";
        assert_eq!(record.to_string(), expected);
        assert_eq!(expected.parse(), Ok(record));
    }

    #[test]
    fn every_komi_round_trips() {
        for half_points in -2000..2000 {
            let setup = Setup::default().with_komi(Komi::from_half_points(half_points));
            let record = Record::new(Game::new(setup));
            assert_eq!(record.to_string().parse(), Ok(record));
        }
    }

    #[test]
    fn annotations_follow_the_moves_and_variations_the_main_line() {
        let game = Game::from_transcript("9".parse().unwrap(), "B E5, W C3").unwrap();
        let mut record = Record::new(game);
        record.comments.insert(1, "own".into());
        let annotation = |point: &str| Annotation {
            properties: std::vec![("V", "1.5".into())],
            comment: "new]".into(),
            variation: std::vec![
                (Color::White, point.parse().unwrap()),
                (Color::Black, Move::Pass)
            ],
            variation_comment: "better".into(),
        };
        let annotations = [(0, annotation("A9")), (1, annotation("B9"))].into();
        let text = record.annotated(&annotations).to_string();
        let expected = "PL[B]V[1.5]C[new\\]](;B[ee]V[1.5]C[own\nnew\\]](;W[cg])\n(;W[ba]C[better];B[]))\n\
            (;W[aa]C[better];B[]))\n";
        assert!(text.ends_with(expected), "{text}");
        assert_eq!(text.parse::<Record>().unwrap().game, record.game);
    }

    #[test]
    fn long_lines_are_broken_between_nodes() {
        let moves = std::vec!["B pass", "W pass"].repeat(12).join(", ");
        let game = Game::from_transcript(Setup::default(), &moves).unwrap();
        let text = Record::new(game).to_string();
        let lengths: Vec<_> = text.lines().map(str::len).collect();
        assert_eq!(lengths[1..], [40, 21]);
        assert_eq!(text.parse::<Record>().unwrap().game.moves().len(), 24);
    }

    #[test]
    fn a_record_without_information_is_short() {
        let expected = "(;FF[4]CA[UTF-8]GM[1]SZ[19]KM[0]RU[Japanese]PL[B])\n";
        assert_eq!(Record::default().to_string(), expected);
        assert_eq!(expected.parse(), Ok(Record::default()));
    }
}
