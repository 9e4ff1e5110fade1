//! Batches divided into shards, whose parts have a game a line.

use std::{
    io::{self, Write as _},
    path::Path,
};

use anyhow::Context as _;
use boardgame_cli::Division;
use boardgame_files::shards::{Parts, Shard, Work, program_version};
use serde::Serialize;

use super::{Analyzed, Batch, Printer, games::Games, workers};
use crate::output::progress_bar;

/// Everything that decides the results.
#[derive(Serialize)]
struct Settings {
    program: String,
    /// The CRC-32 of the games.
    games: String,
    depth: u32,
    exact_from: u32,
    hash: String,
    /// The CRC-32 of the weights, unless they are the built-in ones.
    weights: Option<String>,
}

/// Analyzes the games of a shard, or prints those of all.
pub(super) fn run(batch: &Batch<'_>, division: Division<'_>, games: &Games) -> anyhow::Result<()> {
    let work = work(batch, games)?;
    match division {
        Division::Shard(shard, folder) => analyze(batch, &work, shard, folder, games),
        Division::Merge(folder) => merge(batch, &work, folder),
    }
}

fn work(batch: &Batch<'_>, games: &Games) -> anyhow::Result<Work> {
    let settings = Settings {
        program: program_version(env!("CARGO_PKG_VERSION"))?,
        games: format!("{:08x}", games.checksum()?),
        depth: batch.settings.depth,
        exact_from: batch.settings.exact_from,
        hash: batch.engine.hash.to_string(),
        weights: batch
            .weights
            .map(|weights| format!("{:08x}", weights.checksum())),
    };
    let count = games.list.len() as u64;
    Ok(Work::new("othello analyze", count, &settings)?)
}

fn parts(folder: &Path) -> Parts {
    Parts::new(folder, "analyze", "part")
}

fn analyze(
    batch: &Batch<'_>,
    work: &Work,
    shard: Shard,
    folder: &Path,
    games: &Games,
) -> anyhow::Result<()> {
    let shards = &batch.options.shards;
    let mut part = shards.open(&parts(folder), work, shard)?;
    if !part.is_complete() {
        let places = part.records()..shard.share_of(games.list.len() as u64);
        let bar = progress_bar(places.end as usize);
        bar.set_position(places.start);
        let items = places.map(|place| shard.item(place)).collect();
        workers::analyze(batch, games, items, |game| {
            part.append(&serde_json::to_string(&game)?)?;
            bar.inc(1);
            Ok(())
        })?;
        bar.finish_and_clear();
    }
    writeln!(
        io::stdout(),
        "{} games in {}",
        part.records(),
        part.path().display()
    )?;
    Ok(())
}

fn merge(batch: &Batch<'_>, work: &Work, folder: &Path) -> anyhow::Result<()> {
    let mut printer = Printer::new(batch.json);
    let merged = batch.options.shards.merged(&parts(folder), work)?;
    for record in merged.records()? {
        let record = record?;
        let game: Analyzed = serde_json::from_str(&record)
            .with_context(|| format!("{}: expected games, found {record}", folder.display()))?;
        printer.game(&game)?;
    }
    Ok(printer.tables()?)
}
