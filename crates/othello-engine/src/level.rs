//! Levels of play: names, ratings and depths of search.

use std::{fmt, str::FromStr};

use othello_search::Level;
use serde::{Deserialize, Serialize};

use crate::Strength;

/// A rating of play on the Elo scale, from 100 to 9999; 1500 is the mean of the tournament games of
/// [the model](crate::human).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(try_from = "u16", into = "u16")]
pub struct Rating(u16);

impl Rating {
    /// The lowest rating.
    pub const MIN: Self = Self(100);
    /// The highest rating.
    pub const MAX: Self = Self(9999);

    /// Returns the rating, or `None` if the number is outside 100 to 9999.
    pub const fn new(number: u16) -> Option<Self> {
        if number >= Self::MIN.0 && number <= Self::MAX.0 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The number.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The distance from the mean of the model in units of 400 Elo, at most three of them.
    pub(crate) fn above_mean(self) -> f32 {
        ((f32::from(self.0) - 1500.0) / 400.0).clamp(-3.0, 3.0)
    }
}

impl TryFrom<u16> for Rating {
    type Error = ParseLevelError;

    fn try_from(number: u16) -> Result<Self, ParseLevelError> {
        Self::new(number).ok_or(ParseLevelError)
    }
}

impl From<Rating> for u16 {
    fn from(rating: Rating) -> Self {
        rating.0
    }
}

/// The level of a player: like a person of a rating, by the depth of the search, or at full strength.
///
/// # Examples
///
/// ```
/// use othello_engine::PlayLevel;
///
/// let club: PlayLevel = "club".parse()?;
/// assert_eq!(club.to_string(), "Club");
/// assert!("1850".parse::<PlayLevel>().is_ok());
/// assert!("12".parse::<PlayLevel>().is_ok());
/// # Ok::<(), othello_engine::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum PlayLevel {
    /// Like a person.
    Person(Rating),
    /// By a search of limited depth.
    Search(Level),
    /// As well as possible.
    Full,
}

/// The error of a text that is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected {}, full, a level from 1 to 60 or a rating from 100 to 9999",
    names()
)]
pub struct ParseLevelError;

fn names() -> String {
    PlayLevel::NAMED
        .map(|(name, _)| name.to_ascii_lowercase())
        .join(", ")
}

impl PlayLevel {
    /// The names of levels like a person, the weakest first, with their ratings.
    pub const NAMED: [(&str, Rating); 6] = [
        ("Beginner", Rating(300)),
        ("Casual", Rating(700)),
        ("Club", Rating(1100)),
        ("Tournament", Rating(1500)),
        ("Expert", Rating(1800)),
        ("Master", Rating(2100)),
    ];

    /// The name of the highest level.
    const FULL: &str = "Full strength";
}

/// A level in JSON: a number or a name.
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a level: a name, 1 to 60, or a rating from 100 to 9999"
)]
enum Written {
    Number(u16),
    Name(String),
}

impl TryFrom<Written> for PlayLevel {
    type Error = ParseLevelError;

    fn try_from(written: Written) -> Result<Self, ParseLevelError> {
        match written {
            Written::Number(number) => Self::numbered(number),
            Written::Name(name) => name.parse(),
        }
    }
}

impl From<PlayLevel> for Written {
    fn from(level: PlayLevel) -> Self {
        match level {
            PlayLevel::Search(level) => Self::Number(level.number().into()),
            _ => Self::Name(level.to_string()),
        }
    }
}

impl FromStr for PlayLevel {
    type Err = ParseLevelError;

    /// Reads a name in upper or lower case, the number of a level, or a rating.
    fn from_str(text: &str) -> Result<Self, ParseLevelError> {
        if text.eq_ignore_ascii_case("full") || text.eq_ignore_ascii_case(Self::FULL) {
            return Ok(Self::Full);
        }
        let named = Self::NAMED
            .into_iter()
            .find(|(name, _)| text.eq_ignore_ascii_case(name));
        if let Some((_, rating)) = named {
            return Ok(Self::Person(rating));
        }
        let number: u16 = text.parse().map_err(|_| ParseLevelError)?;
        Self::numbered(number)
    }
}

impl PlayLevel {
    /// Returns the search level for 1 to 60, and the level of a rating from 100 to 9999.
    ///
    /// # Errors
    ///
    /// Fails if the number is neither.
    pub fn numbered(number: u16) -> Result<Self, ParseLevelError> {
        let level = u8::try_from(number).ok().and_then(Level::new);
        let rating = || Rating::new(number).map(Self::Person);
        level
            .map(Self::Search)
            .or_else(rating)
            .ok_or(ParseLevelError)
    }
}

impl fmt::Display for PlayLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Person(rating) => match Self::NAMED.iter().find(|named| named.1 == rating) {
                Some((name, _)) => f.write_str(name),
                None => rating.0.fmt(f),
            },
            Self::Search(level) => level.number().fmt(f),
            Self::Full => f.write_str(Self::FULL),
        }
    }
}

impl From<PlayLevel> for Strength {
    fn from(level: PlayLevel) -> Self {
        match level {
            PlayLevel::Person(rating) => Self {
                person: Some(rating),
                ..Self::default()
            },
            PlayLevel::Search(level) => Self::level(level),
            PlayLevel::Full => Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_name_a_number_or_a_rating() {
        for (text, printed) in [
            ("BEGINNER", "Beginner"),
            ("club", "Club"),
            ("1100", "Club"),
            ("1850", "1850"),
            ("60", "60"),
            ("full", "Full strength"),
            ("full strength", "Full strength"),
        ] {
            let level: PlayLevel = text.parse().unwrap();
            assert_eq!(level.to_string(), printed);
            assert_eq!(printed.parse(), Ok(level));
            let json = serde_json::to_string(&level).unwrap();
            assert_eq!(
                serde_json::from_str::<PlayLevel>(&json).unwrap(),
                level,
                "{json}"
            );
        }
        let error = "expected beginner, casual, club, tournament, expert, master, full, \
                     a level from 1 to 60 or a rating from 100 to 9999";
        for wrong in ["", "0", "61", "99", "10000", "pro"] {
            let found = wrong
                .parse::<PlayLevel>()
                .map_err(|error| error.to_string());
            assert_eq!(found, Err(error.into()), "{wrong}");
        }
    }
}
