//! `othello book lines`: the best lines of a book.

use std::{
    io::{self, Write as _},
    iter,
    num::NonZeroUsize,
    path::PathBuf,
    process::ExitCode,
};

use boardgame_cli::positive;
use othello_analysis::{
    Discs, PositionValue,
    book::{Book, BookLine, line_from_start},
};
use othello_core::{Board, Color, Game};
use othello_records::{Opening, Openings};
use serde_json::json;

use crate::board::moves_or_board;

/// Shows the lines of a book in which both sides lose least, each to the move that leads out of the book.
///
/// A line of text has the discs that its moves lose, the value of its end from the side to move in the position, the
/// evidence for that, the moves, and the last named opening that they pass through.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello book lines othello.book
  othello book lines othello.book f5d6c3d3c4 --draws -n 5
  othello book lines othello.book --openings")]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    /// Moves from the start such as f5d6c3, or a board [default: the start]
    #[arg(value_name = "BOARD", value_parser = moves_or_board, hide_default_value = true, allow_hyphen_values = true)]
    position: Option<Game>,
    /// Show at most this number of lines
    #[arg(short = 'n', long = "count", value_name = "N", default_value = "10", value_parser = positive::<NonZeroUsize>)]
    count: NonZeroUsize,
    /// Show the lines whose end is worth less than a disc for either side
    #[arg(long)]
    draws: bool,
    /// Show the named openings that the book has, with their values from Black's point of view, the best for Black first
    #[arg(long, conflicts_with_all = ["position", "count", "draws"])]
    openings: bool,
    /// Print an array of JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let book = super::open(&args.book)?;
    let openings = Openings::default();
    if args.openings {
        return named(args, &book, &openings);
    }
    let game = args.position.clone().unwrap_or_default();
    let position = game.board().position();
    super::expect(&book, &args.book, &game)?;
    let is_drawn = |line: &BookLine| line.value.hundredths().abs() < Discs::whole(1).hundredths();
    let lines = book
        .lines(position)
        .filter(|line| !args.draws || is_drawn(line));
    let mut out = io::stdout().lock();
    let mut list = Vec::new();
    for line in lines.take(args.count.get()) {
        let moves = if game.board() == Board::START {
            line_from_start(&line.moves)
        } else {
            let moves = line.moves.iter().map(ToString::to_string);
            iter::once(game.to_string()).chain(moves).collect()
        };
        let played: Game = moves.parse().unwrap_or_default();
        let opening = openings.of(&played).map(|opening| opening.name);
        if args.json {
            list.push(json!({
                "moves": moves,
                "opening": opening,
                "loss": line.loss,
                "value": line.value,
                "source": line.source,
            }));
            continue;
        }
        let value = PositionValue {
            score: line.value,
            source: line.source,
        };
        let loss = line.loss.to_f64();
        let empties = position.empties().count() + 1 - line.moves.len() as u32;
        let source = line.source.in_words(empties);
        let space = if opening.is_some() { "  " } else { "" };
        let name = opening.unwrap_or_default();
        writeln!(
            out,
            "{loss:>5.2}  {value:>6}  {source:<14}  {moves}{space}{name}"
        )?;
    }
    if args.json {
        writeln!(out, "{}", json!(list))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows the named openings that a book has, the best for Black first.
fn named(args: &Args, book: &Book, openings: &Openings) -> anyhow::Result<ExitCode> {
    let value = |opening: Opening| {
        let board = opening.line.parse::<Game>().ok()?.board();
        let value = book.get(board.position())?.value;
        let is_blacks = board.side_to_move() == Color::Black;
        Some((if is_blacks { value } else { -value }, opening))
    };
    let mut found: Vec<_> = openings.all().filter_map(value).collect();
    found.sort_by_key(|&(value, opening)| (-value, opening.line));
    let mut out = io::stdout().lock();
    if args.json {
        let list: Vec<_> = found
            .iter()
            .map(|(value, it)| json!({"name": it.name, "moves": it.line, "value": value}))
            .collect();
        writeln!(out, "{}", json!(list))?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = found.iter().map(|(_, it)| it.name.len()).max().unwrap_or(0);
    for (value, Opening { name, line, .. }) in &found {
        let value = value.to_string();
        writeln!(out, "{value:>6}  {name:<width$}  {line}")?;
    }
    Ok(ExitCode::SUCCESS)
}
