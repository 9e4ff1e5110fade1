//! Schedules: the games of a match, in their order.
//!
//! A schedule is a function of the results so far, so that a match can be continued from its log alone. A
//! longer schedule of the same [family](Form::family) contains all games of a shorter one.

mod matching;
mod round_robin;
mod rounds;
mod state;
mod swiss;

use std::{ops::RangeInclusive, sync::Arc};

use boardgame_files::shards::Shard;
use serde::{Deserialize, Serialize};

pub(crate) use rounds::knock_out_results;
pub use rounds::{Entrant, next_round};

use crate::{EngineId, GameId, tally::Tally};

/// The format of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Two engines play every opening twice, with colours exchanged.
    Pairs {
        /// The openings.
        pairs: u32,
    },
    /// A round robin: every two engines meet once a cycle.
    ///
    /// All games of a round have the same opening, and each round has its own. Colours are exchanged from
    /// one cycle to the next.
    RoundRobin {
        /// The cycles.
        cycles: u32,
    },
    /// A double round robin: every two engines meet twice a cycle, with colours exchanged. First come the games of a
    /// single round robin with the same number of cycles, then the same games with colours exchanged.
    DoubleRoundRobin {
        /// The cycles.
        cycles: u32,
    },
    /// A gauntlet: the first engine plays every opening twice against each of the others, with colours
    /// exchanged.
    Gauntlet {
        /// The openings.
        pairs: u32,
    },
    /// A Swiss tournament: in each round engines of equal points meet. The order of the engines is their
    /// seeding.
    ///
    /// The top half of a group of equal points meets the bottom half. Rematches are avoided where possible; after that,
    /// from the top down, leaders meet each other, colours alternate, and engines meet others with points as close as
    /// possible. If the number of engines is odd, the lowest left over gets a bye, among those with the fewest byes; a
    /// bye counts a point. All games of a round have the same opening, and each round has its own. A round is paired
    /// once the one before is over.
    Swiss {
        /// The rounds.
        rounds: u32,
    },
    /// A tournament by the Danish system: in each round the first meets the second by points, the third the fourth, and
    /// so on, whether they have met before or not. Byes and openings are as in a Swiss tournament.
    Danish {
        /// The rounds.
        rounds: u32,
    },
    /// A tournament whose pairs are drawn in each round. Byes and openings are as in a Swiss tournament.
    Random {
        /// The rounds.
        rounds: u32,
        /// The seed of the draw.
        seed: u64,
    },
    /// A knock-out: in each round the best remaining seed plays the worst in two games of one opening, and the loser
    /// is out. In the first round the best seeds rest until a power of two is left.
    KnockOut,
    /// A ladder: rounds without end of pairs of engines that play two games of one opening. First come the two about
    /// whose strength these games tell most; a caller may play only the first pairs.
    Ladder,
}

/// A round of a tournament: all its games have the opening of its number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The games, from the top.
    pub games: Vec<GameId>,
    /// The engines that rest; a bye counts a point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<EngineId>,
}

impl Form {
    /// Returns the name common to the forms that can continue each other's matches: the longer
    /// one contains all games of the shorter.
    pub const fn family(self) -> &'static str {
        match self {
            Self::Pairs { .. } => "pairs",
            Self::RoundRobin { .. } | Self::DoubleRoundRobin { .. } => "round robin",
            Self::Gauntlet { .. } => "gauntlet",
            Self::Swiss { .. } => "swiss from the top",
            Self::Danish { .. } => "danish",
            Self::Random { .. } => "random",
            Self::KnockOut => "knock-out",
            Self::Ladder => "ladder",
        }
    }

    /// Returns the number of rounds, if it does not depend on the engines.
    pub const fn rounds(self) -> Option<u32> {
        match self {
            Self::Pairs { pairs: rounds }
            | Self::Gauntlet { pairs: rounds }
            | Self::Swiss { rounds }
            | Self::Danish { rounds }
            | Self::Random { rounds, .. } => Some(rounds),
            Self::RoundRobin { .. }
            | Self::DoubleRoundRobin { .. }
            | Self::KnockOut
            | Self::Ladder => None,
        }
    }

    /// Returns true if pairings follow from the results before them.
    pub const fn depends_on_results(self) -> bool {
        matches!(
            self,
            Self::Swiss { .. } | Self::Danish { .. } | Self::KnockOut | Self::Ladder
        )
    }
}

