//! The engine that plays the games.

use std::{fs, path::PathBuf, sync::Arc};

use anyhow::Context as _;
use othello_search::eval::Network;
use othello_train::{Player, Recipe};

/// Which evaluation the engine plays with.
#[derive(clap::Args)]
pub(crate) struct EngineOptions {
    /// Evaluate with these weights [default: those that are built in]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl EngineOptions {
    /// A player of a recipe with this evaluation.
    pub(crate) fn player(&self, recipe: &Recipe) -> anyhow::Result<Player> {
        let Some(path) = &self.weights else {
            return Ok(Player::new(recipe));
        };
        let name = || path.display().to_string();
        let bytes = fs::read(path).with_context(name)?;
        let network = Network::read(&bytes).with_context(name)?;
        Ok(Player::with_network(recipe, Arc::new(network)))
    }
}
