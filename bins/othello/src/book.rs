//! `othello book`: builds an opening book and shows what it says.

use std::{
    io::{self, ErrorKind, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail, ensure};
use boardgame_cli::number_of;
use othello_analysis::{
    Discs, PositionValue, Settings, Source,
    book::{Book, BookMove, Growth, Leaf, Question, search_leaf},
};
use othello_core::{Game, Position};
use othello_engine::{StopHandle, ThreadCount};
use othello_match::engine::OwnWeights;
use othello_search::{Searcher, eval::Network};

use crate::{
    board::moves_or_board, diagram::Diagram, engine::EngineOptions, interrupt::Interrupt,
    output::tell,
};

/// The maximum size of a book, in bytes.
const MAX_SIZE: u64 = 1 << 32;

/// The least time between two writes of a book that is being built.
const BETWEEN_WRITES: Duration = Duration::from_secs(10);

/// Builds an opening book, and shows what it says.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Build(BuildArgs),
    Show(ShowArgs),
}

/// Builds a book by searches, or goes on with one.
///
/// The position added next is the one after the move that loses least and lies nearest to the start. Ctrl-C ends the
/// work; what was found is in the file, and the same command goes on. The same options make the same book, on any
/// number of threads and however often the work was interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello book build othello.book --positions 1000 --depth 12")]
pub(crate) struct BuildArgs {
    /// The file of the book
    file: PathBuf,
    /// Stop at this number of positions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    positions: u32,
    /// The depth of the searches, one less if leaves would have an even number of empties
    #[arg(long, value_name = "PLIES", default_value_t = 12, value_parser = number_of("plies", 2..=60))]
    depth: u32,
    /// The most that a move of a line may lose, in discs
    #[arg(long, value_name = "DISCS", default_value_t = 4, value_parser = number_of("discs", 0..=64))]
    max_loss: u32,
    /// The most that all moves of a line may lose together, in discs
    #[arg(long, value_name = "DISCS", default_value_t = 8, value_parser = number_of("discs", 0..=64))]
    max_path_loss: u32,
    #[command(flatten)]
    engine: EngineOptions,
}

/// Shows a position, and its moves in a book with their values.
#[derive(clap::Args)]
pub(crate) struct ShowArgs {
    /// The file of the book
    file: PathBuf,
    /// Moves from the start such as f5d6c3, or a board [default: the start]
    #[arg(value_name = "BOARD", value_parser = moves_or_board, hide_default_value = true, allow_hyphen_values = true)]
    position: Option<Game>,
}

pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Build(args) => build(args),
        Command::Show(args) => show(args),
    }
}

/// Reads a book, or returns `None` if there is no file.
fn read(path: &Path) -> anyhow::Result<Option<Book>> {
    let name = || path.display().to_string();
    match boardgame_files::read(path, MAX_SIZE) {
        Ok(bytes) => Ok(Some(Book::from_bytes(&bytes).with_context(name)?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(name),
    }
}

fn build(args: &BuildArgs) -> anyhow::Result<ExitCode> {
    let weights = args.engine.evaluation.weights.as_ref();
    let weights = weights.map_or_else(Network::built_in_checksum, OwnWeights::checksum);
    let mut book = read(&args.file)?.unwrap_or_else(|| Book::new(weights));
    ensure!(
        book.weights() == weights,
        "{}: expected a book of the weights {weights:08x}, but found one of {:08x}",
        args.file.display(),
        book.weights()
    );
    let discs = |number: u32| Discs::whole(number as i32);
    let growth = Growth {
        positions: args.positions as usize,
        loss: discs(args.max_loss),
        path: discs(args.max_path_loss),
        ply: Discs::from_hundredths(50),
    };
    let stop = StopHandle::new();
    let mut searchers = searchers(args)?;
    let interrupt = Interrupt::watch(vec![stop.clone()]);
    let work = interrupt.work();
    let settings = Settings {
        depth: args.depth,
        exact_from: 0,
    };
    let (started, before) = (Instant::now(), book.len());
    let (mut written, mut is_complete) = (Instant::now(), true);
    loop {
        let questions = book.round(&growth);
        if questions.is_empty() {
            break;
        }
        let answers = answer(&mut searchers, &stop, settings, &questions);
        if stop.is_stopped() {
            is_complete = false;
            break;
        }
        book.grow(answers);
        if written.elapsed() >= BETWEEN_WRITES {
            boardgame_files::replace(&args.file, &book.to_bytes())?;
            tell(format_args!("{} positions", book.len()))?;
            written = Instant::now();
        }
    }
    boardgame_files::replace(&args.file, &book.to_bytes())?;
    drop(work);
    let value = book
        .get(Position::START)
        .map_or(Discs::ZERO, |entry| entry.value);
    let (len, new, elapsed) = (book.len(), book.len() - before, started.elapsed());
    writeln!(
        io::stdout(),
        "{}: {len} positions, {new} of them new; the start is worth {value}; {elapsed:.1?}",
        args.file.display()
    )?;
    Ok(if is_complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns a searcher of one thread for each thread asked for.
fn searchers(args: &BuildArgs) -> anyhow::Result<Vec<Searcher>> {
    let settings = othello_engine::Settings {
        threads: ThreadCount::MIN,
        ..args.engine.settings()
    };
    let searchers = (0..args.engine.threads.get()).map(|_| settings.searcher());
    Ok(searchers.collect::<Result<_, _>>()?)
}

/// Answers the questions of a round, each by one searcher.
fn answer(
    searchers: &mut [Searcher],
    stop: &StopHandle,
    settings: Settings,
    questions: &[Question],
) -> Vec<(Position, Option<Leaf>)> {
    let (next, answers) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for searcher in searchers {
            scope.spawn(|| {
                while let Some(question) = questions.get(next.fetch_add(1, Relaxed)) {
                    let leaf = if question.moves.is_empty() {
                        None
                    } else {
                        search_leaf(searcher, stop, settings, question)
                    };
                    if let Ok(mut answers) = answers.lock() {
                        answers.push((question.position, leaf));
                    }
                }
            });
        }
    });
    answers.into_inner().unwrap_or_default()
}

fn show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let name = args.file.display();
    let Some(book) = read(&args.file)? else {
        bail!("{name}: expected a book, but there is no such file");
    };
    let game = args.position.clone().unwrap_or_default();
    let position = game.board().position();
    let mut out = io::stdout();
    writeln!(out, "{}", Diagram::of(&game))?;
    let moves = book.moves(position);
    if moves.is_empty() {
        bail!(
            "{name}: the position is not in the book, which has {}",
            book.len()
        );
    }
    for mv in moves {
        let (value, square) = (value(&mv), mv.square);
        let empties = position.empties().count();
        let source = mv
            .source
            .map_or("book".into(), |source| source.in_words(empties));
        writeln!(out, "{value:>6}  {square}  {source}")?;
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
