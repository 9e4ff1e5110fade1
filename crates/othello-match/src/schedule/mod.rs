//! Schedules: the games of a match, in their order.
//!
//! A schedule knows no clock and plays nothing: told the results so far, it says which games there
//! are. So a match goes on from its log alone, and a larger schedule of the same
//! [family](Form::family) fills out what a smaller one began, replaying nothing.

mod matching;
mod round_robin;
mod swiss;

use std::{collections::BTreeMap, ops::RangeInclusive};

use crate::record::{EngineId, GameId, GameResult};

/// The form of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Two engines, which play every opening twice, with colours exchanged.
    Pairs {
        /// The openings.
        pairs: u32,
    },
    /// Everyone meets everyone once a cycle.
    ///
    /// All games of a round have the same opening, and each round has its own. Whoever has Black
    /// in one cycle has White in the next.
    RoundRobin {
        /// The cycles.
        cycles: u32,
    },
    /// Everyone meets everyone twice a cycle, with colours exchanged: first the games of the
    /// single round robin of as many cycles, then each of them reversed, with the same opening.
    DoubleRoundRobin {
        /// The cycles.
        cycles: u32,
    },
    /// The first engine meets each of the others, and plays every opening twice with each, with
    /// colours exchanged.
    Gauntlet {
        /// The openings.
        pairs: u32,
    },
    /// In each round engines of equal points meet, the order of the engines being their seeds.
    ///
    /// The top half of those with equal points meets the bottom half, nobody meets the same twice
    /// as long as that can be, colours alternate as far as they can, and if the engines are odd in
    /// number the lowest who has not rested yet gets a point for resting. All games of a round have
    /// the same opening, and each round has its own. A round is known once the one before is over.
    Swiss {
        /// The rounds.
        rounds: u32,
    },
}

impl Form {
    /// Returns the name that is common to forms which may follow each other in one match: the games of the smaller
    /// are among those of the larger.
    pub const fn family(self) -> &'static str {
        match self {
            Self::Pairs { .. } => "pairs",
            Self::RoundRobin { .. } | Self::DoubleRoundRobin { .. } => "round robin",
            Self::Gauntlet { .. } => "gauntlet",
            Self::Swiss { .. } => "swiss",
        }
    }
}

/// The games of a match.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
///
/// use othello_match::schedule::{Form, Schedule};
///
/// let schedule = Schedule::new(Form::RoundRobin { cycles: 1 }, 4)?;
/// let games = schedule.known(&BTreeMap::new());
/// assert_eq!(games.len(), 6);
///
/// // The double one begins with the same games, and then reverses them.
/// let double = Schedule::new(Form::DoubleRoundRobin { cycles: 1 }, 4)?;
/// let all = double.known(&BTreeMap::new());
/// assert_eq!(all[..6], games);
/// assert_eq!(all[6], games[0].reversed());
/// # Ok::<(), othello_match::schedule::ScheduleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    form: Form,
    engines: u16,
}

/// The numbers of pairs, cycles or rounds that a match may have.
const LENGTHS: RangeInclusive<u32> = 1..=1_000_000;

/// A form does not fit the engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// Too few engines, or too many.
    #[error("expected {expected} engines for {form}, found {found}")]
    Engines {
        /// The form.
        form: &'static str,
        /// The number of engines that the form takes, in words.
        expected: &'static str,
        /// The number found.
        found: usize,
    },
    /// Too short, or too long.
    #[error("expected 1 to 1,000,000 pairs, cycles or rounds, found {found}")]
    Length {
        /// The number asked for.
        found: u32,
    },
}

impl Schedule {
    /// Returns the schedule of a form for a number of engines.
    ///
    /// # Errors
    ///
    /// When the form takes another number of engines, or has no games.
    pub fn new(form: Form, engines: usize) -> Result<Self, ScheduleError> {
        let (expected, fits) = match form {
            Form::Pairs { .. } => ("two", engines == 2),
            _ => ("2 to 1,000", (2..=1000).contains(&engines)),
        };
        if !fits {
            return Err(ScheduleError::Engines {
                form: form.family(),
                expected,
                found: engines,
            });
        }
        let (Form::Pairs { pairs: length }
        | Form::RoundRobin { cycles: length }
        | Form::DoubleRoundRobin { cycles: length }
        | Form::Gauntlet { pairs: length }
        | Form::Swiss { rounds: length }) = form;
        if !LENGTHS.contains(&length) {
            return Err(ScheduleError::Length { found: length });
        }
        let engines = engines as u16;
        Ok(Self { form, engines })
    }

    /// The form.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The number of engines.
    pub const fn engines(&self) -> u16 {
        self.engines
    }

    /// The games that are known of in the order of play, those already played among them.
    ///
    /// The results of games that are no part of the schedule change nothing. Only a Swiss
    /// tournament asks for results: the games of all other forms are known from the start.
    pub fn known(&self, results: &BTreeMap<GameId, GameResult>) -> Vec<GameId> {
        match self.form {
            Form::Pairs { pairs } | Form::Gauntlet { pairs } => self.gauntlet(pairs),
            Form::RoundRobin { cycles } => round_robin::single(self.engines, cycles),
            Form::DoubleRoundRobin { cycles } => {
                let mut games = round_robin::single(self.engines, cycles);
                games.extend_from_within(..);
                let half = games.len() / 2;
                for game in &mut games[half..] {
                    *game = game.reversed();
                }
                games
            }
            Form::Swiss { rounds } => {
                let rounds = swiss::rounds(self.engines, rounds, results);
                rounds.into_iter().flat_map(|round| round.games).collect()
            }
        }
    }

    /// Returns the engines that rest for a point, one for each round known so far, in the order of rounds.
    /// Only a Swiss tournament gives such byes.
    pub fn byes(&self, results: &BTreeMap<GameId, GameResult>) -> Vec<EngineId> {
        let Form::Swiss { rounds } = self.form else {
            return Vec::new();
        };
        let rounds = swiss::rounds(self.engines, rounds, results);
        rounds.into_iter().filter_map(|round| round.bye).collect()
    }

    /// Returns the number of openings that the schedule takes.
    pub fn openings(&self) -> u32 {
        match self.form {
            Form::Pairs { pairs } | Form::Gauntlet { pairs } => pairs,
            Form::RoundRobin { cycles } | Form::DoubleRoundRobin { cycles } => {
                cycles * round_robin::rounds(self.engines)
            }
            Form::Swiss { rounds } => rounds,
        }
    }

    fn gauntlet(&self, pairs: u32) -> Vec<GameId> {
        let opponents = 1..self.engines;
        let meetings = (0..pairs).flat_map(|opening| {
            let opponents = opponents.clone();
            opponents.map(move |opponent| GameId {
                opening,
                black: EngineId(0),
                white: EngineId(opponent),
            })
        });
        meetings.flat_map(|game| [game, game.reversed()]).collect()
    }
}

#[cfg(test)]
mod tests;
