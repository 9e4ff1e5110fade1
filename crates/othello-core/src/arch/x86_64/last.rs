//! The discs that the last empty square flips, counted line by line with PEXT and a table.
//!
//! With one square empty, the discs that are not own are the opponent's, so that each of the four
//! lines through the square is settled by its own discs alone: at most 8 bits.

use core::arch::x86_64::_pext_u64;

use crate::Square;

/// For the place of the empty square on its line and the own discs of the line as adjacent bits,
/// the number of discs flipped on the line.
static FLIPPED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            table[place][own] = flipped(place as i32, own as i32);
            own += 1;
        }
        place += 1;
    }
    table
};

/// The discs between `place` and the nearest own disc on each side.
const fn flipped(place: i32, own: i32) -> u8 {
    let above = own >> (place + 1);
    let below = own & ((1 << place) - 1);
    let mut count = 0;
    if above != 0 {
        count += above.trailing_zeros();
    }
    if below != 0 {
        count += place as u32 - 1 - below.ilog2();
    }
    count as u8
}

/// A line through a square, and the square's place on it.
#[derive(Clone, Copy)]
struct Line {
    squares: u64,
    place: u8,
}

/// The column and the two diagonals of each square; its row takes no more than a shift.
static LINES: [[Line; 3]; 64] = {
    let mut table = [[Line {
        squares: 0,
        place: 0,
    }; 3]; 64];
    let mut square = 0;
    while square < 64 {
        table[square as usize] = [line(square, 0), line(square, 1), line(square, -1)];
        square += 1;
    }
    table
};

/// The line that moves by so many columns with each row.
const fn line(square: i32, columns: i32) -> Line {
    let (column, row) = (square % 8, square / 8);
    let mut line = Line {
        squares: 0,
        place: 0,
    };
    let mut at = 0;
    while at < 8 {
        let met = column + (at - row) * columns;
        if met >= 0 && met < 8 {
            line.squares |= 1 << (at * 8 + met);
            if at < row {
                line.place += 1;
            }
        }
        at += 1;
    }
    line
}

/// How many discs the owner of `own` flips on `square`, the only empty one.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
pub(super) fn last_flips(square: Square, own: u64) -> u32 {
    let index = square.index();
    let row = own >> (index & 0o70);
    let mut count = FLIPPED[usize::from(index & 7)][usize::from(row as u8)];
    for line in &LINES[usize::from(index)] {
        let discs = _pext_u64(own, line.squares) as u8;
        count += FLIPPED[usize::from(line.place & 7)][usize::from(discs)];
    }
    u32::from(count)
}
