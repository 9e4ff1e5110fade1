//! The engine's options as `hint` and `solve` take them, and its answers in words.

use std::{num::NonZeroUsize, path::Path};

use othello_core::Move;
use othello_match::engine::{OwnWeights, ReadOwnWeightsError};
use othello_players::{MAX_HASH, MAX_THREADS};
use othello_search::{Exactness, Options, Report, Searcher, TableError};

use crate::tier::TierOption;

/// Options of the engine's search.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EngineOptions {
    /// Search with this many threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: NonZeroUsize,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value = "32", value_parser = clap::value_parser!(u64).range(1..=MAX_HASH))]
    hash: u64,
    /// Evaluate with these weights [default: those that are built in]
    #[arg(long, value_name = "FILE", value_parser = weights)]
    weights: Option<OwnWeights>,
    #[command(flatten)]
    tier: TierOption,
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok();
    number
        .filter(|number: &NonZeroUsize| number.get() as u64 <= MAX_THREADS)
        .ok_or_else(|| format!("expected a number from 1 to {MAX_THREADS}"))
}

fn weights(path: &str) -> Result<OwnWeights, ReadOwnWeightsError> {
    OwnWeights::read(Path::new(path))
}

impl EngineOptions {
    pub(crate) fn searcher(&self) -> Result<Searcher, TableError> {
        let options = Options {
            hash_mib: self.hash as usize,
            threads: self.threads,
            tier: self.tier.or_best(),
            ..Options::default()
        };
        let weights = self.weights.as_ref();
        Searcher::try_new(Options {
            network: weights.map_or(options.network, OwnWeights::network),
            ..options
        })
    }
}

/// A move sequence as people write it.
pub(crate) fn variation(moves: &[Move]) -> String {
    let told: Vec<String> = moves.iter().map(ToString::to_string).collect();
    told.join(" ")
}

/// The depth of a report's search, or that its score is proved.
pub(crate) fn depth(report: &Report) -> String {
    match report.exactness {
        Exactness::Exact => "exact".into(),
        Exactness::WinDrawLoss => "win, draw or loss".into(),
        _ => format!("depth {}", report.depth),
    }
}
