//! Answers to the last stone of a playout.

use boardgame_core::Color;
use go_core::{Board, Point, Points, Random};

use super::{
    nakade::vital_point,
    policy::{Policy, by_stones},
};
use crate::tactics::liberties_after;

/// The greatest number of answers that are weighed.
const MAX: usize = 48;

/// Answers to the last stone with their weights. A point may occur more than once.
pub(super) struct Candidates {
    points: [Option<Point>; MAX],
    /// By place, the sum of the weights up to there.
    sums: [f32; MAX],
    len: usize,
}

impl Candidates {
    /// Returns the answers of a side to the opponent's last stone.
    pub(super) fn around(board: &Board, color: Color, last: Point, policy: &Policy) -> Self {
        let mut candidates = Self {
            points: [None; MAX],
            sums: [0.0; MAX],
            len: 0,
        };
        candidates.add_patterns(board, color, last, policy);
        candidates.add_attacks(board, color, last, policy);
        candidates.add_defences(board, color, last, policy);
        if let Some(point) = vital_point(board, last) {
            candidates.add_legal(board, color, point, policy.nakade);
        }
        candidates
    }

    /// Draws an answer by its weight, or `None` for a move elsewhere.
    pub(super) fn draw(&self, elsewhere: f32, random: &mut Random) -> Option<Point> {
        let total = self.total() + elsewhere;
        let drawn = random.next_u32() as f32 / (u32::MAX as f32) * total;
        let place = self.sums[..self.len].iter().position(|&sum| drawn < sum)?;
        self.points[place]
    }

    fn total(&self) -> f32 {
        self.len.checked_sub(1).map_or(0.0, |last| self.sums[last])
    }

    fn add(&mut self, point: Point, weight: f32) {
        if self.len < MAX {
            self.points[self.len] = Some(point);
            self.sums[self.len] = self.total() + weight;
            self.len += 1;
        }
    }

    /// Adds a move unless it is illegal or fills an eye.
    fn add_legal(&mut self, board: &Board, color: Color, point: Point, weight: f32) {
        if board.is_playout_move(color, point) {
            self.add(point, weight);
        }
    }

    /// Adds the empty points around the last stone by their patterns.
    fn add_patterns(&mut self, board: &Board, color: Color, last: Point, policy: &Policy) {
        for point in around(last) {
            if board.is_empty(point) {
                let pattern = board.pattern(point, color);
                let weight = policy.patterns[usize::from(pattern.code())];
                self.add_legal(board, color, point, weight);
            }
        }
    }

    /// Adds the capture of the last stone's chain, or ataris on it.
    fn add_attacks(&mut self, board: &Board, color: Color, last: Point, policy: &Policy) {
        match *board.some_liberties::<3>(last) {
            [liberty] => {
                let weight = by_stones(policy.capture, board.chain_len(last));
                self.add_legal(board, color, liberty, weight);
            }
            [one, other] => {
                for liberty in [one, other] {
                    if liberties_after::<2>(board, color, liberty) >= 2 {
                        self.add_legal(board, color, liberty, policy.atari);
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the moves that save the own chains beside the last stone, if they have one or two liberties.
    fn add_defences(&mut self, board: &Board, color: Color, last: Point, policy: &Policy) {
        let mut chains: Points<4> = Points::NONE;
        for beside in board.neighbours(last) {
            if board.stone(beside) == Some(color)
                && let Some(chain) = board.chain_id(beside)
            {
                chains.insert(chain);
            }
        }
        for &chain in &*chains {
            match *board.some_liberties::<3>(chain) {
                [liberty] => self.add_escapes(board, color, chain, liberty, policy),
                [one, other] => {
                    for liberty in [one, other] {
                        if liberties_after::<4>(board, color, liberty) >= 4 {
                            self.add_legal(board, color, liberty, policy.extend);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds the moves that save a chain from atari: at its last liberty, or captures beside it.
    fn add_escapes(
        &mut self,
        board: &Board,
        color: Color,
        chain: Point,
        liberty: Point,
        policy: &Policy,
    ) {
        let weight = by_stones(policy.escape, board.chain_len(chain));
        match liberties_after::<3>(board, color, liberty) {
            0 | 1 => {}
            2 => self.add_legal(board, color, liberty, weight / 2.0),
            _ => self.add_legal(board, color, liberty, weight),
        }
        let mut captures: Points<4> = Points::NONE;
        for stone in board.chain(chain) {
            for beside in board.neighbours(stone) {
                if captures.len() < 4
                    && board.stone(beside) == Some(!color)
                    && let Some(capture) = board.atari(beside)
                    && capture != liberty
                    && captures.insert(capture)
                {
                    self.add_legal(board, color, capture, weight);
                }
            }
        }
    }
}

/// Iterates over the points around a point on the largest board.
fn around(point: Point) -> impl Iterator<Item = Point> {
    const AROUND: [(i8, i8); 8] = [
        (-1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
        (1, 0),
        (1, -1),
        (0, -1),
        (-1, -1),
    ];
    let (column, row) = (point.column(), point.row());
    AROUND.into_iter().filter_map(move |(right, up)| {
        Point::new(
            column.checked_add_signed(right)?,
            row.checked_add_signed(up)?,
        )
    })
}
