//! The games of a batch.

use std::num::NonZeroUsize;

use anyhow::ensure;
use othello_analysis::GameInfo;
use othello_records::{Openings, Record};

use crate::records::{Inputs, filter::Filter};

/// The games of a batch, in the order of their files.
pub(super) struct Games {
    pub(super) list: Vec<BatchGame>,
    /// The number of games that could not be read.
    pub(super) errors: u64,
}

/// A game of a batch.
pub(super) struct BatchGame {
    /// The name of the file, without its folder.
    pub(super) file: String,
    /// The number of the game in the file, from 1.
    pub(super) number: u64,
    pub(super) record: Record,
}

impl Games {
    /// Reads the games that pass a filter, at most the first so many, and tells which cannot be read.
    pub(super) fn read(
        inputs: &Inputs,
        filter: &Filter,
        first: Option<NonZeroUsize>,
    ) -> anyhow::Result<Self> {
        let openings = Openings::default();
        filter.check(&openings)?;
        let names = inputs.names()?;
        let mut list = Vec::new();
        let counts = inputs.for_each(&names, |file, number, record| {
            if filter.takes(record, &openings) {
                list.push(BatchGame {
                    file: file_name(file),
                    number,
                    record: record.clone(),
                });
            }
            Ok(())
        })?;
        list.truncate(first.map_or(usize::MAX, NonZeroUsize::get));
        ensure!(!list.is_empty(), "expected games, found none");
        Ok(Self {
            list,
            errors: counts.errors,
        })
    }

    /// The CRC-32 of everything that analyses tell of the games.
    pub(super) fn checksum(&self) -> serde_json::Result<u32> {
        let mut hasher = crc32fast::Hasher::new();
        for game in &self.list {
            let info = GameInfo::new(&game.record);
            let told = (&game.file, game.number, info, &game.record.game);
            hasher.update(&serde_json::to_vec(&told)?);
        }
        Ok(hasher.finalize())
    }
}

/// The name of a file without its folder, which may be another on another machine.
fn file_name(path: &str) -> String {
    let name = std::path::Path::new(path).file_name();
    name.map_or_else(
        || path.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
