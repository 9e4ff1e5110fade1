//! `othello book stats`: the size and the evidence of a book.

use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use othello_analysis::{
    Discs, Source,
    book::{Book, line_from_start},
};
use othello_core::Position;
use serde::Serialize;

/// Counts the positions of a book by ply, and the moves that lead out of it by their evidence.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    /// Print an object of JSON
    #[arg(long)]
    json: bool,
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
        Ok(())
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stats = Stats::new(&super::open(&args.book)?);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&stats)?)?;
    } else {
        write!(out, "{stats}")?;
    }
    Ok(ExitCode::SUCCESS)
}
