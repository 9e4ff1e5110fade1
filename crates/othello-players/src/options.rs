//! The options that all players have in common.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use othello_core::Tier;
use othello_search::Level;

/// The transposition table unless told otherwise, in MiB.
const DEFAULT_HASH: u64 = 32;
/// The largest transposition table that may be asked for, in MiB.
pub const MAX_HASH: u64 = 64 * 1024;
/// The most threads that may be asked for.
pub const MAX_THREADS: u64 = 1024;
/// The longest time that may be asked for, in days: sums of a few such times are still moments that
/// every clock knows.
pub const MAX_DAYS: u64 = 365;

/// How strongly and how long to think, and where to log.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Engine options")]
pub struct Options {
    /// Search with this many threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count(MAX_THREADS))]
    pub threads: u64,

    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH, value_parser = count(MAX_HASH))]
    pub hash: u64,

    /// Think on the opponent's time as well
    #[arg(long)]
    pub ponder: bool,

    /// Search no deeper than this many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,

    /// Play at this level, 1 (weakest) to 60: a depth, and when to solve the end
    #[arg(long, value_name = "LEVEL", value_parser = level, conflicts_with = "depth")]
    pub level: Option<Level>,

    /// Use no more than this for a move (500ms, 2s)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub move_time: Option<Duration>,

    /// Use no more than this for a whole game (90s, 30m)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub game_time: Option<Duration>,

    /// Keep this back from every limit for start-up, pipes and network [default: a share of it]
    #[arg(long, value_name = "TIME", value_parser = any_duration)]
    pub reserve: Option<Duration>,

    /// Instructions to use: portable, avx2 or avx512 [default: the best of this CPU]
    #[arg(long, value_name = "TIER", env = "OTHELLO_TIER", value_parser = tier, hide_env_values = true)]
    pub tier: Option<Tier>,

    /// Append the log to this file [default: a file per player in the user's state directory]
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

impl Default for Options {
    /// What an empty command line gives, without a look at the environment.
    fn default() -> Self {
        Self {
            threads: 1,
            hash: DEFAULT_HASH,
            ponder: false,
            depth: None,
            level: None,
            move_time: None,
            game_time: None,
            reserve: None,
            tier: None,
            log: None,
        }
    }
}

/// Why a value on the command line is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No duration.
    #[error("expected a time such as 500ms, 2s or 30m")]
    Duration,
    /// A duration that is too long.
    #[error("expected a time of at most {MAX_DAYS} days")]
    TooLong,
    /// A duration of nothing.
    #[error("expected a time longer than 0")]
    NoTime,
    /// No level.
    #[error("expected a level from 1 to 60")]
    Level,
    /// No tier.
    #[error(transparent)]
    Tier(#[from] othello_core::ParseTierError),
    /// A tier whose instructions the CPU lacks.
    #[error("this CPU lacks the instructions of {0}; the best it has is {best}", best = Tier::best())]
    UnsupportedTier(Tier),
}

/// Reads a duration longer than nothing and of at most [`MAX_DAYS`] with its unit, such as `500ms`.
///
/// # Errors
///
/// When the text is no such duration.
pub fn duration(text: &str) -> Result<Duration, OptionError> {
    match any_duration(text)? {
        Duration::ZERO => Err(OptionError::NoTime),
        time => Ok(time),
    }
}

/// Reads a duration of at most [`MAX_DAYS`] with its unit; nothing, `0s`, is one.
///
/// # Errors
///
/// When the text is no such duration.
pub fn any_duration(text: &str) -> Result<Duration, OptionError> {
    match humantime::parse_duration(text) {
        Ok(time) if time > Duration::from_hours(24 * MAX_DAYS) => Err(OptionError::TooLong),
        Ok(time) => Ok(time),
        Err(humantime::DurationError::NumberOverflow) => Err(OptionError::TooLong),
        Err(_) => Err(OptionError::Duration),
    }
}

fn level(text: &str) -> Result<Level, OptionError> {
    let number = text.parse().map_err(|_| OptionError::Level)?;
    Level::new(number).ok_or(OptionError::Level)
}

/// Reads the name of a tier that this CPU has.
///
/// # Errors
///
/// When the text names no tier, or one whose instructions the CPU lacks.
pub fn tier(text: &str) -> Result<Tier, OptionError> {
    let tier: Tier = text.parse()?;
    if tier.is_supported() {
        Ok(tier)
    } else {
        Err(OptionError::UnsupportedTier(tier))
    }
}

fn count(most: u64) -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn parse(line: &str) -> Result<Options, clap::Error> {
        let words = std::iter::once("player").chain(line.split_whitespace());
        Line::try_parse_from(words).map(|line| line.options)
    }

    #[test]
    fn every_option_reaches_its_field() {
        let line = "--threads 3 --hash 16 --depth 8 --move-time 500ms --game-time 30m \
                    --reserve 1s --tier portable --log a.log";
        let options = parse(line).unwrap();
        assert_eq!(
            (options.threads, options.hash, options.depth),
            (3, 16, Some(8))
        );
        assert_eq!(options.move_time, Some(Duration::from_millis(500)));
        assert_eq!(options.game_time, Some(Duration::from_mins(30)));
        assert_eq!(options.reserve, Some(Duration::from_secs(1)));
        assert_eq!(options.tier, Some(Tier::Portable));
        assert_eq!(options.log, Some(PathBuf::from("a.log")));
        let longest = parse("--game-time 365days").unwrap().game_time;
        assert_eq!(longest, Some(Duration::from_hours(365 * 24)));
        let level = parse("--level 12").unwrap().level;
        assert_eq!(level.map(Level::number), Some(12));
    }

    #[test]
    fn without_options_there_is_no_limit_and_one_thread() {
        let options = parse("").unwrap();
        assert_eq!(options.threads, 1);
        assert_eq!((options.depth, options.level), (None, None));
        assert_eq!((options.move_time, options.game_time), (None, None));
    }

    #[test]
    fn a_wrong_value_is_refused_with_what_was_expected() {
        for (line, expected) in [
            ("--threads 0", "0 is not in 1..=1024"),
            ("--hash 0", "0 is not in 1..=65536"),
            ("--depth 61", "61 is not in 1..=60"),
            ("--level 0", "expected a level from 1 to 60"),
            ("--level x", "expected a level from 1 to 60"),
            ("--move-time 2", "expected a time such as 500ms, 2s or 30m"),
            ("--game-time 0s", "expected a time longer than 0"),
            (
                "--game-time 18446744073709551615s",
                "expected a time of at most 365 days",
            ),
            (
                "--reserve 99999999999999999999s",
                "expected a time of at most 365 days",
            ),
            ("--move-time 366days", "expected a time of at most 365 days"),
            ("--tier sse9", "expected an instruction-set tier"),
            ("--depth 3 --level 3", "cannot be used with"),
        ] {
            let error = parse(line).err().map(|error| error.to_string());
            let error = error.unwrap_or_default();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
