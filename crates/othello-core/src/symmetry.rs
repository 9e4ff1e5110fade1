//! The eight symmetries of the board.

use crate::{Bitboard, Position, Square};

/// A rotation or reflection that maps the board onto itself.
///
/// The rules are invariant under all eight symmetries. Only four of them map the standard start
/// onto itself: a rotation by 90° exchanges its colours.
///
/// # Examples
///
/// ```
/// use othello_core::{Position, Square, Symmetry};
///
/// assert_eq!(Symmetry::Transpose.square(Square::C4), Square::D3);
/// for symmetry in Symmetry::ALL {
///     let turned = symmetry.position(Position::START);
///     assert_eq!(symmetry.inverse().position(turned), Position::START);
///     assert_eq!(turned.canonical().0, Position::START.canonical().0);
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Symmetry {
    /// Maps every square to itself.
    #[default]
    Identity,
    /// Reflects left and right: a1 goes to h1.
    MirrorColumns,
    /// Reflects top and bottom: a1 goes to a8.
    MirrorRows,
    /// Rotates by 180°: a1 goes to h8 and b1 to g8.
    HalfTurn,
    /// Exchanges columns and rows: b1 goes to a2; a1 and h8 stay.
    Transpose,
    /// Rotates clockwise by 90°: a1 goes to h1 and h1 to h8.
    ClockwiseTurn,
    /// Rotates counter-clockwise by 90°: a1 goes to a8 and h1 to a1.
    CounterclockwiseTurn,
    /// Reflects about the diagonal from a8 to h1: a1 goes to h8; h1 and a8 stay.
    AntiTranspose,
}

impl Symmetry {
    /// All eight symmetries, the identity first.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::MirrorColumns,
        Self::MirrorRows,
        Self::HalfTurn,
        Self::Transpose,
        Self::ClockwiseTurn,
        Self::CounterclockwiseTurn,
        Self::AntiTranspose,
    ];

    /// The steps of the symmetry in order: a transposition, a reflection of the columns and a
    /// reflection of the rows.
    const fn steps(self) -> (bool, bool, bool) {
        match self {
            Self::Identity => (false, false, false),
            Self::MirrorColumns => (false, true, false),
            Self::MirrorRows => (false, false, true),
            Self::HalfTurn => (false, true, true),
            Self::Transpose => (true, false, false),
            Self::ClockwiseTurn => (true, true, false),
            Self::CounterclockwiseTurn => (true, false, true),
            Self::AntiTranspose => (true, true, true),
        }
    }

    const fn from_steps(transposes: bool, mirrors_columns: bool, mirrors_rows: bool) -> Self {
        Self::ALL[mirrors_columns as usize + 2 * mirrors_rows as usize + 4 * transposes as usize]
    }

    /// The image of a square.
    pub const fn square(self, square: Square) -> Square {
        let (transposes, mirrors_columns, mirrors_rows) = self.steps();
        let (mut column, mut row) = (square.column(), square.row());
        if transposes {
            (column, row) = (row, column);
        }
        if mirrors_columns {
            column = 7 - column;
        }
        if mirrors_rows {
            row = 7 - row;
        }
        Square::ALL[(row * 8 + column) as usize]
    }

    /// The image of a set of squares.
    pub const fn bitboard(self, set: Bitboard) -> Bitboard {
        let (transposes, mirrors_columns, mirrors_rows) = self.steps();
        let mut bits = set.0;
        if transposes {
            bits = transpose(bits);
        }
        if mirrors_columns {
            bits = bits.reverse_bits().swap_bytes();
        }
        if mirrors_rows {
            bits = bits.swap_bytes();
        }
        Bitboard(bits)
    }

    /// The image of a position.
    pub const fn position(self, position: Position) -> Position {
        Position::new_unchecked(
            self.bitboard(position.own()),
            self.bitboard(position.opponent()),
        )
    }

    /// The inverse of this symmetry.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::ClockwiseTurn => Self::CounterclockwiseTurn,
            Self::CounterclockwiseTurn => Self::ClockwiseTurn,
            own_inverse => own_inverse,
        }
    }

    /// The composition: this symmetry first, then `next`.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        let (first_transposes, first_columns, first_rows) = self.steps();
        let (transposes, columns, rows) = next.steps();
        // A transposition after one reflection equals the other reflection after the transposition.
        let (moved_columns, moved_rows) = if transposes {
            (first_rows, first_columns)
        } else {
            (first_columns, first_rows)
        };
        Self::from_steps(
            first_transposes != transposes,
            moved_columns != columns,
            moved_rows != rows,
        )
    }
}

