//! Bitboard arithmetic that search and evaluation share.

use othello_core::Square;

/// Every square but column a.
pub(crate) const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
/// Every square but column h.
pub(crate) const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Rows 2 and 7 and columns b and g: C-squares, X-squares and the squares between.
pub(crate) const LINES_2_AND_7: u64 = 0x42ff_4242_4242_ff42;

/// The squares next to any of `squares`, in all eight directions.
#[inline]
pub(crate) const fn neighbours(squares: u64) -> u64 {
    let row = squares | (squares & NOT_H) << 1 | (squares & NOT_A) >> 1;
    (row | row << 8 | row >> 8) & !squares
}

/// The squares next to each square.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = neighbours(1 << square);
        square += 1;
    }
    table
};

/// The squares next to `square`.
#[inline]
pub(crate) fn around(square: Square) -> u64 {
    NEIGHBOURS[square.index() as usize]
}

/// The 4x4 quadrants in which the number of `squares` is odd, whole.
#[inline]
pub(crate) const fn odd_quadrants(squares: u64) -> u64 {
    let mut parity = squares;
    parity ^= parity >> 1;
    parity ^= parity >> 2;
    parity ^= parity >> 8;
    parity ^= parity >> 16;
    // One bit a quadrant, at its corner nearest to a1, is left and spread over the quadrant.
    (parity & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f)
}

/// The number of squares, by arithmetic that vectors have too: the compiler counts the sets of an
/// array side by side, where it would count them one by one with the CPU's instruction.
#[inline(always)]
pub(crate) const fn count(set: u64) -> u64 {
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sum = bytes + (bytes >> 32);
    let sum = sum + (sum >> 16);
    (sum + (sum >> 8)) & 0x7f
}

/// The squares of a set in board order.
#[inline]
pub(crate) fn squares(set: u64) -> othello_core::Squares {
    othello_core::Bitboard(set).iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn neighbours_do_not_wrap_around_the_board() {
        assert_eq!(around(Square::A1), 0x0302);
        assert_eq!(around(Square::H4), 0x0000_00c0_40c0_0000);
        assert_eq!(around(Square::D4).count_ones(), 8);
    }

    #[test]
    fn sets_are_counted() {
        let mut random = Random::new(2);
        for set in [0, !0].into_iter().chain((0..1000).map(|_| random.next())) {
            assert_eq!(count(set), u64::from(set.count_ones()), "{set:#x}");
        }
    }

    #[test]
    fn odd_quadrants_are_those_with_an_odd_count() {
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
