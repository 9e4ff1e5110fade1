//! A person's progress: what was answered, and when to ask again.

use std::{
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, bail};
use othello_analysis::{DiskStore, Size, default_lessons_path};
use othello_core::Position;
use serde::{Serialize, de::DeserializeOwned};

/// Options of the progress.
#[derive(clap::Args)]
pub(super) struct ProgressOptions {
    /// Keep the progress in this file [default: othello/lessons in your folder of data]
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,
}

/// The file of the progress, which several processes may use at once.
pub(super) struct Progress(DiskStore);

impl ProgressOptions {
    /// Opens the progress in a kind of questions.
    pub(super) fn open(&self, of: &str) -> anyhow::Result<Progress> {
        let path = self.progress.clone().or_else(default_lessons_path);
        let path = path.context("expected --progress, since your home folder is not known")?;
        Ok(Progress(DiskStore::open(&path, of, Size::default())?))
    }
}

impl Progress {
    /// Returns what was kept for a position.
    pub(super) fn get<T: DeserializeOwned>(&mut self, position: Position) -> Option<T> {
        serde_json::from_str(&self.0.text(position)?).ok()
    }

    /// Keeps something for a position.
    pub(super) fn put(&mut self, position: Position, value: &impl Serialize) -> anyhow::Result<()> {
        self.0.keep_text(position, &serde_json::to_string(value)?);
        match self.0.failure() {
            Some(failure) => bail!("the progress is not kept: {failure}"),
            None => Ok(()),
        }
    }
}

/// Returns the days since 1970.
pub(super) fn today() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| (time.as_secs() / 86_400) as u32)
}
