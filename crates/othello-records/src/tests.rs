//! Helpers of the tests of several formats.

use crate::{Record, RecordError};

/// Returns the transcripts of games, and the texts of errors.
pub(crate) fn transcripts(
    records: impl Iterator<Item = Result<Record, RecordError>>,
) -> Vec<String> {
    let told = |read: Result<Record, RecordError>| match read {
        Ok(record) => record.game.transcript().to_string(),
        Err(error) => error.to_string(),
    };
    records.map(told).collect()
}
