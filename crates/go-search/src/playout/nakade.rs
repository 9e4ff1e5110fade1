//! Vital points of small eye spaces.

use boardgame_core::Color;
use go_core::{Board, Point, Points};

/// The size of the largest eye space that one move can reduce to a single eye.
const MAX_SPACE: usize = 6;

/// Returns the vital point of an empty region adjacent to a stone, if only the stone's side surrounds the region and
/// the opponent's move there leaves a single eye.
pub(super) fn vital_point(board: &Board, stone: Point) -> Option<Point> {
    let owner = board.stone(stone)?;
    board
        .empty_neighbour_groups(stone)
        .find_map(|empty| vital_point_around(board, owner, empty))
}

/// Returns the vital point of an empty point's region, if all adjacent stones are the owner's.
fn vital_point_around(board: &Board, owner: Color, empty: Point) -> Option<Point> {
    // The points around the first one show for most regions that they are too large or not surrounded.
    let pattern = board.pattern(empty, owner);
    if pattern.empty_connected() as usize >= MAX_SPACE || pattern.has_opponent_next_to_connected() {
        return None;
    }
    let mut space: Points<{ MAX_SPACE + 1 }> = Points::NONE;
    space.insert(empty);
    let mut next = 0;
    while next < space.len() {
        if board.pattern(space[next], owner).has_opponent_neighbour() {
            return None;
        }
        for neighbour in board.empty_neighbours(space[next]) {
            space.insert(neighbour);
            if space.len() > MAX_SPACE {
                return None;
            }
        }
        next += 1;
    }
    vital_point_of(board, &space)
}

/// Returns the vital point of an eye space in which the opponent's move leaves a single eye: straight three, bent
/// three, pyramid four, bulky five, crossed five and rabbity six.
fn vital_point_of(board: &Board, space: &[Point]) -> Option<Point> {
    let degree = |point| board.pattern(point, Color::Black).empty_neighbour_count() as usize;
    let mut degrees: [usize; 5] = [0; 5];
    for &point in space {
        degrees[degree(point)] += 1;
    }
    // The numbers of points with 0 to 4 neighbours in the space identify the shapes.
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
        fn vital_points_agree_with_a_search_of_whole_regions((board, _) in boards()) {
            for (stone, owner) in board.stones() {
                let spaces = board.empty_neighbours(stone).filter_map(|empty| space_of(&board, owner, empty));
                let expected = spaces.filter(|space| space.len() <= MAX_SPACE).find_map(|space| {
                    vital_point_of(&board, &space.iter().collect::<Vec<_>>())
                });
                prop_assert_eq!(vital_point(&board, stone), expected);
            }
        }
    }

    /// Returns the empty points connected to a point, or `None` if they are adjacent to the opponent's stones.
    fn space_of(board: &Board, owner: Color, empty: Point) -> Option<PointSet> {
        let mut space = PointSet::from_iter([empty]);
        let mut open = vec![empty];
        while let Some(point) = open.pop() {
            if board.neighbour_stones(!owner, point).next().is_some() {
                return None;
            }
            open.extend(
                board
                    .empty_neighbours(point)
                    .filter(|&neighbour| space.insert(neighbour)),
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
    fn four_points_have_a_vital_point_only_as_a_pyramid() {
        let pyramid = "...X.\nX.XX.\nXXX..\n.....\n.....";
        assert_eq!(vital(pyramid, "D5").as_deref(), Some("B5"));
        let block = "..X..\n..X..\nXXX..\n.....\n.....";
        assert_eq!(vital(block, "C4"), None);
        let shared = "...X.\nX.XX.\nXOX..\n.....\n.....";
        assert_eq!(vital(shared, "D5"), None);
    }

    #[test]
    fn larger_spaces_have_their_vital_point_at_the_most_neighbours() {
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
