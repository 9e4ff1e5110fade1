//! Vital points of small eye spaces.

use boardgame_core::Color;
use go_core::{Board, Point, Points};

/// The size of the largest eye space that one move can reduce to a single eye.
const MAX_SPACE: usize = 6;

/// Returns the vital point of an empty region beside a stone if the stone's side alone surrounds it and
/// the opponent, by playing there, leaves it one eye only.
pub(super) fn vital_point(board: &Board, stone: Point) -> Option<Point> {
    let owner = board.stone(stone)?;
    board
        .empty_groups_beside(stone)
        .find_map(|empty| vital_point_around(board, owner, empty))
}

/// Returns the vital point of the region of an empty point, of which a side is to have all the stones around it.
fn vital_point_around(board: &Board, owner: Color, empty: Point) -> Option<Point> {
    // Most spaces are seen to be too large or not surrounded from the points around the first one.
    let pattern = board.pattern(empty, owner);
    if pattern.empty_connected() as usize >= MAX_SPACE || pattern.has_opponent_beside_connected() {
        return None;
    }
    let mut space: Points<{ MAX_SPACE + 1 }> = Points::NONE;
    space.insert(empty);
    let mut next = 0;
    while next < space.len() {
        if board.pattern(space[next], owner).has_opponent_beside() {
            return None;
        }
        for beside in board.empty_beside(space[next]) {
            space.insert(beside);
            if space.len() > MAX_SPACE {
                return None;
            }
        }
        next += 1;
    }
    vital_point_of(board, &space)
}

/// Returns the vital point of an eye space in which a move of the opponent leaves one eye only: three in a row, bent
/// three, pyramid four, bulky five, crossed five and rabbity six.
fn vital_point_of(board: &Board, space: &[Point]) -> Option<Point> {
    let degree = |point| board.pattern(point, Color::Black).empty_beside() as usize;
    let mut degrees: [usize; 5] = [0; 5];
    for &point in space {
        degrees[degree(point)] += 1;
    }
    // The numbers of points with 0 to 4 neighbours in the space tell the shapes apart.
    let wanted = match (space.len(), degrees) {
        (3, _) => 2,
        (4, [0, 3, 0, 1, 0]) | (5, [0, 1, 3, 1, 0]) => 3,
        (5, [0, 4, 0, 0, 1]) | (6, [0, 2, 3, 0, 1]) => 4,
        _ => return None,
    };
    space.iter().copied().find(|&point| degree(point) == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tactics::tests::boards;
    use go_core::PointSet;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn vital_points_are_those_of_whole_spaces((board, _) in boards()) {
            for (stone, owner) in board.stones() {
                let spaces = board.empty_beside(stone).filter_map(|empty| space_of(&board, owner, empty));
                let expected = spaces.filter(|space| space.len() <= MAX_SPACE).find_map(|space| {
                    vital_point_of(&board, &space.iter().collect::<Vec<_>>())
                });
                prop_assert_eq!(vital_point(&board, stone), expected);
            }
        }
    }

    /// Returns the empty points connected with one, or `None` if they have stones of the owner's opponent beside them.
    fn space_of(board: &Board, owner: Color, empty: Point) -> Option<PointSet> {
        let mut space = PointSet::from_iter([empty]);
        let mut open = vec![empty];
        while let Some(point) = open.pop() {
            if board.stones_beside(!owner, point).next().is_some() {
                return None;
            }
            open.extend(
                board
                    .empty_beside(point)
                    .filter(|&beside| space.insert(beside)),
            );
        }
        Some(space)
    }

    fn vital(diagram: &str, stone: &str) -> Option<String> {
        let board: Board = diagram.parse().unwrap();
        vital_point(&board, stone.parse().unwrap()).map(|point| point.to_string())
    }

    #[test]
    fn the_middle_of_three_is_vital() {
        let row = ".....\nXXXX.\n...X.\nXXXX.\n.....";
        assert_eq!(vital(row, "D3").as_deref(), Some("B3"));
        let angle = "..X..\n.XX..\n.X...\nXX...\n.....";
        // The space is A3, A4, A5 and B5.
        assert_eq!(vital(angle, "B4"), None);
        let open = ".....\n.....\nXXXX.\n...X.\n.....";
        assert_eq!(vital(open, "D2"), None);
        let beside_an_open_one = ".XXXX\n.X...\n.XXXX\n.....\n.....";
        assert_eq!(vital(beside_an_open_one, "B4").as_deref(), Some("D4"));
    }

    #[test]
    fn four_points_have_a_vital_one_as_a_pyramid_only() {
        let pyramid = "...X.\nX.XX.\nXXX..\n.....\n.....";
        assert_eq!(vital(pyramid, "D5").as_deref(), Some("B5"));
        let block = "..X..\n..X..\nXXX..\n.....\n.....";
        assert_eq!(vital(block, "C4"), None);
        let shared = "...X.\nX.XX.\nXOX..\n.....\n.....";
        assert_eq!(vital(shared, "D5"), None);
    }

    #[test]
    fn larger_spaces_have_a_point_with_most_neighbours() {
        let cross = "X.X..\n...X.\nX.X..\nXXX..\n.....";
        assert_eq!(vital(cross, "D4").as_deref(), Some("B4"));
        let block_with_tail = "..X..\n...X.\nXXXX.\n.....\n.....";
        assert_eq!(vital(block_with_tail, "D4").as_deref(), Some("B4"));
        let flower = "..X..\n...X.\nX.X..\nXXX..\n.....";
        assert_eq!(vital(flower, "D4").as_deref(), Some("B4"));
    }

    #[test]
    fn spaces_with_two_eyes_have_no_vital_point() {
        let t_of_five = "...X.\nX.XX.\nX.X..\nXXX..\n.....";
        assert_eq!(vital(t_of_five, "D5"), None);
        let y_of_five = "....X\nX.XXX\nXXX..\n.....\n.....";
        assert_eq!(vital(y_of_five, "E5"), None);
        let long_cross = "X.X...\n....X.\nX.XXX.\nXXX...\n......\n......";
        assert_eq!(vital(long_cross, "E5"), None);
    }
}