impl Position {
    /// The smallest of the eight images of the position in the order of [`Position`], and a
    /// symmetry that maps this position to it. All eight images have the same canonical form.
    pub fn canonical(self) -> (Self, Symmetry) {
        let images = Symmetry::ALL.map(|symmetry| (symmetry.position(self), symmetry));
        images
            .into_iter()
            .min_by_key(|&(position, _)| position)
            .unwrap_or((self, Symmetry::Identity))
    }
}

/// Exchanges columns and rows by exchanging blocks of increasing size across the diagonal from a1
/// to h8; after Warren, *Hacker's Delight*, section 7-3.
const fn transpose(bits: u64) -> u64 {
    // Single squares in blocks of 2×2, then blocks of 2×2 in 4×4, then 4×4 in the board.
    let swapped = (bits ^ bits >> 7) & 0x00aa_00aa_00aa_00aa;
    let bits = bits ^ swapped ^ swapped << 7;
    let swapped = (bits ^ bits >> 14) & 0x0000_cccc_0000_cccc;
    let bits = bits ^ swapped ^ swapped << 14;
    let swapped = (bits ^ bits >> 28) & 0x0000_0000_f0f0_f0f0;
    bits ^ swapped ^ swapped << 28
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_of_a_set_is_the_set_of_images() {
        for symmetry in Symmetry::ALL {
            for set in [Bitboard::FULL, Bitboard(0x0123_4567_89ab_cdef)] {
                let squares = set.iter().map(|square| symmetry.square(square));
                assert_eq!(symmetry.bitboard(set), squares.collect(), "{symmetry:?}");
            }
            for square in Square::ALL {
                let image = symmetry.bitboard(square.into());
                assert_eq!(
                    image,
                    symmetry.square(square).into(),
                    "{symmetry:?} of {square}"
                );
            }
        }
    }

    #[test]
    fn names_match_the_images_of_corners() {
        let check = |symmetry: Symmetry, a1, h1| {
            assert_eq!(symmetry.square(Square::A1), a1, "{symmetry:?} of a1");
            assert_eq!(symmetry.square(Square::H1), h1, "{symmetry:?} of h1");
        };
        check(Symmetry::Identity, Square::A1, Square::H1);
        check(Symmetry::MirrorColumns, Square::H1, Square::A1);
        check(Symmetry::MirrorRows, Square::A8, Square::H8);
        check(Symmetry::HalfTurn, Square::H8, Square::A8);
        check(Symmetry::Transpose, Square::A1, Square::A8);
        check(Symmetry::ClockwiseTurn, Square::H1, Square::H8);
        check(Symmetry::CounterclockwiseTurn, Square::A8, Square::A1);
        check(Symmetry::AntiTranspose, Square::H8, Square::H1);
    }

    #[test]
    fn composition_forms_a_group() {
        for first in Symmetry::ALL {
            assert_eq!(first.then(first.inverse()), Symmetry::Identity);
            assert_eq!(first.inverse().then(first), Symmetry::Identity);
            for next in Symmetry::ALL {
                for square in Square::ALL {
                    let stepwise = next.square(first.square(square));
                    assert_eq!(
                        first.then(next).square(square),
                        stepwise,
                        "{first:?}, {next:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn legal_moves_commute_with_symmetry() {
        let position = Position::START
            .play_unchecked(Square::F5)
            .play_unchecked(Square::F6);
        let (canonical, to_canonical) = position.canonical();
        assert_eq!(to_canonical.position(position), canonical);
        for symmetry in Symmetry::ALL {
            let image = symmetry.position(position);
            assert_eq!(image.canonical().0, canonical);
            assert_eq!(
                image.legal_moves(),
                symmetry.bitboard(position.legal_moves())
            );
            for square in position.legal_moves() {
                let child = position.play_unchecked(square);
                let image_child = image.play_unchecked(symmetry.square(square));
                assert_eq!(image_child, symmetry.position(child));
            }
        }
    }
}
