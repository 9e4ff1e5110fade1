//! The final result as a server reports it.

use alloc::{string::String, string::ToString};
use core::fmt;

use othello_core::{Board, ByColor, Color};

use super::GameOutcome;

/// The result, as far as a server reported it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The discs of both sides.
    pub discs: ByColor<Option<u8>>,
    /// The outcome in the last line.
    pub stated: Option<GameOutcome>,
}

impl Report {
    /// Returns the outcome: the last line's or, without one, the outcome by the counts.
    pub fn outcome(&self) -> Option<GameOutcome> {
        self.stated.or_else(|| {
            let (white, dark) = (self.discs.white?, self.discs.black?);
            Some(match dark.cmp(&white) {
                core::cmp::Ordering::Less => GameOutcome::Won(Color::White),
                core::cmp::Ordering::Equal => GameOutcome::Draw,
                core::cmp::Ordering::Greater => GameOutcome::Won(Color::Black),
            })
        })
    }

    /// Returns `true` if every line of the final block was read.
    pub const fn is_complete(&self) -> bool {
        self.discs.black.is_some() && self.discs.white.is_some() && self.stated.is_some()
    }

    /// Returns `true` if nothing in the report contradicts `board`.
    pub fn agrees_with(&self, board: Board) -> bool {
        let fits = |color| {
            let stated: Option<u8> = self.discs[color];
            stated.is_none_or(|discs| u32::from(discs) == board.discs(color).count())
        };
        Color::ALL.into_iter().all(fits)
            && self
                .stated
                .is_none_or(|stated| stated == GameOutcome::from_winner(board.leader()))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |discs: Option<u8>| discs.map_or_else(|| String::from("?"), |n| n.to_string());
        let outcome = match self.outcome() {
            Some(GameOutcome::Won(Color::Black)) => "Dark won",
            Some(GameOutcome::Won(Color::White)) => "White won",
            Some(GameOutcome::Draw) => "a draw",
            None => "no winner named",
        };
        write!(
            f,
            "White {}, Dark {}, {outcome}",
            number(self.discs.white),
            number(self.discs.black)
        )
    }
}
