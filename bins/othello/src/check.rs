//! `othello check`: checks proofs of scores.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use boardgame_io::printable;
use othello_check::{CheckError, CheckErrorKind, CheckReport};

use crate::output::tell;

/// Checks proofs of scores that `othello prove` has written, or any other program, and says what they prove.
///
/// The checker shares no code with the engine. A file that is cut, changed or wrong is refused with the place.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello check 40.proof
  othello check --max-nodes 100000000 proofs/*.proof")]
pub(crate) struct Args {
    /// Files of proofs
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Refuse a proof that takes more nodes than this to check [default: no limit]
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut status = ExitCode::SUCCESS;
    for path in &args.files {
        let name = printable(&path.display().to_string());
        let proved = match check(path, args.max_nodes.unwrap_or(u64::MAX)) {
            Ok(proved) => proved,
            Err(error) => {
                tell(format_args!("{name}: {}", error_in_words(&error)))?;
                status = ExitCode::FAILURE;
                continue;
            }
        };
        writeln!(
            io::stdout(),
            "{name}: proved: {}; {} bytes, {} positions of the prover, {} solved with {} nodes",
            proved.claim,
            proved.bytes,
            proved.choices,
            proved.leaves,
            proved.nodes
        )?;
    }
    Ok(status)
}

/// Describes why a proof is refused, or why its file cannot be read.
pub(crate) fn error_in_words(error: &anyhow::Error) -> String {
    match error.downcast_ref::<CheckError>() {
        Some(refusal) if !matches!(refusal.kind, CheckErrorKind::Read(_)) => {
            format!("refused: {refusal}")
        }
        _ => format!("{error:#}"),
    }
}

fn check(path: &Path, max_nodes: u64) -> anyhow::Result<CheckReport> {
    Ok(othello_check::check_within(File::open(path)?, max_nodes)?)
}
