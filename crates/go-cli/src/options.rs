//! The options of the engine.

use std::{path::PathBuf, time::Duration};

use boardgame_cli::duration;
use clap::{
    Args, ValueHint,
    builder::{PathBufValueParser, RangedU64ValueParser, TypedValueParser},
};
use go_engine::{MemorySize, Settings, WeightsFile};

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

    /// Search with the weights of this file [default: the built-in ones]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = weights())]
    pub weights: Option<WeightsFile>,
}

impl From<&Options> for Settings {
    fn from(options: &Options) -> Self {
        Self {
            seed: options.seed,
            playouts: options.playouts,
            move_time: options.move_time,
            memory: options.memory,
            weights: options.weights.clone(),
        }
    }
}

fn memory() -> impl TypedValueParser<Value = MemorySize> {
    RangedU64ValueParser::<u64>::new()
        .range(1..=MemorySize::MAX)
        .try_map(MemorySize::try_from)
}

/// Returns a parser of the path of a file of weights, which reads the file.
fn weights() -> impl TypedValueParser<Value = WeightsFile> {
    PathBufValueParser::new().try_map(|path: PathBuf| WeightsFile::read(&path))
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
            weights: None,
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

    #[test]
    fn the_file_of_weights_is_read_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.weights");
        std::fs::write(&path, "feature distance-5 1.25\n").unwrap();
        let line = format!("--weights {}", path.display());
        let read = parse(&line).unwrap().weights;
        assert_eq!(read, Some(WeightsFile::read(&path).unwrap()));
        std::fs::write(&path, "feature distance-5\n").unwrap();
        let error = parse(&line).unwrap_err().to_string();
        let expected = "a.weights, line 1: expected a kind, a name and a number";
        assert!(error.contains(expected), "{error}");
        std::fs::remove_file(&path).unwrap();
        let error = parse(&line).unwrap_err().to_string();
        assert!(error.contains("a.weights: "), "{error}");
    }
}
