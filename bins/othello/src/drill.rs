//! `othello drill`: asks for the best moves of positions in which games went wrong, and of endgames.

mod lessons;
mod page;
mod progress;
mod puzzles;
mod round;
mod session;

use std::{ffi::OsString, num::NonZeroUsize, path::PathBuf, process::ExitCode};

use boardgame_cli::{number_of, positive};
use othello_analysis::{Analysis, Question, Search, Settings, Store};
use othello_core::{Board, Game};
use othello_engine::text::discs;
use othello_search::Searcher;

use self::progress::ProgressOptions;
use crate::{
    engine::EngineOptions,
    records::{Reading, filter::Filter},
    store::StoreOptions,
};

/// Asks for the best moves of positions from one's own games, or of endgames.
///
/// With --player, of positions in which the player's move lost 3 discs or more and only one or two moves are good. They
/// come again after a day, six days, and then ever later, as long as the answers are right. With --puzzles, of endgames
/// in which only perfect play counts, by a rating.
///
/// Answer with a square such as f5; hint, answer and quit can be typed too. docs/lessons.md says more.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello drill games --player ann
  othello drill games --player ann --web
  othello drill games --player ann --book othello.book
  othello drill WTH_2018.wtb --puzzles --empties 8")]
pub(crate) struct Args {
    /// Files of game records, or folders of them
    #[arg(value_name = "FILE|FOLDER", required = true)]
    sources: Vec<OsString>,
    #[command(flatten)]
    reading: Reading,
    /// Ask for endgames that are to be played perfectly, instead of mistakes
    #[arg(long)]
    puzzles: bool,
    /// The number of empty squares of an endgame
    #[arg(
        long,
        value_name = "N",
        requires = "puzzles",
        default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(4..=20)
    )]
    empties: u32,
    /// Choose the same endgames again [default: others each time]
    #[arg(long, value_name = "N", requires = "puzzles")]
    seed: Option<u64>,
    /// Ask at most this many questions
    #[arg(long, value_name = "N", default_value = "10", value_parser = positive::<NonZeroUsize>)]
    count: NonZeroUsize,
    /// Search depth in plies where the values of a mistake are not exact
    #[arg(long, value_name = "PLIES", default_value_t = 16, value_parser = number_of("plies", 2..=60))]
    depth: u32,
    /// Solve positions exactly from this many empty squares
    #[arg(long, value_name = "EMPTIES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(..=60))]
    exact_from: u32,
    /// Ask instead where a book does not have the player's move, or it loses more than --book-margin by its values, and
    /// judge the answers by them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["puzzles", "depth", "exact_from", "store", "store_size"])]
    book: Option<PathBuf>,
    /// Count a move of the book as right that loses at most this
    #[arg(long, value_name = "DISCS", default_value = "0.5", requires = "book", value_parser = discs)]
    book_margin: u16,
    /// Print each question and judgement as an object of JSON in a line; what is typed stays the same
    #[arg(long)]
    json: bool,
    /// Ask on the page in a browser, at this port of this computer [default: 8064, or a free one if it is in use]
    #[arg(
        long,
        value_name = "PORT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "8064",
        conflicts_with_all = ["puzzles", "json"]
    )]
    web: Option<u16>,
    #[command(flatten)]
    progress: ProgressOptions,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    store: StoreOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.puzzles {
        puzzles::run(args)
    } else {
        lessons::run(args)
    }
}

/// Returns the question for a board, with the value of each move.
fn question(
    board: Board,
    settings: Settings,
    searcher: &mut Searcher,
    store: Option<&mut dyn Store>,
) -> Question {
    let mut analysis = Analysis::new(&Game::new(board)).with_each_move_empties(60);
    let mut search = Search::new(searcher);
    analysis.deepen(&settings, &mut search, store, &mut |_| {});
    Question::new(board, analysis.positions()[0].moves())
}
