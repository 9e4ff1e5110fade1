#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod fit;
mod games;
mod mm;
mod samples;
mod self_play;
mod training_position;

pub use fit::{Evaluation, Fit, FitOptions, fit};
pub use games::{
    COMMAND as GAMES_COMMAND, EXTENSION as GAMES_EXTENSION, RecipeError, ReplayError,
    check_manifest, json, manifest, parts, read_games, recipe, replay, work,
};
pub use mm::{Competitions, Fitter, Likelihood, Team, TooManyFeatures};
pub use self_play::{GameRecord, PlayedMove, Recipe, self_play};
