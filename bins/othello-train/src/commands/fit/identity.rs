//! The identity of a fit: everything that it depends on. A model keeps it as JSON.

use anyhow::Context as _;
use boardgame_files::shards::Work;
use othello_search::eval::{HIDDEN, PATTERNS};
use serde::{Deserialize, Serialize};

use super::Args;
use crate::{
    corpus::Corpus,
    fit::{Checkpoint, REVISION},
};

/// The command in the identity of a fit.
const COMMAND: &str = "othello-train fit";

/// Everything that determines the numbers of a model. Non-integers are stored as text, to be compared exactly.
#[derive(Serialize, Deserialize)]
struct Settings {
    revision: u32,
    patterns: String,
    model: String,
    #[serde(flatten)]
    games: FittedGames,
    /// The checksum of the games with the openings and targets.
    samples: String,
    epochs: u32,
    window: usize,
    seed: u64,
    rate: String,
    head_rate: String,
    decay: String,
    prior_weight: String,
    /// The checksum of the file that the fit starts from.
    from: Option<String>,
}

/// The games of a fit, including the held-out ones.
#[derive(Serialize, Deserialize)]
pub(crate) struct FittedGames {
    /// The number of games of each shard.
    pub(crate) shares: Vec<u64>,
    /// The [signature](Corpus::games_signature) of the games.
    pub(crate) games: String,
    pub(crate) hold_out: u32,
}

/// Returns the identity of a fit that starts from a file with this checksum, if any.
pub(super) fn work(args: &Args, corpus: &Corpus, from: Option<u32>) -> anyhow::Result<Work> {
    let rates = args.rates();
    let settings = Settings {
        revision: REVISION,
        patterns: format!("{PATTERNS:08x}"),
        model: format!("two-sided network of {HIDDEN}"),
        games: FittedGames {
            shares: corpus.shares(),
            games: games(corpus),
            hold_out: args.hold_out,
        },
        samples: format!("{:08x}", corpus.signature()),
        epochs: args.epochs,
        window: args.window,
        seed: args.seed,
        rate: rates.rows.to_string(),
        head_rate: rates.heads.to_string(),
        decay: rates.decay.to_string(),
        prior_weight: args.prior_weight.to_string(),
        from: from.map(|from| format!("{from:08x}")),
    };
    Ok(Work::new(COMMAND, corpus.len(), &settings)?)
}

/// Returns the checksum of games in the form of an identity.
pub(crate) fn games(corpus: &Corpus) -> String {
    format!("{:08x}", corpus.games_signature())
}

/// Returns the identity in a model.
pub(super) fn of(model: &Checkpoint) -> anyhow::Result<Work> {
    serde_json::from_str(&model.fit).context("expected a model that tells what it is fitted to")
}

/// Returns the games that a model is fitted to.
pub(crate) fn fitted_games(model: &Checkpoint) -> anyhow::Result<FittedGames> {
    let settings: Settings = of(model)?.settings()?;
    Ok(settings.games)
}
