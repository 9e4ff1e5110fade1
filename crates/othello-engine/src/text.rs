//! Values of settings as people write them.

use std::time::Duration;

use othello_core::Tier;
use othello_search::Level;

/// The longest time that is read, in days: sums of a few such times are still moments that every clock knows.
pub const MAX_DAYS: u64 = 365;

/// The error of a text that is no value of a setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSettingError {
    /// The text is no duration.
    #[error("expected a time such as 500ms, 2s or 30m")]
    Duration,
    /// The duration is too long.
    #[error("expected a time of at most {MAX_DAYS} days")]
    TooLong,
    /// The duration is zero where that is no limit.
    #[error("expected a time longer than 0")]
    NoTime,
    /// The text is no level.
    #[error("expected a level from 1 to 60")]
    Level,
    /// The text is no tier.
    #[error(transparent)]
    Tier(#[from] othello_core::ParseTierError),
    /// The CPU lacks the instructions of the tier.
    #[error("this CPU lacks the instructions of {0}; the best it has is {best}", best = Tier::best())]
    UnsupportedTier(Tier),
}

/// Reads a duration with its unit, such as `500ms`: longer than zero and at most [`MAX_DAYS`].
///
/// # Errors
///
/// When the text is no such duration.
pub fn duration(text: &str) -> Result<Duration, ParseSettingError> {
    match any_duration(text)? {
        Duration::ZERO => Err(ParseSettingError::NoTime),
        time => Ok(time),
    }
}

/// Reads a duration with its unit, of at most [`MAX_DAYS`]; it may be zero, `0s`.
///
/// # Errors
///
/// When the text is no such duration.
pub fn any_duration(text: &str) -> Result<Duration, ParseSettingError> {
    match humantime::parse_duration(text) {
        Ok(time) if time > Duration::from_hours(24 * MAX_DAYS) => Err(ParseSettingError::TooLong),
        Ok(time) => Ok(time),
        Err(humantime::DurationError::NumberOverflow) => Err(ParseSettingError::TooLong),
        Err(_) => Err(ParseSettingError::Duration),
    }
}

/// Reads the number of a level, 1 to 60.
///
/// # Errors
///
/// When the text is no such number.
pub fn level(text: &str) -> Result<Level, ParseSettingError> {
    let number = text.parse().map_err(|_| ParseSettingError::Level)?;
    Level::new(number).ok_or(ParseSettingError::Level)
}

/// Reads the name of a tier that this CPU has.
///
/// # Errors
///
/// When the text names no tier, or one whose instructions the CPU lacks.
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
    fn a_time_has_a_unit_and_an_end() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("365days"), Ok(Duration::from_hours(24 * MAX_DAYS)));
        assert_eq!(duration("366days"), Err(ParseSettingError::TooLong));
        assert_eq!(
            duration("99999999999999999999s"),
            Err(ParseSettingError::TooLong)
        );
        assert_eq!(duration("2"), Err(ParseSettingError::Duration));
        assert_eq!(duration("0s"), Err(ParseSettingError::NoTime));
        assert_eq!(any_duration("0s"), Ok(Duration::ZERO));
    }

    #[test]
    fn levels_and_tiers_are_those_that_there_are() {
        assert_eq!(level("12").map(Level::number), Ok(12));
        for wrong in ["0", "61", "x"] {
            assert_eq!(level(wrong), Err(ParseSettingError::Level), "{wrong}");
        }
        assert_eq!(tier("portable"), Ok(Tier::Portable));
        assert!(matches!(tier("sse9"), Err(ParseSettingError::Tier(_))));
    }
}
