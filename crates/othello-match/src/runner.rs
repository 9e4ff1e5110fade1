//! Matches between engines from openings.

use boardgame_match::{GameSpec, contest};
use othello_core::{Board, Game};

use crate::{engine::EngineSpec, openings::Openings};

/// A match between engines.
pub type Match = contest::Match<EngineSpec, Openings>;

/// The error of an engine that cannot play from the openings of its match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{engine} cannot play from {opening}: its protocol begins every game where all games do \
     (openings: start)"
)]
pub struct CannotPlay {
    /// The engine.
    pub engine: String,
    /// The first unsupported opening.
    pub opening: String,
}

/// Checks that every engine can play from every opening.
///
/// # Errors
///
/// Fails with the first engine that cannot.
pub fn check(engines: &[EngineSpec], openings: &Openings) -> Result<(), CannotPlay> {
    for engine in engines {
        if let Some((number, opening)) = openings.find(|game| !engine.takes(game)) {
            let moves = opening.transcript();
            return Err(CannotPlay {
                engine: engine.name.clone(),
                opening: format!("opening {} ({} {moves})", number + 1, opening.start()),
            });
        }
    }
    Ok(())
}

impl contest::Openings<EngineSpec> for Openings {
    fn game(&self, number: u32) -> GameSpec<Board> {
        game_from(&self.get(number))
    }
}

/// Returns a game that begins with the moves of an opening.
pub fn game_from(opening: &Game) -> GameSpec<Board> {
    GameSpec {
        opening: opening.moves().to_vec(),
        ..GameSpec::new(opening.start())
    }
}
