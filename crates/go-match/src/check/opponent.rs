//! The opponent of a program that is checked.

use boardgame_core::Color;
use boardgame_match::{Choice, LocalPlayer, Turn};
use boardgame_session::Thought;
use go_core::{Move, Point, Position, Random};

use super::Goal;

/// An opponent that plays at random, or towards a situation.
#[derive(Clone, Debug)]
pub struct Opponent {
    goal: Option<Goal>,
    random: Random,
}

impl Opponent {
    pub(super) const fn new(goal: Option<Goal>, seed: u64) -> Self {
        Self {
            goal,
            random: Random::new(seed),
        }
    }

    fn chosen(&mut self, turn: &Turn<Position>) -> Move {
        let position = &turn.position;
        let (board, color) = (position.board(), turn.color);
        let is_passed = position.last_move() == Some(Move::Pass);
        let early = self.goal == Some(Goal::OpponentPasses) && turn.moves.len() < 6;
        if early || is_passed && turn.moves.len() > board.size().point_count() / 2 {
            return Move::Pass;
        }
        let points = position.legal_points();
        let points: Vec<Point> = points
            .filter(|&point| board.is_playout_move(color, point))
            .collect();
        let values: Vec<u32> = points
            .iter()
            .map(|&point| self.value(position, color, point))
            .collect();
        let most = values.iter().max().copied();
        let best = points.iter().zip(values);
        let best: Vec<Point> = best
            .filter(|&(_, value)| Some(value) == most)
            .map(|(&point, _)| point)
            .collect();
        if best.is_empty() {
            return Move::Pass;
        }
        best[self.random.below(best.len() as u32) as usize].into()
    }

    /// Returns the value of a stone for the situation.
    fn value(&self, position: &Position, color: Color, point: Point) -> u32 {
        let (Some(Goal::Captured | Goal::Ko), mut after) = (self.goal, position.clone()) else {
            return 0;
        };
        // The point is legal.
        let _ = after.play(point);
        let board = after.board();
        let captured = after.captures()[color] - position.captures()[color];
        let is_ko = self.goal == Some(Goal::Ko) && board.ko().is_some();
        let in_atari = board
            .neighbours(point)
            .filter(|&next| board.stone(next) == Some(!color) && board.liberties(next).len() == 1);
        100 * u32::from(is_ko) + 10 * captured + in_atari.count() as u32
    }
}

impl LocalPlayer<Position> for Opponent {
    fn choose(&mut self, turn: &Turn<Position>) -> Choice<Move> {
        Choice::Move(self.chosen(turn), Thought::default())
    }
}
