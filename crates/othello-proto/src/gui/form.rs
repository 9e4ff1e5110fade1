//! The forms of the protocol.

/// A version of the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// v1.0.0: the side to move is not named.
    V1,
    /// v2.0.0-rc1: the side to move is named.
    #[default]
    V2,
}

/// The form of the protocol that a [`HostSeat`](super::HostSeat) speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A process for each move, which first prints the version line.
    Document(Version),
    /// A process for each move, which prints no version line and may add a line of notes.
    Released,
    /// One process for the game, which prints the version line once.
    Stay(Version),
}

impl Form {
    /// Returns whether one process plays the whole game.
    pub(super) const fn stays(self) -> bool {
        matches!(self, Self::Stay(_))
    }

    /// Returns whether a request names the side to move.
    pub(super) const fn names_side(self) -> bool {
        !matches!(self, Self::Document(Version::V1) | Self::Stay(Version::V1))
    }
}
