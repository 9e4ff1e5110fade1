//! Filters of the games that `othello games` lists.

use std::str::FromStr;

use othello_core::Color;
use othello_records::{Date, Openings, Record};

/// The filters of games. Text is found in upper and lower case, and anywhere in a name; a number such as `#12`, which
/// stands for a name that is not known, is the whole name.
#[derive(Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct Filter {
    /// Games of a player, of either colour
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Games in which a player has Black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Games in which a player has White
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Games of a tournament
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Games of a year, a month, a day, or from one to another: 1999, 1999-05, 1999-05-01..2001
    #[arg(long, value_name = "DATE")]
    date: Option<Dates>,
    /// Games with a result: black, white, draw or unknown
    #[arg(long, value_name = "WINNER")]
    result: Option<Winner>,
    /// Games that pass through a named opening
    #[arg(long, value_name = "NAME")]
    opening: Option<String>,
}

/// The winner of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Winner {
    Black,
    White,
    Draw,
    Unknown,
}

impl Winner {
    pub(crate) fn of(record: &Record) -> Self {
        match record.outcome().map(|outcome| outcome.winner) {
            None => Self::Unknown,
            Some(None) => Self::Draw,
            Some(Some(Color::Black)) => Self::Black,
            Some(Some(Color::White)) => Self::White,
        }
    }
}

/// The dates from a first to a last one, as precise as they are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dates {
    first: Date,
    last: Date,
}

/// The error of a text that is neither a date nor two, or whose first date is after the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ParseDatesError {
    #[error("expected a date such as 1999, 1999-05 or 1999-05-01, or two with .. between them")]
    Form,
    #[error("expected a first date that is not after the last one")]
    Order,
}

impl FromStr for Dates {
    type Err = ParseDatesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let read = |text| {
            Date::read(text)
                .filter(|date| date.time.is_empty())
                .ok_or(ParseDatesError::Form)
        };
        let (first, last) = (read(first)?, read(last)?);
        if earliest(&first) > latest(&last) {
            return Err(ParseDatesError::Order);
        }
        Ok(Self { first, last })
    }
}

impl Dates {
    /// Returns `true` if a date may lie between the first and the last one: missing parts of it may be anything.
    fn contain(&self, date: &Date) -> bool {
        latest(date) >= earliest(&self.first) && earliest(date) <= latest(&self.last)
    }
}

/// Returns the earliest day that a date may be.
fn earliest(date: &Date) -> (u16, u8, u8) {
    (date.year, date.month.unwrap_or(1), date.day.unwrap_or(1))
}

/// Returns the latest day that a date may be.
fn latest(date: &Date) -> (u16, u8, u8) {
    (date.year, date.month.unwrap_or(12), date.day.unwrap_or(31))
}

/// Returns `true` if `part` occurs in `text`, in any case, or, for a number, equals it.
fn contains(text: &str, part: &str) -> bool {
    if is_number(part) {
        return text == part;
    }
    text.to_lowercase().contains(&part.to_lowercase())
}

/// Returns `true` for a number in place of a name: `#12`.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

impl Filter {
    /// Returns `true` if a game passes all filters.
    pub(crate) fn takes(&self, record: &Record, openings: &Openings) -> bool {
        let has = |wanted: &Option<String>, text: &str| {
            wanted.as_ref().is_none_or(|part| contains(text, part))
        };
        let players = &record.players;
        let either = |name| players.iter().any(|player| contains(&player.name, name));
        self.player.as_deref().is_none_or(either)
            && has(&self.black, &players.black.name)
            && has(&self.white, &players.white.name)
            && has(&self.event, &record.event)
            && self.takes_date(record.date.as_ref())
            && self
                .result
                .is_none_or(|winner| winner == Winner::of(record))
            && self.takes_opening(record, openings)
    }

    /// Returns the colours that the player of `--player` has in a game, or `None` if none is named.
    pub(crate) fn colors_of_player(&self, record: &Record) -> Option<Vec<Color>> {
        let name = self.player.as_deref()?;
        let mut colors = vec![Color::Black, Color::White];
        colors.retain(|&color| contains(&record.players[color].name, name));
        Some(colors)
    }

    /// Returns `true` if `--player` names a player.
    pub(crate) fn names(&self, player: &str) -> bool {
        self.player().is_some_and(|name| contains(player, name))
    }

    /// The name of `--player`.
    pub(crate) fn player(&self) -> Option<&str> {
        self.player.as_deref()
    }

    fn takes_date(&self, date: Option<&Date>) -> bool {
        self.date
            .as_ref()
            .is_none_or(|dates| date.is_some_and(|date| dates.contain(date)))
    }

    fn takes_opening(&self, record: &Record, openings: &Openings) -> bool {
        let passes = |name: &String| {
            let mut passed = openings.passed(&record.game);
            passed.any(|(_, opening)| opening.name.eq_ignore_ascii_case(name))
        };
        self.opening.as_ref().is_none_or(passes)
    }

    /// Fails if no opening has the requested name.
    pub(crate) fn check(&self, openings: &Openings) -> anyhow::Result<()> {
        let Some(name) = &self.opening else {
            return Ok(());
        };
        let mut names: Vec<&str> = openings.all().map(|it| it.name).collect();
        names.sort_unstable();
        let known = names.iter().any(|known| known.eq_ignore_ascii_case(name));
        anyhow::ensure!(
            known,
            "expected an opening, one of {}; found {name}",
            names.join(", ")
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_whole_name() {
        assert!(contains("#11", "#11") && !contains("#110", "#11"));
        assert!(contains("Anna #11", "ann") && contains("Round #110b", "#110b"));
    }

    #[test]
    fn dates_are_as_precise_as_they_are_told() {
        let contain = |dates: &str, date: &str| {
            let dates: Dates = dates.parse().unwrap();
            dates.contain(&Date::read(date).unwrap())
        };
        for (dates, date, expected) in [
            ("1999", "1999-05-01", true),
            ("1999", "1999", true),
            ("1999", "2000", false),
            ("1999-05", "1999", true),
            ("1999-05", "1999-06", false),
            ("1999-05-02..2001", "1999-05-01", false),
            ("1999-05-02..2001", "1999-05-02", true),
            ("1999-05-02..2001", "2001-12-31", true),
            ("1999-05-02..2001", "2002", false),
            ("1999-05..1999", "1999-06", true),
        ] {
            assert_eq!(contain(dates, date), expected, "{dates} {date}");
        }
        for text in ["", "..", "1999..", "soon", "1999 12:00"] {
            assert_eq!(text.parse::<Dates>(), Err(ParseDatesError::Form), "{text}");
        }
        for text in ["2001..1999", "1999-05-02..1999-05-01"] {
            assert_eq!(text.parse::<Dates>(), Err(ParseDatesError::Order), "{text}");
        }
    }
}
