//! Game records.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
};
use core::fmt;

use boardgame_core::{ByColor, Color};

use super::{
    GameResult,
    value::{escape, move_value, point_value},
};
use crate::{Game, Rules};

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

    fn write_setup(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = self.game.setup();
        let mut add = |identifier, value: &str| write_property(identifier, [value.into()], f);
        add("FF", "4")?;
        add("CA", "UTF-8")?;
        add("GM", "1")?;
        add("SZ", &setup.size().lines().to_string())?;
        add("KM", &setup.komi().to_string())?;
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

    fn write_comment(&self, moves: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comment = self.comments.get(&moves).filter(|text| !text.is_empty());
        write_property("C", comment.cloned(), f)
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
        f.write_str("(;")?;
        self.write_setup(f)?;
        self.write_comment(0, f)?;
        let size = self.game.setup().size();
        for (number, &(color, mv)) in (1..).zip(self.game.moves()) {
            if number % NODES_PER_LINE == 0 {
                f.write_str("\n")?;
            }
            write!(f, ";{}[{}]", letter(color), move_value(mv, size))?;
            self.write_comment(number, f)?;
        }
        f.write_str(")\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;

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
    fn long_lines_are_broken_between_nodes() {
        let moves = std::vec!["B pass", "W pass"].repeat(12).join(", ");
        let game = Game::from_transcript(Setup::default(), &moves).unwrap();
        let text = Record::new(game).to_string();
        let lengths: std::vec::Vec<_> = text.lines().map(str::len).collect();
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
