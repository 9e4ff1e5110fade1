//! The final score of a position with one empty square, by PEXT and a table of flips along a line.
//!
//! With one empty square, every disc that is not own is the opponent's. The flips along each of the
//! four lines through the square therefore depend only on the own discs of that line: at most 8
//! bits.

use core::arch::x86_64::{_pext_u64, _popcnt64};

use crate::Square;

/// The number of entries of [`FLIPPED`] for all lines of up to `length` squares: one for each
/// position of the empty square and each pattern of own discs.
const fn entries(length: usize) -> usize {
    let mut entries = 0;
    let mut each = 1;
    while each <= length {
        entries += each << each;
        each += 1;
    }
    entries
}

/// The number of discs flipped on a line: in the low byte if the owner of the indexed discs plays
/// on the empty square, in the high byte if the other side does.
///
/// Entries are ordered by the length of the line, then by the position of the empty square on it,
/// then by the own discs as adjacent bits.
static FLIPPED: [u16; entries(8)] = {
    let mut table = [0; entries(8)];
    let mut length = 1;
    while length <= 8 {
        let mut place = 0;
        while place < length {
            let mut own = 0;
            while own < 1 << length {
                let others = (1 << length) - 1 - own;
                table[start(length, place) + own] =
                    flipped(place as u32, own) | flipped(place as u32, others) << 8;
                own += 1;
            }
            place += 1;
        }
        length += 1;
    }
    table
};

/// The index in [`FLIPPED`] of the first entry of a line.
const fn start(length: usize, place: usize) -> usize {
    entries(length - 1) + (place << length)
}

/// The number of discs between `place` and the nearest own disc, added up over both sides.
const fn flipped(place: u32, own: usize) -> u16 {
    let above = own >> (place + 1);
    let below = own & ((1 << place) - 1);
    let mut count = 0;
    if above != 0 {
        count += above.trailing_zeros();
    }
    if below != 0 {
        count += place - 1 - below.ilog2();
    }
    count as u16
}

/// The four lines through a square.
#[derive(Clone, Copy)]
struct Lines {
    /// The squares of the column and the two diagonals; the row needs only a shift.
    squares: [u64; 3],
    /// The indices in [`FLIPPED`] of the first entries of the row, the column and the diagonals.
    starts: [u16; 4],
}

static LINES: [Lines; 64] = {
    let mut table = [Lines {
        squares: [0; 3],
        starts: [0; 4],
    }; 64];
    let mut square = 0;
    while square < 64 {
        let (column, first_start) = line(square, 0);
        let (falling, second_start) = line(square, 1);
        let (rising, third_start) = line(square, -1);
        table[square as usize] = Lines {
            squares: [column, falling, rising],
            starts: [
                start(8, square as usize % 8) as u16,
                first_start,
                second_start,
                third_start,
            ],
        };
        square += 1;
    }
    table
};

/// The line through `square` that moves by `columns` per row, and the index in [`FLIPPED`] of its
/// first entry.
const fn line(square: i32, columns: i32) -> (u64, u16) {
    let (column, row) = (square % 8, square / 8);
    let (mut squares, mut place) = (0u64, 0);
    let mut at = 0;
    while at < 8 {
        let met = column + (at - row) * columns;
        if met >= 0 && met < 8 {
            squares |= 1 << (at * 8 + met);
            if at < row {
                place += 1;
            }
        }
        at += 1;
    }
    (squares, start(squares.count_ones() as usize, place) as u16)
}

/// The final disc difference for the side to move, whose discs are `own`, if `square` is the only
/// empty square.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
pub(super) fn last_score(square: Square, own: u64) -> i32 {
    let index = square.index();
    let lines = &LINES[usize::from(index)];
    let on_line = |start: u16, discs: u64| {
        let entry = usize::from(start) + discs as usize;
        debug_assert!(entry < FLIPPED.len());
        // SAFETY: `discs` is a pattern of the line whose entries begin at `start`. It has no more
        // bits than the line has squares, and the table has an entry for each such pattern.
        u32::from(unsafe { *FLIPPED.get_unchecked(entry) })
    };
    let both = on_line(lines.starts[0], own >> (index & 0o70) & 0xff)
        + on_line(lines.starts[1], _pext_u64(own, lines.squares[0]))
        + on_line(lines.starts[2], _pext_u64(own, lines.squares[1]))
        + on_line(lines.starts[3], _pext_u64(own, lines.squares[2]));
    let count = _popcnt64(own as i64);
    let (flipped, flipped_by_opponent) = ((both & 0xff) as i32, (both >> 8) as i32);
    // If neither side can move, the empty square counts for the side with more discs.
    let left_empty = flipped_by_opponent == 0 && count > 31;
    let passed = 2 * (count - flipped_by_opponent) - 64 + 2 * i32::from(left_empty);
    core::hint::select_unpredictable(flipped != 0, 2 * (count + flipped) - 62, passed)
}
