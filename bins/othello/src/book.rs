//! `othello book`: builds opening books by searches, and shows what they say.

mod build;
mod deepen;
mod export;
mod format;
mod import;
mod learn;
mod lines;
mod merge;
mod prepare;
mod prune;
mod rounds;
mod search;
mod show;
mod stats;
mod verify;

use std::{io::ErrorKind, path::Path, process::ExitCode};

use anyhow::{Context as _, bail};
use othello_analysis::book::Book;
use othello_core::{Board, Game};

use self::format::Format;

/// The maximum size of a book, in bytes.
const MAX_SIZE: u64 = 1 << 32;

/// Builds an opening book, and shows what it says.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Add(learn::AddArgs),
    Build(build::Args),
    Deepen(deepen::Args),
    Export(export::Args),
    Import(import::Args),
    Learn(Box<learn::LearnArgs>),
    Lines(lines::Args),
    Merge(merge::Args),
    Prepare(Box<prepare::Args>),
    Prune(prune::Args),
    Show(show::Args),
    Stats(Box<stats::Args>),
    Verify(verify::Args),
}

pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Add(args) => learn::add(args),
        Command::Build(args) => build::run(args),
        Command::Deepen(args) => deepen::run(args),
        Command::Export(args) => export::run(args),
        Command::Import(args) => import::run(args),
        Command::Learn(args) => learn::learn(args),
        Command::Lines(args) => lines::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Prepare(args) => prepare::run(args),
        Command::Prune(args) => prune::run(args),
        Command::Show(args) => show::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Verify(args) => verify::run(args),
    }
}

/// Reads a book, or returns `None` if there is no file.
fn read(path: &Path) -> anyhow::Result<Option<Book>> {
    let name = || path.display().to_string();
    match boardgame_files::read(path, MAX_SIZE) {
        Ok(bytes) => match Book::from_bytes(&bytes) {
            Ok(book) => Ok(Some(book)),
            Err(error) if Format::of(path, None).is_ok() => bail!(
                "{}: {error}; `othello book import` makes one of books of other programs",
                path.display()
            ),
            Err(error) => Err(error).with_context(name),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(name),
    }
}

/// Reads a book.
pub(crate) fn open(path: &Path) -> anyhow::Result<Book> {
    let Some(book) = read(path)? else {
        let name = path.display();
        bail!("{name}: expected a book, but there is no such file");
    };
    Ok(book)
}

/// Fails if a book lacks the position at the end of a game.
fn expect(book: &Book, path: &Path, game: &Game) -> anyhow::Result<()> {
    if book.get(game.board().position()).is_some() {
        return Ok(());
    }
    let is_out = |board: Board| !board.must_pass() && book.get(board.position()).is_none();
    let name = path.display();
    match game.boards().position(is_out) {
        Some(ply @ 1..) => {
            let mv = game.moves()[ply - 1];
            bail!(
                "{name}: the position is not in the book, which the moves leave with {mv}, move {ply}"
            )
        }
        _ => bail!(
            "{name}: the position is not in the book, which has {} positions",
            book.len()
        ),
    }
}

/// Returns the exit status of work that a signal may have ended.
fn exit_code(is_complete: bool) -> ExitCode {
    if is_complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
