//! `othello book show`: shows a position of a book.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use othello_analysis::{PositionValue, Source, book::BookMove};
use othello_core::Game;
use othello_records::Openings;

use crate::{board::moves_or_board, diagram::Diagram};

/// Shows a position, and its moves in a book with their values.
///
/// A line has the value of a move from the side to move, the move, the evidence for the value or `book` if the move
/// stays in the book, and the name of the opening to which it leads.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    /// Moves from the start such as f5d6c3, or a board [default: the start]
    #[arg(value_name = "BOARD", value_parser = moves_or_board, hide_default_value = true, allow_hyphen_values = true)]
    position: Option<Game>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let book = super::open(&args.book)?;
    let game = args.position.clone().unwrap_or_default();
    let position = game.board().position();
    let openings = Openings::default();
    let mut out = io::stdout();
    writeln!(out, "{}", Diagram::of(&game))?;
    super::expect(&book, &args.book, &game)?;
    if let Some(opening) = openings.at(position) {
        writeln!(out, "{}", opening.name)?;
    }
    for mv in book.moves(position) {
        let (value, square) = (value(&mv), mv.square);
        let empties = position.empties().count();
        let source = mv
            .source
            .map_or("book".into(), |source| source.in_words(empties));
        let after = openings.at(position.play_unchecked(square));
        let name = after.map_or_else(String::new, |opening| format!("  {}", opening.name));
        writeln!(out, "{value:>6}  {square}  {source}{name}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the value of a move with the evidence that says whether it is exact.
fn value(mv: &BookMove) -> PositionValue {
    let estimate = Source::Depth {
        depth: 0,
        confidence: 100,
    };
    PositionValue {
        score: mv.value,
        source: mv.source.unwrap_or(estimate),
    }
}
