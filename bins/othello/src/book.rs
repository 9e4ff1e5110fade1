//! `othello book`: builds opening books by searches, and shows what they say.

mod build;
mod learn;
mod merge;
mod search;
mod show;

use std::{io::ErrorKind, path::Path, process::ExitCode};

use anyhow::{Context as _, bail};
use othello_analysis::book::Book;

/// The maximum size of a book, in bytes.
const MAX_SIZE: u64 = 1 << 32;

/// Builds an opening book, and shows what it says.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Add(learn::AddArgs),
    Build(build::Args),
    Learn(Box<learn::LearnArgs>),
    Merge(merge::Args),
    Show(show::Args),
}

pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Add(args) => learn::add(args),
        Command::Build(args) => build::run(args),
        Command::Learn(args) => learn::learn(args),
        Command::Merge(args) => merge::run(args),
        Command::Show(args) => show::run(args),
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

/// Reads a book.
fn open(path: &Path) -> anyhow::Result<Book> {
    let Some(book) = read(path)? else {
        let name = path.display();
        bail!("{name}: expected a book, but there is no such file");
    };
    Ok(book)
}
