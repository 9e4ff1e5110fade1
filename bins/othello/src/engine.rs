//! The engine's options as `hint` and `solve` take them, and its answers in words.

use std::num::NonZeroUsize;

use othello_core::Move;
use othello_search::{Exactness, Report, Searcher};

use crate::tier::TierOption;

/// How the engine searches.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct EngineOptions {
    /// Search with this many threads
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value = "32", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    #[command(flatten)]
    tier: TierOption,
}

impl EngineOptions {
    pub(crate) fn searcher(self) -> Searcher {
        Searcher::new(othello_search::Options {
            hash_mib: self.hash as usize,
            threads: self.threads,
            tier: self.tier.or_best(),
            ..othello_search::Options::default()
        })
    }
}

/// A move sequence as people write it.
pub(crate) fn variation(moves: &[Move]) -> String {
    let told: Vec<String> = moves.iter().map(ToString::to_string).collect();
    told.join(" ")
}

/// How deep a report's search was, or that its score is proved.
pub(crate) fn depth(report: &Report) -> String {
    match report.exactness {
        Exactness::Exact => "exact".into(),
        Exactness::WinDrawLoss => "win, draw or loss".into(),
        _ => format!("depth {}", report.depth),
    }
}
