//! Parsers of numeric options.

use std::{ops::RangeInclusive, str::FromStr};

/// An error in the text of a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseNumberError {
    /// The text is not a number within the range.
    #[error("expected a number of {what} from {} to {}", range.start(), range.end())]
    Range {
        /// The plural noun for the counted things.
        what: &'static str,
        /// The range.
        range: RangeInclusive<u32>,
    },
    /// The text is not a positive number of the type.
    #[error("expected a number from 1 on")]
    Positive,
}

/// Returns a parser of a number within a range; `what` is the plural noun for the counted things.
///
/// # Examples
///
/// ```
/// let plies = boardgame_cli::number_of("plies", 0..=60);
/// assert_eq!(plies("12"), Ok(12));
/// assert_eq!(plies("x").unwrap_err().to_string(), "expected a number of plies from 0 to 60");
/// ```
pub fn number_of(
    what: &'static str,
    range: RangeInclusive<u32>,
) -> impl Fn(&str) -> Result<u32, ParseNumberError> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| ParseNumberError::Range {
                what,
                range: range.clone(),
            })
    }
}

/// Parses a positive number of a type without 0, such as [`NonZeroUsize`](std::num::NonZeroUsize).
///
/// # Errors
///
/// When the text is no such number.
pub fn positive<T: FromStr>(text: &str) -> Result<T, ParseNumberError> {
    text.parse().map_err(|_| ParseNumberError::Positive)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn a_number_is_within_its_range() {
        let plies = number_of("plies", 2..=60);
        assert_eq!((plies("2"), plies("60")), (Ok(2), Ok(60)));
        for wrong in ["1", "61", "-2", "abc", "", "99999999999"] {
            let error = plies(wrong).unwrap_err().to_string();
            assert_eq!(error, "expected a number of plies from 2 to 60", "{wrong}");
        }
    }

    #[test]
    fn a_positive_number_is_not_0() {
        assert_eq!(positive("1"), Ok(NonZeroUsize::MIN));
        for wrong in ["0", "-1", "abc", ""] {
            let error = positive::<NonZeroUsize>(wrong).unwrap_err().to_string();
            assert_eq!(error, "expected a number from 1 on", "{wrong}");
        }
    }
}
