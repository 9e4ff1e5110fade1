//! The engine that plays the games.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;
use othello_engine::{HashSize, Settings};
use othello_search::{
    Searcher,
    eval::{MAX_FILE_BYTES, Network},
};

use crate::player::{Player, Recipe};

/// The size of a table that is quick to clear.
pub(crate) const SMALL_TABLE: HashSize = HashSize::new(4).unwrap();

/// Which evaluation the engine plays with.
#[derive(clap::Args)]
pub(crate) struct EngineOptions {
    /// Evaluate with these weights [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl EngineOptions {
    /// A player of a recipe with this evaluation.
    pub(crate) fn player(&self, recipe: &Recipe) -> anyhow::Result<Player> {
        Ok(match self.network()? {
            Some(network) => Player::with_network(recipe, network),
            None => Player::new(recipe),
        })
    }

    /// A searcher with this evaluation and a table of this size.
    pub(crate) fn searcher(&self, hash: HashSize) -> anyhow::Result<Searcher> {
        let settings = Settings {
            hash,
            network: self.network()?.unwrap_or_else(Network::built_in),
            ..Settings::default()
        };
        Ok(settings.searcher()?)
    }

    /// The evaluation in words.
    pub(crate) fn name(&self) -> anyhow::Result<String> {
        Ok(match self.checksum()? {
            None => "the weights built in".into(),
            Some(checksum) => format!("weights of CRC-32 {checksum}"),
        })
    }

    /// Returns the CRC-32 of the weights in hexadecimal, or `None` for the built-in ones.
    pub(crate) fn checksum(&self) -> anyhow::Result<Option<String>> {
        let bytes = self.weights.as_deref().map(read_weights).transpose()?;
        Ok(bytes.map(|bytes| format!("{:08x}", crc32fast::hash(&bytes))))
    }

    fn network(&self) -> anyhow::Result<Option<Arc<Network>>> {
        let Some(path) = &self.weights else {
            return Ok(None);
        };
        let network = Network::read(&read_weights(path)?);
        let network = network.with_context(|| path.display().to_string())?;
        Ok(Some(Arc::new(network)))
    }
}

/// Reads the bytes of a file of weights.
pub(crate) fn read_weights(path: &Path) -> anyhow::Result<Vec<u8>> {
    boardgame_files::read(path, MAX_FILE_BYTES).with_context(|| path.display().to_string())
}
