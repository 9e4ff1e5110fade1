//! Joseki: standard move sequences in a corner, which playouts cannot find.

use std::{collections::HashMap, str::FromStr, sync::LazyLock};

use boardgame_core::Color;
use go_core::{Board, Point, PointSet, Size};

/// The number of lines from each edge that belong to a corner.
const LINES: u8 = 10;

/// The number of lines from an edge that remain if stones farther away are ignored.
const NEAR_LINES: u8 = 7;

/// The minimum number of lines of a board with joseki.
const MIN_BOARD_LINES: u8 = 19;

/// The board on which sequences are written, in the corner at A1.
const SIZE: Size = Size::NINETEEN;

/// The sequences, indexed by the corners to which their moves lead.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joseki {
    /// The moves that continue a sequence, in the corner at A1; empty at the end of a sequence.
    moves: HashMap<Corner, Vec<Point>>,
}

/// The moves of a position that continue sequences.
#[derive(Clone, Debug, Default)]
pub(crate) struct JosekiMoves {
    all: PointSet,
    /// The moves in the corner of the last stone, if the side has stones there too.
    answers: PointSet,
}

/// The stones of a corner from the point of view of the side to move: one bit per point, 10 per row, starting with the
/// corner point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Corner {
    own: u128,
    opponent: u128,
}

/// A part of a corner: its first columns and rows.
#[derive(Clone, Copy, Debug)]
struct Part {
    columns: u8,
    rows: u8,
}

/// The error of parsing joseki: the line, counted from 1, and the expected text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}")]
pub(crate) struct ParseJosekiError {
    line: usize,
    expected: &'static str,
}

/// A word of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A move outside the corner.
    Tenuki,
    /// A move, and whether it is good.
    Place { point: Point, is_good: bool },
}

/// A transformation of a corner of a board to the one at A1.
#[derive(Clone, Copy, Debug)]
struct View {
    last: u8,
    from_right: bool,
    from_top: bool,
}

impl Joseki {
    /// Returns the built-in sequences.
    pub(crate) fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Joseki> = LazyLock::new(|| {
            include_str!("joseki.txt")
                .parse()
                .expect("the built-in joseki parse")
        });
        &BUILT_IN
    }

    /// Returns a side's moves that continue a sequence in any corner; none on a board with fewer than 19 lines. `last`
    /// is the opponent's last stone.
    pub(crate) fn moves(&self, board: &Board, color: Color, last: Option<Point>) -> JosekiMoves {
        let mut found = JosekiMoves::default();
        if board.size().lines() < MIN_BOARD_LINES {
            return found;
        }
        for view in View::all(board.size()) {
            let corner = view.corner(board, color);
            let last = last.and_then(|last| view.turn(last));
            let Some((moves, part)) = self.moves_in(corner) else {
                continue;
            };
            let has_stones = corner.within(part).own != 0;
            let answers = has_stones && last.is_some_and(|last| part.contains(last));
            for &point in moves.iter().filter(|&&point| part.contains(point)) {
                found.insert(view.turn(point), answers);
            }
        }
        found
    }

    /// Returns the moves that continue a sequence, and the part of the corner with the sequence's moves and stones. If
    /// the corner with all its stones is in no sequence, ignores stones far from one edge, then also those far from the
    /// other edge.
    fn moves_in(&self, corner: Corner) -> Option<(&[Point], Part)> {
        corner.parts().into_iter().find_map(|part| {
            let moves = self.moves.get(&corner.within(part))?;
            Some((moves.as_slice(), part))
        })
    }

    /// Adds a sequence, or returns the expected text.
    fn add(&mut self, steps: &[Step]) -> Result<(), &'static str> {
        let mut board = Board::new(SIZE);
        let mut color = Color::Black;
        for &step in steps {
            if let Step::Place { point, is_good } = step {
                if !board.is_legal(color, point) {
                    return Err("a legal move");
                }
                if is_good {
                    self.add_move(&board, color, point);
                }
                board.play(color, point);
            }
            color = !color;
        }
        for color in [Color::Black, Color::White] {
            let end = View::AT_A1.corner(&board, color);
            self.moves.entry(end).or_default();
        }
        Ok(())
    }

    fn add_move(&mut self, board: &Board, color: Color, point: Point) {
        let corner = View::AT_A1.corner(board, color);
        let moves = self.moves.entry(corner).or_default();
        if !moves.contains(&point) {
            moves.push(point);
        }
    }
}

impl Corner {
    /// Returns the parts of a corner in look-up order: the whole corner, the long part along the edge with more stones,
    /// the other long part, and the smallest part.
    fn parts(self) -> [Part; 4] {
        let part = |columns, rows| Part { columns, rows };
        let (wide, high) = (part(LINES, NEAR_LINES), part(NEAR_LINES, LINES));
        let stones = |part| {
            let Self { own, opponent } = self.within(part);
            (own | opponent).count_ones()
        };
        let (first, second) = if stones(wide) >= stones(high) {
            (wide, high)
        } else {
            (high, wide)
        };
        [
            part(LINES, LINES),
            first,
            second,
            part(NEAR_LINES, NEAR_LINES),
        ]
    }

