//! The engine's options as `hint` and `solve` take them, and its answers in words.

use std::{path::Path, sync::Arc};

use clap::builder::{RangedU64ValueParser, TypedValueParser};
use othello_analysis::Source;
use othello_core::Move;
use othello_engine::{HashSize, Settings, ThreadCount};
use othello_match::engine::{OwnWeights, ReadOwnWeightsError};
use othello_search::{Evaluation, selectivity::MIN_DEPTH};

use crate::tier::TierOption;

/// Options of the engine's search.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EngineOptions {
    /// Search with this many threads
    #[arg(long, value_name = "N", default_value_t)]
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

pub(crate) fn hash_size() -> impl TypedValueParser<Value = HashSize> {
    RangedU64ValueParser::<u64>::new()
        .range(1..=HashSize::MAX)
        .try_map(HashSize::try_from)
}

fn weights(path: &str) -> Result<OwnWeights, ReadOwnWeightsError> {
    OwnWeights::read(Path::new(path))
}

impl EngineOptions {
    /// The settings of the engine that these options name.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            hash: self.hash,
            threads: self.threads,
            ..self.evaluation.settings()
        }
    }
}

impl EvaluationOptions {
    /// The settings of an engine with these options.
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

/// A move sequence as people write it.
pub(crate) fn variation(moves: &[Move]) -> String {
    let told: Vec<String> = moves.iter().map(ToString::to_string).collect();
    told.join(" ")
}

/// A value as people write it: in whole discs if it is exact, else with decimals.
pub(crate) fn value(value: Evaluation, is_exact: bool) -> String {
    if is_exact {
        value.to_score().to_string()
    } else {
        value.to_string()
    }
}

/// Where a score comes from: the depth of an estimate and the confidence of what was left out, or that it is proved.
pub(crate) fn source(source: Source, is_to_the_end: bool) -> String {
    match source {
        Source::Exact | Source::Over => "exact".into(),
        Source::Depth { confidence, .. } if is_to_the_end => format!("to the end, {confidence} %"),
        Source::Depth { depth, .. } if depth < MIN_DEPTH => format!("depth {depth}"),
        Source::Depth { depth, confidence } => format!("depth {depth}, {confidence} %"),
    }
}
