//! Records with comments, in a new file.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use othello_records::{Format, Part, Record, losses, write_text};

use crate::output::tell;

/// The destination of annotated records.
pub(crate) struct Annotation {
    path: PathBuf,
    format: Format,
}

impl Annotation {
    /// Chooses the format by the file's name.
    pub(crate) fn new(path: &Path) -> anyhow::Result<Self> {
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

    /// Writes records, and reports the parts that the format cannot hold.
    pub(crate) fn write(&self, records: &[Record]) -> anyhow::Result<()> {
        let name = || self.path.display().to_string();
        let mut text = Vec::new();
        for (number, record) in (0..).zip(records) {
            write_text(self.format, record, number, &mut text).with_context(name)?;
        }
        let is_new = boardgame_files::create(&self.path, &text).with_context(name)?;
        ensure!(is_new, "{}: expected a new file", name());
        let lost: BTreeSet<Part> = records
            .iter()
            .flat_map(|it| losses(it, self.format))
            .collect();
        for part in lost {
            if part != Part::Tags {
                tell(format_args!("not held by {}: {part}", self.format))?;
            }
        }
        Ok(())
    }
}
