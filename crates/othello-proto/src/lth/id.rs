//! The name by which a client is known.

use alloc::string::String;
use core::{fmt, str::FromStr};

/// The largest number of characters of an id.
pub const MAX_ID: usize = 128;

/// The name of the server's built-in player in records: no client may have it.
pub const BUILT_IN_PLAYER_NAME: &str = "house";

/// A client's *idstring*: 1 to [`MAX_ID`] printable characters, neither the first nor the last of
/// them a blank.
///
/// A printable character is visible: no control or format character, no blank but the space, none that
/// Unicode leaves unassigned or to private use, and no letter or mark without a shape of its own. Two
/// ids that differ only in such characters would look alike wherever they are shown.
///
/// # Examples
///
/// ```
/// use othello_proto::lth::{Id, InvalidId};
///
/// let id: Id = "da7308ca-s".parse()?;
/// assert_eq!(id.as_str(), "da7308ca-s");
/// assert_eq!("two\nlines".parse::<Id>(), Err(InvalidId::Unprintable { offset: 3, found: '\n' }));
/// # Ok::<(), InvalidId>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(String);

impl Id {
    /// Creates an id.
    ///
    /// # Errors
    ///
    /// Fails if the text is no valid id.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidId> {
        let text = text.into();
        if text.is_empty() {
            return Err(InvalidId::Empty);
        }
        if text.chars().count() > MAX_ID {
            return Err(InvalidId::TooLong);
        }
        if let Some((offset, found)) = text.char_indices().find(|&(_, c)| !is_printable(c)) {
            return Err(InvalidId::Unprintable { offset, found });
        }
        if text.trim().len() < text.len() {
            return Err(InvalidId::OuterBlank);
        }
        Ok(Self(text))
    }

    /// Returns `true` if it is [`BUILT_IN_PLAYER_NAME`] in any case.
    pub fn is_reserved(&self) -> bool {
        self.0.eq_ignore_ascii_case(BUILT_IN_PLAYER_NAME)
    }

    /// Returns the text of the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Id {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Self::new(text)
    }
}

/// Letters, marks and signs that show nothing by themselves.
const INVISIBLE: [core::ops::RangeInclusive<char>; 9] = [
    '\u{034f}'..='\u{034f}',   // combining grapheme joiner
    '\u{115f}'..='\u{1160}',   // Hangul fillers
    '\u{17b4}'..='\u{17b5}',   // Khmer inherent vowels
    '\u{180b}'..='\u{180f}',   // Mongolian variation selectors
    '\u{2800}'..='\u{2800}',   // blank Braille pattern
    '\u{3164}'..='\u{3164}',   // Hangul filler
    '\u{fe00}'..='\u{fe0f}',   // variation selectors
    '\u{ffa0}'..='\u{ffa0}',   // half-width Hangul filler
    '\u{e0100}'..='\u{e01ef}', // variation selectors supplement
];

/// Returns `true` if a character is visible. The standard library escapes characters of the invisible
/// categories in text for programmers.
fn is_printable(c: char) -> bool {
    // After a letter, since a mark that combines is escaped only at the start of a text.
    let mut buffer = [b'a'; 5];
    let length = c.encode_utf8(&mut buffer[1..]).len();
    let shown = core::str::from_utf8(&buffer[..=length])
        .is_ok_and(|text| text.escape_debug().nth(1) == Some(c));
    let quoted = matches!(c, '\u{22}' | '\'' | '\\');
    (shown || quoted) && !INVISIBLE.iter().any(|range| range.contains(&c))
}

/// The text is no id. Offsets are bytes from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum InvalidId {
    /// It has no characters.
    #[error("expected an id of 1 to {MAX_ID} printable characters, found none")]
    Empty,
    /// It has more than [`MAX_ID`] characters.
    #[error("expected an id of 1 to {MAX_ID} printable characters, found more")]
    TooLong,
    /// It holds a character that is not visible.
    #[error(
        "expected an id of 1 to {MAX_ID} printable characters, found U+{:04X} at offset {offset}",
        u32::from(*found)
    )]
    Unprintable { offset: usize, found: char },
    /// It holds bytes outside UTF-8.
    #[error(
        "expected an id of 1 to {MAX_ID} printable characters, found other bytes at offset {offset}"
    )]
    NotUtf8 { offset: usize },
    /// It begins or ends with a blank.
    #[error("expected an id without blanks around it")]
    OuterBlank,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::ToString as _};

    #[test]
    fn an_id_has_1_to_128_printable_characters() {
        let unprintable = |found| Err(InvalidId::Unprintable { offset: 2, found });
        let check = |text: &str, expected| assert_eq!(Id::new(text).map(|_| ()), expected);
        check("x", Ok(()));
        check(&"x".repeat(MAX_ID), Ok(()));
        check(&"å".repeat(MAX_ID), Ok(()));
        check("two words!", Ok(()));
        check("", Err(InvalidId::Empty));
        check(&"x".repeat(MAX_ID + 1), Err(InvalidId::TooLong));
        check("ab\tc", unprintable('\t'));
        check("ab\u{7f}", unprintable('\u{7f}'));
        check(" ab", Err(InvalidId::OuterBlank));
        check("ab ", Err(InvalidId::OuterBlank));
    }

    #[test]
    fn invisible_characters_are_refused_and_named() {
        for found in [
            '\0',
            '\u{85}',
            '\u{a0}',
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{2028}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2800}',
            '\u{3000}',
            '\u{3164}',
            '\u{e000}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{fff9}',
            '\u{e0001}',
            '\u{10ffff}',
        ] {
            let error = Id::new(format!("a{found}b")).unwrap_err();
            assert_eq!(error, InvalidId::Unprintable { offset: 1, found });
            let name = format!("U+{:04X} at offset 1", u32::from(found));
            assert!(error.to_string().ends_with(&name), "{error}");
        }
        for text in [
            "å", "e\u{301}", "日本", "한글", "Ω", "🦀", "\"it's\\", "اسم", "a b",
        ] {
            assert!(Id::new(text).is_ok(), "{text}");
        }
    }
}
