//! The rays of each square.

/// The directions towards higher square indices, as (column, row) steps: right, down, down-left and
/// down-right.
const UPWARD: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 1), (1, 1)];

/// Four rays of a square, aligned for a vector load.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Rays(pub(crate) [u64; 4]);

/// The rays of each square to the right, down, down-left and down-right, excluding the square.
pub(crate) static UP: [Rays; 64] = rays(1);

/// The rays of each square to the left, up, up-right and up-left, excluding the square.
pub(crate) static DOWN: [Rays; 64] = rays(-1);

/// The four rays of each square along the upward directions (`sign` 1) or their opposites (`sign`
/// -1).
const fn rays(sign: i32) -> [Rays; 64] {
    let mut table = [Rays([0; 4]); 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (columns, rows) = UPWARD[direction];
            table[square as usize].0[direction] = ray(square, sign * columns, sign * rows);
            direction += 1;
        }
        square += 1;
    }
    table
}

/// The squares from `square` (excluded) to the edge of the board.
const fn ray(square: i32, columns: i32, rows: i32) -> u64 {
    let mut squares = 0;
    let (mut column, mut row) = (square % 8 + columns, square / 8 + rows);
    while 0 <= column && column < 8 && 0 <= row && row < 8 {
        squares |= 1 << (row * 8 + column);
        column += columns;
        row += rows;
    }
    squares
}
