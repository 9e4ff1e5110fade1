//! `othello book verify`: a sample of a book's values at a greater depth.

use std::{
    collections::HashMap,
    fmt,
    io::{self, Write as _},
    num::NonZeroUsize,
    path::PathBuf,
    process::ExitCode,
};

use boardgame_cli::positive;
use othello_analysis::{
    Discs,
    book::{Answer, Book, line_from_start},
};
use othello_core::{Board, Color, Game, Position};
use othello_engine::{book::playable, human::mix};
use serde::Serialize;

use super::search::SearchOptions;
use crate::output::progress_bar;

/// The number of changes that are listed as text.
const LISTED: usize = 10;

/// Searches some of the moves that lead out of a book deeper, and tells how much their values change.
///
/// The moves are chosen at random from those whose evidence is weaker than the depth; the file stays as it is. Ctrl-C
/// ends the searches; what they found is told.
#[derive(clap::Args)]
#[command(mut_arg("depth", |depth| depth.default_value("16")))]
#[command(after_help = "\
Examples:
  othello book verify othello.book --depth 18 --sample 200")]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    /// The number of positions to search
    #[arg(long, value_name = "N", default_value = "100", value_parser = positive::<NonZeroUsize>)]
    sample: NonZeroUsize,
    /// The number by which the positions are chosen at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print an object of JSON, with all changes
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search: SearchOptions,
}

/// The changes of a sample of values.
#[derive(Serialize)]
struct Verified {
    /// The number of values with weaker evidence than the depth.
    weaker: usize,
    /// The number of values searched.
    searched: usize,
    steps: Vec<Step>,
    /// The mean size of the changes.
    mean_change: Discs,
    /// The mean of the changes with their signs: positive if the book is too pessimistic for the side to move.
    mean_error: Discs,
    max_change: Discs,
    start: Option<Discs>,
    /// The value of the start with the values found.
    start_found: Option<Discs>,
    /// The largest first.
    changes: Vec<Change>,
}

/// The number of values that changed by at least a number of discs.
#[derive(Serialize)]
struct Step {
    discs: Discs,
    values: usize,
}

/// A value of the best move of a position out of the book, and that found by the deeper search.
#[derive(Serialize)]
struct Change {
    /// The moves from the start, of which the last leads out of the book; without a line to it, the position.
    line: String,
    value: Discs,
    found: Discs,
    /// True if the move is still the best.
    same_move: bool,
}

impl Change {
    /// The change with its sign.
    fn signed(&self) -> Discs {
        self.found - self.value
    }

    fn size(&self) -> Discs {
        self.signed().max(-self.signed())
    }
}

impl Verified {
    /// Compares a book with answers found by deeper searches.
    fn new(book: &Book, weaker: usize, answers: &[Answer]) -> Self {
        let lines = lines(book);
        let change = |&(position, found): &Answer| {
            let (known, found) = (book.get(position)?.leaf?, found?);
            let board = || Board::new(position, Color::Black).to_string();
            Some(Change {
                line: lines.get(&position).cloned().unwrap_or_else(board),
                value: known.score,
                found: found.score,
                same_move: known.square == found.square,
            })
        };
        let mut changes: Vec<Change> = answers.iter().filter_map(change).collect();
        changes.sort_by(|a, b| (b.size(), &a.line).cmp(&(a.size(), &b.line)));
        let mean = |of: fn(&Change) -> Discs| {
            let sum: Discs = changes.iter().map(of).sum();
            let count = changes.len().max(1) as f64;
            Discs::from_hundredths((f64::from(sum.hundredths()) / count).round() as i32)
        };
        let step = |hundredths| {
            let discs = Discs::from_hundredths(hundredths);
            let values = changes.iter().filter(|it| it.size() >= discs).count();
            Step { discs, values }
        };
        let mut found = book.clone();
        found.grow(answers.iter().copied());
        let start = |book: &Book| book.get(Position::START).map(|entry| entry.value);
        Self {
            weaker,
            searched: changes.len(),
            steps: [50, 100, 200, 400].map(step).into(),
            mean_change: mean(Change::size),
            mean_error: mean(Change::signed),
            max_change: changes.first().map_or(Discs::ZERO, Change::size),
            start: start(book),
            start_found: start(&found),
            changes,
        }
    }
}

/// Returns the line from the start to the best move out of the book of each position that has one.
fn lines(book: &Book) -> HashMap<Position, String> {
    let lines = book.lines(Position::START).filter_map(|line| {
        let line = line_from_start(&line.moves);
        let before: Game = line[..line.len() - 2].parse().ok()?;
        let (position, _) = playable(before.board().position())?;
        Some((position, line))
    });
    lines.collect()
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (searched, weaker) = (self.searched, self.weaker);
        writeln!(
            f,
            "searched                {searched} of {weaker} with weaker evidence"
        )?;
        writeln!(f, "mean change             {}", self.mean_change.unsigned())?;
        writeln!(f, "mean error              {}", self.mean_error)?;
        writeln!(f, "greatest change         {}", self.max_change.unsigned())?;
        if let (Some(start), Some(found)) = (self.start, self.start_found) {
            writeln!(
                f,
                "the start               {start}, with these values {found}"
            )?;
        }
        for Step { discs, values } in &self.steps {
            writeln!(f, "changed by {:.1} or more  {values}", discs.to_f64())?;
        }
        if searched > 0 {
            writeln!(f, "\n  book   found  the largest changes")?;
        }
        for change in self.changes.iter().take(LISTED) {
            let (value, found, line) = (change.value, change.found, &change.line);
            let same = change.same_move;
            let other = if same { "" } else { ", another move is better" };
            writeln!(f, "{value:>6}  {found:>6}  {line}{other}")?;
        }
        Ok(())
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let book = args.search.open(&args.book)?;
    let mut questions = book.weaker_than(args.search.settings());
    let weaker = questions.len();
    let random =
        |position: Position| mix(mix(args.seed ^ position.own().0) ^ position.opponent().0);
    questions.sort_by_cached_key(|question| random(question.position));
    questions.truncate(args.sample.get());
    let mut search = args.search.start()?;
    let (bar, mut answers) = (progress_bar(questions.len()), Vec::new());
    let mut chunks = questions.chunks(16);
    let is_complete = chunks.all(|chunk| {
        let found = search.answer(chunk);
        bar.inc(chunk.len() as u64);
        answers.extend(found.iter().flatten().copied());
        found.is_some()
    });
    bar.finish_and_clear();
    drop(search);
    let verified = Verified::new(&book, weaker, &answers);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&verified)?)?;
    } else {
        write!(out, "{verified}")?;
    }
    Ok(super::exit_code(is_complete))
}
