//! Checks rules on an array of squares against this crate's.
//!
//! `cargo run -p othello-core --example check_rules`

use othello_core::{Bitboard, Color, Square, conformance};

/// The squares in board order and the side to move, as characters: `X`, `O` or `-`.
#[derive(Default)]
struct Mailbox {
    squares: Vec<char>,
    side: char,
}

impl Mailbox {
    fn flips(&self, from: Square) -> Vec<Square> {
        let at = |square: Square| self.squares[usize::from(square.index())];
        let mut flips = Vec::new();
        for (dx, dy) in [
            (0, 1),
            (1, 1),
            (1, 0),
            (1, -1),
            (0, -1),
            (-1, -1),
            (-1, 0),
            (-1, 1),
        ] {
            let mut line = (1..8).map_while(|n| {
                let column = from.column().checked_add_signed(n * dx)?;
                Square::new(column, from.row().checked_add_signed(n * dy)?)
            });
            let mut run = Vec::new();
            while let Some(square) = line.next().filter(|&square| at(square) != '-') {
                if at(square) == self.side {
                    flips.append(&mut run);
                    break;
                }
                run.push(square);
            }
        }
        flips
    }
}

impl conformance::Rules for Mailbox {
    fn start(&mut self, board: &str) {
        self.squares = board.chars().take(64).collect();
        self.side = board.chars().last().expect("the side to move");
    }

    fn disc(&self, square: Square) -> Option<Color> {
        let disc = self.squares[usize::from(square.index())];
        Color::ALL.into_iter().find(|color| color.disc() == disc)
    }

    fn legal_squares(&self) -> Bitboard {
        let empty = |square: &Square| self.disc(*square).is_none();
        let squares = Square::ALL.into_iter().filter(empty);
        squares
            .filter(|&square| !self.flips(square).is_empty())
            .collect()
    }

    fn play(&mut self, square: Square) {
        for changed in self.flips(square).into_iter().chain([square]) {
            self.squares[usize::from(changed.index())] = self.side;
        }
        self.pass();
    }

    fn pass(&mut self) {
        self.side = if self.side == 'X' { 'O' } else { 'X' };
    }
}

fn main() {
    let mut rules = Mailbox::default();
    conformance::check(&mut rules, 200, 1).unwrap_or_else(|difference| panic!("{difference}"));
}
