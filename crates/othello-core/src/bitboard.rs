//! Sets of squares.

use core::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub},
    str::FromStr,
};

use crate::{ParseTextError, Square};

/// A set of squares: bit `n` stands for the square with index `n`, so a1 is bit 0 and h8 bit 63.
///
/// # Examples
///
/// ```
/// use othello_core::{Bitboard, Square};
///
/// let set: Bitboard = [Square::A1, Square::C4].into_iter().collect();
/// assert!(set.contains(Square::C4));
/// assert_eq!(set.into_iter().last(), Some(Square::C4));
/// assert_eq!((set - Bitboard::CORNERS).count(), 1);
/// assert_eq!(format!("{set:#x}"), "0x4000001");
/// assert_eq!("0x4000001".parse(), Ok(set));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const FULL: Self = Self(!0);
    /// a1, h1, a8 and h8.
    pub const CORNERS: Self = Self(0x8100_0000_0000_0081);
    /// The squares diagonally next to a corner: b2, g2, b7 and g7.
    pub const X_SQUARES: Self = Self(0x0042_0000_0000_4200);
    /// The edge squares next to a corner: b1, g1, a2, h2, a7, h7, b8 and g8.
    pub const C_SQUARES: Self = Self(0x4281_0000_0000_8142);
    /// The 28 squares on the edge of the board.
    pub const EDGES: Self = Self(0xff81_8181_8181_81ff);

    /// The set of one square.
    #[inline]
    pub const fn from_square(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Returns `true` if `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The set with `square` added.
    #[must_use]
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.index())
    }

    /// The set without `square`.
    #[must_use]
    #[inline]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square.index()))
    }

    /// The number of squares in the set, 0 to 64.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns `true` if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if all squares of the set are also in `other`.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns `true` if the sets have no square in common.
    #[inline]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// The first square in board order, or `None` if the set is empty.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        Square::from_index(self.0.trailing_zeros() as u8)
    }

    /// The last square in board order, or `None` if the set is empty.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        Square::from_index(63_u8.wrapping_sub(self.0.leading_zeros() as u8))
    }

    /// The square with `n` squares of the set before it in board order, or `None` if the set has no more than `n`.
    #[inline]
    pub fn nth(self, n: u32) -> Option<Square> {
        self.iter().nth(n as usize)
    }

    /// All 2ⁿ subsets of a set of n squares, from the empty set to the set itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_core::Bitboard;
    ///
    /// assert!(Bitboard(0b101).subsets().map(u64::from).eq([0b000, 0b001, 0b100, 0b101]));
    /// ```
    #[inline]
    pub const fn subsets(self) -> Subsets {
        Subsets {
            set: self,
            next: Some(Self::EMPTY),
        }
    }

    /// The squares in board order.
    #[inline]
    pub const fn iter(self) -> Squares {
        Squares(self)
    }
}

/// An iterator over the squares of a [`Bitboard`], in board order.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count() as usize;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for Squares {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let square = self.0.last()?;
        self.0 = self.0.without(square);
        Some(square)
    }
}

impl ExactSizeIterator for Squares {}

impl core::iter::FusedIterator for Squares {}

/// An iterator over the subsets of a [`Bitboard`], in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Subsets {
    set: Bitboard,
    next: Option<Bitboard>,
}

impl Iterator for Subsets {
    type Item = Bitboard;

    #[inline]
    fn next(&mut self) -> Option<Bitboard> {
        let subset = self.next?;
        // The borrow of the subtraction carries through the squares outside the set.
        let following = subset.0.wrapping_sub(self.set.0) & self.set.0;
        self.next = (following != 0).then_some(Bitboard(following));
        Some(subset)
    }
}

impl core::iter::FusedIterator for Subsets {}

