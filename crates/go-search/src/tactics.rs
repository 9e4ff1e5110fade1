//! Consequences of a stone: the board after it, and its liberties, counted without playing it.

use boardgame_core::Color;
use go_core::{Board, Point, Points};

/// Returns whether a condition holds on the board after a stone; false if the stone is illegal.
pub(crate) fn holds_after(
    board: &Board,
    color: Color,
    point: Point,
    holds: impl FnOnce(&Board) -> bool,
) -> bool {
    if !board.is_legal(color, point) {
        return false;
    }
    let mut after = board.clone();
    after.play(color, point);
    holds(&after)
}

/// Returns the number of liberties of a stone's chain after placing it on an empty point, at most `N`.
///
/// Captured stones count as liberties, even if they are not adjacent to the chain.
pub(crate) fn liberties_after<const N: usize>(board: &Board, color: Color, point: Point) -> usize {
    few_liberties_after::<N>(board, color, point).map_or(N, |liberties| liberties.len())
}

/// Returns the liberties of a stone's chain after placing it, if there are fewer than `N`.
pub(crate) fn few_liberties_after<const N: usize>(
    board: &Board,
    color: Color,
    point: Point,
) -> Option<Points<N>> {
    let mut liberties: Points<N> = Points::NONE;
    for neighbour in board.empty_neighbours(point) {
        if insert(&mut liberties, neighbour) {
            return None;
        }
    }
    for own in board.neighbour_stones(color, point) {
        if board.min_liberties(own) > N || add_liberties(board, own, point, &mut liberties) {
            return None;
        }
    }
    // The stones of a captured chain become empty.
    let opponents = board.neighbour_stones(!color, point);
    for captured in opponents.filter(|&stone| board.atari(stone).is_some()) {
        if (board.chain(captured)).any(|stone| insert(&mut liberties, stone)) {
            return None;
        }
    }
    Some(liberties)
}

/// Returns whether a stone would capture anything.
pub(crate) fn captures(board: &Board, color: Color, point: Point) -> bool {
    let mut opponents = board.neighbour_stones(!color, point);
    opponents.any(|neighbour| board.atari(neighbour).is_some())
}

/// Adds a chain's liberties except one point. Returns whether the list is full.
fn add_liberties<const N: usize>(
    board: &Board,
    chain: Point,
    except: Point,
    liberties: &mut Points<N>,
) -> bool {
    board.chain(chain).any(|stone| {
        let mut empty = board
            .empty_neighbours(stone)
            .filter(|&neighbour| neighbour != except);
        empty.any(|neighbour| insert(liberties, neighbour))
    })
}

/// Adds a point. Returns whether the list is full.
fn insert<const N: usize>(points: &mut Points<N>, point: Point) -> bool {
    points.insert(point);
    points.len() == N
}

/// Returns the number of stones that a stone on an empty point would put in atari including itself, or 0 if its chain
/// would have more than one liberty.
pub(crate) fn self_atari(board: &Board, color: Color, point: Point) -> usize {
    if board.pattern(point, color).empty_neighbour_count() >= 2
        || liberties_after::<2>(board, color, point) >= 2
    {
        return 0;
    }
    let mut chains: Points<4> = Points::NONE;
    for neighbour in board.neighbour_stones(color, point) {
        chains.insert(board.chain_id(neighbour).unwrap_or(neighbour));
    }
    1 + chains
        .iter()
        .map(|&chain| board.chain_len(chain))
        .sum::<usize>()
}

/// A move that extends a chain at one of its liberties.
pub(crate) struct Extension {
    pub(crate) point: Point,
    /// The liberties of the chain after the move; `None` if there are five or more. Empty if the move captures, because
    /// the liberties are then unknown without playing it.
    liberties: Option<Points<5>>,
}

impl Extension {
    pub(crate) fn new(board: &Board, color: Color, point: Point) -> Self {
        let liberties = if captures(board, color, point) {
            Some(Points::NONE)
        } else {
            few_liberties_after(board, color, point)
        };
        Self { point, liberties }
    }

    /// Returns whether the move surely saves its chain even if the opponent has placed up to two stones before: the
    /// chain has three liberties left.
    pub(crate) fn escapes_after(&self, stones: &[Point]) -> bool {
        let Some(liberties) = &self.liberties else {
            return true;
        };
        let left = liberties.iter().filter(|&it| !stones.contains(it));
        left.count() >= 3
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use go_core::{Color, Size};
    use proptest::prelude::*;

    /// Boards of 7x7 points after up to 120 random moves, and the side to move.
    pub(crate) fn boards() -> impl Strategy<Value = (Board, Color)> {
        (any::<u64>(), 0..120).prop_map(|(seed, moves)| {
            let mut board = Board::new(Size::new(7).unwrap());
            let mut random = go_core::Random::new(seed);
            let mut color = Color::Black;
            for _ in 0..moves {
                if let Some(point) = board.random_move(color, &mut random) {
                    board.play(color, point);
                }
                color = !color;
            }
            (board, color)
        })
    }

    proptest! {
        #[test]
        fn liberties_agree_with_the_board_after_the_move((mut board, color) in boards(), seed: u64) {
            let Some(point) = board.random_move(color, &mut go_core::Random::new(seed)) else {
                return Ok(());
            };
            let counted = liberties_after::<4>(&board, color, point);
            let stones = self_atari(&board, color, point);
            let mut after = board.clone();
            let captured = after.play(color, point) as usize;
            let liberties = after.liberties(point).len();
            if captured == 0 {
                prop_assert_eq!(counted, liberties.min(4));
                let expected = if liberties == 1 { after.chain_len(point) } else { 0 };
                prop_assert_eq!(stones, expected);
            } else {
                prop_assert!(counted >= liberties.min(4));
            }
        }
    }

    proptest! {
        #[test]
        fn an_extension_that_escapes_has_three_liberties((mut board, color) in boards(), seed: u64) {
            let Some(point) = board.random_move(color, &mut go_core::Random::new(seed)) else {
                return Ok(());
            };
            let extension = Extension::new(&board, color, point);
            for stone in board.empty_points().filter(|&stone| stone != point) {
                let is_sure = extension.escapes_after(&[stone]) && !captures(&board, !color, stone);
                if !is_sure || !board.is_legal(!color, stone) {
                    continue;
                }
                let mut after = board.clone();
                after.play(!color, stone);
                prop_assert!(after.is_legal(color, point));
                after.play(color, point);
                prop_assert!(after.some_liberties::<3>(point).len() == 3, "{stone}");
            }
        }
    }
}