/// The schedule of a match.
///
/// # Examples
///
/// ```
/// use boardgame_match::{
///     schedule::{Form, Schedule},
///     tally::Tally,
/// };
///
/// let schedule = Schedule::new(Form::RoundRobin { cycles: 1 }, 4)?;
/// let games = schedule.known(&Tally::default());
/// assert_eq!(games.len(), 6);
///
/// // The double round robin begins with the same games, and then reverses them.
/// let double = Schedule::new(Form::DoubleRoundRobin { cycles: 1 }, 4)?;
/// let all = double.known(&Tally::default());
/// assert_eq!(all[..6], games);
/// assert_eq!(all[6], games[0].reversed());
/// # Ok::<(), boardgame_match::schedule::ScheduleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    form: Form,
    engines: u16,
    shard: Shard,
    /// The rounds that make up the schedule, if they do not follow from the form.
    paired: Option<Arc<[Round]>>,
}

/// The allowed numbers of pairs, cycles or rounds.
const LENGTHS: RangeInclusive<u32> = 1..=1_000_000;

/// The error of a form that does not fit the engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ScheduleError {
    /// The form does not allow this number of engines.
    #[error("expected {expected} engines for {form}, found {found}")]
    Engines {
        form: &'static str,
        expected: &'static str,
        found: usize,
    },
    /// The schedule is too short or too long.
    #[error("expected 1 to 1,000,000 pairs, cycles or rounds, found {found}")]
    Length {
        /// The requested number of pairs, cycles or rounds.
        found: u32,
    },
}

impl Schedule {
    /// Returns the schedule of a form for a number of engines.
    ///
    /// # Errors
    ///
    /// Fails if the form does not allow the number of engines, or its length is out of range.
    pub fn new(form: Form, engines: usize) -> Result<Self, ScheduleError> {
        let (expected, fits) = match form {
            Form::Pairs { .. } => ("two", engines == 2),
            Form::Ladder => ("0 to 65,535", u16::try_from(engines).is_ok()),
            _ => ("2 to 1,000", (2..=1000).contains(&engines)),
        };
        if !fits {
            return Err(ScheduleError::Engines {
                form: form.family(),
                expected,
                found: engines,
            });
        }
        let length = match form {
            Form::Pairs { pairs } | Form::Gauntlet { pairs } => pairs,
            Form::RoundRobin { cycles } | Form::DoubleRoundRobin { cycles } => cycles,
            Form::Swiss { rounds } | Form::Danish { rounds } | Form::Random { rounds, .. } => {
                rounds
            }
            Form::KnockOut | Form::Ladder => 1,
        };
        if !LENGTHS.contains(&length) {
            return Err(ScheduleError::Length { found: length });
        }
        let engines = engines as u16;
        Ok(Self {
            form,
            engines,
            shard: Shard::WHOLE,
            paired: None,
        })
    }

    /// Returns the schedule of the given rounds in place of those that follow from the form.
    #[must_use]
    pub fn with_rounds(self, rounds: Vec<Round>) -> Self {
        Self {
            paired: Some(rounds.into()),
            ..self
        }
    }

    /// Returns the shortest schedule of a [family](Form::family), named as in the log of a match, with at least a
    /// number of openings; `None` if there is none. A random tournament has the seed of the match.
    ///
    /// # Examples
    ///
    /// ```
    /// use boardgame_match::schedule::{Form, Schedule};
    ///
    /// let pairs = Schedule::covering("pairs", 2, 7, 1);
    /// assert_eq!(pairs.map(|schedule| schedule.form()), Some(Form::Pairs { pairs: 7 }));
    /// ```
    pub fn covering(family: &str, engines: usize, openings: u32, seed: u64) -> Option<Self> {
        let length = openings.max(1);
        let cycles = || {
            let rounds = round_robin::rounds(engines.try_into().ok()?);
            Some(length.div_ceil(rounds.max(1)))
        };
        let form = match family {
            "pairs" => Form::Pairs { pairs: length },
            "gauntlet" => Form::Gauntlet { pairs: length },
            "round robin" => Form::DoubleRoundRobin { cycles: cycles()? },
            "swiss from the top" => Form::Swiss { rounds: length },
            "danish" => Form::Danish { rounds: length },
            "random" => Form::Random {
                rounds: length,
                seed,
            },
            "knock-out" => Form::KnockOut,
            "ladder" => Form::Ladder,
            _ => return None,
        };
        Self::new(form, engines).ok()
    }

