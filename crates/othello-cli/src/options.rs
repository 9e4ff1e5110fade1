//! The options that all players have in common.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use boardgame_cli::{any_duration, duration, number_of};
use clap::{
    Args,
    builder::{RangedU64ValueParser, TypedValueParser},
};
use othello_core::Tier;
use othello_engine::{
    HashSize, Network, PlayLevel, Settings, Strength, ThreadCount,
    book::{BookPlay, OpeningBook},
    text::{discs, threads, tier},
};
use othello_proto::session::TimeMargin;

/// The options of the engine, and of the log.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Engine options")]
pub struct Options {
    /// Search with this many threads; auto is one for each CPU
    #[arg(long, value_name = "N", default_value_t, value_parser = threads)]
    pub threads: ThreadCount,

    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value_t, value_parser = hash_size())]
    pub hash: HashSize,

    /// Think on the opponent's time as well
    #[arg(long)]
    pub ponder: bool,

    /// Search no deeper than this many plies
    #[arg(long, value_name = "PLIES", value_parser = number_of("plies", 1..=60))]
    pub depth: Option<u32>,

    /// Play at this level: beginner, casual, club, tournament, expert, master, full, a rating
    /// from 100 on, or 1 to 60, a depth and when to solve the end
    #[arg(long, value_name = "LEVEL", conflicts_with = "depth")]
    pub level: Option<PlayLevel>,

    /// The opening book.
    #[command(flatten)]
    pub book: BookOptions,

    /// Draw moves from this seed, at a level with a name or rating and from the book
    /// [default: a new one each time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

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
    /// Returns the options of an empty command line, ignoring the environment.
    fn default() -> Self {
        Self {
            threads: ThreadCount::default(),
            hash: HashSize::default(),
            ponder: false,
            depth: None,
            level: None,
            book: BookOptions::default(),
            seed: None,
            move_time: None,
            game_time: None,
            reserve: None,
            tier: None,
            log: None,
        }
    }
}

impl Options {
    /// Returns the sessions' time margin, shorter than the engine's reserve: half of a reserve that is smaller than
    /// usual.
    pub(crate) fn time_margin(&self) -> TimeMargin {
        let margin = TimeMargin::default();
        self.reserve
            .map_or(margin, |reserve| margin.at_most(reserve / 2))
    }
}

impl Options {
    /// Returns the settings of an engine with an evaluation.
    pub(crate) fn settings(&self, network: Arc<Network>) -> Settings {
        let strength = match (self.level, self.depth) {
            (Some(level), _) => level.into(),
            (None, Some(depth)) => Strength::depth(depth),
            (None, None) => Strength::default(),
        };
        Settings {
            hash: self.hash,
            threads: self.threads,
            tier: self.tier,
            strength,
            book: self.book.play(),
            seed: self.seed,
            move_time: self.move_time,
            game_time: self.game_time,
            reserve: self.reserve,
            ponder: self.ponder,
            ..Settings::with_network(network)
        }
    }
}

/// The options of the opening book.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct BookOptions {
    /// Play the moves of this opening book at any depth, or none to always search
    /// [default: the built-in book, at full strength alone]
    #[arg(long, value_name = "FILE|none", value_parser = book)]
    pub book: Option<BookOption>,

    /// Draw among the moves of the book that lose at most this
    #[arg(long, value_name = "DISCS", default_value = "0", value_parser = discs)]
    pub book_margin: u16,
}

impl BookOptions {
    /// Returns the book of an engine's settings.
    pub fn play(&self) -> Option<BookPlay> {
        let (book, at_any_strength) = match &self.book {
            None => (OpeningBook::built_in().into(), false),
            Some(BookOption::None) => return None,
            Some(BookOption::File(book)) => (Arc::clone(book), true),
        };
        Some(BookPlay {
            book,
            margin: self.book_margin,
            at_any_strength,
        })
    }
}

/// The opening book of a player, if not the built-in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookOption {
    /// No book.
    None,
    /// The book of a file.
    File(Arc<OpeningBook>),
}

fn book(text: &str) -> io::Result<BookOption> {
    Ok(match text {
        "none" => BookOption::None,
        path => BookOption::File(OpeningBook::read(Path::new(path))?.into()),
    })
}

impl From<&Options> for Settings {
    /// Returns the settings with the built-in evaluation.
    fn from(options: &Options) -> Self {
        options.settings(Network::built_in())
    }
}

