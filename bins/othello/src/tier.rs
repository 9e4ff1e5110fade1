//! The SIMD tier that the environment may force.

use othello_core::Tier;

/// Instructions to compute with.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct TierOption {
    /// Instructions to use: portable, avx2 or avx512 [default: the best of this CPU]
    #[arg(long, value_name = "TIER", env = "OTHELLO_TIER", value_parser = othello_engine::text::tier, hide_env_values = true)]
    tier: Option<Tier>,
}

impl TierOption {
    /// Returns the requested tier, or the best of this CPU.
    pub(crate) fn or_best(self) -> Tier {
        self.tier.unwrap_or_else(Tier::best)
    }
}
