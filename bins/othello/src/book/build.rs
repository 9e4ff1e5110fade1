//! `othello book build`: grows a book by searches.

use std::{path::PathBuf, process::ExitCode};

use othello_analysis::{Discs, book::Growth};
use othello_engine::text::{ParseSettingError, discs};

use super::rounds::RoundOptions;
use crate::solve::one_thread_in_shards;

/// Builds a book by searches, or goes on with one.
///
/// The position added next is the one after the move that loses least and lies nearest to the start. Ctrl-C ends the
/// work; what was found is in the file, and the same command goes on. The same options make the same book, on any
/// number of threads and however often the work was interrupted.
///
/// With --shard a process does its share of the searches of one round, a 64th of the book, and leaves the book as it
/// is. With --merge the book grows by the round; the exit status is 3 if another one is left.
#[derive(clap::Args)]
#[command(
    mut_arg("threads", one_thread_in_shards),
    after_help = "\
Examples:
  othello book build othello.book --positions 1000 --depth 12
  By two processes, each round after the other:
    status=3
    while [ $status = 3 ]; do
      othello book build othello.book --parts parts --shard 0/2 &
      othello book build othello.book --parts parts --shard 1/2; status=$?
      wait $! || status=$?
      [ $status = 0 ] || break
      othello book build othello.book --parts parts --merge; status=$?
    done
    exit $status"
)]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    /// Stop at this number of positions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    positions: u32,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    rounds: RoundOptions,
}

/// The limits of the lines of a book.
#[derive(clap::Args)]
pub(super) struct Limits {
    /// The most that a move of a line may lose
    #[arg(long, value_name = "DISCS", default_value = "4", value_parser = loss)]
    max_loss: Discs,
    /// The most that all moves of a line may lose together
    #[arg(long, value_name = "DISCS", default_value = "8", value_parser = loss)]
    max_path_loss: Discs,
    /// The loss that weighs as much as a ply: with less, lines of good moves are longer and other lines shorter
    #[arg(long, value_name = "DISCS", default_value = "0.5", value_parser = loss)]
    loss_per_ply: Discs,
}

impl Limits {
    /// Returns the growth to a number of positions within these limits.
    pub(super) const fn growth(&self, positions: usize) -> Growth {
        Growth {
            positions,
            loss: self.max_loss,
            path: self.max_path_loss,
            ply: self.loss_per_ply,
        }
    }
}

fn loss(text: &str) -> Result<Discs, ParseSettingError> {
    discs(text).map(|hundredths| Discs::from_hundredths(hundredths.into()))
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let growth = args.limits.growth(args.positions as usize);
    let book = args.rounds.search.open_or_create(&args.book)?;
    args.rounds
        .work("build", book, &args.book, |book| book.round(&growth))
}
