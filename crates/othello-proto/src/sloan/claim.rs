//! The meanings of a claimed value.

use core::fmt;

use othello_core::{Board, Color, Empties, Score};

/// A convention under which a claim fits the board at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimReading {
    /// Black's discs less White's, which is what we claim.
    DiscDifference,
    /// The same with the empty squares given to the winner.
    EmptiesToWinner,
    /// The count of Black's discs.
    BlackDiscs,
}

impl ClaimReading {
    /// Returns the first reading that makes `value` true of a game that ended on `board`.
    pub fn of(value: Score, board: Board) -> Option<Self> {
        [
            Self::DiscDifference,
            Self::EmptiesToWinner,
            Self::BlackDiscs,
        ]
        .into_iter()
        .find(|reading| reading.value(board) == value.discs())
    }

    /// Returns the value to Black of a game that ended on `board`, under this reading.
    fn value(self, board: Board) -> i32 {
        match self {
            Self::DiscDifference => own_claim(board).discs(),
            Self::EmptiesToWinner => board.score(Color::Black, Empties::ToWinner).discs(),
            Self::BlackDiscs => board.discs(Color::Black).count() as i32,
        }
    }

    /// Returns the documented name of the leniency, if it is one.
    pub const fn leniency(self) -> Option<&'static str> {
        match self {
            Self::DiscDifference => None,
            Self::EmptiesToWinner => Some("claim-with-empties"),
            Self::BlackDiscs => Some("claim-of-black-discs"),
        }
    }
}

impl fmt::Display for ClaimReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DiscDifference => "the disc difference",
            Self::EmptiesToWinner => "the disc difference with the empties given to the winner",
            Self::BlackDiscs => "the count of black discs",
        })
    }
}

/// Returns the value for Black that we claim of a game that ended on `board`: the disc difference.
pub(super) const fn own_claim(board: Board) -> Score {
    board.score(Color::Black, Empties::OnBoard)
}

/// Returns the value by which a game is won by forfeit: `(64)` for Black, `(-64)` for White.
pub(super) const fn forfeit_to(winner: Color) -> Score {
    match winner {
        Color::Black => Score::MAX,
        Color::White => Score::MIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(board: &str, value: i32, expect: Option<ClaimReading>) {
        let board: Board = board.parse().unwrap();
        assert_eq!(
            ClaimReading::of(Score::new(value).unwrap(), board),
            expect,
            "{value}"
        );
    }

    /// Ten black discs, three white ones, the rest empty.
    const SPARSE: &str =
        "XXXXXXXX -------- XX------ -------- -------- -------- -------- OOO----- X";

    #[test]
    fn a_value_is_tried_under_all_three_readings() {
        check(SPARSE, 7, Some(ClaimReading::DiscDifference));
        check(SPARSE, 58, Some(ClaimReading::EmptiesToWinner));
        check(SPARSE, 10, Some(ClaimReading::BlackDiscs));
        check(SPARSE, -7, None);
        check(SPARSE, 3, None);
    }

    #[test]
    fn a_wipe_out_can_be_read_in_all_ways() {
        let wipe_out = "OOO----- -------- -------- -------- -------- -------- -------- -------- X";
        check(wipe_out, -3, Some(ClaimReading::DiscDifference));
        check(wipe_out, -64, Some(ClaimReading::EmptiesToWinner));
        check(wipe_out, 0, Some(ClaimReading::BlackDiscs));
    }
}
