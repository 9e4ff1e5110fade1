//! The final result as a server reports it.

use alloc::{string::String, string::ToString};
use core::fmt;

use othello_core::{Board, Color};

use super::Outcome;

/// The result as a server told it, as far as it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// White's discs.
    pub white: Option<u8>,
    /// Dark's discs.
    pub dark: Option<u8>,
    /// The last line.
    pub stated: Option<Outcome>,
}

impl Report {
    /// The outcome: the last line's or, without one, that of the counts.
    pub fn outcome(&self) -> Option<Outcome> {
        self.stated.or_else(|| {
            let (white, dark) = (self.white?, self.dark?);
            Some(match dark.cmp(&white) {
                core::cmp::Ordering::Less => Outcome::Won(Color::White),
                core::cmp::Ordering::Equal => Outcome::Draw,
                core::cmp::Ordering::Greater => Outcome::Won(Color::Black),
            })
        })
    }

    /// Returns `true` if every line of the final block was read.
    pub const fn is_complete(&self) -> bool {
        self.white.is_some() && self.dark.is_some() && self.stated.is_some()
    }

    /// Returns `true` if nothing that was said contradicts `board`.
    pub fn agrees_with(&self, board: Board) -> bool {
        let fits = |said: Option<u8>, color| {
            said.is_none_or(|discs| u32::from(discs) == board.discs(color).count())
        };
        fits(self.white, Color::White)
            && fits(self.dark, Color::Black)
            && self
                .stated
                .is_none_or(|stated| stated == Outcome::from_winner(board.leader()))
    }

    pub(super) fn count(&mut self, color: Color, discs: u8) {
        match color {
            Color::Black => self.dark = Some(discs),
            Color::White => self.white = Some(discs),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |discs: Option<u8>| discs.map_or_else(|| String::from("?"), |n| n.to_string());
        let outcome = match self.outcome() {
            Some(Outcome::Won(Color::Black)) => "Dark won",
            Some(Outcome::Won(Color::White)) => "White won",
            Some(Outcome::Draw) => "a draw",
            None => "no winner named",
        };
        write!(
            f,
            "White {}, Dark {}, {outcome}",
            number(self.white),
            number(self.dark)
        )
    }
}
