//! Bitboard arithmetic shared by search and evaluation.

use othello_core::Square;

/// Every square except column a.
pub(crate) const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
/// Every square except column h.
pub(crate) const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Rows 2 and 7 and columns b and g: C-squares, X-squares and the squares between.
pub(crate) const LINES_2_AND_7: u64 = 0x42ff_4242_4242_ff42;

/// The squares next to each square.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Square::ALL[square].neighbors().0;
        square += 1;
    }
    table
};

/// The squares next to `square`.
#[inline]
pub(crate) fn around(square: Square) -> u64 {
    NEIGHBOURS[square.index() as usize]
}

/// The 4x4 quadrants that contain an odd number of `squares`, as full quadrants.
#[inline]
pub(crate) const fn odd_quadrants(squares: u64) -> u64 {
    let mut parity = squares;
    parity ^= parity >> 1;
    parity ^= parity >> 2;
    parity ^= parity >> 8;
    parity ^= parity >> 16;
    // Keeps one parity bit per quadrant, at the corner nearest to a1, and spreads it over the
    // quadrant.
    (parity & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f)
}

/// The number of squares of each row in its byte, by arithmetic that also works in vectors: the compiler counts an
/// array of sets in parallel, where the popcount instruction would count them one by one.
#[inline(always)]
pub(crate) const fn count_rows(set: u64) -> u64 {
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// The sum of the bytes.
#[inline(always)]
pub(crate) const fn sum_of_bytes(bytes: u64) -> u64 {
    let sum = (bytes & 0x00ff_00ff_00ff_00ff) + (bytes >> 8 & 0x00ff_00ff_00ff_00ff);
    let sum = sum + (sum >> 32);
    (sum + (sum >> 16)) & 0xffff
}

/// An iterator over the squares of a set, in board order.
#[inline]
pub(crate) fn squares(set: u64) -> othello_core::Squares {
    othello_core::Bitboard(set).iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn the_rows_add_up_to_the_popcount() {
        let mut random = Random::new(2);
        for set in [0, !0].into_iter().chain((0..1000).map(|_| random.next())) {
            let rows = count_rows(set);
            assert_eq!(sum_of_bytes(rows), u64::from(set.count_ones()), "{set:#x}");
            assert_eq!(rows >> 56, u64::from((set >> 56).count_ones()), "{set:#x}");
            // Bytes as large as they come.
            let bytes = set.to_le_bytes().map(u64::from);
            assert_eq!(sum_of_bytes(set), bytes.iter().sum(), "{set:#x}");
        }
    }

    #[test]
    fn odd_quadrants_contain_an_odd_number_of_squares() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let set = random.next();
            let quadrants = [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0];
            let quadrants = quadrants
                .into_iter()
                .flat_map(|quadrant| [quadrant, quadrant << 32]);
            let expected = quadrants
                .filter(|quadrant| (set & quadrant).count_ones() % 2 == 1)
                .fold(0, |union, quadrant| union | quadrant);
            assert_eq!(odd_quadrants(set), expected, "{set:#x}");
        }
    }
}
