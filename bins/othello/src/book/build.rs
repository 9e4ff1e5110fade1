//! `othello book build`: grows a book by searches.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use boardgame_cli::number_of;
use othello_analysis::{
    Discs,
    book::{Book, Growth},
};
use othello_core::Position;

use super::search::SearchOptions;

/// Builds a book by searches, or goes on with one.
///
/// The position added next is the one after the move that loses least and lies nearest to the start. Ctrl-C ends the
/// work; what was found is in the file, and the same command goes on. The same options make the same book, on any
/// number of threads and however often the work was interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello book build othello.book --positions 1000 --depth 12")]
pub(crate) struct Args {
    /// The file of the book
    file: PathBuf,
    /// Stop at this number of positions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    positions: u32,
    /// The most that a move of a line may lose, in discs
    #[arg(long, value_name = "DISCS", default_value_t = 4, value_parser = number_of("discs", 0..=64))]
    max_loss: u32,
    /// The most that all moves of a line may lose together, in discs
    #[arg(long, value_name = "DISCS", default_value_t = 8, value_parser = number_of("discs", 0..=64))]
    max_path_loss: u32,
    #[command(flatten)]
    search: SearchOptions,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut book = args.search.read(&args.file)?;
    let discs = |number: u32| Discs::whole(number as i32);
    let growth = Growth {
        positions: args.positions as usize,
        loss: discs(args.max_loss),
        path: discs(args.max_path_loss),
        ply: Discs::from_hundredths(50),
    };
    let mut search = args.search.start()?;
    let (started, before) = (Instant::now(), book.len());
    let is_complete = search.grow(&mut book, &args.file, |book: &Book| book.round(&growth))?;
    drop(search);
    let value = book
        .get(Position::START)
        .map_or(Discs::ZERO, |entry| entry.value);
    let (len, new, elapsed) = (book.len(), book.len() - before, started.elapsed());
    writeln!(
        io::stdout(),
        "{}: {len} positions, {new} of them new; the start is worth {value}; {elapsed:.1?}",
        args.file.display()
    )?;
    Ok(if is_complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
