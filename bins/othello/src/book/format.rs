//! The formats of books of other programs.

use std::{path::Path, str::FromStr};

use anyhow::{Context as _, anyhow};
use othello_analysis::book::{Book, Import, edax, egaroucid, list};

/// A format of books of other programs.
#[derive(Clone, Copy)]
pub(super) enum Format {
    /// Books of Edax.
    Edax,
    /// Books of Egaroucid.
    Egaroucid,
    /// Opening lists as text.
    Text,
    /// Opening lists as JSON.
    Json,
}

impl FromStr for Format {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> anyhow::Result<Self> {
        match name {
            "edax" => Ok(Self::Edax),
            "egaroucid" => Ok(Self::Egaroucid),
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err(anyhow!(
                "expected edax, egaroucid, text or json, found {name:?}"
            )),
        }
    }
}

impl Format {
    /// Returns the format of a file, by its extension if none is asked for.
    pub(super) fn of(path: &Path, asked: Option<Self>) -> anyhow::Result<Self> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let by_extension = match extension.to_str() {
            Some("dat") => Some(Self::Edax),
            Some("egbk3") => Some(Self::Egaroucid),
            Some("txt") => Some(Self::Text),
            Some("json") => Some(Self::Json),
            _ => None,
        };
        asked.or(by_extension).ok_or_else(|| {
            let name = path.display();
            anyhow!("{name}: expected the extension .dat, .egbk3, .txt or .json, or --format")
        })
    }

    /// Adds what the bytes of a file say.
    pub(super) fn read(self, bytes: &[u8], import: &mut Import) -> anyhow::Result<()> {
        match self {
            Self::Edax => edax::read(bytes, import)?,
            Self::Egaroucid => egaroucid::read(bytes, import)?,
            Self::Text => list::read(bytes, import)?,
            Self::Json => {
                let lines: Vec<list::Line> = serde_json::from_slice(bytes)?;
                for line in &lines {
                    list::add(line, import).with_context(|| line.moves.clone())?;
                }
            }
        }
        Ok(())
    }

    /// Returns a book as the bytes of a file.
    pub(super) fn write(self, book: &Book) -> anyhow::Result<Vec<u8>> {
        Ok(match self {
            Self::Edax => edax::write(book),
            Self::Egaroucid => egaroucid::write(book),
            Self::Text => list::write(book),
            Self::Json => {
                // A line of the list on a line of the file.
                let lines = list::lines(book).map(|line| serde_json::to_string(&line));
                let lines: Vec<String> = lines.collect::<Result<_, _>>()?;
                format!("[\n{}\n]\n", lines.join(",\n")).into_bytes()
            }
        })
    }
}
