//! Scores of finished games, for given dead stones and seki.

use boardgame_core::{ByColor, Color, Margin};

use crate::{Board, Komi, LifeAndDeath, PointSet, Scoring, region::Region};

/// The score of a finished game without komi, with the classification of every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The points of each side under the rules: stones and surrounded points, or surrounded points outside seki and
    /// prisoners.
    pub points: ByColor<u32>,
    /// The living stones.
    pub stones: ByColor<PointSet>,
    /// The surrounded points outside seki, including points of dead stones.
    pub territory: ByColor<PointSet>,
    /// The surrounded points adjacent to stones in seki.
    pub seki_eyes: ByColor<PointSet>,
    /// The empty points adjacent to both colours, or all points of an empty board.
    pub dame: PointSet,
    /// The prisoners of each side: captured and dead stones of the opponent.
    pub prisoners: ByColor<u32>,
}

impl Score {
    /// Counts a finished game.
    ///
    /// Dead stones are prisoners of the opponent. Their points and the empty points form regions; a region adjacent to
    /// living stones of only one colour is surrounded by it. Dame are not filled and connecting stones are not added:
    /// under territory scoring, players should do that before counting.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::{Board, LifeAndDeath, PointSet, Score, Scoring};
    ///
    /// let board: Board = "
    ///     . . X O .
    ///     . . X O .
    ///     . O X O .
    ///     . . X O O
    ///     . . X . .".parse()?;
    /// let status = LifeAndDeath { dead: PointSet::from_iter(["B3".parse()?]), ..Default::default() };
    /// let area = Score::new(&board, &status, Scoring::Area);
    /// assert_eq!((area.points.black, area.points.white), (15, 8));
    /// let territory = Score::new(&board, &status, Scoring::Territory);
    /// assert_eq!((territory.points.black, territory.points.white), (11, 3));
    /// assert_eq!(territory.dame.to_string(), "D1 E1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(board: &Board, status: &LifeAndDeath, scoring: Scoring) -> Self {
        let mut score = Self {
            points: ByColor::default(),
            stones: ByColor::default(),
            territory: ByColor::default(),
            seki_eyes: ByColor::default(),
            dame: PointSet::new(),
            prisoners: board.captures(),
        };
        for (point, color) in board.stones() {
            if status.dead.contains(point) {
                score.prisoners[!color] += 1;
            } else {
                score.stones[color].insert(point);
            }
        }
        score.add_regions(board, status);
        score.points = ByColor::new_with(|color| score.count(color, scoring));
        score
    }

    /// Returns the margin including komi.
    pub fn margin(&self, komi: Komi) -> Margin {
        let ByColor { black, white } = self.points;
        Margin::from_points(black as i32 - white as i32) + komi.margin()
    }

    /// Assigns each region without living stones to its owner.
    fn add_regions(&mut self, board: &Board, status: &LifeAndDeath) {
        let living = self.stones.black | self.stones.white;
        for region in Region::all(board, &living) {
            let borders_on = |color| !(region.walls & self.stones[color]).is_empty();
            let owner = match Color::ALL.map(borders_on) {
                [true, false] => Color::Black,
                [false, true] => Color::White,
                _ => {
                    self.dame = self.dame | region.points;
                    continue;
                }
            };
            let in_seki = !(region.walls & status.seki).is_empty();
            let sets = if in_seki {
                &mut self.seki_eyes
            } else {
                &mut self.territory
            };
            sets[owner] = sets[owner] | region.points;
        }
    }

    fn count(&self, color: Color, scoring: Scoring) -> u32 {
        let territory = self.territory[color].len() as u32;
        match scoring {
            Scoring::Area => {
                let area = self.stones[color].len() + self.seki_eyes[color].len();
                territory + area as u32
            }
            Scoring::Territory => territory + self.prisoners[color],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Point, Size};

    fn set(names: &str) -> PointSet {
        names
            .split_whitespace()
            .map(|name| name.parse::<Point>().unwrap())
            .collect()
    }

    fn score(rows: &str, dead: &str, seki: &str, scoring: Scoring) -> Score {
        let status = LifeAndDeath {
            dead: set(dead),
            seki: set(seki),
            ..LifeAndDeath::default()
        };
        Score::new(&rows.parse().unwrap(), &status, scoring)
    }

    const WALLS: &str = ". X . O .\n. X . O .\n. X . O .\n. X . O X\n. X . O .";

    #[test]
    fn area_and_territory_agree_on_walls() {
        let area = score(WALLS, "E2", "", Scoring::Area);
        assert_eq!(
            area.points,
            ByColor {
                black: 10,
                white: 10
            }
        );
        assert_eq!(area.dame, set("C1 C2 C3 C4 C5"));
        assert_eq!(area.territory.black, set("A1 A2 A3 A4 A5"));
        assert_eq!(area.territory.white, set("E1 E2 E3 E4 E5"));
        assert_eq!(area.stones.white, set("D1 D2 D3 D4 D5"));
        let territory = score(WALLS, "E2", "", Scoring::Territory);
        assert_eq!(territory.points, ByColor { black: 5, white: 6 });
        assert_eq!(territory.prisoners, ByColor { black: 0, white: 1 });
        assert_eq!(
            territory.margin(Komi::from_half_points(11)),
            Margin::from_half_points(-13)
        );
    }

    #[test]
    fn a_living_stone_turns_its_surroundings_into_dame() {
        let area = score(WALLS, "", "", Scoring::Area);
        assert_eq!(
            area.points,
            ByColor {
                black: 11,
                white: 5
            }
        );
        assert_eq!(area.dame.len(), 9);
    }

    #[test]
    fn captured_stones_count_only_in_territory_scoring() {
        let mut board = Board::new(Size::new(3).unwrap());
        for (color, name) in [
            (Color::White, "A1"),
            (Color::Black, "A2"),
            (Color::Black, "B1"),
        ] {
            board.play(color, name.parse().unwrap());
        }
        let status = LifeAndDeath::default();
        let count = |scoring| Score::new(&board, &status, scoring).points.black;
        assert_eq!(count(Scoring::Territory), 7 + 1);
        assert_eq!(count(Scoring::Area), 9);
    }

    #[test]
    fn eyes_in_seki_count_only_in_area_scoring() {
        // Each side has an eye in a corner, and they share the liberty C5.
        let rows = ". X . O .\nX X X O O\nO O X X O\n. O O X X\n. . O X .";
        let seki = "A4 B4 C4 B5 C3 D3 D2 E2 D1 D4 E4 D5 E3 A3 B3 B2 C2 C1";
        let area = score(rows, "", seki, Scoring::Area);
        let territory = score(rows, "", seki, Scoring::Territory);
        assert_eq!(territory.points, ByColor { black: 0, white: 0 });
        assert_eq!(area.points.black, area.stones.black.len() as u32 + 2);
        assert_eq!(area.seki_eyes.black, set("A5 E1"));
        assert_eq!(area.dame, set("C5"));
        // Without seki the same eyes are territory.
        assert_eq!(
            score(rows, "", "", Scoring::Territory).points,
            ByColor { black: 2, white: 4 }
        );
    }

    #[test]
    fn an_empty_board_is_dame() {
        let score = Score::new(
            &Board::new(Size::NINE),
            &LifeAndDeath::default(),
            Scoring::Area,
        );
        assert_eq!(score.points, ByColor::default());
        assert_eq!(score.dame.len(), 81);
        assert_eq!(score.margin(Komi::default()), Margin::DRAW);
    }
}
