//! `othello book import`: makes a book from files of other programs.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context as _, ensure};
use othello_analysis::book::Import;
use othello_core::Position;

use super::{MAX_SIZE, format::Format};

/// Makes a book from books of Edax or Egaroucid and from opening lists.
///
/// Values are backed up from the moves that lead out of the book, of which each position keeps the best.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello book import book.dat --output othello.book
  othello book import book.egbk3 mine.txt --output othello.book")]
pub(crate) struct Args {
    /// The files to read
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The format of the files: edax, egaroucid, text or json [default: by their extensions .dat, .egbk3, .txt, .json]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// The file of the book, which is replaced if it exists
    #[arg(long, short, value_name = "BOOK")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut import = Import::default();
    for path in &args.files {
        let name = || path.display().to_string();
        let format = Format::of(path, args.format)?;
        let bytes = boardgame_files::read(path, MAX_SIZE).with_context(name)?;
        format.read(&bytes, &mut import).with_context(name)?;
    }
    let imported = import.finish();
    let book = &imported.book;
    ensure!(
        !book.is_empty(),
        "expected a position with the value of a move, but found none"
    );
    boardgame_files::replace(&args.output, &book.to_bytes())?;
    let mut out = io::stdout();
    write!(out, "{}: {} positions", args.output.display(), book.len())?;
    if let Some(start) = book.get(Position::START) {
        write!(out, "; the start is worth {}", start.value)?;
    }
    if imported.changed > 0 {
        let (changed, most) = (imported.changed, imported.max_change.unsigned());
        write!(
            out,
            "; values changed to agree: {changed}, by at most {most}"
        )?;
    }
    if imported.left_out > 0 {
        write!(
            out,
            "; moves left out for better ones: {}",
            imported.left_out
        )?;
    }
    writeln!(out)?;
    Ok(ExitCode::SUCCESS)
}
