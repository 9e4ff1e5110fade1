//! The analysis as JSON.

use std::{
    io::{self, Write as _},
    path::Path,
};

use othello_analysis::Report;

/// The first bytes of such a file.
pub(super) const KIND: &[u8] = br#"{"format":"#;

/// Prints the report.
pub(super) fn print(report: &Report) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(&text(report)?)?;
    out.flush()?;
    Ok(())
}

/// Writes the report to a file, in place of another one.
pub(super) fn write(report: &Report, path: &Path) -> anyhow::Result<()> {
    boardgame_files::replace(path, &text(report)?)?;
    Ok(())
}

fn text(report: &Report) -> serde_json::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(report)?;
    text.push(b'\n');
    Ok(text)
}
