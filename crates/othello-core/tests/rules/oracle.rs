//! The rules on an array of squares, as simple and slow as possible.

use othello_core::{Bitboard, Position, Square};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Disc {
    Own,
    Opponent,
}

fn disc(position: Position, column: i32, row: i32) -> Option<Disc> {
    let square = Square::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?)?;
    if position.own().contains(square) {
        Some(Disc::Own)
    } else if position.opponent().contains(square) {
        Some(Disc::Opponent)
    } else {
        None
    }
}

/// The opponent's discs between `square` and an own disc, in all eight directions.
pub(crate) fn flips(position: Position, square: Square) -> Bitboard {
    let mut flipped = Bitboard::EMPTY;
    for (dx, dy) in [
        (0, -1),
        (1, -1),
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
    ] {
        let (mut x, mut y) = (i32::from(square.column()), i32::from(square.row()));
        let mut between = Bitboard::EMPTY;
        loop {
            x += dx;
            y += dy;
            match disc(position, x, y) {
                Some(Disc::Opponent) => {
                    between |= Square::new(x as u8, y as u8).expect("on the board").into();
                }
                Some(Disc::Own) => break flipped |= between,
                None => break,
            }
        }
    }
    flipped
}

/// The empty squares where a disc flips something.
pub(crate) fn legal_moves(position: Position) -> Bitboard {
    let playable = |&square: &Square| !flips(position, square).is_empty();
    position.empties().iter().filter(playable).collect()
}

/// The number of leaves at `depth` plies, with passes and ends as in `othello_core::perft`.
pub(crate) fn perft(position: Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = legal_moves(position);
    if moves.is_empty() {
        let passed = Position::new(position.opponent(), position.own()).expect("disjoint");
        return if legal_moves(passed).is_empty() {
            1
        } else {
            perft(passed, depth - 1)
        };
    }
    moves
        .iter()
        .map(|square| perft(play(position, square), depth - 1))
        .sum()
}

fn play(position: Position, square: Square) -> Position {
    let flipped = flips(position, square);
    let own = position.own() | flipped | square.into();
    Position::new(position.opponent() - flipped, own).expect("disjoint")
}