/// Returns the parser of a size of the transposition table in MiB.
pub fn hash_size() -> impl TypedValueParser<Value = HashSize> {
    RangedU64ValueParser::<u64>::new()
        .range(1..=HashSize::MAX)
        .try_map(HashSize::try_from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;
    use othello_engine::{Level, Rating, book::to_bytes};

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
            (options.threads.get(), options.hash.get(), options.depth),
            (3, 16, Some(8))
        );
        assert_eq!(options.move_time, Some(Duration::from_millis(500)));
        assert_eq!(options.game_time, Some(Duration::from_mins(30)));
        assert_eq!(options.reserve, Some(Duration::from_secs(1)));
        assert_eq!(options.tier, Some(Tier::Portable));
        assert_eq!(options.log, Some(PathBuf::from("a.log")));
        let longest = parse("--game-time 365days").unwrap().game_time;
        assert_eq!(longest, Some(Duration::from_hours(365 * 24)));
        let options = parse("--book none --book-margin 0.5").unwrap();
        let expected = (Some(BookOption::None), 50);
        assert_eq!((options.book.book, options.book.book_margin), expected);
        let options = parse("--level club --seed 7").unwrap();
        assert_eq!(
            (options.level, options.seed),
            ("club".parse().ok(), Some(7))
        );
    }

    #[test]
    fn without_options_there_is_no_limit_and_one_thread() {
        let options = parse("").unwrap();
        assert_eq!(options.threads.get(), 1);
        assert_eq!((options.depth, options.level), (None, None));
        assert_eq!((options.move_time, options.game_time), (None, None));
    }

    #[test]
    fn a_wrong_value_is_refused_with_what_was_expected() {
        for (line, expected) in [
            (
                "--threads 0",
                "expected a number of threads from 1 to 1024, or auto",
            ),
            ("--threads x", "expected a number of threads from 1 to 1024"),
            ("--hash 0", "0 is not in 1..=65536"),
            ("--depth 61", "expected a number of plies from 1 to 60"),
            ("--depth x", "expected a number of plies from 1 to 60"),
            (
                "--level 0",
                "full, a level from 1 to 60 or a rating from 100",
            ),
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
            ("--book /no/such/file", "No such file or directory"),
            ("--book Cargo.toml", "offset 0: expected an Othello book"),
            ("--book-margin x", "expected a number of discs from 0 to 64"),
        ] {
            let error = parse(line).err().map(|error| error.to_string());
            let error = error.unwrap_or_default();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn the_settings_of_the_engine_are_those_of_the_options() {
        let settings = |line: &str| Settings::from(&parse(line).unwrap());
        let line = "--threads 3 --hash 16 --depth 8 --move-time 500ms --game-time 30m \
                    --reserve 1s --tier portable --ponder";
        let expected = Settings {
            threads: ThreadCount::new(3).unwrap(),
            hash: HashSize::new(16).unwrap(),
            strength: Strength::depth(8),
            move_time: Some(Duration::from_millis(500)),
            game_time: Some(Duration::from_mins(30)),
            reserve: Some(Duration::from_secs(1)),
            tier: Some(Tier::Portable),
            ponder: true,
            book: settings("").book,
            ..Settings::default()
        };
        assert_eq!(settings(line), expected);
        assert_eq!(
            settings("--level 12").strength,
            Strength::level(Level::new(12).unwrap())
        );
        let of_a_club = settings("--level club --seed 7");
        assert_eq!(
            (of_a_club.strength.person, of_a_club.seed),
            (Rating::new(1100), Some(7))
        );
        let plain = Settings {
            tier: settings("").tier,
            ..Settings::default()
        };
        assert_eq!(settings("--book none"), plain);
    }

    #[test]
    fn the_built_in_book_is_for_full_strength_and_one_of_a_file_for_all_depths() {
        let play = |line: &str| Settings::from(&parse(line).unwrap()).book.unwrap();
        let built_in = BookPlay {
            book: OpeningBook::built_in().into(),
            margin: 25,
            at_any_strength: false,
        };
        assert_eq!(play("--book-margin 0.25"), built_in);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), to_bytes(7, [])).unwrap();
        let own = play(&format!("--book {}", file.path().display()));
        assert_eq!((own.book.weights(), own.at_any_strength), (7, true));
    }
}
