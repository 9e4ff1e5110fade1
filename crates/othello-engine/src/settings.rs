//! The settings of an engine.

use std::{num::NonZeroUsize, sync::Arc, thread, time::Duration};

use boardgame_core::Bounded;
use othello_core::Tier;
use othello_search::{Level, Limits, Searcher, TableError, eval::Network};
use serde::{Deserialize, Serialize};

use crate::{book::BookPlay, human::PlayStyle, level::Rating};

/// The settings of an [`Engine`](crate::Engine). By default it uses one thread and a small table, and plays at full
/// strength.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use othello_engine::{HashSize, Settings};
///
/// let settings = Settings {
///     hash: HashSize::new(64).expect("within the bounds"),
///     move_time: Some(Duration::from_millis(500)),
///     ..Settings::default()
/// };
/// assert_eq!(settings.threads.get(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The size of the transposition table (default 32 MiB).
    pub hash: HashSize,
    /// The number of search threads (default 1).
    pub threads: ThreadCount,
    /// The instruction set, which affects only speed. `None` is the best tier of this CPU; an unsupported tier is
    /// replaced by [`Tier::Portable`].
    pub tier: Option<Tier>,
    /// The evaluation. Not serialized: deserialized settings have the built-in one.
    #[serde(skip)]
    pub network: Arc<Network>,
    /// The opening book, from which moves come before a search, or `None` for none (the default). Not serialized.
    #[serde(skip)]
    pub book: Option<BookPlay>,
    /// The limits of each search apart from time.
    pub strength: Strength,
    /// The seed of the choices of a [`person`](Strength::person) and of moves from a book, or `None` for a new one each
    /// time.
    pub seed: Option<u64>,
    /// The maximum time for a move, or `None` for no limit.
    pub move_time: Option<Duration>,
    /// The maximum time for a whole game, or `None` for no limit.
    pub game_time: Option<Duration>,
    /// The time kept back from every limit for delays outside the search: start-up, pipes, network. `None` is a share
    /// of the limit.
    pub reserve: Option<Duration>,
    /// Enables pondering on the opponent's time: if set, the program calls [`Engine::ponder`](crate::Engine::ponder).
    pub ponder: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self::with_network(Network::built_in())
    }
}

impl Settings {
    /// The default settings with another evaluation. A program that never uses the built-in network is linked without
    /// its weights.
    pub fn with_network(network: Arc<Network>) -> Self {
        Self {
            hash: HashSize::default(),
            threads: ThreadCount::default(),
            tier: None,
            network,
            book: None,
            strength: Strength::default(),
            seed: None,
            move_time: None,
            game_time: None,
            reserve: None,
            ponder: false,
        }
    }

    /// Creates a searcher with these settings, for a program that limits its searches itself. An
    /// [`Engine`](crate::Engine) takes its limits from the settings and a clock.
    ///
    /// # Errors
    ///
    /// Fails if there is not enough memory for the transposition table.
    pub fn searcher(&self) -> Result<Searcher, TableError> {
        self.searcher_with_table(self.hash.get())
    }

    /// Creates a searcher with a table of `hash_mib` instead of [`hash`](Self::hash).
    pub(crate) fn searcher_with_table(&self, hash_mib: usize) -> Result<Searcher, TableError> {
        Searcher::try_new(othello_search::Options {
            hash_mib,
            threads: self.threads.into(),
            tier: self.tier.unwrap_or_else(Tier::best),
            network: Arc::clone(&self.network),
        })
    }
}

/// The limits of a search apart from time; none by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Strength {
    /// The maximum depth of iterations in plies; 0 counts as 1.
    pub depth: Option<u32>,
    /// The maximum number of empty squares at which a position is solved exactly even if [`depth`](Self::depth) is
    /// lower.
    pub solve_from: u32,
    /// The maximum number of nodes per move.
    pub nodes: Option<u64>,
    /// Enables ProbCut pruning (default `true`).
    pub selective: bool,
    /// The rating to [imitate](crate::human), searching no deeper than the limits above; `None` plays the best move.
    pub person: Option<Rating>,
}

impl Default for Strength {
    fn default() -> Self {
        Self {
            depth: None,
            solve_from: 0,
            nodes: None,
            selective: true,
            person: None,
        }
    }
}

