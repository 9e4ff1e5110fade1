//! The games that a command reads.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use crate::training_game::{Source, TrainingGame, read};

/// Games, and which of their positions are used.
#[derive(clap::Args)]
pub(crate) struct GamesOption {
    /// Shards of self-play, or folders of them, of any sizes of board; SGF files of games of people, of which those on
    /// 19x19 without handicap are used
    #[arg(value_name = "GAMES", required = true)]
    paths: Vec<PathBuf>,
    /// Use the first N usable games of each file
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    first: usize,
    /// Use one of N positions of each game; shapes are counted in all
    #[arg(long, value_name = "N", default_value = "1", value_parser = every)]
    pub(crate) every: usize,
}

/// Reads a number of at least 1.
fn every(text: &str) -> Result<usize, &'static str> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or("expected a number of at least 1")
}

impl GamesOption {
    /// Reads the games.
    pub(crate) fn read(&self) -> anyhow::Result<(Vec<TrainingGame>, Vec<Source>)> {
        read(&self.paths, self.first)
    }
}

/// Prints the sources of games as TOML.
pub(crate) fn print_sources(sources: &[Source]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    (sources.iter()).try_for_each(|source| writeln!(out, "{source}"))
}