    /// Returns the stones in a part.
    fn within(self, part: Part) -> Self {
        let row = (1 << part.columns) - 1;
        let part = (0..part.rows).fold(0, |part, line| part | row << (line * LINES));
        Self {
            own: self.own & part,
            opponent: self.opponent & part,
        }
    }
}

impl Part {
    fn contains(self, point: Point) -> bool {
        point.column() < self.columns && point.row() < self.rows
    }
}

impl JosekiMoves {
    /// Returns whether a move answers the last stone in its corner, or `None` if it continues no sequence.
    pub(crate) fn answers(&self, point: Point) -> Option<bool> {
        self.all
            .contains(point)
            .then(|| self.answers.contains(point))
    }

    fn insert(&mut self, point: Option<Point>, answers: bool) {
        if let Some(point) = point {
            self.all.insert(point);
            if answers {
                self.answers.insert(point);
            }
        }
    }
}

impl FromStr for Joseki {
    type Err = ParseJosekiError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut joseki = Self::default();
        for (line, text) in (1..).zip(text.lines()) {
            let error = |expected| ParseJosekiError { line, expected };
            let sequence = text.split('#').next().unwrap_or_default();
            let steps: Option<Vec<Step>> = sequence.split_whitespace().map(step).collect();
            let steps = steps.ok_or(error(
                "points from A1 to K10, alone or in parentheses, or tenuki",
            ))?;
            let mirrored: Vec<Step> = steps.iter().map(|step| step.mirrored()).collect();
            joseki.add(&steps).map_err(error)?;
            joseki.add(&mirrored).map_err(error)?;
        }
        Ok(joseki)
    }
}

/// Parses a word of a sequence.
fn step(word: &str) -> Option<Step> {
    if word == "tenuki" {
        return Some(Step::Tenuki);
    }
    let inner = word
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let point: Point = inner.unwrap_or(word).parse().ok()?;
    let is_near = point.column().max(point.row()) < LINES;
    is_near.then_some(Step::Place {
        point,
        is_good: inner.is_none(),
    })
}

impl Step {
    /// Returns the step with columns and rows exchanged.
    fn mirrored(self) -> Self {
        match self {
            Self::Place { point, is_good } => Self::Place {
                point: Point::new(point.row(), point.column()).unwrap_or(point),
                is_good,
            },
            Self::Tenuki => self,
        }
    }
}

impl View {
    const AT_A1: Self = Self {
        last: SIZE.lines() - 1,
        from_right: false,
        from_top: false,
    };

    /// Returns the views of the four corners of a board.
    fn all(size: Size) -> [Self; 4] {
        let last = size.lines() - 1;
        [(false, false), (true, false), (false, true), (true, true)].map(
            |(from_right, from_top)| Self {
                last,
                from_right,
                from_top,
            },
        )
    }

    /// Maps a point of the board to this view, or back.
    fn turn(self, point: Point) -> Option<Point> {
        let turn = |place: u8, from_end: bool| {
            if from_end {
                self.last.checked_sub(place)
            } else {
                Some(place)
            }
        };
        Point::new(
            turn(point.column(), self.from_right)?,
            turn(point.row(), self.from_top)?,
        )
    }

