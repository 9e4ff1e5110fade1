//! Serialization in text form.

use core::{fmt, marker::PhantomData, str::FromStr};

use serde::{
    Deserializer,
    de::{Error, Visitor},
};

use crate::Color;

/// A visitor that parses a type from its text.
struct FromText<T> {
    expected: &'static str,
    of: PhantomData<T>,
}

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for FromText<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Deserializes a value from a string by its `FromStr`. Errors describe the expected string as
/// `expected`.
///
/// # Errors
///
/// Fails if the input is not a string, or the string cannot be parsed.
pub fn deserialize_text<'de, T, D>(deserializer: D, expected: &'static str) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    let of = PhantomData;
    deserializer.deserialize_str(FromText { expected, of })
}

/// Implements serialization by `Display` and deserialization by `FromStr` for types, each with a
/// description of its text for errors. The calling crate must depend on `serde`.
///
/// # Examples
///
/// ```
/// # use std::{fmt, num::ParseIntError, str::FromStr};
/// struct Row(u8);
///
/// impl fmt::Display for Row {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         write!(f, "row {}", self.0)
///     }
/// }
///
/// impl FromStr for Row {
///     type Err = ParseIntError;
///
///     fn from_str(text: &str) -> Result<Self, ParseIntError> {
///         text.trim_start_matches("row ").parse().map(Self)
///     }
/// }
///
/// boardgame_core::serialize_as_text! {
///     Row: "a row such as `row 3`",
/// }
///
/// assert_eq!(serde_json::to_string(&Row(3)).unwrap(), r#""row 3""#);
/// let error = serde_json::from_str::<Row>("3").err().unwrap();
/// assert!(error.to_string().contains("expected a row such as `row 3`"));
/// ```
#[macro_export]
macro_rules! serialize_as_text {
    ($($name:ty: $expected:literal,)*) => {$(
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::deserialize_text(deserializer, $expected)
            }
        }
    )*};
}

serialize_as_text! {
    Color: "Black or White",
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
