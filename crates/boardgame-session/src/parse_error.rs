//! The error of a message that cannot be parsed.

use alloc::string::String;

/// The part of a message that an error shows, in bytes.
const SHOWN: usize = 120;

/// A message does not fit its format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected} at offset {offset} of {text:?}")]
pub struct ParseError {
    expected: &'static str,
    offset: usize,
    text: String,
}

impl ParseError {
    /// Returns the error that `expected` was wanted at byte `offset` of `message`.
    pub fn new(expected: &'static str, offset: usize, message: &[u8]) -> Self {
        let text = String::from_utf8_lossy(&message[..message.len().min(SHOWN)]).into_owned();
        Self {
            expected,
            offset,
            text,
        }
    }

    /// Returns the thing that was expected.
    pub const fn expected(&self) -> &'static str {
        self.expected
    }

    /// Returns the byte of the message, counted from 0, at which it was expected.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the message, cut after 120 bytes, bytes outside UTF-8 replaced.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn an_error_says_what_where_and_shows_the_line() {
        let error = ParseError::new("a colour", 3, b"(I Q)");
        assert_eq!(
            error.to_string(),
            "expected a colour at offset 3 of \"(I Q)\""
        );
        assert_eq!(ParseError::new("x", 0, &[b'a'; 500]).text().len(), SHOWN);
    }
}
