//! The options of the engine.

use std::time::Duration;

use boardgame_cli::duration;
use clap::{
    Args,
    builder::{RangedU64ValueParser, TypedValueParser},
};
use go_engine::{MemorySize, Settings};

/// The options of the engine.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Engine options")]
pub struct Options {
    /// Make no more than this number of playouts for a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub playouts: Option<u32>,

    /// Use no more than this for a move (500ms, 2s)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub move_time: Option<Duration>,

    /// Size of the search tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t, value_parser = memory())]
    pub memory: MemorySize,

    /// Seed of random choices
    #[arg(long, value_name = "NUMBER", default_value_t = Settings::default().seed)]
    pub seed: u64,
}

impl From<&Options> for Settings {
    fn from(options: &Options) -> Self {
        Self {
            seed: options.seed,
            playouts: options.playouts,
            move_time: options.move_time,
            memory: options.memory,
        }
    }
}

fn memory() -> impl TypedValueParser<Value = MemorySize> {
    RangedU64ValueParser::<u64>::new()
        .range(1..=MemorySize::MAX)
        .try_map(MemorySize::try_from)
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

    fn parse(line: &str) -> Result<Settings, clap::Error> {
        let words = std::iter::once("player").chain(line.split_whitespace());
        Line::try_parse_from(words).map(|line| Settings::from(&line.options))
    }

    #[test]
    fn the_settings_of_the_engine_are_those_of_the_options() {
        let settings = parse("--playouts 50 --move-time 500ms --memory 16 --seed 7").unwrap();
        let expected = Settings {
            seed: 7,
            playouts: Some(50),
            move_time: Some(Duration::from_millis(500)),
            memory: MemorySize::new(16).unwrap(),
        };
        assert_eq!(settings, expected);
        assert_eq!(parse("").unwrap(), Settings::default());
    }

    #[test]
    fn a_wrong_value_is_refused_with_what_was_expected() {
        for (line, expected) in [
            ("--playouts 0", "0 is not in 1..=4294967295"),
            ("--move-time 2", "expected a time such as 500ms, 2s or 30m"),
            ("--move-time 0s", "expected a time longer than 0"),
            ("--memory 0", "0 is not in 1..=65536"),
            ("--seed x", "invalid digit"),
        ] {
            let error = parse(line).err().map(|error| error.to_string());
            let error = error.unwrap_or_default();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
