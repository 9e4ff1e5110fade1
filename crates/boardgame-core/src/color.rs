//! The two colours.

use core::{fmt, ops::Not, str::FromStr};

use crate::ParseTextError;

/// A player's colour. Black moves first unless the game says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Color {
    Black,
    White,
}

impl Color {
    /// Both colours, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// Returns the index of the colour's value in an array: 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the symbol of the colour's discs or stones in board diagrams: `X` for Black, `O` for White.
    #[inline]
    pub const fn disc(self) -> char {
        match self {
            Self::Black => 'X',
            Self::White => 'O',
        }
    }
}

impl Not for Color {
    type Output = Self;

    /// Returns the opponent.
    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    /// Prints `Black` or `White`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}

const EXPECTED: ParseTextError =
    ParseTextError("a colour: black (dark, b, x) or white (light, w, o)");

impl FromStr for Color {
    type Err = ParseTextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is = |names: [&str; 4]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
        if is(["black", "dark", "b", "x"]) {
            Ok(Self::Black)
        } else if is(["white", "light", "w", "o"]) {
            Ok(Self::White)
        } else {
            Err(EXPECTED)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn colours_round_trip_and_oppose_each_other() {
        for color in Color::ALL {
            assert_eq!(color.to_string().parse(), Ok(color));
            assert_eq!(color.disc().to_string().parse(), Ok(color));
            assert_eq!(!!color, color);
            assert_ne!(!color, color);
        }
        assert_eq!("DARK".parse(), Ok(Color::Black));
        assert_eq!("grey".parse::<Color>(), Err(EXPECTED));
        assert_eq!(
            EXPECTED.to_string(),
            "expected a colour: black (dark, b, x) or white (light, w, o)"
        );
    }
}
