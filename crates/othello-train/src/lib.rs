//! How the engine's evaluation is made: games of self-play, kept in [`shard`]s.
//!
//! A [`Recipe`] and a seed say which games are played; game k of them is the same whoever plays
//! it, so any number of processes share the work, and one that was killed goes on where it was.
//!
//! ```
//! use othello_train::{Player, Recipe};
//!
//! let recipe = Recipe { solve_from: 8, ..Recipe::default() };
//! let mut player = Player::new(&recipe);
//! let game = player.play(7)?;
//! assert_eq!(game, Player::new(&recipe).play(7)?);
//! let mut samples = Vec::new();
//! game.samples(&mut samples)?;
//! assert!(samples.iter().all(|sample| sample.position.empties().count() < 60));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod random;

mod record;

mod player;

mod generate;
pub mod shard;

mod corpus;
pub mod fit;
mod shrink;
mod teacher;

pub mod calibrate;
mod openings;
mod suite;

mod manifest;
mod plot;

pub use corpus::{Corpus, CorpusError, Games, Split, TornShard};
pub use generate::{Generation, GenerationError, Progress, generate};
pub use manifest::{Manifest, ManifestError, ShardEntry, play_again};
pub use openings::{judged, openings};
pub use player::{Player, Recipe, RecipeError, Stopped};
pub use plot::{Chart, Curve, Point};
pub use record::{GameRecord, ReplayError, Sample};
pub use shrink::judge;
pub use suite::{Suite, solved};
pub use teacher::Teacher;
