//! `othello-train suite`: test positions with their scores.

use std::{
    io::{self, Write as _},
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use boardgame_cli::{Division, ShardOptions};
use boardgame_files::shards::{Shard, Work, program_version};
use othello_core::Position;
use othello_engine::HashSize;
use serde::Serialize;

use super::{
    engine::{EngineOptions, SMALL_TABLE},
    problems::{parts, solve_shard, write_merged, write_problems},
    source::Source,
};
use crate::{
    corpus::Split,
    suite::{Suite, is_close, solve},
};

/// The default size of the table: a solution fills more of it than a move.
const DEFAULT_HASH: HashSize = HashSize::new(256).unwrap();

/// The depth of the searches for close moves.
const CLOSE_DEPTH: u32 = 12;

const EXAMPLE: &str = "\
Example: othello-train suite gen/4 --empties 20 --every 40 --count 500 --out exact-20.obf
Then:    othello solve exact-20.obf --depth 8

Positions of human games, nearly exact:
  othello-train suite games.wtb --empties 30 --count 9 --confidence 98 --out s.obf

An interrupted run is resumed by the same command.";

/// Solves positions of games and writes them as OBF with all their best moves.
///
/// In shards of games of the engine, only games held out count; in records of other games, of any
/// format that `othello convert` writes, all. A record that cannot be read is an error. The
/// positions have at least two legal moves, are distinct up to symmetry, and are written with Black
/// to move.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Shards of games, or folders of them; or records of other games
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Number of empty squares of the positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=40))]
    empties: u32,
    /// Number of positions
    #[arg(long, value_name = "N")]
    count: NonZeroUsize,
    /// Take a position from every K-th of the games only
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Take only positions whose two best moves lie at most DISCS apart by a search to depth 12
    #[arg(long, value_name = "DISCS", value_parser = clap::value_parser!(u8).range(..=64))]
    close: Option<u8>,
    /// Solve with at least this confidence, in levels of 79, 89, 95, 98 and 99; 100 is exact, and takes the most time
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u8).range(1..=100))]
    confidence: u8,
    /// One in N games of the shards is held out
    #[arg(long, value_name = "N", default_value_t = Split::default().one_in, value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: u32,
    /// File of problems to write; of shards once they are merged. The folder FILE.obf.parts keeps those solved so far
    /// and the settings; delete both to start again with other settings
    #[arg(long, value_name = "FILE.obf", required_unless_present = "shard")]
    out: Option<PathBuf>,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH)]
    hash: HashSize,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    shards: ShardOptions,
}

/// Everything that decides the problems of a suite.
#[derive(Serialize)]
struct Settings {
    program: String,
    /// The checksum of the games.
    games: String,
    /// That of the weights, unless they are the built-in ones.
    weights: Option<String>,
    hash: String,
    empties: u32,
    every: u64,
    close: Option<u8>,
    confidence: u8,
    hold_out: u32,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let source = Source::open(&args.games)?;
    let work = args.work(&source)?;
    match args.shards.division() {
        None => args.write(&source, &work),
        Some(Division::Shard(shard, folder)) => args.solve(&source, &work, shard, folder),
        Some(Division::Merge(folder)) => {
            write_merged(&args.shards.merged(&parts(folder), &work)?, args.out()?)
        }
    }
}

impl Args {
    fn out(&self) -> anyhow::Result<&Path> {
        self.out.as_deref().context("expected --out")
    }

    /// Returns the positions to solve.
    fn positions(&self, source: &Source) -> anyhow::Result<Vec<Position>> {
        let suite = Suite {
            empties: self.empties,
            every: self.every,
            count: self.count.get(),
        };
        let games = source.games(Split {
            one_in: self.hold_out,
        })?;
        let positions = match self.close {
            None => suite.positions(games, &mut |_| true)?,
            Some(discs) => {
                let mut searcher = self.engine.searcher(SMALL_TABLE)?;
                suite.positions(games, &mut |position| {
                    is_close(&mut searcher, position, CLOSE_DEPTH, discs.into())
                })?
            }
        };
        ensure!(
            positions.len() == self.count.get(),
            "expected {} such positions with {} empty squares, but the games have {}",
            self.count,
            self.empties,
            positions.len(),
        );
        Ok(positions)
    }

    fn work(&self, source: &Source) -> anyhow::Result<Work> {
        let settings = Settings {
            program: program_version(env!("CARGO_PKG_VERSION"))?,
            games: format!("{:08x}", source.checksum()),
            weights: self.engine.checksum()?,
            hash: self.hash.to_string(),
            empties: self.empties,
            every: self.every,
            close: self.close,
            confidence: self.confidence,
            hold_out: self.hold_out,
        };
        let count = self.count.get() as u64;
        Ok(Work::new("othello-train suite", count, &settings)?)
    }

    /// Solves all positions.
    fn write(&self, source: &Source, work: &Work) -> anyhow::Result<()> {
        let positions = self.positions(source)?;
        let mut searcher = self.engine.searcher(self.hash)?;
        write_problems(self.out()?, work, &positions, &mut |position| {
            solve(&mut searcher, position, self.confidence)
        })
    }

    /// Solves the positions of a shard.
    fn solve(
        &self,
        source: &Source,
        work: &Work,
        shard: Shard,
        folder: &Path,
    ) -> anyhow::Result<()> {
        let mut part = self.shards.open(&parts(folder), work, shard)?;
        if !part.is_complete() {
            let positions = self.positions(source)?;
            let mut searcher = self.engine.searcher(self.hash)?;
            solve_shard(&mut part, shard, &positions, &mut |position| {
                solve(&mut searcher, position, self.confidence)
            })?;
        }
        let (problems, path) = (part.records(), part.path().display());
        Ok(writeln!(io::stdout(), "{problems} problems in {path}")?)
    }
}
