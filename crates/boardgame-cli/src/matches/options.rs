//! The options of a match that do not depend on its game.

use std::{num::NonZeroUsize, path::PathBuf, thread::available_parallelism, time::Duration};

use crate::{LimitError, LimitOptions, ShardOptions, any_duration, duration, positive};
use boardgame_io::ProgramOptions;
use boardgame_match::{
    EngineId, ForfeitScore,
    calibrate::Balance,
    engine::{Engine, Patience},
    schedule::{Form, Schedule},
    stats::{Sprt, SprtSettings},
};
use clap::ValueEnum;

use crate::matches::{MatchError, find};

/// The options of a match that do not depend on its game.
#[derive(Clone, Debug, clap::Args)]
pub struct MatchOptions {
    /// The form of the match
    #[arg(long, value_enum, default_value_t = Tournament::Pairs)]
    pub form: Tournament,
    /// The games between every two engines that meet in pairs or a gauntlet, an even number: each
    /// opening is played twice, colours swapped [default: 100]
    #[arg(long, value_name = "N", value_parser = even)]
    pub games: Option<u32>,
    /// The rounds of a tournament [default: 1 of a round robin, enough to find the best of the
    /// others]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// The random seed for shuffling the openings, and for {seed} in commands
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop the match of two engines as soon as the test of two hypotheses on the first one's Elo is decided;
    /// [defaults: elo0=0, elo1=5, alpha=0.05, beta=0.05]
    #[arg(long, value_name = "BOUNDS", num_args = 0..=1, default_missing_value = "", value_parser = sprt)]
    pub sprt: Option<Sprt>,
    /// The engine in this process whose limit is scaled until its games cost as much CPU time as the other engine's,
    /// and the other. The game's own options set it where engines play in this process.
    #[arg(skip)]
    pub match_cpu: Option<(String, String)>,
    /// The margin of a game lost by a fault; by default the game's own. The game's own options set it.
    #[arg(skip)]
    pub forfeit_score: Option<ForfeitScore>,
    /// The number of games played at a time [default: 1 if a clock runs or a program plays, otherwise one for each
    /// processor]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    pub concurrency: Option<NonZeroUsize>,
    /// The time that a move may take beyond its limit before it is late
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = any_duration)]
    pub tolerance: Duration,
    /// The time after which an engine without a clock counts as hung. Starting may take 30s, and less in some
    /// formats
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = duration)]
    pub patience: Duration,
    /// The file that keeps every game as a line of JSON; an interrupted match continues from it
    #[arg(long, value_name = "FILE", default_value = "match.jsonl")]
    pub log: PathBuf,
    /// The limits of programs. They do not hold for engines in this process.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// The options of a match divided into shards. A shard has every N-th game; merging makes the log of all.
    #[command(flatten)]
    pub shards: ShardOptions,
}

/// The form of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tournament {
    /// Two engines, in pairs of games
    Pairs,
    /// The first engine against each other one, in pairs of games
    Gauntlet,
    /// Each against each, one game a round
    RoundRobin,
    /// Each against each, with both colours in each round
    DoubleRoundRobin,
    /// Rounds in which engines of equal points meet; the order of the engines is their seeding
    Swiss,
    /// Rounds in which the first meets the second, the third the fourth, and so on
    Danish,
    /// Rounds whose pairs are drawn
    Random,
    /// The loser of two games is out; the order of the engines is their seeding
    KnockOut,
}

/// The error of a number of games that does not make up pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an even number of games, at least 2")]
struct ParseGamesError;

/// An error in the text of a sequential test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum ParseSprtError {
    #[error("expected elo0=, elo1=, alpha= or beta= with a number, found {found:?}")]
    Part { found: String },
    #[error(transparent)]
    Settings(#[from] boardgame_match::stats::SprtError),
}

/// An error in the names of two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected NAME=NAME: the engine to limit, and the one to match")]
pub struct ParseNamesError;

fn even(text: &str) -> Result<u32, ParseGamesError> {
    let number = text.parse().ok();
    let even = number.filter(|number: &u32| number.is_multiple_of(2) && *number > 0);
    even.ok_or(ParseGamesError)
}

/// Parses the bounds of a sequential test, such as `elo0=0,elo1=10,alpha=0.01`.
fn sprt(text: &str) -> Result<Sprt, ParseSprtError> {
    let mut settings = SprtSettings::default();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let expected = || ParseSprtError::Part { found: part.into() };
        let (key, value) = part.split_once('=').ok_or_else(expected)?;
        let value = value.parse().map_err(|_| expected())?;
        match key {
            "elo0" => settings.elo0 = value,
            "elo1" => settings.elo1 = value,
            "alpha" => settings.alpha = value,
            "beta" => settings.beta = value,
            _ => return Err(expected()),
        }
    }
    Ok(Sprt::new(settings)?)
}

/// Parses the names of two engines, `NAME=NAME`.
///
/// # Errors
///
/// Fails if there is no equals sign.
pub fn two_names(text: &str) -> Result<(String, String), ParseNamesError> {
    let names = text.split_once('=').ok_or(ParseNamesError)?;
    Ok((names.0.to_owned(), names.1.to_owned()))
}

