//! `othello book stats`: the size and the evidence of a book.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    io::{self, Write as _},
    ops::ControlFlow,
    path::PathBuf,
    process::ExitCode,
};

use othello_analysis::{
    Discs, Source,
    book::{Book, line_from_start},
};
use othello_core::{Board, Game, Position};
use othello_records::Openings;
use serde::Serialize;

use crate::records::{Inputs, exit_code, filter::Filter};

/// Counts the positions of a book by ply, and the moves that lead out of it by their evidence.
///
/// With files of games, also the share of games that are in the book up to some plies, and of the different positions
/// there.
#[derive(clap::Args)]
#[command(mut_arg("files", |files| files.required(false)))]
#[command(after_help = "\
Examples:
  othello book stats othello.book WTH_20*.wtb --date 2023..")]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    #[command(flatten)]
    inputs: Inputs,
    /// Print an object of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: Filter,
}

/// The plies at which games are compared with a book.
const COMPARED: [u32; 4] = [4, 8, 12, 16];

/// The games that are in a book up to a ply.
#[derive(Default, Serialize)]
struct Covered {
    ply: u32,
    /// The number of games that have the ply.
    games: u64,
    games_in_book: u64,
    /// The number of different positions at the ply.
    positions: usize,
    positions_in_book: usize,
    #[serde(skip)]
    seen: BTreeSet<Position>,
}

impl Covered {
    /// Counts a game.
    fn add(&mut self, book: &Book, game: &Game) {
        let empties = 60 - self.ply;
        // A book has no position of a side that must pass.
        let is_met = |board: &Board| !board.must_pass() && board.empties().count() >= empties;
        let boards = game.boards().filter(is_met);
        let positions: Vec<Position> = boards.map(Board::position).collect();
        let is_last = |position: &&Position| position.empties().count() == empties;
        let Some(last) = positions.last().filter(is_last) else {
            return;
        };
        self.games += 1;
        self.games_in_book += u64::from(positions.iter().all(|&it| book.get(it).is_some()));
        if self.seen.insert(last.canonical().0) {
            self.positions += 1;
            self.positions_in_book += usize::from(book.get(*last).is_some());
        }
    }
}

/// The size and the evidence of a book.
#[derive(Serialize)]
struct Stats {
    positions: usize,
    /// The checksum of the weights.
    weights: String,
    /// The value of the start, if the book has it.
    start: Option<Discs>,
    /// The line in which no side loses.
    main_line: String,
    main_line_plies: usize,
    /// The numbers of positions by the number of discs besides the first four.
    plies: BTreeMap<u32, usize>,
    leaves: Vec<Leaves>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    games: Vec<Covered>,
}

/// The number of best moves out of the book with some evidence.
#[derive(Serialize)]
struct Leaves {
    source: Source,
    count: usize,
}

impl Stats {
    fn new(book: &Book) -> Self {
        let (mut plies, mut leaves) = (BTreeMap::new(), BTreeMap::new());
        for (position, entry) in book.entries() {
            let ply = 60 - position.empties().count().min(60);
            *plies.entry(ply).or_default() += 1;
            if let Some(leaf) = entry.leaf {
                *leaves.entry(leaf.source).or_default() += 1;
            }
        }
        let main_line = book.lines(Position::START).next();
        let moves = main_line.map_or_else(Vec::new, |line| line.moves);
        Self {
            positions: book.len(),
            weights: format!("{:08x}", book.weights()),
            start: book.get(Position::START).map(|entry| entry.value),
            main_line: line_from_start(&moves),
            main_line_plies: moves.len(),
            plies,
            leaves: leaves
                .into_iter()
                .map(|(source, count)| Leaves { source, count })
                .collect(),
            games: Vec::new(),
        }
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "positions  {}", self.positions)?;
        writeln!(f, "weights    {}", self.weights)?;
        if let Some(start) = self.start {
            writeln!(f, "start      {start}")?;
            writeln!(
                f,
                "main line  {} plies, {}",
                self.main_line_plies, self.main_line
            )?;
        }
        writeln!(f, "\n{:>9}  moves out of the book", "number")?;
        for Leaves { source, count } in &self.leaves {
            writeln!(f, "{count:>9}  {}", source.in_words(61))?;
        }
        writeln!(f, "\n{:>9}  ply", "positions")?;
        for (ply, count) in &self.plies {
            writeln!(f, "{count:>9}  {ply}")?;
        }
        if !self.games.is_empty() {
            writeln!(f, "\n    games  in book  positions  in book  ply")?;
        }
        for one in &self.games {
            let share = |part: f64, whole: f64| 100.0 * part / whole.max(1.0);
            let games = share(one.games_in_book as f64, one.games as f64);
            let positions = share(one.positions_in_book as f64, one.positions as f64);
            writeln!(
                f,
                "{:>9}  {games:>5.1} %  {:>9}  {positions:>5.1} %  {}",
                one.games, one.positions, one.ply
            )?;
        }
        Ok(())
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let book = super::open(&args.book)?;
    let mut stats = Stats::new(&book);
    let openings = Openings::default();
    args.filter.check(&openings)?;
    let names = args.inputs.names()?;
    let counts = args.inputs.for_each(&names, |_, _, record| {
        if args.filter.takes(record, &openings) {
            let covered = |ply| Covered {
                ply,
                ..Covered::default()
            };
            if stats.games.is_empty() {
                stats.games.extend(COMPARED.map(covered));
            }
            for one in &mut stats.games {
                one.add(&book, &record.game);
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&stats)?)?;
    } else {
        write!(out, "{stats}")?;
    }
    Ok(exit_code(counts.errors))
}
