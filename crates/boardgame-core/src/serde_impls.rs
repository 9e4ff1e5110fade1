//! Serialization of colours as the strings that people write.

use core::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Visitor},
};

use crate::Color;

struct ColorText;

impl Visitor<'_> for ColorText {
    type Value = Color;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Black or White")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Color, E> {
        text.parse().map_err(E::custom)
    }
}

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(ColorText)
    }
}

#[cfg(test)]
mod tests {
    use crate::{ByColor, Color};

    #[test]
    fn colors_are_strings_and_pairs_are_maps() {
        let pair = ByColor {
            black: Color::White,
            white: Color::Black,
        };
        let json = serde_json::to_string(&pair).unwrap();
        assert_eq!(json, r#"{"black":"White","white":"Black"}"#);
        assert_eq!(serde_json::from_str::<ByColor<Color>>(&json).unwrap(), pair);
        assert!(serde_json::from_str::<Color>("\"grey\"").is_err());
    }
}
