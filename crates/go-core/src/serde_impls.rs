//! Serialization in text form.

use alloc::string::{String, ToString};
use core::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, SeqAccess, Visitor},
};

use crate::{Game, Komi, Move, Point, PointSet, Rules, Setup, Size};

boardgame_core::serialize_as_text! {
    Size: "a size such as 19x19",
    Point: "a point such as Q16",
    Move: "a point such as Q16, or pass",
    Komi: "a komi such as 6.5",
    Rules: "rules such as japanese",
    Setup: "a size with komi, rules and stones",
}

impl Serialize for PointSet {
    /// Serializes the points as a sequence.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

struct Points;

impl<'de> Visitor<'de> for Points {
    type Value = PointSet;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence of points")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut points: A) -> Result<PointSet, A::Error> {
        let mut set = PointSet::new();
        while let Some(point) = points.next_element()? {
            set.insert(point);
        }
        Ok(set)
    }
}

impl<'de> Deserialize<'de> for PointSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Points)
    }
}

/// The serialized form of a game: its setup and its moves as a transcript.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameText {
    #[serde(default)]
    setup: Setup,
    moves: String,
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = GameText {
            setup: self.setup().clone(),
            moves: self.transcript().to_string(),
        };
        text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = GameText::deserialize(deserializer)?;
        Self::from_transcript(text.setup, &text.moves).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;

    fn check<T: Serialize + DeserializeOwned + PartialEq + fmt::Debug>(value: &T, json: &str) {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
    }

    fn error<T: DeserializeOwned + fmt::Debug>(json: &str) -> String {
        serde_json::from_str::<T>(json).unwrap_err().to_string()
    }

    #[test]
    fn values_round_trip() {
        let point: Point = "Q16".parse().unwrap();
        check(&point, r#""Q16""#);
        check(&Move::Place(point), r#""Q16""#);
        check(&Move::Pass, r#""pass""#);
        check(&Size::NINE, r#""9x9""#);
        check(&Komi::from_half_points(11), r#""5.5""#);
        check(&Rules::AGA, r#""aga""#);
        check(
            &PointSet::from_iter([point, "A1".parse().unwrap()]),
            r#"["A1","Q16"]"#,
        );
        let setup: Setup = "9 black C3 G7 first white".parse().unwrap();
        check(
            &setup,
            r#""9x9 komi 0 rules japanese black C3 G7 first white""#,
        );
        let game = Game::from_transcript(setup, "W E5, B pass").unwrap();
        let setup = r#""9x9 komi 0 rules japanese black C3 G7 first white""#;
        check(
            &game,
            &alloc::format!(r#"{{"setup":{setup},"moves":"W E5, B pass"}}"#),
        );
    }

    #[test]
    fn the_setup_of_a_game_is_optional() {
        let game: Game = serde_json::from_str(r#"{"moves":"B Q16"}"#).unwrap();
        assert_eq!(game, "B Q16".parse().unwrap());
    }

    #[test]
    fn errors_name_the_expected_form() {
        assert!(error::<Point>(r#""I9""#).starts_with("expected a point"));
        assert!(error::<Point>("5").contains("a point such as Q16"));
        assert!(error::<PointSet>("5").contains("a sequence of points"));
        assert!(error::<Game>(r#"{"moves":"B Z1"}"#).contains("off the board"));
        assert!(error::<Game>(r#"{"moves":"","x":1}"#).contains("unknown field"));
    }
}
