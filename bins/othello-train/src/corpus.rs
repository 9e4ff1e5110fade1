//! The games that a command reads.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use othello_train::Corpus;

/// Opens shards, or folders of them, and warns of those that were cut off.
pub(crate) fn open(games: &[PathBuf]) -> anyhow::Result<Corpus> {
    let corpus = Corpus::open(games)?;
    for torn in corpus.torn() {
        writeln!(
            io::stderr(),
            "warning: {} ends with {} bytes of an unfinished game, which are left out: \
             it was cut off, or is being written",
            torn.path.display(),
            torn.bytes,
        )?;
    }
    Ok(corpus)
}
