//! Serialization in text form.

use alloc::string::{String, ToString};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Unexpected},
};

use crate::{Bitboard, Board, Game, Move, Position, Problem, Score, Square, Tier};

boardgame_core::serialize_as_text! {
    Square: "a square such as f5",
    Move: "a square such as f5, or pass",
    Board: "64 squares of X, O and -, and the side to move",
    Position: "64 squares of X, O and -, and the side to move",
    Problem: "a board with scored moves",
    Tier: "portable, avx2 or avx512",
}

impl Serialize for Bitboard {
    /// Serializes the set as a hexadecimal number in a string: many readers of JSON round a number above 2⁵³.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{self:#x}"))
    }
}

impl<'de> Deserialize<'de> for Bitboard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        boardgame_core::deserialize_text(deserializer, "0x and hexadecimal digits")
    }
}

impl Serialize for Score {
    /// Serializes the score as a number of discs.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i32(self.discs())
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let discs = i32::deserialize(deserializer)?;
        let unexpected = Unexpected::Signed(i64::from(discs));
        Self::new(discs).ok_or_else(|| D::Error::invalid_value(unexpected, &"-64 to 64 discs"))
    }
}

/// The serialized form of a game: the starting board and the moves as a transcript.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameText {
    #[serde(default)]
    start: Board,
    moves: String,
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = GameText {
            start: self.start(),
            moves: self.transcript().to_string(),
        };
        text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = GameText::deserialize(deserializer)?;
        Self::from_transcript(text.start, &text.moves).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Symmetry;
    use core::fmt;
    use serde::de::DeserializeOwned;

    fn check<T: Serialize + DeserializeOwned + PartialEq + fmt::Debug>(value: &T, json: &str) {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
    }

    fn error<T: DeserializeOwned + fmt::Debug>(json: &str) -> String {
        serde_json::from_str::<T>(json).unwrap_err().to_string()
    }

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn values_round_trip() {
        check(&Square::F5, r#""f5""#);
        check(&Move::Place(Square::F5), r#""f5""#);
        check(&Move::Pass, r#""pass""#);
        check(&Tier::Avx2, r#""avx2""#);
        check(&Score::MIN, "-64");
        check(&Bitboard::CORNERS, r#""0x8100000000000081""#);
        check(&Symmetry::HalfTurn, r#""HalfTurn""#);
        check(&Position::START, &alloc::format!("\"{START}\""));
        check(&Board::START, &alloc::format!("\"{START}\""));
        let game: Game = "f5d6c3".parse().unwrap();
        check(
            &game,
            &alloc::format!(r#"{{"start":"{START}","moves":"f5d6c3"}}"#),
        );
        let problem = alloc::format!("{START}; F5:+0;");
        check(
            &problem.parse::<Problem>().unwrap(),
            &alloc::format!("\"{problem}\""),
        );
    }

    #[test]
    fn the_start_of_a_game_is_optional() {
        let game: Game = serde_json::from_str(r#"{"moves":"F5 D6"}"#).unwrap();
        assert_eq!(game, "f5d6".parse().unwrap());
    }

    #[test]
    fn errors_name_the_expected_form() {
        assert!(error::<Square>(r#""i9""#).starts_with("expected a square"));
        assert!(error::<Square>("5").contains("a square such as f5"));
        assert!(error::<Bitboard>("5").contains("0x and hexadecimal digits"));
        assert!(error::<Symmetry>(r#""Turn""#).contains("HalfTurn"));
        assert!(error::<Score>("65").contains("-64 to 64 discs"));
        assert!(error::<Game>(r#"{"moves":"a1"}"#).contains("flips nothing"));
    }
}
