//! The games of a batch.

use std::{
    ffi::OsString,
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use othello_analysis::GameInfo;
use othello_records::{Openings, Record};

use crate::{
    output::tell,
    records::{Reading, files_of, filter::Filter, open},
};

/// The games of a batch, in the order of their files.
pub(crate) struct Games {
    pub(crate) list: Vec<BatchGame>,
    /// The number of files and games that could not be read.
    pub(crate) errors: u64,
}

/// A game of a batch.
pub(crate) struct BatchGame {
    /// The name of the file, without its folder.
    pub(crate) file: String,
    /// The number of the game in the file, from 1.
    pub(crate) number: u64,
    pub(crate) record: Record,
}

impl Games {
    /// Reads the first games of files and folders that pass the filter, and reports those that cannot be read.
    pub(crate) fn read(
        sources: &[OsString],
        reading: &Reading,
        filter: &Filter,
        first: Option<NonZeroUsize>,
    ) -> anyhow::Result<Self> {
        let openings = Openings::default();
        filter.check(&openings)?;
        let names = reading.names()?;
        let files = files(sources, reading)?;
        let first = first.map_or(usize::MAX, NonZeroUsize::get);
        let mut list = Vec::new();
        let counts = reading.for_each(&files, &names, |file, number, record| {
            if filter.takes(record, &openings) {
                list.push(BatchGame {
                    file: file_name(file),
                    number,
                    record: record.clone(),
                });
            }
            Ok(if list.len() < first {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            })
        })?;
        ensure!(!list.is_empty(), "expected games, found none");
        Ok(Self {
            list,
            errors: counts.errors,
        })
    }

    /// Returns the CRC-32 of everything about the games in analyses.
    pub(super) fn checksum(&self) -> serde_json::Result<u32> {
        let mut hasher = crc32fast::Hasher::new();
        for game in &self.list {
            let info = GameInfo::new(&game.record);
            let content = (&game.file, game.number, info, &game.record.game);
            hasher.update(&serde_json::to_vec(&content)?);
        }
        Ok(hasher.finalize())
    }
}

/// Returns the files that the sources name, those of a folder by name. Other files than game records in it are left
/// out.
fn files(sources: &[OsString], reading: &Reading) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for source in sources.iter().map(PathBuf::from) {
        if source.is_dir() {
            let folder = files_of(&source).with_context(|| source.display().to_string())?;
            for file in folder {
                if let Err(error) = open(&file)
                    .map_err(anyhow::Error::from)
                    .and_then(|input| reading.detect(input).map(drop))
                {
                    tell(format_args!("{}: left out: {error}", file.display()))?;
                } else {
                    files.push(file);
                }
            }
        } else {
            files.push(source);
        }
    }
    Ok(files)
}

/// Returns the name of a file without its folder, which may differ on another machine.
fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or_else(
        || path.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
