//! The record with the results, in a new file.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use othello_records::{Format, Part, Record, losses, write_text};

use crate::output::tell;

/// The destination of the annotated record.
pub(super) struct Annotation {
    path: PathBuf,
    format: Format,
}

impl Annotation {
    /// Chooses the format by the file's name.
    pub(super) fn new(path: &Path) -> anyhow::Result<Self> {
        let format = path.extension().and_then(|extension| {
            let is = |name: &str| extension.eq_ignore_ascii_case(name);
            let mut formats = [Format::Sgf, Format::Ggf].into_iter();
            formats.find(|format| is(format.name()))
        });
        let name = path.display();
        let format = format
            .with_context(|| format!("{name}: expected a file whose name ends in .sgf or .ggf"))?;
        ensure!(!path.exists(), "{name}: expected a new file");
        boardgame_files::check_target(path, b"")?;
        Ok(Self {
            path: path.to_owned(),
            format,
        })
    }

    /// Writes the record, and reports the parts that the format cannot hold.
    pub(super) fn write(&self, record: &Record) -> anyhow::Result<()> {
        let name = self.path.display().to_string();
        let mut text = Vec::new();
        write_text(self.format, record, 0, &mut text).with_context(|| name.clone())?;
        let is_new = boardgame_files::create(&self.path, &text).with_context(|| name.clone())?;
        ensure!(is_new, "{name}: expected a new file");
        for part in losses(record, self.format) {
            if part != Part::Tags {
                tell(format_args!("not held by {}: {part}", self.format))?;
            }
        }
        Ok(())
    }
}
