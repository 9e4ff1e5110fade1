//! The store of analyses of `analyze`, `hint` and `play`.

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use othello_analysis::{DiskStore, Size, Store, Stored, default_store_path};
use othello_core::Position;
use othello_match::engine::OwnWeights;
use othello_search::{bench, eval::Network};

use crate::output::tell;

/// Options of the store.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Store")]
pub(crate) struct StoreOptions {
    /// Use the analyses that are kept in this file, and keep new ones there [default: othello/analyses in your
    /// folder of caches]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Neither use analyses of before nor keep new ones
    #[arg(long, conflicts_with_all = ["store", "store_size"])]
    no_store: bool,
    /// Size of the store on disk, in MiB. What was not used for longest is deleted first
    #[arg(long, value_name = "MIB", default_value_t)]
    store_size: Size,
}

/// The store, if there is one and it can be used.
pub(crate) struct UserStore(Option<DiskStore>);

impl StoreOptions {
    /// Opens the store for these weights, or the built-in ones. If it cannot be used, a warning gives the reason.
    pub(crate) fn open(&self, weights: Option<&OwnWeights>) -> io::Result<UserStore> {
        if self.no_store {
            return Ok(UserStore(None));
        }
        match self.open_file(weights) {
            Ok(store) => Ok(UserStore(Some(store))),
            Err(error) => {
                warn(&format!("{error:#}"))?;
                Ok(UserStore(None))
            }
        }
    }

    #[cfg(test)]
    pub(crate) fn file(path: &Path) -> Self {
        Self {
            store: Some(path.into()),
            no_store: false,
            store_size: Size::default(),
        }
    }

    fn open_file(&self, weights: Option<&OwnWeights>) -> anyhow::Result<DiskStore> {
        let default = || default_store_path().context("your home folder is not known");
        let path = self.store.as_deref().map(Path::to_owned);
        let path = path.map_or_else(default, Ok)?;
        Ok(DiskStore::open(
            &path,
            &evaluator(weights),
            self.store_size,
        )?)
    }
}

impl UserStore {
    /// Warns if the store failed during its use, or had damaged entries.
    pub(crate) fn warn_of_failure(&self) -> io::Result<()> {
        let Some(store) = &self.0 else {
            return Ok(());
        };
        if store.damaged_entries() > 0 {
            tell(format_args!(
                "warning: damaged entries of the store of analyses are passed over: {}",
                store.damaged_entries()
            ))?;
        }
        let failure = store.failure();
        failure.map_or(Ok(()), |failure| warn(&failure.to_string()))
    }
}

impl Store for UserStore {
    fn get(&mut self, position: Position) -> Option<Stored> {
        self.0.as_mut()?.get(position)
    }

    fn put(&mut self, position: Position, stored: Stored) {
        if let Some(store) = &mut self.0 {
            store.put(position, stored);
        }
    }
}

/// Returns the name of what values depend on: the version of the search, and the weights.
fn evaluator(weights: Option<&OwnWeights>) -> String {
    let weights = weights.map_or_else(Network::built_in_checksum, OwnWeights::checksum);
    format!("search {}, weights {weights:08x}", bench::SIGNATURE)
}

fn warn(reason: &str) -> io::Result<()> {
    tell(format_args!(
        "warning: without the store of analyses: {reason}"
    ))
}
