//! Identities of the engines and games of a match.

use boardgame_core::Color;
use serde::{Deserialize, Serialize};

/// An engine of a match, by its place in the list of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EngineId(pub u16);

/// The identity of a game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GameId {
    /// The number of the opening, from 0.
    pub opening: u32,
    /// The engine that plays Black.
    pub black: EngineId,
    /// The engine that plays White.
    pub white: EngineId,
}

impl GameId {
    /// The game of the same opening with the colours exchanged.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            opening: self.opening,
            black: self.white,
            white: self.black,
        }
    }

    /// Returns the engine that plays a colour.
    pub const fn engine(self, color: Color) -> EngineId {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }
}
