//! The games that a command reads.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use boardgame_cli::printable;

use crate::corpus::Corpus;

/// Opens shards, or folders of them, and prints a warning for each torn one.
pub(crate) fn open(games: &[PathBuf]) -> anyhow::Result<Corpus> {
    let corpus = Corpus::open(games)?;
    for (path, bytes) in &corpus.torn {
        writeln!(
            io::stderr(),
            "warning: {} ends with {bytes} bytes of an incomplete game, which are ignored: \
             the file was truncated or is being written",
            printable(&path.display().to_string()),
        )?;
    }
    Ok(corpus)
}
