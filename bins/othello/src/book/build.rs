//! `othello book build`: grows a book by searches.

use std::{path::PathBuf, process::ExitCode};

use boardgame_cli::number_of;
use othello_analysis::{Discs, book::Growth};

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
    book: PathBuf,
    /// Stop at this number of positions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    positions: u32,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    search: SearchOptions,
}

/// The limits of the lines of a book.
#[derive(clap::Args)]
pub(super) struct Limits {
    /// The most that a move of a line may lose, in discs
    #[arg(long, value_name = "DISCS", default_value_t = 4, value_parser = number_of("discs", 0..=64))]
    max_loss: u32,
    /// The most that all moves of a line may lose together, in discs
    #[arg(long, value_name = "DISCS", default_value_t = 8, value_parser = number_of("discs", 0..=64))]
    max_path_loss: u32,
}

impl Limits {
    /// Returns the growth to a number of positions within these limits.
    pub(super) const fn growth(&self, positions: usize) -> Growth {
        Growth {
            positions,
            loss: Discs::whole(self.max_loss as i32),
            path: Discs::whole(self.max_path_loss as i32),
            ply: Discs::from_hundredths(50),
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let growth = args.limits.growth(args.positions as usize);
    let book = args.search.open_or_create(&args.book)?;
    args.search
        .work(book, &args.book, |book| book.round(&growth))
}
