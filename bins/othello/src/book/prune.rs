//! `othello book prune`: a book cut to limits.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use othello_core::Game;

use super::build::Limits;

/// Drops the positions of a book that lie outside the limits from the start, and the least important of the others.
///
/// The values of the other positions stay as they are: the dropped positions are then the ends of lines, with their
/// values.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello book prune othello.book --max-loss 2 --positions 20000 --output small.book")]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    /// Keep at most this number of positions, those that a build adds first [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    positions: Option<u32>,
    #[command(flatten)]
    limits: Limits,
    /// The file to write [default: that of the book]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut book = super::open(&args.book)?;
    let before = book.len();
    super::expect(&book, &args.book, &Game::default())?;
    let positions = args
        .positions
        .map_or(before, |positions| positions as usize);
    book.prune(&args.limits.growth(positions));
    let output = args.output.as_ref().unwrap_or(&args.book);
    boardgame_files::replace(output, &book.to_bytes())?;
    let (len, dropped) = (book.len(), before - book.len());
    let name = output.display();
    writeln!(io::stdout(), "{name}: {len} positions; {dropped} dropped")?;
    Ok(ExitCode::SUCCESS)
}
