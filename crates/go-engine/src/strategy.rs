//! The choice of a move by what it captures and saves at once.

use go_core::{Board, Color, Move, Point, PointSet, Position, Random};

/// Returns the move that captures and saves most stones; if none does, a random one that fills no eye and puts no
/// chain into atari without need; else a pass.
pub(crate) fn choose(position: &Position, random: &mut Random) -> Move {
    let mut tried = Tried::new(position);
    let mut best = Vec::new();
    let mut max_gain = 0;
    for point in position.legal_points() {
        let Some(gain) = tried.gain(point) else {
            continue;
        };
        if gain > max_gain {
            best.clear();
            max_gain = gain;
        }
        if gain == max_gain {
            best.push(point);
        }
    }
    let pick = random.below(best.len() as u32) as usize;
    best.get(pick).copied().map_or(Move::Pass, Move::Place)
}

/// Moves of one position, tried out one after the other.
struct Tried<'a> {
    board: &'a Board,
    color: Color,
    /// The stones of chains in atari of the side to move.
    in_atari: PointSet,
    /// The board after a move.
    after: Board,
}

impl<'a> Tried<'a> {
    fn new(position: &'a Position) -> Self {
        let (board, color) = (position.board(), position.side_to_move());
        let in_atari =
            |&(point, stone): &(Point, Color)| stone == color && board.atari(point).is_some();
        Self {
            board,
            color,
            in_atari: board
                .stones()
                .filter(in_atari)
                .map(|(point, _)| point)
                .collect(),
            after: board.clone(),
        }
    }

    /// Returns the number of stones that a legal move captures or saves; `None` if the move should not be made.
    fn gain(&mut self, point: Point) -> Option<u32> {
        if self.is_eye(point) {
            return None;
        }
        self.after.clone_from(self.board);
        let captured = self.after.play(self.color, point);
        let gain = captured + self.saved();
        let is_risk = self.after.atari(point).is_some() && !self.is_worth_atari(point, gain);
        (!is_risk).then_some(gain)
    }

    /// Returns whether the side to move has an eye at a point that no capture threatens.
    fn is_eye(&self, point: Point) -> bool {
        let threatened = |beside| self.board.atari(beside).is_some();
        self.board.is_eye_like(self.color, point) && !self.board.neighbours(point).any(threatened)
    }

    /// Returns the number of stones that were in atari and no longer are.
    fn saved(&self) -> u32 {
        let is_safe = |point: &Point| self.after.atari(*point).is_none();
        self.in_atari.iter().filter(is_safe).count() as u32
    }

    /// Returns whether a move gains more than the chain that it leaves in atari. A single stone may also be left in
    /// atari for an atari of its own: so is a chain captured that has one eye of two points.
    fn is_worth_atari(&self, point: Point, gain: u32) -> bool {
        let at_risk = self.after.chain_len(point) as u32;
        let threatens = |beside| {
            self.after.stone(beside) == Some(!self.color) && self.after.atari(beside).is_some()
        };
        match at_risk {
            1 => gain > 0 || self.after.neighbours(point).any(threatens),
            _ => gain > at_risk,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_core::{ByColor, Setup, Size};
    use proptest::prelude::*;

    /// The points that a side chooses on a board with different seeds.
    fn choices(rows: &str, color: Color) -> String {
        let board: Board = rows.parse().unwrap();
        let stones = ByColor::new_with(|color| {
            let own = board.stones().filter(|&(_, stone)| stone == color);
            own.map(|(point, _)| point).collect()
        });
        let setup = Setup::new(board.size()).with_stones(stones).unwrap();
        let position = Position::new(&setup.with_first(color));
        let moves = (0..200).map(|seed| choose(&position, &mut Random::new(seed)));
        let points: Option<PointSet> = moves.map(Move::point).collect();
        points.map_or("pass".into(), |points| points.to_string())
    }

    fn check(rows: &str, expected: &str) {
        assert_eq!(choices(rows, Color::Black), expected);
    }

    #[test]
    fn the_largest_capture_comes_first() {
        check("OO...\nXX...\n.....\n.....\n...XO", "C5");
    }

    #[test]
    fn a_chain_in_atari_is_saved_where_it_can_be() {
        check(".....\n.....\n.OXO.\n.OXO.\n..O..", "C4");
        // At the edge it is taken all the same.
        let lost = choices(".....\n.....\n.....\n.O...\nX.O..", Color::Black);
        assert!(!lost.is_empty());
        let lost = choices(".....\n.....\n.....\nO....\nX.O..", Color::Black);
        assert!(!lost.split(' ').any(|point| point == "B1"), "{lost}");
    }

    #[test]
    fn a_capture_saves_the_chain_beside_it() {
        check(".....\n.....\nOXX..\nXOX..\nX.O..", "A4");
    }

    #[test]
    fn eyes_and_points_of_a_seki_are_left_alone() {
        // Each of the two chains at the top has an eye; who fills C7 is lost.
        let seki = "
            . X . O . O X
            X X X O O O X
            O O O X X X X
            . O O X . X .
            O . O X X X X
            O O O O X . X
            . O . O X X .";
        for color in Color::ALL {
            assert_eq!(choices(seki, color), "pass");
        }
    }

    #[test]
    fn an_eye_of_two_points_is_taken_from_inside() {
        check(
            ". X . X X\nX X X X .\nX X X X X\nO O O X X\n. . O X X",
            "A1 B1",
        );
    }

    #[test]
    fn a_ko_is_taken() {
        check(".....\n.....\n.XO..\nXO.O.\n.XO..", "C2");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Passes come only where all that is open is an eye, forbidden, or would be lost.
        #[test]
        fn games_end_with_nothing_open_but_eyes_and_lost_points(seed: u64) {
            let mut random = Random::new(seed);
            let mut position = Position::new(&Setup::new(Size::new(7).unwrap()));
            let mut moves = 0;
            while !position.is_over() && moves < 400 {
                let mv = choose(&position, &mut random);
                if mv == Move::Pass {
                    let (board, color) = (position.board(), position.side_to_move());
                    for point in position.legal_points() {
                        let mut after = board.clone();
                        let captured = after.play(color, point);
                        let is_open = after.atari(point).is_none() || captured > after.chain_len(point) as u32;
                        prop_assert!(board.is_eye_like(color, point) || !is_open, "{point}\n{position}");
                    }
                }
                prop_assert!(position.play(mv).is_ok());
                moves += 1;
            }
            prop_assert!(moves < 400, "{position}");
        }
    }
}
