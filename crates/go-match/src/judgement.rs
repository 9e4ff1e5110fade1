//! The result of a judged position and the figures behind it.

use std::fmt;

use boardgame_core::{Color, Margin};
use go_core::{
    Board, FilledBoard, Komi, LifeAndDeath, Move, Point, PointSet, Position, Score, Scoring,
    fill_dame, open_dame,
};

use crate::ChainStatus;

/// The maximum number of neutral points listed one by one.
const MAX_NAMED: usize = 12;

/// A judgement of a final position: dead stones, dame that were filled, the score, and unresolved points.
///
/// It is displayed as a board, with the legend and the count below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The dead stones, those in seki, and those whose life is open.
    pub status: LifeAndDeath,
    /// The stones that were added to fill dame, in order.
    pub filled: Vec<(Color, Point)>,
    /// The board with these stones.
    pub board: Board,
    /// The score of that board, without komi.
    pub score: Score,
    /// The result with komi.
    pub margin: Margin,
    /// The dame that nobody could fill, without those in seki.
    pub open_dame: PointSet,
    komi: Komi,
    /// The points that White receives for the handicap.
    handicap_points: u32,
    scoring: Scoring,
}

/// The error of a point that names no chain of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum NoChainError {
    /// The point is empty.
    #[error("expected a point with a stone, found {point}")]
    Empty { point: Point },
    /// The stone was added by the judge.
    #[error("{point} was filled by the judge; name a stone of the game")]
    Filled { point: Point },
}

impl Judgement {
    /// Judges a position in which the dead stones are known.
    pub fn new(position: &Position, status: LifeAndDeath) -> Self {
        let (komi, scoring) = (position.komi(), position.rules().scoring);
        let FilledBoard { board, stones } =
            fill_dame(position.board(), &status, position.side_to_move());
        let score = Score::new(&board, &status, scoring);
        Self {
            filled: stones,
            margin: position.margin(&score),
            open_dame: open_dame(&board, &status),
            status,
            board,
            score,
            komi,
            handicap_points: position.handicap_points(),
            scoring,
        }
    }

    /// Returns the status of the stone on a point.
    pub fn chain_status(&self, point: Point) -> ChainStatus {
        ChainStatus::of(&self.status, point)
    }

    /// Returns the judgement with a status for the chain on a point of the position. If the chain leaves a seki,
    /// its partners become alive.
    ///
    /// # Errors
    ///
    /// Fails if the point has no stone of the game.
    pub fn with_chain(
        &self,
        position: &Position,
        point: Point,
        chain: ChainStatus,
    ) -> Result<Self, NoChainError> {
        let board = position.board();
        if !board.size().contains(point) || board.is_empty(point) {
            let is_filled = self.filled.iter().any(|&(_, filled)| filled == point);
            return Err(if is_filled {
                NoChainError::Filled { point }
            } else {
                NoChainError::Empty { point }
            });
        }
        let mut status = self.status;
        chain.set(&mut status, board, point);
        Ok(Self::new(position, status))
    }

    /// Returns whether all stones are settled and all dame filled.
    pub fn is_resolved(&self) -> bool {
        self.status.unsettled.is_empty() && self.open_dame.is_empty()
    }