impl Square {
    /// The three to eight squares that touch this one.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_core::Square;
    ///
    /// assert!(Square::H1.neighbors().into_iter().eq([Square::G1, Square::G2, Square::H2]));
    /// ```
    pub const fn neighbors(self) -> Bitboard {
        const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
        const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let square = 1_u64 << self.index();
        let row = square | square << 1 & NOT_A | square >> 1 & NOT_H;
        Bitboard((row | row << 8 | row >> 8) & !square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for Bitboard {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl Extend<Square> for Bitboard {
    #[inline]
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        *self |= squares.into_iter().collect();
    }
}

impl From<u64> for Bitboard {
    #[inline]
    fn from(bits: u64) -> Self {
        Self(bits)
    }
}

impl From<Bitboard> for u64 {
    #[inline]
    fn from(set: Bitboard) -> Self {
        set.0
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::from_square(square)
    }
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Sub for Bitboard {
    type Output = Self;

    /// The squares of `self` that are not in `other`.
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Bitboard {
    /// Formats the set as a list of squares: `{d3, c4}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

macro_rules! format_as_number {
    ($($format:ident)*) => {$(
        impl fmt::$format for Bitboard {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

format_as_number!(LowerHex UpperHex Binary);

const EXPECTED: ParseTextError =
    ParseTextError("a set of squares: 0x and one to 16 hexadecimal digits");

impl FromStr for Bitboard {
    type Err = ParseTextError;

    /// Parses `0x` and hexadecimal digits in either case, as `{:#x}` prints them.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix("0x").ok_or(EXPECTED)?;
        if digits.starts_with('+') || digits.len() > 16 {
            return Err(EXPECTED);
        }
        u64::from_str_radix(digits, 16)
            .map(Self)
            .map_err(|_| EXPECTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave_as_sets() {
        let edges: Bitboard = Square::ALL
            .into_iter()
            .filter(|s| s.column() % 7 == 0 || s.row() % 7 == 0)
            .collect();
        assert_eq!(edges, Bitboard::EDGES);
        assert_eq!(edges.count(), 28);
        assert_eq!(edges.iter().len(), 28);
        assert!(Bitboard::X_SQUARES.is_disjoint(edges));
        assert_eq!(Bitboard::CORNERS & edges, Bitboard::CORNERS);
        assert_eq!(!Bitboard::FULL, Bitboard::EMPTY);
        assert_eq!(Bitboard::EMPTY.first(), None);
        assert_eq!(Bitboard::EMPTY.last(), None);
        assert_eq!(edges.without(Square::A1).first(), Some(Square::B1));
        assert_eq!(edges.without(Square::H8).last(), Some(Square::G8));
        assert!(
            edges
                .iter()
                .rev()
                .eq(Square::ALL.into_iter().rev().filter(|&s| edges.contains(s)))
        );
        assert!(Bitboard::C_SQUARES.is_subset(edges) && !edges.is_subset(Bitboard::C_SQUARES));
        assert_eq!(Bitboard::FULL.iter().collect::<Bitboard>(), Bitboard::FULL);
        assert_eq!(edges.with(Square::A1), edges);
    }

    #[test]
    fn operators_are_bitwise() {
        // The lowest four bits cover all cases: in neither set, in either one, and in both.
        let (left, right) = (Bitboard(0b0011), Bitboard(0b0101));
        assert_eq!(left & right, Bitboard(0b0001));
        assert_eq!(left | right, Bitboard(0b0111));
        assert_eq!(left ^ right, Bitboard(0b0110));
        assert_eq!(left - right, Bitboard(0b0010));
        let (mut both, mut either, mut one) = (left, left, left);
        both &= right;
        either |= right;
        one ^= right;
        assert_eq!(
            [both, either, one],
            [left & right, left | right, left ^ right]
        );
    }

    #[test]
    fn debug_output_lists_the_squares() {
        let set: Bitboard = [Square::C4, Square::D3].into_iter().collect();
        assert_eq!(std::format!("{set:?}"), "{d3, c4}");
    }

    #[test]
    fn numbers_round_trip_through_text() {
        for set in [Bitboard::EMPTY, Bitboard::EDGES, Bitboard::FULL] {
            assert_eq!(std::format!("{set:#x}").parse(), Ok(set));
            assert_eq!(std::format!("0x{set:X}").parse(), Ok(set));
            assert_eq!(Bitboard::from(u64::from(set)), set);
        }
        assert_eq!(std::format!("{:06b}", Bitboard(5)), "000101");
        for text in ["", "0x", "1", "0x+1", "0xg", "0x-1", "0x10000000000000000"] {
            assert_eq!(text.parse::<Bitboard>(), Err(EXPECTED), "{text:?}");
        }
    }

    #[test]
    fn squares_are_counted_added_and_chosen() {
        let mut set = Bitboard::X_SQUARES;
        for (n, square) in (0..).zip(set) {
            assert_eq!(set.nth(n), Some(square));
        }
        assert_eq!(set.nth(4), None);
        set.extend([Square::A1, Square::B2]);
        assert_eq!(set, Bitboard::X_SQUARES.with(Square::A1));
        assert!(set.subsets().is_sorted());
        assert_eq!(set.subsets().filter(|sub| sub.is_subset(set)).count(), 32);
        assert!(Bitboard::EMPTY.subsets().eq([Bitboard::EMPTY]));
    }

    #[test]
    fn neighbors_are_one_step_away() {
        for square in Square::ALL {
            let distance = |other: Square| {
                let columns = square.column().abs_diff(other.column());
                columns.max(square.row().abs_diff(other.row()))
            };
            let near = Square::ALL
                .into_iter()
                .filter(|&other| distance(other) == 1);
            assert_eq!(square.neighbors(), near.collect(), "{square}");
        }
    }
}
