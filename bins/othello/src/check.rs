//! `othello check`: checks proofs of scores.

use std::{
    fs::File,
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context as _;

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
    for path in &args.files {
        let name = path.display();
        let file = File::open(path).with_context(|| name.to_string())?;
        let proved = othello_check::check(file).with_context(|| name.to_string())?;
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
    Ok(ExitCode::SUCCESS)
}
