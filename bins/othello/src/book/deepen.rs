//! `othello book deepen`: deeper searches of the moves that lead out of a book.

use std::{path::PathBuf, process::ExitCode};

use othello_analysis::book::Round;

use super::rounds::RoundOptions;
use crate::solve::one_thread_in_shards;

/// Searches the moves that lead out of a book again, where their evidence is weaker than a depth.
///
/// Those nearest to the start come first. Ctrl-C ends the work; the same command goes on.
///
/// With --shard and --merge the work goes by rounds, as in `othello book build`; a merge ends with status 3 if another
/// round is left.
#[derive(clap::Args)]
#[command(mut_arg("depth", |depth| depth.default_value("16")))]
#[command(mut_arg("threads", one_thread_in_shards))]
#[command(after_help = "\
Examples:
  othello book deepen othello.book --depth 18")]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    #[command(flatten)]
    rounds: RoundOptions,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let search = &args.rounds.search;
    let (book, settings) = (search.open(&args.book)?, search.settings());
    args.rounds.work("deepen", book, &args.book, |book| {
        let mut questions = book.weaker_than(settings);
        questions.truncate((book.len() / 64).max(64));
        Round {
            questions,
            ..Round::default()
        }
    })
}
