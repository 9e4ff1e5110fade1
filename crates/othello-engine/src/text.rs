//! Text forms of setting values.

use othello_core::Tier;

use crate::settings::{ThreadCount, available_threads};

/// The error of parsing a setting value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSettingError {
    /// The text is not a number of threads.
    #[error("expected a number of threads from 1 to {}, or auto", ThreadCount::MAX)]
    Threads,
    /// The text is not a number of discs.
    #[error("expected a number of discs from 0 to 64, such as 0.5")]
    Discs,
    /// The text is not a tier.
    #[error(transparent)]
    Tier(#[from] othello_core::ParseTextError),
    /// The CPU does not support the tier.
    #[error("this CPU lacks the instructions of {0}; the best it has is {best}", best = Tier::best())]
    UnsupportedTier(Tier),
}

/// Parses a number of threads, or `auto` for [one per CPU](available_threads).
///
/// # Errors
///
/// Fails if the text is neither.
pub fn threads(text: &str) -> Result<ThreadCount, ParseSettingError> {
    if text == "auto" {
        return Ok(available_threads());
    }
    text.parse().map_err(|_| ParseSettingError::Threads)
}

/// Parses a number of discs from 0 to 64, and returns it in hundredths.
///
/// # Errors
///
/// Fails if the text is no such number.
pub fn discs(text: &str) -> Result<u16, ParseSettingError> {
    let discs: f64 = text.parse().map_err(|_| ParseSettingError::Discs)?;
    if (0.0..=64.0).contains(&discs) {
        Ok((100.0 * discs).round() as u16)
    } else {
        Err(ParseSettingError::Discs)
    }
}

/// Parses the name of a tier that this CPU supports.
///
/// # Errors
///
/// Fails if the text is not a tier, or the CPU does not support it.
pub fn tier(text: &str) -> Result<Tier, ParseSettingError> {
    let tier: Tier = text.parse()?;
    if tier.is_supported() {
        Ok(tier)
    } else {
        Err(ParseSettingError::UnsupportedTier(tier))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_a_number_or_auto() {
        assert_eq!(threads("1024").map(ThreadCount::get), Ok(1024));
        assert_eq!(threads("auto"), Ok(available_threads()));
        for wrong in ["0", "1025", "-1", "x", "Auto", ""] {
            let error = threads(wrong).map_err(|error| error.to_string());
            let expected = "expected a number of threads from 1 to 1024, or auto";
            assert_eq!(error, Err(expected.to_owned()), "{wrong}");
        }
    }

    #[test]
    fn discs_are_read_in_hundredths() {
        let read = |text| discs(text).ok();
        assert_eq!(
            (read("0.29"), read("64"), read("0")),
            (Some(29), Some(6400), Some(0))
        );
        assert_eq!(
            (read("-0.1"), read("64.1"), read("NaN"), read("")),
            (None, None, None, None)
        );
    }

    #[test]
    fn supported_tiers_are_parsed() {
        assert_eq!(tier("portable"), Ok(Tier::Portable));
        assert!(matches!(tier("sse9"), Err(ParseSettingError::Tier(_))));
    }
}
