//! The name by which a client is known.

use alloc::string::String;
use core::{fmt, str::FromStr};

/// The most characters that an id may have.
pub const MAX_ID: usize = 128;

/// A client's *idstring*: 1 to [`MAX_ID`] printable characters, neither the first nor the last of
/// them a blank.
///
/// # Examples
///
/// ```
/// use othello_proto::lth::{Id, InvalidId};
///
/// let id: Id = "da7308ca-s".parse()?;
/// assert_eq!(id.as_str(), "da7308ca-s");
/// assert_eq!("two\nlines".parse::<Id>(), Err(InvalidId::Unprintable { offset: 3 }));
/// # Ok::<(), InvalidId>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(String);

impl Id {
    /// The id with this text.
    ///
    /// # Errors
    ///
    /// When the text is no id.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidId> {
        let text = text.into();
        if text.is_empty() {
            return Err(InvalidId::Empty);
        }
        if text.chars().count() > MAX_ID {
            return Err(InvalidId::TooLong);
        }
        if let Some((offset, _)) = text.char_indices().find(|(_, c)| c.is_control()) {
            return Err(InvalidId::Unprintable { offset });
        }
        if text.trim().len() < text.len() {
            return Err(InvalidId::OuterBlank);
        }
        Ok(Self(text))
    }

    /// The text of the id.
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

/// The text is no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidId {
    /// It has no characters.
    #[error("expected an id of 1 to {MAX_ID} printable characters, but it is empty")]
    Empty,
    /// It has more than [`MAX_ID`] characters.
    #[error("expected an id of 1 to {MAX_ID} printable characters, but it is longer")]
    TooLong,
    /// It holds a control character, or bytes outside UTF-8, at this byte.
    #[error("expected an id of 1 to {MAX_ID} printable characters, but at offset {offset} is none")]
    Unprintable {
        /// The byte, counted from 0.
        offset: usize,
    },
    /// It begins or ends with a blank.
    #[error("expected an id without blanks around it")]
    OuterBlank,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_1_to_128_printable_characters() {
        let check = |text: &str, expected| assert_eq!(Id::new(text).map(|_| ()), expected);
        check("x", Ok(()));
        check(&"x".repeat(MAX_ID), Ok(()));
        check(&"å".repeat(MAX_ID), Ok(()));
        check("two words!", Ok(()));
        check("", Err(InvalidId::Empty));
        check(&"x".repeat(MAX_ID + 1), Err(InvalidId::TooLong));
        check("ab\tc", Err(InvalidId::Unprintable { offset: 2 }));
        check("ab\u{7f}", Err(InvalidId::Unprintable { offset: 2 }));
        check(" ab", Err(InvalidId::OuterBlank));
        check("ab ", Err(InvalidId::OuterBlank));
    }
}
