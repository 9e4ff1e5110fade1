//! Filling of dame in finished games.

use alloc::vec::Vec;

use boardgame_core::Color;

use crate::{Board, LifeAndDeath, Point, PointSet, Score, Scoring, region::Region};

/// The board of a finished game with filled dame, and the added stones.
#[derive(Clone, Debug)]
pub struct FilledBoard {
    /// The board.
    pub board: Board,
    /// The stones in the order in which they were placed.
    pub stones: Vec<(Color, Point)>,
}

/// Fills dame in turn, as two players do after the end of a game, with stones that capture nothing and are not in
/// atari. A side with a living chain in atari first adds a stone at its last liberty, as it must if a ko was left
/// open.
///
/// It fills dame adjacent to living stones of both colours, where nothing else is left to do: those of the finished
/// game, and those that come next to both colours by added stones if the dame around them had no open interior. Dame
/// adjacent to stones in seki stay empty, and so do those that neither side can fill safely.
pub fn fill_dame(board: &Board, status: &LifeAndDeath, first: Color) -> FilledBoard {
    let mut filled = FilledBoard {
        board: board.clone(),
        stones: Vec::new(),
    };
    let dame = fillable(board, status);
    let (mut side, mut skipped) = (first, 0);
    while skipped < 2 {
        if let Some(point) = filled.next_point(&dame, status, side) {
            filled.board.play(side, point);
            filled.stones.push((side, point));
            skipped = 0;
        } else {
            filled.board.clear_ko();
            skipped += 1;
        }
        side = !side;
    }
    filled
}

impl FilledBoard {
    /// Returns the point where a side adds a stone.
    fn next_point(&self, dame: &PointSet, status: &LifeAndDeath, side: Color) -> Option<Point> {
        let contacts = contact_points(&self.board, status) & *dame;
        // Of two dame, each may be next to one side only.
        let others = open_dame(&self.board, status) & *dame;
        let dame = contacts.iter().chain(others.iter());
        let mut points = self.endangered(status, side).chain(dame);
        points.find(|&point| self.is_safe(side, point))
    }

    /// Returns the last liberties of a side's living chains that are in atari, and would be without the dead
    /// stones.
    fn endangered(&self, status: &LifeAndDeath, side: Color) -> impl Iterator<Item = Point> {
        let living = self.board.stones().filter(move |&(point, color)| {
            color == side && !status.dead.contains(point) && !status.seki.contains(point)
        });
        living.filter_map(|(point, _)| {
            let liberty = self.board.atari(point)?;
            let chain = self.board.chain(point);
            let mut beside = chain.flat_map(|stone| self.board.neighbours(stone));
            (!beside.any(|beside| status.dead.contains(beside))).then_some(liberty)
        })
    }

    /// Returns true if a stone would be legal, capture nothing and not be in atari.
    fn is_safe(&self, side: Color, point: Point) -> bool {
        let mut after = self.board.clone();
        self.board.is_legal(side, point)
            && after.play(side, point) == 0
            && after.atari(point).is_none()
    }
}

/// Returns the dame that players may fill: those adjacent to living stones of both colours, and all of a region without
/// an interior, where each point is adjacent to a living stone.
fn fillable(board: &Board, status: &LifeAndDeath) -> PointSet {
    let open = open_dame(board, status);
    let is_at_stones = |point| {
        Color::ALL
            .into_iter()
            .any(|color| touches(board, status, point, color))
    };
    let walls = PointSet::all(board.size()) - open;
    let regions = Region::all(board, &walls).into_iter();
    let narrow = regions.filter(|region| region.points.iter().all(is_at_stones));
    narrow.fold(contact_points(board, status) & open, |fillable, region| {
        fillable | region.points
    })
}

/// Returns the empty points adjacent to living stones of both colours.
fn contact_points(board: &Board, status: &LifeAndDeath) -> PointSet {
    let is_contact = |&point: &Point| {
        Color::ALL
            .into_iter()
            .all(|color| touches(board, status, point, color))
    };
    board.empty_points().filter(is_contact).collect()
}

/// Returns whether a point is adjacent to a living stone of a side.
fn touches(board: &Board, status: &LifeAndDeath, point: Point, color: Color) -> bool {
    let mut beside = board.neighbours(point);
    beside.any(|it| board.stone(it) == Some(color) && !status.dead.contains(it))
}