    /// Returns the schedule with only the games of a shard: every N-th in the order of play. A tournament whose
    /// pairings depend on results cannot be split.
    #[must_use]
    pub fn of_shard(self, shard: Shard) -> Self {
        Self { shard, ..self }
    }

    /// Returns the form.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// Returns the number of engines.
    pub const fn engines(&self) -> u16 {
        self.engines
    }

    /// Returns whether the match is one of pairs: two engines that play every opening twice, with colours exchanged.
    pub const fn is_of_pairs(&self) -> bool {
        let in_pairs = matches!(
            self.form,
            Form::Pairs { .. } | Form::Gauntlet { .. } | Form::DoubleRoundRobin { .. }
        );
        self.engines == 2 && in_pairs && self.paired.is_none()
    }

    /// Returns the number of games, including those that are not paired yet.
    pub fn total(&self, tally: &Tally) -> usize {
        match self.form {
            _ if self.paired.is_some() => self.known(tally).len(),
            Form::Swiss { rounds } | Form::Danish { rounds } => {
                rounds as usize * usize::from(self.engines / 2)
            }
            Form::KnockOut => 2 * usize::from(self.engines.saturating_sub(1)),
            _ => self.known(tally).len(),
        }
    }

    /// Returns the games that are known in the order of play, including those already played.
    ///
    /// Results of games outside the schedule are ignored. The games of most forms are known from the start: only some
    /// [depend on results](Form::depends_on_results).
    pub fn known(&self, tally: &Tally) -> Vec<GameId> {
        let mut games = self.of_all_shards(tally);
        if self.shard != Shard::WHOLE {
            let mut numbers = 0..;
            games.retain(|_| numbers.next().is_some_and(|number| self.shard.has(number)));
        }
        games
    }

    fn of_all_shards(&self, tally: &Tally) -> Vec<GameId> {
        match self.form {
            _ if self.paired.is_some() => of_rounds(self.rounds(tally)),
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
            _ => of_rounds(self.rounds(tally)),
        }
    }

    /// Returns the rounds of a tournament that can be paired, in their order.
    pub fn rounds(&self, tally: &Tally) -> Vec<Round> {
        if let Some(paired) = &self.paired {
            return paired.to_vec();
        }
        let engines = (0..self.engines).map(EngineId);
        let entrants: Vec<Entrant> = engines.map(Entrant::new).collect();
        let mut rounds = Vec::new();
        while let Some(round) = next_round(self.form, &entrants, &rounds, tally) {
            rounds.push(round);
        }
        rounds
    }

    /// Returns the engines that got a bye, in the order of the rounds known so far.
    pub fn byes(&self, tally: &Tally) -> Vec<EngineId> {
        match self.form {
            Form::Swiss { .. } | Form::Danish { .. } | Form::Random { .. } | Form::KnockOut => {
                let rounds = self.rounds(tally).into_iter();
                rounds.flat_map(|round| round.byes).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the number of openings that the schedule uses.
    pub fn openings(&self) -> u32 {
        match self.form {
            Form::Pairs { pairs } | Form::Gauntlet { pairs } => pairs,
            Form::RoundRobin { cycles } | Form::DoubleRoundRobin { cycles } => {
                cycles * round_robin::rounds(self.engines)
            }
            Form::Swiss { rounds } | Form::Danish { rounds } | Form::Random { rounds, .. } => {
                rounds
            }
            Form::KnockOut => u32::from(self.engines).next_power_of_two().ilog2(),
            Form::Ladder => 1,
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

fn of_rounds(rounds: Vec<Round>) -> Vec<GameId> {
    rounds.into_iter().flat_map(|round| round.games).collect()
}

#[cfg(test)]
mod tests;
