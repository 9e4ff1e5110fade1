//! Colours (section 2.11 of the specification).

use boardgame_core::Color;
use nom::{Parser, branch::alt, bytes::complete::tag_no_case, combinator::value};

use crate::{
    ParseError,
    grammar::{Rule, expect, whole},
};

/// Reads a colour: `b`, `black`, `w` or `white`, in any case.
///
/// # Errors
///
/// When it is anything else.
pub fn parse_color(text: &str) -> Result<Color, ParseError> {
    whole(
        expect("a colour: b, black, w or white", color),
        text.as_bytes(),
    )
}

/// Returns a colour in the form that every peer reads: Edax knows only lower case.
pub const fn color_word(color: Color) -> &'static str {
    match color {
        Color::Black => "b",
        Color::White => "w",
    }
}

fn color(input: &[u8]) -> Rule<'_, Color> {
    let black = alt((tag_no_case("black"), tag_no_case("b")));
    let white = alt((tag_no_case("white"), tag_no_case("w")));
    alt((value(Color::Black, black), value(Color::White, white))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_any_case() {
        for text in ["b", "B", "black", "Black"] {
            assert_eq!(parse_color(text), Ok(Color::Black));
        }
        for text in ["w", "W", "white", "WHITE"] {
            assert_eq!(parse_color(text), Ok(Color::White));
        }
        for text in ["", "x", "blac", "whites", "empty"] {
            assert!(parse_color(text).is_err(), "{text}");
        }
        for color in Color::ALL {
            assert_eq!(parse_color(color_word(color)), Ok(color));
        }
    }
}
