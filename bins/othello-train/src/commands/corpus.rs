//! The games that a command reads.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use boardgame_cli::printable;
use othello_train::Corpus;

/// Opens shards, or folders of them, and prints a warning for each torn one.
pub(crate) fn open(games: &[PathBuf]) -> anyhow::Result<Corpus> {
    let corpus = Corpus::open(games)?;
    for torn in corpus.torn() {
        writeln!(
            io::stderr(),
            "warning: {} ends with {} bytes of an incomplete game, which are ignored: \
             the file was truncated or is being written",
            printable(&torn.path.display().to_string()),
            torn.bytes,
        )?;
    }
    Ok(corpus)
}
