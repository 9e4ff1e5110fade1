//! `othello prove`: writes proofs of scores.

mod claims;
mod prover;
mod shards;
mod written;

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, ensure};
use boardgame_cli::ShardOptions;
use othello_analysis::proof::MAX_THRESHOLD;
use othello_core::{Board, Problem};

use self::{claims::ClaimOptions, prover::Prover, written::Written};
use crate::{
    board::{board, tell_symbols_of},
    engine::EngineOptions,
};

/// The maximum size of a file of problems, in bytes.
const MAX_PROBLEMS: u64 = 64 * boardgame_files::MIB;

/// Solves a position and writes a proof of its score, which `othello check` accepts without trusting the engine.
///
/// Scores are disc differences from the side to move, empties to the winner.
#[derive(clap::Args)]
#[command(mut_arg("threads", |threads| threads.default_value("1")), after_help = "\
Examples:
  othello prove position.obf --out position.proof
  othello prove position.obf --wld --out position.proof
  othello prove suite.obf --out proofs
  By two processes, which write the proofs of every other problem:
    othello prove suite.obf --out proofs --parts proved --shard 0/2 &
    othello prove suite.obf --out proofs --parts proved --shard 1/2 &
    wait; othello prove suite.obf --out proofs --parts proved --merge")]
pub(crate) struct Args {
    /// A board, 64 squares of X, O and -, a1 to h8, then the side to move; or a file of OBF problems, one a line
    #[arg(value_name = "BOARD|FILE", allow_hyphen_values = true)]
    target: String,
    /// The file to write; for a file of several problems, the folder of the files 1.proof, 2.proof and so on
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    #[command(flatten)]
    claim: ClaimOptions,
    /// Leave positions with at most this many empty squares to the checker: with fewer, proofs are larger
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_THRESHOLD)))]
    threshold: u32,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    shards: ShardOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (boards, checksum) = read(&args.target)?;
    if let Some(division) = args.shards.division() {
        return shards::run(args, division, &boards, checksum);
    }
    if boards.len() > 1 {
        create(&args.out)?;
    }
    let mut prover = Prover::new(args, boards.len())?;
    for (number, &board) in (1..).zip(&boards) {
        let path = match boards.len() {
            1 => args.out.clone(),
            _ => numbered(&args.out, number),
        };
        let written = prover.prove(number, board, &path)?;
        writeln!(io::stdout(), "{written}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the boards, and the CRC-32 of their text.
fn read(target: &str) -> anyhow::Result<(Vec<Board>, u32)> {
    let checksum = |text: &str| crc32fast::hash(text.as_bytes());
    // A file is unlikely to be named like a board.
    if let Ok(board) = board(target) {
        return Ok((vec![board], checksum(target)));
    }
    let (text, _) = boardgame_files::read_any_text(Path::new(target), MAX_PROBLEMS)
        .with_context(|| format!("expected a board or a file of OBF problems: {target}"))?;
    tell_symbols_of(&text);
    let problems =
        Problem::read_all(&text).map_err(|error| anyhow::anyhow!("{target}, {error}"))?;
    ensure!(
        !problems.is_empty(),
        "{target}: expected OBF problems, found none"
    );
    let boards = problems.iter().map(|problem| problem.board).collect();
    Ok((boards, checksum(&text)))
}

fn create(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())
}

/// Returns the file of a problem's proof, by its number from 1.
fn numbered(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number}.proof"))
}
