//! Decimal numbers as programs print them.

use core::{fmt, time::Duration};

use nom::{
    Parser,
    character::complete::{digit0, digit1, one_of},
    combinator::opt,
    sequence::preceded,
};
use othello_core::Score;

use crate::grammar::Rule;

/// The maximum number of digits before the rounding point.
const MAX_DIGITS: i64 = 18;

/// An evaluation or a result in hundredths of a disc, as records and engines print them.
///
/// Displayed as `1.20` or `-0.50`, with `{:+}` as `+1.20`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i32);

impl Value {
    /// Creates a value from hundredths of a disc.
    pub const fn from_hundredths(hundredths: i32) -> Self {
        Self(hundredths)
    }

    /// Returns the value in hundredths of a disc.
    pub const fn hundredths(self) -> i32 {
        self.0
    }

    /// Returns `true` if it is a possible result: −64 to 64 discs.
    pub const fn is_result(self) -> bool {
        self.0.unsigned_abs() <= 6400
    }

    /// Parses a decimal number of discs; the decimal mark is a point or a comma, and an exponent
    /// may follow. Returns `None` for anything else, such as `NaN`, or a value out of range.
    pub fn read(text: &[u8]) -> Option<Self> {
        let hundredths = scaled(text, 2)?;
        i32::try_from(hundredths).ok().map(Self)
    }
}

impl From<Score> for Value {
    fn from(score: Score) -> Self {
        Self(score.discs() * 100)
    }
}

impl core::ops::Neg for Value {
    type Output = Self;

    /// The same value seen from the other side.
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.unsigned_abs();
        let sign = match self.0 {
            ..0 => "-",
            _ if f.sign_plus() => "+",
            _ => "",
        };
        write!(f, "{sign}{}.{:02}", magnitude / 100, magnitude % 100)
    }
}

/// Parses a decimal number of seconds, to the millisecond; `None` if invalid or negative.
pub(crate) fn seconds(text: &[u8]) -> Option<Duration> {
    let millis = scaled(text, 3)?;
    u64::try_from(millis).ok().map(Duration::from_millis)
}

/// Displays a time as seconds with at most three digits after the point.
pub(crate) struct Seconds(pub(crate) Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = millis(self.0);
        write!(f, "{}", millis / 1000)?;
        fraction(millis % 1000, f)
    }
}

/// Rounds a time to milliseconds.
pub(super) fn millis(time: Duration) -> u128 {
    time.as_nanos().saturating_add(500_000) / 1_000_000
}

/// Prints the digits after the point of a number of thousandths, if there are any.
pub(super) fn fraction(thousandths: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match thousandths {
        0 => Ok(()),
        n if n % 100 == 0 => write!(f, ".{}", n / 100),
        n if n % 10 == 0 => write!(f, ".{:02}", n / 10),
        n => write!(f, ".{n:03}"),
    }
}

/// A whole text as a decimal number times `10^places`, rounded half away from zero.
fn scaled(text: &[u8], places: i64) -> Option<i64> {
    let Ok(([], (negative, whole, fraction, exponent))) = decimal(text) else {
        return None;
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let digits = whole.iter().chain(fraction);
    let zeros = digits.clone().take_while(|&&digit| digit == b'0').count();
    let significant = (whole.len() + fraction.len() - zeros) as i64;
    // The count of significant digits before the rounding point.
    let kept = significant - fraction.len() as i64 + exponent + places;
    if significant == 0 || kept < 0 {
        return Some(0);
    } else if kept > MAX_DIGITS {
        return None;
    }
    let kept = usize::try_from(kept).ok()?;
    let mut digits = digits
        .skip(zeros)
        .map(|digit| i64::from(digit - b'0'))
        .chain(core::iter::repeat(0));
    let magnitude = digits
        .by_ref()
        .take(kept)
        .fold(0, |n, digit| n * 10 + digit);
    let rounded = magnitude + i64::from(digits.next() >= Some(5));
    Some(if negative { -rounded } else { rounded })
}

/// The sign, the digits before and after the decimal mark, and the exponent.
fn decimal(input: &[u8]) -> Rule<'_, (bool, &[u8], &[u8], i64)> {
    let sign = || opt(one_of("+-")).map(|sign| sign == Some('-'));
    let fraction = opt(preceded(one_of(".,"), digit0)).map(Option::unwrap_or_default);
    let exponent = opt(preceded(one_of("eE"), (sign(), digit1))).map(|exponent| {
        exponent.map_or(0, |(negative, digits): (bool, &[u8])| {
            let magnitude = digits.iter().fold(0_i64, |n, digit| {
                (n * 10 + i64::from(digit - b'0')).min(1 << 20)
            });
            if negative { -magnitude } else { magnitude }
        })
    });
    (sign(), digit0, fraction, exponent).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn decimals_are_rounded_to_hundredths() {
        for (text, hundredths) in [
            ("1.2", Some(120)),
            ("+1.205", Some(121)),
            ("-1.205", Some(-121)),
            ("-0.004", Some(0)),
            ("0.005", Some(1)),
            ("0.0005", Some(0)),
            ("-0.005", Some(-1)),
            (".5", Some(50)),
            ("3.", Some(300)),
            ("1,25", Some(125)),
            ("0.0000000000000000000000000000000012", Some(0)),
            ("000000000000000000000000000000001.2", Some(120)),
            ("2.5E-1", Some(25)),
            ("1e1", Some(1000)),
            ("0.000000000012e11", Some(120)),
            ("1e99999999999999999999", None),
            ("1e-99999999999999999999", Some(0)),
            ("99999999999999999999", None),
            ("", None),
            (".", None),
            ("-", None),
            ("NaN", None),
            ("-nan(ind)", None),
            ("1.#IND", None),
            ("inf", None),
            ("1 2", None),
        ] {
            let value = Value::read(text.as_bytes());
            assert_eq!(value.map(Value::hundredths), hundredths, "{text:?}");
        }
    }

    #[test]
    fn values_are_printed_with_two_digits() {
        let value = Value::from_hundredths(-5);
        assert_eq!(value.to_string(), "-0.05");
        assert_eq!((-value).to_string(), "0.05");
        assert_eq!(std::format!("{:+}", -value), "+0.05");
        assert_eq!(Value::from(Score::MIN).to_string(), "-64.00");
    }

    #[test]
    fn seconds_are_printed_without_needless_digits() {
        for (text, printed) in [
            ("0", "0"),
            ("0.0", "0"),
            ("3.1", "3.1"),
            ("3.10", "3.1"),
            ("0.01", "0.01"),
            ("2.991", "2.991"),
            ("2.0E-4", "0"),
            ("0.8460000000000001", "0.846"),
        ] {
            let time = seconds(text.as_bytes()).unwrap();
            assert_eq!(Seconds(time).to_string(), printed);
        }
        assert_eq!(seconds(b"-1"), None);
    }

    #[test]
    fn a_number_has_at_most_eighteen_digits_before_the_rounding_point() {
        let most = seconds(b"999999999999999.999");
        assert_eq!(most, Some(Duration::from_millis(999_999_999_999_999_999)));
        assert_eq!(seconds(b"1000000000000000"), None);
    }
}
