//! `othello book prepare`: the moves with which a player leaves a book or loses by it.

use std::{
    cmp::Reverse,
    collections::HashMap,
    fmt,
    io::{self, Write as _},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context as _;
use boardgame_cli::positive;
use boardgame_io::printable;
use othello_analysis::{
    Discs,
    book::{Book, turned_to_f5},
};
use othello_core::{Color, Game, Position, Square};
use othello_records::Openings;
use serde::Serialize;

use crate::records::{Inputs, exit_code, filter::Filter};

/// Shows the moves with which a player leaves a book or loses by it, in the games of records.
///
/// A line of text has the number of games with the move and of those with the position, the discs that the move loses,
/// the moves of the first such game, and the best move of the book. The moves that lose most in all games come first. A
/// move that the book does not have loses at least the discs shown, followed by a plus sign.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello book prepare othello.book --player ann games/*.ggf --date 2020..")]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    #[command(flatten)]
    inputs: Inputs,
    /// Show at most this number of moves
    #[arg(short = 'n', long = "count", value_name = "N", default_value = "20", value_parser = positive::<NonZeroUsize>)]
    count: NonZeroUsize,
    /// Print an object of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: Filter,
}

/// The games of a player, as far as the book has their positions.
#[derive(Default, Serialize)]
struct Preparation {
    player: String,
    games: u64,
    /// The mean number of plies that stay in the book.
    plies: f64,
    left_by_player: u64,
    left_by_opponents: u64,
    moves: Vec<Deviation>,
    /// The number of games in which the player is to move in each position.
    #[serde(skip)]
    met: HashMap<Position, u64>,
    /// The indices of the moves, by the positions before and after them.
    #[serde(skip)]
    known: HashMap<(Position, Position), usize>,
    /// The number of plies of all games that stay in the book.
    #[serde(skip)]
    stays: u64,
}

/// A move that leaves the book or loses by it.
#[derive(Serialize)]
struct Deviation {
    /// The moves before it, in the first game.
    line: String,
    #[serde(rename = "move")]
    square: Square,
    best: Square,
    games: u64,
    /// The number of games in which the player was to move in the position.
    met: u64,
    /// The discs that the move loses; at least these, if the book does not have the move.
    loss: Discs,
    is_at_least: bool,
    leaves: bool,
    #[serde(skip)]
    position: Position,
}

impl Preparation {
    /// Follows a game of the player, who has some colours, as far as the book has its positions.
    fn add(&mut self, book: &Book, game: &Game, colors: &[Color]) {
        self.games += 1;
        let mut line = Vec::new();
        for (board, mv) in game.plies() {
            let position = board.position();
            let Some(square) = mv.square() else {
                continue;
            };
            if book.get(position).is_none() {
                return;
            }
            let is_players = colors.contains(&board.side_to_move());
            let leaves = self.play(book, position, square, &line, is_players);
            if leaves {
                let left = if is_players {
                    &mut self.left_by_player
                } else {
                    &mut self.left_by_opponents
                };
                *left += 1;
                return;
            }
            self.stays += 1;
            line.push(square);
        }
    }

    /// Counts a move in a position of the book; returns `true` if it leads out of the book.
    fn play(
        &mut self,
        book: &Book,
        position: Position,
        square: Square,
        line: &[Square],
        is_players: bool,
    ) -> bool {
        let moves = book.moves(position);
        let after = |square| position.play_unchecked(square).canonical().0;
        let known = moves.iter().find(|mv| after(mv.square) == after(square));
        let leaves = known.is_none_or(|mv| mv.source.is_some());
        let (Some(best), true) = (moves.first(), is_players) else {
            return leaves;
        };
        let canonical = position.canonical().0;
        *self.met.entry(canonical).or_default() += 1;
        let out = moves.iter().find(|mv| mv.source.is_some());
        let loss = best.value - known.or(out).unwrap_or(best).value;
        if leaves || loss > Discs::ZERO {
            let new = self.moves.len();
            let index = *self.known.entry((canonical, after(square))).or_insert(new);
            if index == new {
                let squares = turned_to_f5(&[line, &[square, best.square]].concat());
                let (line, played) = squares.split_at(line.len());
                self.moves.push(Deviation {
                    line: line.iter().map(Square::to_string).collect(),
                    square: played[0],
                    best: played[1],
                    games: 0,
                    met: 0,
                    loss,
                    is_at_least: known.is_none(),
                    leaves,
                    position: canonical,
                });
            }
            self.moves[index].games += 1;
        }
        leaves
    }

    /// Sorts the moves by what they lose in all games.
    fn finish(&mut self) {
        self.plies = self.stays as f64 / self.games.max(1) as f64;
        for mv in &mut self.moves {
            mv.met = self.met[&mv.position];
        }
        let lost = |mv: &Deviation| i64::from(mv.loss.hundredths()) * mv.games as i64;
        self.moves.sort_by_key(|mv| Reverse((lost(mv), mv.games)));
    }
}

impl fmt::Display for Preparation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            player,
            games,
            plies,
            ..
        } = self;
        writeln!(
            f,
            "{}: {games} games, {plies:.1} plies in the book; left by the player in {}, by opponents in {}",
            printable(player),
            self.left_by_player,
            self.left_by_opponents
        )?;
        if !self.moves.is_empty() {
            writeln!(f, "games  of    lost  line, move, and the book's best")?;
        }
        for mv in &self.moves {
            let more = if mv.is_at_least { "+" } else { " " };
            let (loss, line) = (mv.loss.to_f64(), &mv.line);
            let best = if mv.best == mv.square {
                ", the best, leads out of the book".into()
            } else {
                format!(" instead of {}", mv.best)
            };
            let space = if line.is_empty() { "" } else { " " };
            writeln!(
                f,
                "{:>5}  {:<4} {loss:>5.2}{more} {line}{space}{}{best}",
                mv.games, mv.met, mv.square
            )?;
        }
        Ok(())
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let player = args.filter.player().context("expected --player NAME")?;
    let book = super::open(&args.book)?;
    let openings = Openings::default();
    args.filter.check(&openings)?;
    let names = args.inputs.names()?;
    let mut found = Preparation {
        player: player.to_owned(),
        ..Preparation::default()
    };
    let counts = args.inputs.for_each(&names, |_, _, record| {
        if args.filter.takes(record, &openings) {
            let colors = args.filter.colors_of_player(record).unwrap_or_default();
            found.add(&book, &record.game, &colors);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    found.finish();
    found.moves.truncate(args.count.get());
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else {
        write!(out, "{found}")?;
    }
    Ok(exit_code(counts.errors))
}
