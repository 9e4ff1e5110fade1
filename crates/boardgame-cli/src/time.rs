//! Parsers of durations.

use std::time::Duration;

/// The maximum duration, in days: sums of a few such durations fit every clock.
const MAX_DAYS: u64 = 365;

/// An error in the text of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseTimeError {
    /// The text is not a duration.
    #[error("expected a time such as 500ms, 2s or 30m")]
    Duration,
    /// The duration is too long.
    #[error("expected a time of at most {MAX_DAYS} days")]
    TooLong,
    /// The duration is zero where a limit is required.
    #[error("expected a time longer than 0")]
    NoTime,
}

/// Reads a duration with its unit, such as `500ms`: longer than zero and at most 365 days.
///
/// # Errors
///
/// When the text is no such duration.
pub fn duration(text: &str) -> Result<Duration, ParseTimeError> {
    match any_duration(text)? {
        Duration::ZERO => Err(ParseTimeError::NoTime),
        time => Ok(time),
    }
}

/// Reads a duration with its unit, of at most 365 days; it may be zero, `0s`.
///
/// # Errors
///
/// When the text is no such duration.
pub fn any_duration(text: &str) -> Result<Duration, ParseTimeError> {
    match humantime::parse_duration(text) {
        Ok(time) if time > Duration::from_hours(24 * MAX_DAYS) => Err(ParseTimeError::TooLong),
        Ok(time) => Ok(time),
        Err(humantime::DurationError::NumberOverflow) => Err(ParseTimeError::TooLong),
        Err(_) => Err(ParseTimeError::Duration),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit_and_an_end() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("365days"), Ok(Duration::from_hours(24 * MAX_DAYS)));
        assert_eq!(duration("366days"), Err(ParseTimeError::TooLong));
        assert_eq!(
            duration("99999999999999999999s"),
            Err(ParseTimeError::TooLong)
        );
        assert_eq!(duration("2"), Err(ParseTimeError::Duration));
        assert_eq!(duration("0s"), Err(ParseTimeError::NoTime));
        assert_eq!(any_duration("0s"), Ok(Duration::ZERO));
    }
}
