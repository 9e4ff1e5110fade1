//! The games with the positions of a suite.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use boardgame_files::shards::is_named_as_part;
use othello_core::{Board, Position};
use othello_records::Format;

use super::corpus;
use crate::{
    corpus::{Corpus, Split},
    games,
};

/// The maximum size of a file of records in bytes.
const MAX_RECORDS: u64 = 64 * boardgame_files::MIB;

/// Games of the engine, in shards, and records of other games.
pub(crate) struct Source {
    corpus: Option<Corpus>,
    records: Vec<Records>,
}

/// A file of records.
struct Records {
    path: PathBuf,
    bytes: Vec<u8>,
    format: Format,
}

impl Source {
    pub(crate) fn open(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let (shards, records): (Vec<_>, Vec<_>) =
            paths.iter().cloned().partition(|path| is_shards(path));
        let corpus = (!shards.is_empty()).then(|| corpus::open(&shards));
        let records = records
            .into_iter()
            .map(|path| Records::read(&path).with_context(|| path.display().to_string()));
        Ok(Self {
            corpus: corpus.transpose()?,
            records: records.collect::<anyhow::Result<_>>()?,
        })
    }

    /// Returns a checksum of the shards' games and the files of records.
    pub(crate) fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        if let Some(corpus) = &self.corpus {
            hasher.update(&corpus.games_signature().to_le_bytes());
        }
        for Records { bytes, .. } in &self.records {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        }
        hasher.finalize()
    }

    /// Returns the positions of each game: first held-out games of the engine, then all games of
    /// records.
    pub(crate) fn games(
        &self,
        split: Split,
    ) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Vec<Position>>>> {
        let held_out = self.corpus.as_ref().map(|corpus| corpus.held_out(split));
        let held_out = held_out.transpose()?.into_iter().flatten();
        let records = self.records.iter().flat_map(Records::games);
        Ok(held_out.chain(records))
    }
}

/// Returns true if a path has games of the engine.
fn is_shards(path: &Path) -> bool {
    path.is_dir() || is_named_as_part(path, games::EXTENSION)
}

impl Records {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes = boardgame_files::read(path, MAX_RECORDS)?;
        let format = Format::detect(&bytes)?;
        Ok(Self {
            path: path.to_owned(),
            bytes,
            format,
        })
    }

    fn games(&self) -> impl Iterator<Item = anyhow::Result<Vec<Position>>> {
        let records = self.format.read(self.bytes.as_slice());
        records.map(|record| {
            let record = record.map_err(|error| anyhow!("{}: {error}", self.path.display()))?;
            Ok(record.game.boards().map(Board::position).collect())
        })
    }
}
