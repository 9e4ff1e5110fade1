//! Proofs of problems divided into shards. A part has a line for each proof; the proofs are separate files.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::Context as _;
use boardgame_cli::Division;
use boardgame_files::shards::{Part, PartReader, Parts, Shard};
use othello_core::Board;
use serde_json::json;

use super::{Args, Prover, Written, create, numbered};
use crate::shards::{DividedWork, read};

/// Proves the problems of a shard, or checks that all files are there and prints a summary.
pub(super) fn run(
    args: &Args,
    division: Division<'_>,
    boards: &[Board],
    checksum: u32,
) -> anyhow::Result<ExitCode> {
    let work = DividedWork {
        options: &args.shards,
        division,
        command: "prove",
        items: "proofs",
        count: boards.len() as u64,
        settings: json!({
            "problems": format!("{checksum:08x}"),
            "claim": args.claim,
            "threshold": args.threshold,
            "threads": args.engine.threads.to_string(),
            "hash": args.engine.hash.to_string(),
        }),
        weights: args.engine.evaluation.weights.as_ref(),
    };
    work.run(
        |parts, shard, part| prove(args, parts, shard, part, boards),
        |written: Written| {
            written.verify(&args.out)?;
            Ok(writeln!(io::stdout(), "{written}")?)
        },
    )?;
    Ok(ExitCode::SUCCESS)
}

fn prove(
    args: &Args,
    parts: &Parts,
    shard: Shard,
    part: &mut Part,
    boards: &[Board],
) -> anyhow::Result<()> {
    let file = if part.is_complete() {
        parts.path(shard)
    } else {
        parts.begun_path(shard)
    };
    for record in PartReader::open(&file)? {
        let written: Written = read(&record?, "proofs", &file)?;
        written.verify(&args.out).with_context(|| {
            let file = file.display();
            format!("a proof is missing that was written; to prove all of the shard again, delete {file}")
        })?;
    }
    if !part.is_complete() {
        create(&args.out)?;
        let mut prover = Prover::new(args, boards.len())?;
        while let Some(item) = part.next_item() {
            let number = item as u32 + 1;
            let path = numbered(&args.out, number);
            let board = boards[item as usize];
            let written = prover.prove(number, board, &path)?;
            part.append(&serde_json::to_string(&written.without_times())?)?;
        }
    }
    Ok(())
}