    /// Returns the corner from a side's point of view.
    fn corner(self, board: &Board, color: Color) -> Corner {
        let mut corner = Corner::default();
        for place in 0..LINES * LINES {
            let point = Point::new(place % LINES, place / LINES).and_then(|point| self.turn(point));
            match point.and_then(|point| board.stone(point)) {
                Some(stone) if stone == color => corner.own |= 1 << place,
                Some(_) => corner.opponent |= 1 << place,
                None => {}
            }
        }
        corner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: &str = "D4 F3 C6 D2 C3 J3 # slide\nD4 tenuki F3\nC4\n(C3) D4\n";

    /// Creates a board with the given stones.
    fn board(lines: u8, black: &str, white: &str) -> Board {
        let mut board = Board::new(Size::new(lines).unwrap());
        for (color, points) in [(Color::Black, black), (Color::White, white)] {
            for point in points.split_whitespace() {
                board.play(color, point.parse().unwrap());
            }
        }
        board
    }

    /// Returns the moves that continue the sequences of a text, in the order of points.
    fn moves(text: &str, board: &Board, color: Color, last: Option<&str>) -> JosekiMoves {
        let joseki: Joseki = text.parse().unwrap();
        joseki.moves(board, color, last.map(|last| last.parse().unwrap()))
    }

    /// Returns all moves for Black in the corner at A1 as text.
    fn at_a1(black: &str, white: &str) -> String {
        let found = moves(FEW, &board(19, black, white), Color::Black, None);
        let near = |point: &Point| point.column().max(point.row()) < LINES;
        let near: PointSet = found.all.iter().filter(near).collect();
        near.to_string()
    }

    #[test]
    fn the_built_in_sequences_are_parsed() {
        let empty = Corner::default();
        let first: Vec<String> = (Joseki::built_in().moves[&empty].iter())
            .map(ToString::to_string)
            .collect();
        assert_eq!(first, ["D4", "C4", "D3"]);
    }

    #[test]
    fn sequences_apply_to_either_colour_and_mirrored() {
        assert_eq!(at_a1("D4", "F3"), "C6");
        assert_eq!(at_a1("D4", "C6"), "F3");
        assert_eq!(at_a1("C6", "D4 F3"), "B4");
        assert_eq!(at_a1("F3", "D4 C6"), "D2");
        assert_eq!(at_a1("F3 D2", "D4 C6 C3"), "J3");
        assert_eq!(at_a1("F3 D2 Q4", "D4 C6 C3 R3"), "J3");
        assert_eq!(at_a1("F3 D2", "D4 C6 C3 J3"), "");
        assert_eq!(at_a1("F3 D2 K3", "D4 C6 C3"), "");
    }

    #[test]
    fn stones_far_from_the_corner_do_not_affect_moves_near_it() {
        assert_eq!(at_a1("D4", "F3 H8"), "C6");
        assert_eq!(at_a1("D4", "F3 G7"), "");
        // The extension along one edge does not depend on stones far from it.
        assert_eq!(at_a1("F3 D2", "D4 C6 C3 B9"), "J3");
        assert_eq!(at_a1("F3 D2", "D4 C6 C3 H7"), "");
    }

    #[test]
    fn an_ignored_stone_is_not_answered() {
        let board = board(19, "D4", "F3 H8");
        let answers = |last| {
            let found = moves(FEW, &board, Color::Black, Some(last));
            found.answers("C6".parse().unwrap())
        };
        assert_eq!(answers("F3"), Some(true));
        assert_eq!(answers("H8"), Some(false));
    }

    #[test]
    fn the_built_in_sequences_are_found_on_the_board() {
        for line in include_str!("joseki.txt").lines() {
            let sequence = line.split('#').next().unwrap_or_default();
            let steps: Vec<Step> = sequence
                .split_whitespace()
                .map(|word| step(word).unwrap())
                .collect();
            let mut board = Board::new(SIZE);
            let mut color = Color::Black;
            for step in steps {
                if let Step::Place { point, is_good } = step {
                    let found = Joseki::built_in().moves(&board, color, None);
                    assert!(!is_good || found.all.contains(point), "{line}: {point}");
                    board.play(color, point);
                }
                color = !color;
            }
        }
    }

    #[test]
    fn a_lone_stone_is_approached_or_enclosed() {
        assert_eq!(at_a1("D4", ""), "F3 C6");
        assert_eq!(at_a1("", "D4"), "F3 C6");
        assert_eq!(at_a1("", "C3"), "D4");
        assert_eq!(at_a1("C3", ""), "");
        assert_eq!(at_a1("", ""), "D3 C4 D4");
    }

    #[test]
    fn all_corners_are_looked_up() {
        let board = board(19, "D16 Q4", "F17 R6");
        let found = moves(FEW, &board, Color::Black, Some("R6"));
        // The answers, and the first moves in the empty corners.
        assert_eq!(found.all.to_string(), "D3 O3 C4 D4 C14 Q16 R16 Q17");
        let answers = |point: &str| found.answers(point.parse().unwrap());
        assert_eq!(answers("O3"), Some(true));
        assert_eq!(answers("C14"), Some(false));
        assert_eq!(answers("K10"), None);
    }

    #[test]
    fn an_approach_does_not_answer_a_lone_stone() {
        let found = moves(FEW, &board(19, "", "D4"), Color::Black, Some("D4"));
        assert_eq!(found.answers("F3".parse().unwrap()), Some(false));
        // The own stone is ignored because it is far from the corner.
        let found = moves(FEW, &board(19, "H8", "D4"), Color::Black, Some("D4"));
        assert_eq!(found.answers("F3".parse().unwrap()), Some(false));
    }

    #[test]
    fn small_boards_have_no_joseki() {
        let all = |lines| moves(FEW, &board(lines, "D4", "F3"), Color::Black, None).all;
        assert!(all(9).is_empty() && all(18).is_empty());
        assert!(all(19).contains("C6".parse().unwrap()));
        assert!(all(25).contains("C6".parse().unwrap()));
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| text.parse::<Joseki>().unwrap_err().to_string();
        assert_eq!(error("# first\nD4 D4"), "line 2: expected a legal move");
        let step = "points from A1 to K10, alone or in parentheses, or tenuki";
        for text in ["D4 L3", "D4 (F3", "D4 pass"] {
            assert_eq!(error(text), format!("line 1: expected {step}"));
        }
    }
}
