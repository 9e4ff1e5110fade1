//! `othello check`: checks proofs of scores.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use othello_check::Proved;

/// Checks proofs of scores that `othello prove` has written, or any other program, and says what they prove.
///
/// The checker shares no code with the engine. A file that is cut, changed or wrong is refused with the place.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  othello check 40.proof")]
pub(crate) struct Args {
    /// Files of proofs
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut status = ExitCode::SUCCESS;
    for path in &args.files {
        let name = path.display();
        let proved = match check(path) {
            Ok(proved) => proved,
            Err(error) => {
                writeln!(io::stderr(), "{name}: refused: {error:#}")?;
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

fn check(path: &Path) -> anyhow::Result<Proved> {
    Ok(othello_check::check(File::open(path)?)?)
}
