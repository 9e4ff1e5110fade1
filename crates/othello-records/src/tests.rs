//! Test helpers shared by several formats.

use crate::{Record, RecordError};

/// Returns the transcripts of games, or the error messages.
pub(crate) fn transcripts(
    records: impl Iterator<Item = Result<Record, RecordError>>,
) -> Vec<String> {
    let describe = |read: Result<Record, RecordError>| match read {
        Ok(record) => record.game.transcript().to_string(),
        Err(error) => error.to_string(),
    };
    records.map(describe).collect()
}
