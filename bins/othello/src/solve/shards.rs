//! Problems divided into shards, whose parts have an answer a line, without times, so that they are reproducible.

use std::process::ExitCode;

use boardgame_cli::Division;
use serde_json::json;

use super::{Args, Problems, examine, found::Found, tell, total::Total};
use crate::{output::progress_bar, shards::DividedWork};

/// Solves the problems of a shard, or prints the answers of all.
pub(super) fn run(
    args: &Args,
    division: Division<'_>,
    problems: &Problems,
) -> anyhow::Result<ExitCode> {
    let count = problems.list.len() as u64;
    let work = DividedWork {
        options: &args.shards,
        division,
        command: "solve",
        items: "problems",
        count,
        settings: json!({
            "problems": format!("{:08x}", problems.checksum),
            "first": args.first,
            "depth": args.depth,
            "confidence": args.confidence,
            "wld": args.wld,
            "stats": args.stats,
            "threads": args.engine.threads.to_string(),
            "hash": args.engine.hash.to_string(),
        }),
        weights: args.engine.evaluation.weights.as_ref(),
    };
    let mut total = Total::default();
    work.run(
        |_, shard, part| {
            if part.is_complete() {
                return Ok(());
            }
            let mut searcher = args.engine.settings().searcher()?;
            let bar = progress_bar(shard.share_of(count) as usize);
            bar.set_position(part.records());
            while let Some(item) = part.next_item() {
                let problem = &problems.list[item as usize];
                let report = examine(&mut searcher, problem, args);
                let found = Found::new(item as u32 + 1, problem, &report, args.stats);
                part.append(&serde_json::to_string(&found.without_time())?)?;
                bar.inc(1);
            }
            bar.finish_and_clear();
            Ok(())
        },
        |found: Found| {
            total.add(&found);
            Ok(tell(args.json, &found)?)
        },
    )?;
    if matches!(division, Division::Shard(..)) {
        return Ok(ExitCode::SUCCESS);
    }
    tell(args.json, &total)?;
    Ok(total.exit_code())
}