    /// Returns the symbol of a point in the diagram.
    fn symbol(&self, point: Point) -> char {
        match self.board.stone(point) {
            Some(color) if self.status.dead.contains(point) => color.disc().to_ascii_lowercase(),
            Some(color) => color.disc(),
            None if self.score.territory.black.contains(point) => '+',
            None if self.score.territory.white.contains(point) => '-',
            None => '.',
        }
    }

    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        let columns = |f: &mut fmt::Formatter<'_>| {
            let first_row = (0..size.lines()).filter_map(|column| Point::new(column, 0));
            f.write_str("  ")?;
            for point in first_row {
                write!(f, " {}", point.column_letter())?;
            }
            writeln!(f)
        };
        columns(f)?;
        for row in (0..size.lines()).rev() {
            write!(f, "{:2}", row + 1)?;
            for point in (0..size.lines()).filter_map(|column| Point::new(column, row)) {
                write!(f, " {}", self.symbol(point))?;
            }
            writeln!(f, " {}", row + 1)?;
        }
        columns(f)?;
        writeln!(f, "x o dead, + Black's and - White's territory, . nobody's")
    }

    fn write_count(&self, f: &mut fmt::Formatter<'_>, color: Color) -> fmt::Result {
        let score = &self.score;
        let territory = score.territory[color].len();
        match self.scoring {
            Scoring::Territory => {
                let prisoners = score.prisoners[color];
                write!(f, "{color}: {territory} territory, {prisoners} prisoners")?;
            }
            Scoring::Area => {
                let (stones, eyes) = (score.stones[color].len(), score.seki_eyes[color].len());
                write!(
                    f,
                    "{color}: {stones} stones, {} territory",
                    territory + eyes
                )?;
            }
        }
        match color {
            Color::Black => writeln!(f, ": {}", score.points.black),
            Color::White => {
                write!(f, ": {}, and komi {}", score.points.white, self.komi)?;
                match self.handicap_points {
                    0 => writeln!(f),
                    points => writeln!(f, ", and {points} for the handicap"),
                }
            }
        }
    }

    fn write_unresolved(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut named = PointSet::new();
        for point in self.status.unsettled.iter() {
            let Some(color) = self.board.stone(point).filter(|_| !named.contains(point)) else {
                continue;
            };
            let chain: PointSet = self.board.chain(point).collect();
            named = named | chain;
            let status = self.chain_status(point);
            let stones = chain.len();
            let plural = if stones == 1 { "" } else { "s" };
            writeln!(
                f,
                "Unresolved: {color}'s chain on {point}, {stones} stone{plural}, counted as {status}"
            )?;
        }
        match self.open_dame.len() {
            0 => Ok(()),
            1..=MAX_NAMED => writeln!(f, "Unresolved: nobody's points {}", self.open_dame),
            count => writeln!(f, "Unresolved: {count} points are nobody's"),
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_board(f)?;
        if !self.status.dead.is_empty() {
            writeln!(f, "Dead: {}", self.status.dead)?;
        }
        if !self.status.seki.is_empty() {
            writeln!(f, "Seki: {}", self.status.seki)?;
        }
        if !self.filled.is_empty() {
            let stone = |&(color, point): &(Color, Point)| {
                let letter = if color == Color::Black { 'B' } else { 'W' };
                format!("{letter} {}", Move::Place(point))
            };
            let stones: Vec<String> = self.filled.iter().map(stone).collect();
            writeln!(f, "Dame filled: {}", stones.join(", "))?;
        }
        for color in Color::ALL {
            self.write_count(f, color)?;
        }
        self.write_unresolved(f)?;
        write!(f, "Result: {}", self.margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Judge;

    const WALLS: &str = "5x5 komi 0.5 black B1 B2 B3 B4 B5 C2 E2 white D1 D2 D3 D4 D5 E3";

    fn judged(setup: &str) -> (Position, Judgement) {
        let position = Position::new(&setup.parse().unwrap());
        let judgement = Judge::default().judge(&position);
        (position, judgement)
    }

    #[test]
    fn a_judgement_is_a_board_with_its_count() {
        let (_, judgement) = judged(WALLS);
        let expected = "\
            \u{20}  A B C D E
 5 + X O O - 5
 4 + X X O - 4
 3 + X O O O 3
 2 + X X O x 2
 1 + X X O - 1
   A B C D E
x o dead, + Black's and - White's territory, . nobody's
Dead: E2
Dame filled: B C1, W C3, B C4, W C5
Black: 5 territory, 0 prisoners: 5
White: 4 territory, 1 prisoners: 5, and komi 0.5
Result: W+0.5";
        assert_eq!(judgement.to_string(), expected);
    }

    #[test]
    fn a_person_changes_the_life_of_a_chain() {
        let (position, judgement) = judged(WALLS);
        let changed = |point: &str, status| {
            let judgement = judgement.with_chain(&position, point.parse().unwrap(), status);
            let parts = |it: Judgement| (it.status.dead.to_string(), it.margin.to_string());
            judgement.map(parts).map_err(|error| error.to_string())
        };
        let answer = |dead: &str, margin: &str| Ok((dead.into(), margin.into()));
        assert_eq!(changed("E2", ChainStatus::Alive), answer("", "B+2.5"));
        let all = "D1 D2 E2 D3 E3 D4 D5";
        assert_eq!(changed("E3", ChainStatus::Dead), answer(all, "B+23.5"));
        for (point, expected) in [
            ("A1", "expected a point with a stone, found A1"),
            ("T19", "expected a point with a stone, found T19"),
            ("C3", "C3 was filled by the judge; name a stone of the game"),
        ] {
            assert_eq!(changed(point, ChainStatus::Dead), Err(expected.into()));
        }
    }

    #[test]
    fn the_partners_of_a_chain_that_leaves_a_seki_live() {
        let (position, judgement) = judged(
            "7x7 black B7 G7 A6 B6 C6 G6 D5 E5 F5 G5 D4 F4 D3 E3 F3 G3 E2 G2 E1 F1 \
             white D7 F7 D6 E6 F6 A5 B5 C5 B4 C4 A3 C3 A2 B2 C2 D2 B1 D1",
        );
        let seki = "A6 B6 C6 D6 E6 F6 B7 D7 F7";
        assert_eq!(judgement.status.seki.to_string(), seki);
        let with = |judgement: &Judgement, point: &str, status| {
            let changed = judgement.with_chain(&position, point.parse().unwrap(), status);
            changed.unwrap()
        };
        let dead = with(&judgement, "A6", ChainStatus::Dead);
        assert_eq!(dead.status.seki.to_string(), "");
        assert_eq!(dead.status.dead.to_string(), "A6 B6 C6 B7");
        assert_ne!(dead.margin, judgement.margin);
        let black = with(&dead, "A6", ChainStatus::Seki);
        let both = with(&black, "D6", ChainStatus::Seki);
        assert_eq!(both.status, judgement.status);
        assert_eq!(both.margin, judgement.margin);
    }

    #[test]
    fn what_is_unresolved_is_named() {
        let three = "7x7 rules chinese black A7 G7 A6 G6 A5 B5 C5 D5 E5 F5 G5 \
                     white B7 F7 B6 C6 D6 E6 F6";
        let (_, judgement) = judged(three);
        let text = judgement.to_string();
        let named = "\
Dead: B6 C6 D6 E6 F6 B7 F7
Black: 11 stones, 38 territory: 49
White: 0 stones, 0 territory: 0, and komi 0
Unresolved: White's chain on B6, 7 stones, counted as dead
Result: B+49";
        assert!(text.ends_with(named), "{text}");
        let (_, judgement) = judged("9x9 black D4 white F6");
        let text = judgement.to_string();
        assert!(
            text.contains("Unresolved: 79 points are nobody's"),
            "{text}"
        );
    }
}
