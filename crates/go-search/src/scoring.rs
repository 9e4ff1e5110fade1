//! Margins at the end of simulations.

use boardgame_core::{ByColor, Color};
use go_core::{Board, Position, Scoring};

/// The counting of a game: its scoring and komi.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counting {
    scoring: Scoring,
    /// White's komi and its points for the handicap.
    komi: f32,
    /// The number of Black's stones minus White's that were on the board before the first move.
    stones_before: i32,
    /// Half a point against the searching side, from Black's point of view.
    parity_bias: f32,
}

impl Counting {
    /// Returns the counting for a position's game.
    pub(crate) fn new(position: &Position) -> Self {
        Self {
            scoring: position.rules().scoring,
            komi: f32::from(position.komi().half_points()) / 2.0
                + position.handicap_points() as f32,
            stones_before: placed(position.board()) - lead(position.stones_played()),
            parity_bias: half_point(!position.side_to_move()),
        }
    }

    /// Returns the correction that a simulation adds to its final area to get Black's margin, given the board and the
    /// side to move at the start of the playout.
    ///
    /// Under territory scoring, a side's margin is its area margin minus the difference of the stones placed by it and
    /// by the opponent. The stones of the playout count as if the sides alternated: while one side only passes, the
    /// other fills its own territory, which would not happen in a game. It is unknown who places the last stone, so the
    /// margin is known only to within half a point. It is rounded against the searching side, which otherwise could not
    /// distinguish a loss by half a point from a win.
    pub(crate) fn correction(&self, leaf: &Board, to_move: Color) -> f32 {
        match self.scoring {
            Scoring::Area => -self.komi,
            Scoring::Territory => self.parity_bias + self.at_the_end(leaf) - half_point(to_move),
        }
    }

    /// Returns the correction that a finished game adds to its final area to get Black's margin.
    pub(crate) fn at_the_end(&self, end: &Board) -> f32 {
        match self.scoring {
            Scoring::Area => -self.komi,
            Scoring::Territory => -self.komi - (placed(end) - self.stones_before) as f32,
        }
    }
}

/// Returns half a point for a side, from Black's point of view.
fn half_point(color: Color) -> f32 {
    match color {
        Color::Black => 0.5,
        Color::White => -0.5,
    }
}

/// Returns the number of stones that Black has placed, whether on the board or captured, minus White's.
fn placed(board: &Board) -> i32 {
    let on_board = board.stones().map(|(_, color)| match color {
        Color::Black => 1,
        Color::White => -1,
    });
    on_board.sum::<i32>() - lead(board.captures())
}

fn lead(counts: ByColor<u32>) -> i32 {
    counts.black as i32 - counts.white as i32
}

/// Returns Black's points minus White's at the end of a playout.
pub(crate) fn area(end: &Board) -> i32 {
    end.size()
        .points()
        .map(|point| match end.owner(point) {
            Some(Color::Black) => 1,
            Some(Color::White) => -1,
            None => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_core::{LifeAndDeath, Move, Setup};

    fn margins(rules: &str, moves: &str) -> (f32, f32) {
        let setup: Setup = format!("4x4 komi 0.5 rules {rules}").parse().unwrap();
        let mut position = Position::new(&setup);
        for mv in moves.split_whitespace() {
            position.play(mv.parse::<Move>().unwrap()).unwrap();
        }
        let board = position.board();
        let estimate = area(board) as f32
            + Counting::new(&position).correction(board, position.side_to_move());
        let score = position.score(&LifeAndDeath::default());
        (estimate, score.margin(position.komi()).points() as f32)
    }

    #[test]
    fn the_margin_follows_the_rules() {
        let wall = "B1 C1 B2 C2 B3 C3 B4 C4";
        assert_eq!(margins("chinese", wall), (-0.5, -0.5));
        // Half a point is unknown while the game goes on, and counts against Black, who is to move.
        assert_eq!(margins("japanese", wall), (-1.5, -0.5));
        // White has passed while Black filled a point of its own.
        assert_eq!(
            margins("japanese", &format!("{wall} A1 pass")),
            (-2.5, -1.5)
        );
        assert_eq!(margins("chinese", &format!("{wall} A1 pass")), (-0.5, -0.5));
        // A prisoner counts.
        let (estimate, exact) = margins("japanese", &format!("{wall} pass A1 A2 pass pass"));
        assert!((exact - estimate).abs() <= 1.0, "{estimate} {exact}");
    }
}