impl Strength {
    /// Limits the depth, in plies.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// The strength of a level.
    pub fn level(level: Level) -> Self {
        Self {
            solve_from: level.solve_from(),
            ..Self::depth(level.depth())
        }
    }

    /// Limits the strength to the level with number `max_depth`, if that has a lower depth.
    #[must_use]
    pub(crate) fn at_most(self, max_depth: Option<u32>) -> Self {
        let level = max_depth.and_then(|depth| {
            let highest = u32::from(Level::MAX.number());
            Level::new(depth.clamp(1, highest) as u8)
        });
        match level {
            Some(level) if self.depth.is_none_or(|own| level.depth() < own) => Self {
                depth: Some(level.depth()),
                solve_from: level.solve_from(),
                ..self
            },
            _ => self,
        }
    }

    /// Returns whether a search of this strength ends without a time limit.
    pub(crate) const fn is_bounded(self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.person.is_some()
    }

    /// Converts to the limits of a search.
    pub fn limits(self) -> Limits {
        let person = self.person.map(|rating| PlayStyle::of(rating).strength());
        let Self {
            depth, solve_from, ..
        } = person.map_or(self, |of| of.at_most(self.depth));
        Limits {
            depth,
            solve_from,
            nodes: self.nodes,
            selective: self.selective,
            ..Limits::default()
        }
    }
}

/// The size of a transposition table in MiB, from 1 to 65536 (64 GiB); 32 by default.
pub type HashSize = Bounded<65_536, 32>;

/// A number of threads from 1 to 1024; 1 by default.
pub type ThreadCount = Bounded<1024, 1>;

/// Returns one thread per CPU available to this process, at most [`ThreadCount::MAX`]. On Linux, considers its affinity
/// and the CPU quota of its control group. Returns 1 if the number is unknown.
pub fn available_threads() -> ThreadCount {
    let count = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    ThreadCount::new((count as u64).min(ThreadCount::MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_of_two_depths_applies() {
        let strength = |own: Option<u32>, wanted| {
            let own = own.map_or_else(Strength::default, Strength::depth);
            let limits = own.at_most(wanted).limits();
            (limits.depth, limits.solve_from)
        };
        assert_eq!(strength(None, None), (None, 0));
        assert_eq!(strength(Some(5), None), (Some(5), 0));
        assert_eq!(strength(Some(5), Some(9)), (Some(5), 0));
        assert_eq!(strength(Some(9), Some(5)), (Some(5), 11));
        assert_eq!(strength(None, Some(0)), (Some(1), 4));
        assert_eq!(strength(None, Some(1000)), (Some(60), 60));
    }

    #[test]
    fn a_requested_depth_leaves_the_other_limits() {
        let own = Strength {
            nodes: Some(1000),
            selective: false,
            ..Strength::default()
        };
        let limits = own.at_most(Some(3)).limits();
        assert_eq!(
            (limits.depth, limits.nodes, limits.selective),
            (Some(3), Some(1000), false)
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn available_threads_are_limited_by_the_affinity() {
        use nix::{
            sched::{CpuSet, sched_getaffinity, sched_setaffinity},
            unistd::Pid,
        };
        // The affinity belongs to this thread alone.
        let this = Pid::from_raw(0);
        let all = sched_getaffinity(this).unwrap();
        let first = (0..CpuSet::count()).find(|&cpu| all.is_set(cpu) == Ok(true));
        let mut one = CpuSet::new();
        one.set(first.expect("a CPU")).unwrap();
        sched_setaffinity(this, &one).unwrap();
        assert_eq!(available_threads(), ThreadCount::MIN);
    }

    #[test]
    fn settings_round_trip_through_serde() {
        let settings = Settings {
            hash: HashSize::new(7).unwrap(),
            tier: Some(Tier::Portable),
            strength: Strength::level(Level::MIN),
            move_time: Some(Duration::from_millis(1500)),
            ponder: true,
            ..Settings::default()
        };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
        assert_eq!(
            serde_json::from_str::<Settings>("{}").unwrap(),
            Settings::default()
        );
        for wrong in [r#"{"hash":0}"#, r#"{"threads":1025}"#, r#"{"hush":1}"#] {
            assert!(serde_json::from_str::<Settings>(wrong).is_err(), "{wrong}");
        }
    }
}