impl MatchOptions {
    /// Checks that the options go together.
    pub(crate) fn check<E: Engine>(&self, engines: &[E]) -> Result<(), MatchError> {
        let in_pairs = matches!(self.form, Tournament::Pairs | Tournament::Gauntlet);
        let refuse = |expected: &str| MatchError::Options(expected.into());
        let ensure = |holds: bool, expected| holds.then_some(()).ok_or_else(|| refuse(expected));
        ensure(
            in_pairs || self.games.is_none(),
            "--rounds for a tournament, found --games",
        )?;
        ensure(
            !in_pairs || self.rounds.is_none(),
            "--games for pairs and gauntlets, found --rounds",
        )?;
        if self.form == Tournament::Pairs && engines.len() != 2 {
            let found = engines.len();
            return Err(MatchError::Options(format!(
                "two engines for pairs, found {found}; --form names other forms"
            )));
        }
        ensure(
            self.form == Tournament::Pairs || self.sprt.is_none(),
            "--sprt with --form pairs only: it tests the difference of two engines",
        )?;
        let is_divided = self.shards.division().is_some();
        ensure(
            !is_divided || self.sprt.is_none() && self.match_cpu.is_none(),
            "a match without --sprt and --match-cpu for shards: both depend on the games before",
        )?;
        ensure(
            !is_divided || !self.schedule(engines.len())?.form().depends_on_results(),
            "another form for shards: its pairings depend on the games before",
        )?;
        ensure(
            self.form != Tournament::KnockOut || self.rounds.is_none(),
            "no --rounds for a knock-out, which ends with its final",
        )?;
        self.check_match_cpu(engines)
    }

    fn check_match_cpu<E: Engine>(&self, engines: &[E]) -> Result<(), MatchError> {
        let Some([scaled, other]) = self.matched(engines)? else {
            return Ok(());
        };
        let engine = &engines[usize::from(scaled.0)];
        let (name, limit) = (engine.name(), engine.limit());
        let expected = if scaled == other {
            format!("two engines in --match-cpu, found {name} twice")
        } else if !engine.is_local() {
            format!("our own engine first in --match-cpu, found {name}")
        } else if limit.scaled(1.0).is_none() {
            format!(
                "a limit of {name} that --match-cpu can scale, such as nodes:20000 or move:50ms, \
                 found \"{limit}\""
            )
        } else {
            return Ok(());
        };
        Err(MatchError::Options(expected))
    }

    /// Returns the engine whose CPU time is to match the other's, and the other.
    pub(crate) fn matched<E: Engine>(
        &self,
        engines: &[E],
    ) -> Result<Option<[EngineId; 2]>, MatchError> {
        let Some((engine, like)) = &self.match_cpu else {
            return Ok(None);
        };
        Ok(Some([find(engines, engine)?, find(engines, like)?]))
    }

    /// Returns the balance of the costs of two engines during the match, if requested.
    pub(crate) fn balance<E: Engine>(&self, engines: &[E]) -> Result<Option<Balance>, MatchError> {
        let matched = self.matched(engines)?;
        Ok(matched.map(|[engine, like]| Balance::new(engine, like)))
    }

    /// Returns the schedule for a number of engines.
    ///
    /// # Errors
    ///
    /// Fails if the form does not fit the engines, or the match is too long.
    pub fn schedule(&self, engines: usize) -> Result<Schedule, MatchError> {
        let pairs = self.games.unwrap_or(100) / 2;
        let cycles = self.rounds.unwrap_or(1);
        let enough = engines.next_power_of_two().ilog2();
        let rounds = self.rounds.unwrap_or(enough);
        let form = match self.form {
            Tournament::Pairs => Form::Pairs { pairs },
            Tournament::Gauntlet => Form::Gauntlet { pairs },
            Tournament::RoundRobin => Form::RoundRobin { cycles },
            Tournament::DoubleRoundRobin => Form::DoubleRoundRobin { cycles },
            Tournament::Swiss => Form::Swiss { rounds },
            Tournament::Danish => Form::Danish { rounds },
            Tournament::Random => Form::Random {
                rounds,
                seed: self.seed,
            },
            Tournament::KnockOut => Form::KnockOut,
        };
        Ok(Schedule::new(form, engines)?)
    }

    /// Returns the limits on waiting for engines, and those of their programs.
    pub(crate) fn patience(&self) -> Result<Patience, LimitError> {
        Ok(Patience {
            untimed: self.patience,
            program: ProgramOptions {
                limits: self.limits.limits()?,
                ..ProgramOptions::default()
            },
            ..Patience::default()
        })
    }
}

/// Returns the number of games played at a time; with clocks, at most what the processors allow. The default is one
/// with clocks, so that games do not compete for processors, or with programs, whose number of threads is unknown.
///
/// # Errors
///
/// Fails if the engines have clocks and more games are requested than the processors allow.
pub fn concurrency<E: Engine>(
    requested: Option<NonZeroUsize>,
    engines: &[E],
) -> Result<NonZeroUsize, MatchError> {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = engines.iter().map(Engine::threads).max().unwrap_or(1);
    let room = NonZeroUsize::new(processors / threads).unwrap_or(NonZeroUsize::MIN);
    let timed = engines.iter().any(|engine| engine.limit().is_timed());
    let all_local = engines.iter().all(Engine::is_local);
    match requested {
        None if timed || !all_local => Ok(NonZeroUsize::MIN),
        None => Ok(room),
        Some(games) if timed && games > room => Err(MatchError::Options(format!(
            "at most {room} games at a time: each takes {threads} of the {processors} \
             processors, and more would take time from each other's clocks"
        ))),
        Some(games) => Ok(games),
    }
}
