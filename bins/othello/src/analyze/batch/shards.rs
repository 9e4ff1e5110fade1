//! Batches divided into shards, whose parts have a game a line.

use boardgame_cli::Division;
use serde_json::json;

use super::{Analyzed, Batch, Printer, games::Games, workers};
use crate::shards::{DividedWork, fill};

/// Analyzes the games of a shard, or prints those of all.
pub(super) fn run(batch: &Batch<'_>, division: Division<'_>, games: &Games) -> anyhow::Result<()> {
    let count = games.list.len() as u64;
    let work = DividedWork {
        options: &batch.options.shards,
        division,
        command: "analyze",
        items: "games",
        count,
        settings: json!({
            "games": format!("{:08x}", games.checksum()?),
            "depth": batch.settings.depth,
            "exact_from": batch.settings.exact_from,
            "hash": batch.engine.hash.to_string(),
        }),
        weights: batch.weights,
    };
    let mut printer = Printer::new(batch)?;
    work.run(
        |_, shard, part| {
            let analyzed = workers::analyzed(batch, games);
            fill(&batch.engine, count, shard, part, analyzed)
        },
        |game: Analyzed| Ok(printer.game(&game)?),
    )?;
    match division {
        Division::Shard(..) => Ok(()),
        Division::Merge(_) => printer.tables(),
    }
}
