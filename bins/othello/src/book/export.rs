//! `othello book export`: writes a book for other programs.

use std::{path::PathBuf, process::ExitCode};

use super::format::Format;

/// Writes a book for Edax or Egaroucid, or as an opening list.
///
/// Edax and Egaroucid have values in whole discs. A list has a line from the start for each move that leads out of the
/// book, with its value from Black's point of view.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello book export othello.book --output book.dat")]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    /// The format to write: edax, egaroucid, text or json [default: by the extension .dat, .egbk3, .txt, .json]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// The file to write, which is replaced if it exists
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = Format::of(&args.output, args.format)?;
    let book = super::open(&args.book)?;
    boardgame_files::replace(&args.output, &format.write(&book)?)?;
    Ok(ExitCode::SUCCESS)
}
