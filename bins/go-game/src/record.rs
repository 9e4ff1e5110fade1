//! Records of games, read for a command.

use std::{
    io::{self, Write as _},
    path::Path,
};

use anyhow::{Context as _, ensure};
use boardgame_io::printable;
use go_core::sgf::{ReadRecord, Record};

/// The maximum size of a file, in bytes.
const MAX_FILE: u64 = 16 * 1024 * 1024;

/// Reads the first game of an SGF file in any encoding, and whether it is whole. Tells of its faults; `used` says what
/// happens with the moves before an error.
pub(crate) fn read(path: &Path, used: &str) -> anyhow::Result<(Record, bool)> {
    let file = || printable(&path.display().to_string());
    let (text, read_as) = boardgame_files::read_any_text(path, MAX_FILE).with_context(file)?;
    if let Some(read_as) = read_as {
        writeln!(io::stderr(), "{}: {read_as}", file())?;
    }
    let ReadRecord {
        record,
        leniencies,
        error,
    } = Record::read(&text, usize::MAX);
    for leniency in leniencies {
        writeln!(io::stderr(), "{}: {leniency}", file())?;
    }
    if let Some(error) = &error {
        let error = printable(&error.to_string());
        ensure!(!record.game.moves().is_empty(), "{}: {error}", file());
        let file = file();
        writeln!(
            io::stderr(),
            "{file}: {error}; the moves before it are {used}"
        )?;
    }
    let is_whole = error.is_none() && read_as.is_none_or(|read_as| !read_as.damaged);
    Ok((record, is_whole))
}
