//! `othello book merge`: a book with the positions of others.

use std::{path::PathBuf, process::ExitCode};

use othello_analysis::book::Round;

use super::search::SearchOptions;

/// Adds the positions of other books to a book.
///
/// Of two values of moves that lead out of the book, the one with the better evidence is kept. Where the best such move
/// of a position leads into the other book, the position is searched again. Books of other weights are refused.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello book merge othello.book learned.book
  othello book merge a.book b.book c.book --output all.book")]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    /// The files of the books to add
    #[arg(required = true)]
    from: Vec<PathBuf>,
    /// The file to write [default: that of the first book]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    search: SearchOptions,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let book = args.search.open(&args.book)?;
    let from = args.from.iter().map(|path| args.search.open(path));
    let from = from.collect::<Result<Vec<_>, _>>()?;
    let output = args.output.as_ref().unwrap_or(&args.book);
    args.search.work(book, output, |book| {
        let mut rounds = from.iter().map(|from| book.merge(from));
        rounds
            .find(|round: &Round| !round.is_empty())
            .unwrap_or_default()
    })
}
