//! Dates of games, with the precision of the record.

use std::fmt;

/// A year, optionally with month, day and time of day.
///
/// # Examples
///
/// ```
/// use othello_records::Date;
///
/// let date = Date::read("2003.12.15_12:33:18.MST").unwrap();
/// assert_eq!(date.to_string(), "2003-12-15");
/// assert_eq!(date.time, "12:33:18.MST");
/// assert_eq!(Date::read("2012.??.??"), Some(Date::year(2012)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year, 1 to 9999.
    pub year: u16,
    /// The month, 1 to 12, or `None` if unknown.
    pub month: Option<u8>,
    /// The day of the month, 1 to 31, or `None` if unknown.
    pub day: Option<u8>,
    /// The time of day with its zone, as written in the record; empty if unknown.
    pub time: String,
}

impl Date {
    /// Creates a date with only a year.
    pub const fn year(year: u16) -> Self {
        Self {
            year,
            month: None,
            day: None,
            time: String::new(),
        }
    }

    /// Parses a year, a month and a day separated by `-`, `.` or `/`, followed by a space, `_` or `T` and the time of
    /// day. Parts may be missing at the end, or be question marks. A number of nine or ten digits is a Unix time in
    /// seconds, as in old records of GGS. Returns `None` for any other text.
    pub fn read(text: &str) -> Option<Self> {
        if matches!(text.len(), 9 | 10) && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Self::of_seconds(text.parse().ok()?));
        }
        let end = text.find([' ', '_', 'T']).unwrap_or(text.len());
        let (date, time) = text.split_at(end);
        let time = time.get(1..).unwrap_or_default().trim();
        let mut parts = date.split(['-', '.', '/']);
        let year = parts.next().filter(|year| year.len() == 4)?;
        let year = number(year).filter(|&year| year > 0)?;
        let month = part(parts.next(), 12).ok()?;
        let day = part(parts.next(), 31).ok()?;
        let ordered = parts.next().is_none() && (day.is_none() || month.is_some());
        let exists = day.is_none_or(|day| u32::from(day) <= days_of(year, month.unwrap_or(1)));
        (ordered && exists).then(|| Self {
            year,
            month,
            day,
            time: time.to_owned(),
        })
    }

    /// Creates a date and time of day from a Unix time in seconds, of at most ten digits.
    fn of_seconds(seconds: u64) -> Self {
        let (mut days, second) = ((seconds / 86_400) as u32, seconds % 86_400);
        let (mut year, mut month) = (1970, 1);
        while days >= days_of(year, month) {
            days -= days_of(year, month);
            (year, month) = if month < 12 {
                (year, month + 1)
            } else {
                (year + 1, 1)
            };
        }
        Self {
            year,
            month: Some(month),
            day: Some(days as u8 + 1),
            time: format!(
                "{:02}:{:02}:{:02} UTC",
                second / 3600,
                second / 60 % 60,
                second % 60
            ),
        }
    }

    /// Formats the date with a separator between its parts. Unknown parts are omitted or, with a `filler`, replaced by
    /// it.
    pub(crate) fn with(&self, separator: &str, filler: Option<&str>) -> String {
        let mut parts = vec![format!("{:04}", self.year)];
        for part in [self.month, self.day] {
            let known = part.map(|part| format!("{part:02}"));
            parts.extend(known.or(filler.map(str::to_owned)));
        }
        parts.join(separator)
    }
}

impl fmt::Display for Date {
    /// Prints the known parts of year, month and day, as in `2003-12-15`, without the time of day.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with("-", None))
    }
}

/// The number of days in a month, 1 to 12.
const fn days_of(year: u16, month: u8) -> u32 {
    let leaps = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 => 28 + leaps as u32,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A part of a date that is not a number in its range.
struct OutOfRange;

/// Parses a month or a day; `None` if it is missing or unknown.
fn part(text: Option<&str>, max: u16) -> Result<Option<u8>, OutOfRange> {
    let is_unknown = |text: &&str| text.len() <= 2 && text.bytes().all(|byte| byte == b'?');
    let Some(text) = text.filter(|text| !is_unknown(text)) else {
        return Ok(None);
    };
    let part = number(text).filter(|part| (1..=max).contains(part));
    part.map(|part| Some(part as u8)).ok_or(OutOfRange)
}

fn number(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_forms_of_every_format_are_parsed() {
        for (text, date, time) in [
            ("2003.12.15_12:33:18.MST", "2003-12-15", "12:33:18.MST"),
            ("2014-02-21 20:52:27 GMT", "2014-02-21", "20:52:27 GMT"),
            ("2025-03-18T18:17:13.535Z", "2025-03-18", "18:17:13.535Z"),
            ("2012.??.??", "2012", ""),
            ("2012.5.??", "2012-05", ""),
            ("1999/1/2", "1999-01-02", ""),
            ("1977", "1977", ""),
            ("2024-02-29", "2024-02-29", ""),
            ("940607137", "1999-10-22", "15:45:37 UTC"),
            ("1709164800", "2024-02-29", "00:00:00 UTC"),
            ("9999999999", "2286-11-20", "17:46:39 UTC"),
        ] {
            let read = Date::read(text).unwrap();
            assert_eq!(
                (read.to_string().as_str(), read.time.as_str()),
                (date, time)
            );
        }
    }

    #[test]
    fn other_text_is_not_a_date() {
        for text in [
            "",
            "?",
            "soon",
            "12.12.2012",
            "2012-13",
            "2012-00-01",
            "2012-1-32",
            "2012-04-31",
            "1900-02-29",
            "94060713",
            "94060713712",
            "2012-??-3",
            "+012",
            "2012-1-1-1",
            "0000",
        ] {
            assert_eq!(Date::read(text), None, "{text}");
        }
    }
}
