//! Proofs of problems divided into shards. A part has a line for each proof; the proofs are separate files.

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
};

use anyhow::Context as _;
use boardgame_cli::Division;
use boardgame_files::shards::{PartReader, Parts, Shard, Work, program_version};
use othello_core::Board;
use serde::Serialize;

use super::{Args, Prover, Written, claims::ClaimOptions, create, numbered};

/// All settings that affect the proofs.
#[derive(Serialize)]
struct Settings {
    program: String,
    /// The CRC-32 of the text of the problems.
    problems: String,
    claim: ClaimOptions,
    threshold: u32,
    threads: String,
    hash: String,
    /// The CRC-32 of the weights, unless they are the built-in ones.
    weights: Option<String>,
}

/// Proves the problems of a shard, or checks that all files are there and prints a summary.
pub(super) fn run(
    args: &Args,
    division: Division<'_>,
    boards: &[Board],
    checksum: u32,
) -> anyhow::Result<ExitCode> {
    let work = work(args, boards.len() as u64, checksum)?;
    match division {
        Division::Shard(shard, folder) => prove(args, &work, shard, folder, boards),
        Division::Merge(folder) => merge(args, &work, folder),
    }
}

fn work(args: &Args, count: u64, checksum: u32) -> anyhow::Result<Work> {
    let weights = args.engine.evaluation.weights.as_ref();
    let settings = Settings {
        program: program_version(env!("CARGO_PKG_VERSION"))?,
        problems: format!("{checksum:08x}"),
        claim: args.claim,
        threshold: args.threshold,
        threads: args.engine.threads.to_string(),
        hash: args.engine.hash.to_string(),
        weights: weights.map(|weights| format!("{:08x}", weights.checksum())),
    };
    Ok(Work::new("othello prove", count, &settings)?)
}

fn parts(folder: &Path) -> Parts {
    Parts::new(folder, "prove", "part")
}

fn prove(
    args: &Args,
    work: &Work,
    shard: Shard,
    folder: &Path,
    boards: &[Board],
) -> anyhow::Result<ExitCode> {
    let parts = parts(folder);
    let mut part = args.shards.open(&parts, work, shard)?;
    let file = if part.is_complete() {
        parts.path(shard)
    } else {
        parts.begun_path(shard)
    };
    for record in PartReader::open(&file)? {
        read(&record?, folder)?.verify(&args.out).with_context(|| {
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
    writeln!(
        io::stdout(),
        "{} proofs in {}",
        part.records(),
        part.path().display()
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a summary of the proofs, if the folder of --out has one for each problem.
fn merge(args: &Args, work: &Work, folder: &Path) -> anyhow::Result<ExitCode> {
    for record in args.shards.merged(&parts(folder), work)?.records()? {
        let written = read(&record?, folder)?;
        written.verify(&args.out)?;
        writeln!(io::stdout(), "{written}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the record of a proof from a part in a folder.
fn read(record: &str, folder: &Path) -> anyhow::Result<Written> {
    serde_json::from_str(record)
        .with_context(|| format!("{}: expected proofs, found {record}", folder.display()))
}