/// Returns the empty dame that are not adjacent to stones in seki.
pub fn open_dame(board: &Board, status: &LifeAndDeath) -> PointSet {
    let dame = Score::new(board, status, Scoring::Territory).dame;
    let is_in_seki = |point| board.neighbours(point).any(|it| status.seki.contains(it));
    let is_open = |&point: &Point| board.is_empty(point) && !is_in_seki(point);
    dame.iter().filter(is_open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::String};

    fn stones(rows: &str, status: &LifeAndDeath, first: Color) -> String {
        let filled = fill_dame(&rows.parse().unwrap(), status, first);
        let stone = |(color, point): &(Color, Point)| format!("{color} {point}");
        let stones: Vec<String> = filled.stones.iter().map(stone).collect();
        stones.join(", ")
    }

    #[test]
    fn dame_are_filled_in_turn() {
        let rows = "
            . X . O .
            X X . O O
            . X . O .
            X X . O O
            . X . O .";
        let alive = LifeAndDeath::default();
        let black = stones(rows, &alive, Color::Black);
        assert_eq!(black, "Black C1, White C2, Black C3, White C4, Black C5");
        let white = stones(rows, &alive, Color::White);
        assert_eq!(white, "White C1, Black C2, White C3, Black C4, White C5");
    }

    #[test]
    fn dame_that_come_next_to_both_sides_by_filling_are_filled() {
        let alive = LifeAndDeath::default();
        // D3 comes next to Black once C3 is filled.
        let one_side = "
            . X O . O
            X X O O O
            X X . . O
            . X X O O
            X X X O .";
        assert_eq!(stones(one_side, &alive, Color::Black), "Black C3, White D3");
        assert_eq!(stones(one_side, &alive, Color::White), "White C3");
        // Neither C3 nor D3 is next to both sides.
        let no_side = "
            . X X O .
            X X X O O
            X X . . O
            X X X O O
            . X X O .";
        assert_eq!(stones(no_side, &alive, Color::Black), "Black C3, White D3");
    }

    #[test]
    fn a_chain_that_comes_into_atari_is_connected() {
        // White's stone on C5 is in atari once C4 is filled.
        let rows = "
            . X O . O
            X X . O .
            . X X O O
            X X X O .
            . X X O O";
        let alive = LifeAndDeath::default();
        let black = stones(rows, &alive, Color::Black);
        assert_eq!(black, "Black C4, White D5");
        assert_eq!(stones(rows, &alive, Color::White), "White C4");
    }

    #[test]
    fn a_chain_that_was_left_in_atari_is_connected() {
        // White could capture A2, and Black's stone on C3 in a ko.
        let rows = "
            . X X . O
            X X O O .
            X X . X O
            . X O O .
            X X X O O";
        let alive = LifeAndDeath::default();
        let filled = stones(rows, &alive, Color::Black);
        assert!(filled.starts_with("Black C3"), "{filled}");
    }

    #[test]
    fn an_open_board_stays_open_and_nothing_is_captured() {
        let alive = LifeAndDeath::default();
        let open = ".....\n.X.O.\n.....\n.....\n.....";
        assert_eq!(stones(open, &alive, Color::Black), "Black C4");
        // A stone on C3 would capture.
        let atari = "..X..\n.XOX.\n.X.O.\n..O..\n.....";
        let filled = stones(atari, &alive, Color::Black);
        assert!(!filled.contains("Black C3"), "{filled}");
    }

    #[test]
    fn dame_in_seki_and_those_that_nobody_can_fill_stay_empty() {
        let seki = ". X . O .\nX X X O O\nO O X X O\n. O O X X\n. . O X .";
        let all = |rows: &str| {
            let board: Board = rows.parse().unwrap();
            board.stones().map(|(point, _)| point).collect()
        };
        let status = LifeAndDeath {
            seki: all(seki),
            ..LifeAndDeath::default()
        };
        assert_eq!(stones(seki, &status, Color::Black), "");
        // A stone of either side there would be in atari.
        let empty = LifeAndDeath::default();
        assert_eq!(stones("X.\n.O", &empty, Color::Black), "");
    }
}
