//! Komi.

use core::{fmt, str::FromStr};

use boardgame_core::Margin;

use crate::ParseTextError;

/// The points that White receives for moving second, in half points; negative if Black receives them.
///
/// # Examples
///
/// ```
/// use go_core::Komi;
///
/// let komi: Komi = "5.5".parse()?;
/// assert_eq!(komi, Komi::from_half_points(11));
/// assert_eq!((komi.to_string(), Komi::default().to_string()), ("5.5".to_owned(), "0".to_owned()));
/// # Ok::<(), go_core::ParseTextError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Komi(i16);

/// The maximum number of half points in text form.
const MAX_HALF_POINTS: f64 = 19999.0;

impl Komi {
    /// Creates a komi from half points.
    pub const fn from_half_points(half_points: i16) -> Self {
        Self(half_points)
    }

    /// Returns the komi of a number of points, or `None` unless these are whole or half points, at most 9999.5 for
    /// either side.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::Komi;
    ///
    /// assert_eq!(Komi::exact(-6.5), Some(Komi::from_half_points(-13)));
    /// assert_eq!(Komi::exact(6.75), None);
    /// ```
    pub fn exact(points: f64) -> Option<Self> {
        let half_points = 2.0 * points;
        let is_exact = half_points % 1.0 == 0.0 && half_points.abs() <= MAX_HALF_POINTS;
        is_exact.then_some(Self(half_points as i16))
    }

    /// Returns the number of half points.
    pub const fn half_points(self) -> i16 {
        self.0
    }

    /// Returns the number of points.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 2.0
    }

    /// Returns the margin of a game whose points on the board are equal.
    pub const fn margin(self) -> Margin {
        Margin::from_half_points(-(self.0 as i32))
    }
}

impl fmt::Display for Komi {
    /// Prints the number of points, as in `5.5`, `-7` or `0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let half = if self.0 % 2 == 0 { "" } else { ".5" };
        write!(f, "{sign}{}{half}", self.0.unsigned_abs() / 2)
    }
}

const EXPECTED: ParseTextError = ParseTextError("a komi of whole or half points, such as 6.5");

impl FromStr for Komi {
    type Err = ParseTextError;

    /// Parses digits with an optional sign and an optional fraction of 5 or zeros: `6.5`, `+7`, `0.50`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) || whole.len() > 4 {
            return Err(EXPECTED);
        }
        let half = match fraction.trim_end_matches('0') {
            "" => 0,
            "5" => 1,
            _ => return Err(EXPECTED),
        };
        let whole: i16 = whole.parse().map_err(|_| EXPECTED)?;
        let half_points = 2 * whole + half;
        Ok(Self(if text.starts_with('-') {
            -half_points
        } else {
            half_points
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn komi_round_trips_through_text() {
        for (text, half_points) in [
            ("5.5", 11),
            ("-0.5", -1),
            ("0.5", 1),
            ("0", 0),
            ("-7", -14),
            ("9999.5", 19999),
        ] {
            let komi = Komi::from_half_points(half_points);
            assert_eq!(
                (text.parse(), komi.to_string()),
                (Ok(komi), text.to_string())
            );
            assert_eq!(komi.half_points(), half_points);
            assert_eq!(
                komi.margin(),
                Margin::from_half_points(-i32::from(half_points))
            );
        }
    }

    #[test]
    fn a_number_of_whole_or_half_points_is_a_komi() {
        for (points, half_points) in [(6.5, 13), (-7.0, -14), (-0.0, 0), (-9999.5, -19999)] {
            let komi = Komi::from_half_points(half_points);
            assert_eq!(Komi::exact(points), Some(komi), "{points}");
        }
        for points in [6.75, -0.2, 10_000.0, -1e300, f64::NAN, f64::INFINITY] {
            assert_eq!(Komi::exact(points), None, "{points}");
        }
    }

    #[test]
    fn other_notations_are_parsed_and_other_texts_rejected() {
        for (text, half_points) in [
            ("6.50", 13),
            ("+7", 14),
            ("7.0", 14),
            ("-0", 0),
            ("007", 14),
        ] {
            assert_eq!(
                text.parse(),
                Ok(Komi::from_half_points(half_points)),
                "{text}"
            );
        }
        for text in [
            "", "-", ".5", "6.", "6.25", "6,5", "10000", "6.5.", "--6", "x",
        ] {
            assert_eq!(text.parse::<Komi>(), Err(EXPECTED), "{text}");
        }
        let expected = "expected a komi of whole or half points, such as 6.5";
        assert_eq!(EXPECTED.to_string(), expected);
    }
}
