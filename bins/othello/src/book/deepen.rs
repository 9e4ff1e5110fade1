//! `othello book deepen`: deeper searches of the moves that lead out of a book.

use std::{path::PathBuf, process::ExitCode};

use othello_analysis::book::{Question, Round};

use super::search::SearchOptions;

/// Searches the moves that lead out of a book again, where their evidence is weaker than a depth.
///
/// Those nearest to the start come first. Ctrl-C ends the work; the same command goes on.
#[derive(clap::Args)]
#[command(mut_arg("depth", |depth| depth.default_value("16")))]
#[command(after_help = "\
Examples:
  othello book deepen othello.book --depth 18")]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    #[command(flatten)]
    search: SearchOptions,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let book = args.search.open(&args.book)?;
    let questions = book.weaker_than(args.search.settings());
    let mut rounds = questions.chunks((book.len() / 64).max(64));
    args.search.work(book, &args.book, |_| Round {
        questions: rounds.next().map(<[Question]>::to_vec).unwrap_or_default(),
        ..Round::default()
    })
}
