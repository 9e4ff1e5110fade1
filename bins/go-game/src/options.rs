//! Options shared by several commands.

use std::time::Duration;

use boardgame_cli::duration;
use go_core::{Komi, Size};
use go_match::{Judge, TournamentOptions};

/// The options of the judge.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct JudgeOptions {
    /// The seed of the judge's playouts
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// The number of the judge's playouts
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    playouts: u32,
}

impl From<JudgeOptions> for Judge {
    fn from(options: JudgeOptions) -> Self {
        Self {
            playouts: options.playouts,
            seed: options.seed,
            ..judge()
        }
    }
}

/// Returns the judge of finished games, with the engine's search.
pub(crate) fn judge() -> Judge {
    Judge {
        search: Some(go_engine::play_out),
        ..Judge::default()
    }
}

/// The options of a game's rules.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct RuleOptions {
    /// The size of the board, 1 to 25, which programs are not told
    #[arg(long, value_name = "LINES", default_value = "19")]
    size: Size,
    /// White's bonus
    #[arg(
        long,
        value_name = "POINTS",
        default_value = "5.5",
        allow_hyphen_values = true
    )]
    komi: Komi,
    /// The user CPU time of each program for the game
    #[arg(long, value_name = "TIME", default_value = "60m", value_parser = duration)]
    limit: Duration,
    /// The user CPU time for each move once the limit is used up
    #[arg(long, visible_alias = "byo-yomi", value_name = "TIME", default_value = "10s", value_parser = duration)]
    byo_romi: Duration,
    /// The time without an increase of user CPU time after which a program that has to move is stuck
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    stuck: Duration,
    /// The number of moves after which the game is judged as it stands
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: u32,
    /// Do as the referee of 1986 where it differed: ignore points off the board, let a ko be retaken at once
    #[arg(long)]
    as_1986: bool,
}

impl From<RuleOptions> for TournamentOptions {
    fn from(options: RuleOptions) -> Self {
        Self {
            size: options.size,
            komi: options.komi,
            limit: options.limit,
            byo_romi: options.byo_romi,
            max_idle: options.stuck,
            max_moves: options.max_moves as usize,
            as_1986: options.as_1986,
            ..Self::default()
        }
    }
}
