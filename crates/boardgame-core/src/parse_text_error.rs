//! The error of parsing.

use core::{error, fmt};

/// The error of parsing a text, with a description of what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTextError(pub &'static str);

impl fmt::Display for ParseTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.0)
    }
}

impl error::Error for ParseTextError {}
