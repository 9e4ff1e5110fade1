//! Thinking times.

use core::{fmt, time::Duration};

use super::number::{fraction, millis, seconds};

/// A player's clock: the value of `TI[…]`, such as `15:00` or `05:00/00:10/02:00`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time left for the game.
    pub main: Duration,
    /// The time that each move adds.
    pub increment: Duration,
    /// The time that is added once, after the main time has run out.
    pub grace: Duration,
}

impl Clock {
    /// Creates a clock without increment and grace.
    pub const fn new(main: Duration) -> Self {
        Self {
            main,
            increment: Duration::ZERO,
            grace: Duration::ZERO,
        }
    }

    /// Returns the clock after a move that took `elapsed`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use othello_proto::ggf::Clock;
    ///
    /// let grace = Duration::from_secs(120);
    /// let clock = Clock { grace, ..Clock::new(Duration::from_secs(10)) };
    /// let clock = clock.after(Duration::from_secs(30));
    /// assert_eq!(clock, Clock::new(Duration::from_secs(100)));
    /// ```
    #[must_use]
    pub fn after(self, elapsed: Duration) -> Self {
        let (main, grace) = if elapsed <= self.main {
            (self.main.saturating_sub(elapsed), self.grace)
        } else {
            let over = elapsed.saturating_sub(self.main);
            (self.grace.saturating_sub(over), Duration::ZERO)
        };
        Self {
            main: main.saturating_add(self.increment),
            grace,
            ..self
        }
    }

    /// Parses the value of a clock's tag; `None` if it is invalid.
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('/').map(part);
        let main = parts.next()??;
        let increment = parts.next().unwrap_or(Some(Duration::ZERO))?;
        let grace = parts.next().unwrap_or(Some(Duration::ZERO))?;
        Some(Self {
            main,
            increment,
            grace,
        })
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = Self::new(self.main);
        Time(self.main).fmt(f)?;
        if *self != bare {
            f.write_str("/")?;
            if !self.increment.is_zero() {
                Time(self.increment).fmt(f)?;
            }
        }
        if !self.grace.is_zero() {
            f.write_str("/")?;
            Time(self.grace).fmt(f)?;
        }
        Ok(())
    }
}

/// The longest time accepted, some 136 years.
const LONGEST: Duration = Duration::from_secs(u32::MAX as u64);

/// Parses one of a clock's times; an empty one is zero. After a comma comes the server's count of
/// moves.
fn part(text: &str) -> Option<Duration> {
    time(text).filter(|&time| time <= LONGEST)
}

fn time(text: &str) -> Option<Duration> {
    let time = text.split(',').next().unwrap_or_default().trim();
    if time.is_empty() {
        return Some(Duration::ZERO);
    }
    let Some((first, rest)) = time.split_once(':') else {
        return seconds(time.as_bytes());
    };
    // A point before a colon separates days from hours; any other is a decimal point.
    let (days, high) = first.split_once('.').unwrap_or(("0", first));
    let (hours, minutes, last) = match rest.split_once(':') {
        Some((minutes, last)) => (number(high)?, number(minutes)?, last),
        None => (0, number(high)?, rest),
    };
    let minutes = (number(days)?.checked_mul(24)?.checked_add(hours)?)
        .checked_mul(60)?
        .checked_add(minutes)?;
    let whole = Duration::from_secs(minutes.checked_mul(60)?);
    whole.checked_add(seconds(last.as_bytes())?)
}

fn number(text: &str) -> Option<u64> {
    text.parse::<u32>().ok().map(u64::from)
}

/// Displays a time as `M:SS` or `H:MM:SS`, and its fraction of a second if there is one.
struct Time(Duration);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = millis(self.0);
        let (seconds, minutes) = (millis / 1000 % 60, millis / 60_000);
        match minutes / 60 {
            0 => write!(f, "{minutes}:{seconds:02}")?,
            hours => write!(f, "{hours}:{:02}:{seconds:02}", minutes % 60)?,
        }
        fraction(millis % 1000, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn check(text: &str, printed: Option<&str>) {
        let clock = Clock::read(text);
        assert_eq!(
            clock.map(|clock| clock.to_string()).as_deref(),
            printed,
            "{text:?}"
        );
        if let Some(printed) = printed {
            assert_eq!(Clock::read(printed), clock);
        }
    }

    #[test]
    fn clocks_are_read_in_all_their_forms() {
        check("15:00", Some("15:00"));
        check("05:00//02:00", Some("5:00//2:00"));
        check("01:00/00:10/02:00", Some("1:00/0:10/2:00"));
        check("5:00/12", Some("5:00/0:12"));
        check("24:00:00", Some("24:00:00"));
        check("1.02:03:04", Some("26:03:04"));
        check("0", Some("0:00"));
        check("0.5", Some("0:00.5"));
        check("90", Some("1:30"));
        check("1:00.25", Some("1:00.25"));
        check("05:00,0/00:10,1/02:00", Some("5:00/0:10/2:00"));
        check("/5", Some("0:00/0:05"));
        for bad in ["x", "1:2:3:4", "-1", "1:-2", "1:x", "5:00/x", "::", "1."] {
            let expected = if bad == "1." { Some("0:01") } else { None };
            check(bad, expected);
        }
        check("99999999999:00", None);
    }

    #[test]
    fn a_move_takes_time_and_brings_the_increment() {
        let seconds = Duration::from_secs;
        let clock = Clock {
            main: seconds(60),
            increment: seconds(5),
            grace: seconds(20),
        };
        assert_eq!(clock.after(seconds(15)).main, seconds(50));
        let over = clock.after(seconds(70));
        assert_eq!((over.main, over.grace), (seconds(15), Duration::ZERO));
        assert_eq!(over.after(seconds(100)).main, seconds(5));
    }
}
