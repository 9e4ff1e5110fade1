//! The engine's options of `hint`, `solve`, `prove` and `web`.

use std::{io, path::Path, sync::Arc};

use othello_cli::hash_size;
use othello_engine::{HashSize, Settings, ThreadCount, text::threads};
use othello_match::engine::OwnWeights;

use crate::tier::TierOption;

/// Options of the engine's search.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EngineOptions {
    /// Search with this many threads; auto is one for each CPU
    #[arg(long, value_name = "N", default_value = "auto", value_parser = threads)]
    pub(crate) threads: ThreadCount,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value_t, value_parser = hash_size())]
    pub(crate) hash: HashSize,
    #[command(flatten)]
    pub(crate) evaluation: EvaluationOptions,
}

/// Options of what the search computes with.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EvaluationOptions {
    /// Evaluate with these weights [default: those that are built in]
    #[arg(long, value_name = "FILE", value_parser = weights)]
    pub(crate) weights: Option<OwnWeights>,
    #[command(flatten)]
    tier: TierOption,
}

fn weights(path: &str) -> io::Result<OwnWeights> {
    OwnWeights::read(Path::new(path))
}

impl EngineOptions {
    /// Returns the settings of the engine with these options.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            hash: self.hash,
            threads: self.threads,
            ..self.evaluation.settings()
        }
    }
}

impl EvaluationOptions {
    /// Returns the settings of an engine with these options.
    pub(crate) fn settings(&self) -> Settings {
        let defaults = Settings::default();
        let weights = self.weights.as_ref();
        Settings {
            tier: Some(self.tier.or_best()),
            network: weights.map_or_else(|| Arc::clone(&defaults.network), OwnWeights::network),
            ..defaults
        }
    }
}
