//! Replies to the last stone, for playouts that estimate the life of chains.

use boardgame_core::Color;

use crate::{Board, Move, Point, PointSet, Random, playout::playout_by};

impl Board {
    /// Returns the points where a side saves its own chain that the last stone put in atari, or captures the last
    /// stone's chain.
    fn replies(&self, color: Color, last: Point) -> PointSet {
        let mut points = PointSet::new();
        points.extend(self.atari(last));
        let own = |point: &Point| self.stone(*point) == Some(color);
        for stone in self.neighbours(last).filter(own) {
            let Some(liberty) = self.atari(stone) else {
                continue;
            };
            if self.escapes(color, liberty) {
                points.insert(liberty);
            }
            points = points | self.adjacent_captures(stone);
        }
        points
            .iter()
            .filter(|&point| self.is_legal(color, point))
            .collect()
    }

    /// Returns whether a stone on an empty point, with the chains it connects, has at least two liberties.
    fn escapes(&self, color: Color, point: Point) -> bool {
        let mut liberties = PointSet::new();
        for neighbour in self.neighbours(point) {
            if self.is_empty(neighbour) {
                liberties.insert(neighbour);
            } else if self.stone(neighbour) == Some(color) {
                liberties = liberties | self.liberties(neighbour);
            }
        }
        liberties.remove(point);
        liberties.len() >= 2
    }

    /// Returns the points that capture chains adjacent to a stone's chain.
    fn adjacent_captures(&self, stone: Point) -> PointSet {
        let color = self.stone(stone);
        let neighbours = self.chain(stone).flat_map(|stone| self.neighbours(stone));
        let others =
            neighbours.filter(|&point| !self.is_empty(point) && self.stone(point) != color);
        others.filter_map(|point| self.atari(point)).collect()
    }
}

/// Plays a playout in which a side saves a chain from the last stone or captures that stone if it can; all other moves
/// are from [`Board::random_move`].
pub(crate) fn playout_with_replies(board: &mut Board, first: Color, random: &mut Random) -> u32 {
    let mut last = None;
    let choose = |board: &mut Board, color: Color, random: &mut Random| {
        let replies = last.map_or(PointSet::new(), |last| board.replies(color, last));
        let count = replies.len() as u32;
        let chosen = if count > 0 {
            replies.iter().nth(random.below(count) as usize)
        } else {
            board.random_move(color, random)
        };
        last = chosen;
        chosen
    };
    playout_by(board, first, random, choose, |_, _: Move| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn replies(rows: &str, color: Color, last: &str) -> std::string::String {
        let board: Board = rows.parse().unwrap();
        board.replies(color, last.parse().unwrap()).to_string()
    }

    #[test]
    fn a_chain_in_atari_is_extended_connected_or_saved_by_a_capture() {
        let open = ".....\n..X..\n.XOX.\n.....\n.....";
        assert_eq!(replies(open, Color::White, "B3"), "C2");
        // Neither the edge nor a single additional liberty saves it.
        let dead = ".X.\nXOX\nX..";
        assert_eq!(replies(dead, Color::White, "C2"), "");
        // Black's stone on C3 also has one liberty.
        let capture = ".....\n..O..\n.OX..\n.XOX.\n.....";
        assert_eq!(replies(capture, Color::White, "D2"), "C1 D3");
    }

    #[test]
    fn the_last_stone_is_captured_if_possible() {
        let rows = ".....\n.X...\nXOX..\n.....\n.....";
        assert_eq!(replies(rows, Color::Black, "B3"), "B2");
        assert_eq!(
            replies(".....\n.X...\nXO...\n.....\n.....", Color::Black, "B3"),
            ""
        );
        let mut ko: Board = ".XO.\nX.XO\n.XO.\n....".parse().unwrap();
        ko.play(Color::White, "B3".parse().unwrap());
        assert_eq!(
            ko.replies(Color::Black, "B3".parse().unwrap()).to_string(),
            ""
        );
    }

    #[test]
    fn a_seed_determines_a_playout() {
        let play = |seed| {
            let mut board = Board::new(crate::Size::NINE);
            let moves = playout_with_replies(&mut board, Color::Black, &mut Random::new(seed));
            (board, moves)
        };
        assert_eq!(play(1), play(1));
        assert_ne!(play(1).0, play(2).0);
        assert!((0..50).all(|seed| play(seed).1 <= 3 * 81));
    }
}
