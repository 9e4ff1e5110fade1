//! Random playouts.

use boardgame_core::Color;

use crate::{Board, Move, Point, Random};

impl Board {
    /// Returns a random point where a side may place a stone without filling its own eye, or `None` if there is none.
    /// All such points are equally likely.
    ///
    /// Legality is as in [`Board::is_legal`], an eye as in [`Board::is_eye_like`]. Changes the order of
    /// [`Board::empty_points`].
    #[inline]
    pub fn random_move(&mut self, color: Color, random: &mut Random) -> Option<Point> {
        let mut left = self.empty_points().len();
        while left > 0 {
            let place = random.below(left as u32) as usize;
            let point = self.empty_at(place);
            if self.is_playout_move(color, point) {
                return Some(point);
            }
            left -= 1;
            self.swap_empties(place, left);
        }
        None
    }
}

/// Plays random moves on a board until both sides pass in a row, and returns the number of moves.
///
/// The moves are from [`Board::random_move`]; a side without one passes. The playout stops after three times as many
/// moves as the board has points, because simple ko allows cycles.
///
/// # Examples
///
/// ```
/// use go_core::{Board, Color, Random, Size, playout};
///
/// let mut board = Board::new(Size::NINE);
/// let moves = playout(&mut board, Color::Black, &mut Random::new(1));
/// assert!(moves > 50);
/// // What is left empty are eyes.
/// assert!(board.stone_count() > 50);
/// ```
pub fn playout(board: &mut Board, first: Color, random: &mut Random) -> u32 {
    playout_with(board, first, random, |_, _| ())
}

/// Plays like [`playout`], and calls `played` with each move and its side.
pub fn playout_with(
    board: &mut Board,
    first: Color,
    random: &mut Random,
    played: impl FnMut(Color, Move),
) -> u32 {
    playout_by(board, first, random, Board::random_move, played)
}

/// Plays a playout of moves returned by `choose`; a side without one passes.
#[inline]
pub(crate) fn playout_by(
    board: &mut Board,
    first: Color,
    random: &mut Random,
    mut choose: impl FnMut(&mut Board, Color, &mut Random) -> Option<Point>,
    mut played: impl FnMut(Color, Move),
) -> u32 {
    let max_moves = 3 * board.size().point_count() as u32;
    let (mut color, mut passes, mut moves) = (first, 0, 0);
    while passes < 2 && moves < max_moves {
        if let Some(point) = choose(board, color, random) {
            board.play(color, point);
            played(color, Move::Place(point));
            passes = 0;
        } else {
            board.clear_ko();
            played(color, Move::Pass);
            passes += 1;
        }
        moves += 1;
        color = !color;
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PointSet, Size};
    use std::{collections::BTreeMap, vec::Vec};

    #[test]
    fn random_moves_are_uniform_over_legal_moves_that_fill_no_eye() {
        // Black may not fill its eyes C2 and E1, retake the ko at D4, or commit suicide at E5.
        let mut board: Board = "...O.\n.OOXO\nXXX.X\n.X.XX\n.XXX.".parse().unwrap();
        board.play(Color::White, "D3".parse().unwrap());
        assert_eq!(board.ko(), Some((Color::Black, "D4".parse().unwrap())));
        assert!(board.is_suicide(Color::Black, "E5".parse().unwrap()));
        let mut random = Random::new(5);
        let mut counts: BTreeMap<Point, u32> = BTreeMap::new();
        for _ in 0..6000 {
            let point = board.random_move(Color::Black, &mut random).unwrap();
            *counts.entry(point).or_default() += 1;
        }
        let expected = board
            .empty_points()
            .filter(|&point| board.is_legal(Color::Black, point))
            .filter(|&point| !board.is_eye_like(Color::Black, point));
        let expected: PointSet = expected.collect();
        assert_eq!(counts.keys().copied().collect::<PointSet>(), expected);
        let mean = 6000 / expected.len() as u32;
        assert!(
            counts.values().all(|count| count.abs_diff(mean) < mean / 5),
            "{counts:?}"
        );
    }

    #[test]
    fn a_side_without_moves_passes() {
        let mut board = Board::new(Size::MIN);
        let mut random = Random::new(1);
        assert_eq!(board.random_move(Color::White, &mut random), None);
        let mut moves = Vec::new();
        let count = playout_with(&mut board, Color::White, &mut random, |color, mv| {
            moves.push((color, mv));
        });
        assert_eq!(
            moves,
            [(Color::White, Move::Pass), (Color::Black, Move::Pass)]
        );
        assert_eq!(count, 2);
    }

    #[test]
    fn a_seed_determines_a_playout_that_leaves_only_eyes() {
        let play = |seed| {
            let mut board = Board::new(Size::NINE);
            let moves = playout(&mut board, Color::Black, &mut Random::new(seed));
            (board, moves)
        };
        assert_eq!(play(1), play(1));
        assert_ne!(play(1), play(2));
        for seed in 0..50 {
            let (board, moves) = play(seed);
            assert!(moves <= 3 * 81);
            for point in board.empty_points().filter(|_| moves < 3 * 81) {
                for color in Color::ALL {
                    assert!(board.is_eye_like(color, point) || !board.is_legal(color, point));
                }
            }
        }
    }
}
