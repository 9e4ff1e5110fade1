//! Perft: counts of move sequences of a given length, a test and benchmark of the rules.

use boardgame_core::Color;

use crate::{Board, KoRule, Move, Position, SuicideRule};

/// The moves that [`perft`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerftMoves {
    /// Stones only; a sequence ends if the side to move has no legal stone.
    Stones,
    /// Stones and passes. Two passes in a row end a sequence.
    StonesAndPasses,
}

/// Counts the sequences of `depth` moves from a position, by the rules of the position.
///
/// With passes, a sequence that ends early with two passes counts as one. Without passes, a sequence that ends early
/// for lack of legal stones is not counted. Sequences that lead to the same position count separately. Stones with
/// simple ko are counted on the bare board, which is much faster.
///
/// # Examples
///
/// ```
/// use go_core::{PerftMoves, Position, Setup, Size, perft};
///
/// let empty = Position::new(&Setup::new(Size::NINE));
/// assert_eq!(perft(&empty, 3, PerftMoves::Stones), 81 * 80 * 79);
/// assert_eq!(perft(&empty, 2, PerftMoves::StonesAndPasses), 81 * 81 + 82);
/// ```
pub fn perft(position: &Position, depth: u32, moves: PerftMoves) -> u64 {
    let rules = position.rules();
    match moves {
        _ if depth == 0 => 1,
        PerftMoves::Stones if rules.ko == KoRule::Simple && !position.is_over() => count_stones(
            position.board(),
            position.side_to_move(),
            depth,
            rules.suicide,
        ),
        PerftMoves::StonesAndPasses if position.is_over() => 1,
        _ => perft_divide(position, depth, moves)
            .map(|(_, count)| count)
            .sum(),
    }
}

/// Counts the sequences that begin with each move of a position; the counts add up to [`perft`].
///
/// The iterator is empty at depth 0 and after the end of the game.
///
/// # Examples
///
/// ```
/// use go_core::{Move, PerftMoves, Position, Setup, perft_divide};
///
/// let position = Position::new(&"2x2".parse::<Setup>()?);
/// let counts: Vec<_> = perft_divide(&position, 2, PerftMoves::StonesAndPasses).collect();
/// assert_eq!(counts.len(), 5);
/// assert_eq!(counts[4], (Move::Pass, 5));
/// # Ok::<(), go_core::ParseSetupError>(())
/// ```
pub fn perft_divide(
    position: &Position,
    depth: u32,
    moves: PerftMoves,
) -> impl Iterator<Item = (Move, u64)> {
    let has_moves = depth > 0 && !position.is_over();
    let passes = has_moves && moves == PerftMoves::StonesAndPasses;
    let stones = position
        .legal_points()
        .filter(move |_| has_moves)
        .map(Move::Place);
    stones.chain(passes.then_some(Move::Pass)).map(move |mv| {
        let mut next = position.clone();
        let played = next.play(mv);
        debug_assert!(played.is_ok(), "the move is legal");
        (mv, perft(&next, depth - 1, moves))
    })
}

/// Counts sequences of stones with simple ko, on the bare board.
fn count_stones(board: &Board, color: Color, depth: u32, suicide: SuicideRule) -> u64 {
    if depth == 0 {
        return 1;
    }
    let legal = |board: &Board, point| board.check(color, point, suicide).is_ok();
    let points = board.empty_points().filter(|&point| legal(board, point));
    if depth == 1 {
        return points.count() as u64;
    }
    let mut next = board.clone();
    points
        .map(|point| {
            next.clone_from(board);
            next.play(color, point);
            count_stones(&next, !color, depth - 1, suicide)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use std::vec::Vec;

    fn position(setup: &str) -> Position {
        Position::new(&setup.parse::<Setup>().unwrap())
    }

    #[test]
    fn counts_by_move_add_up() {
        for setup in [
            "3x3",
            "2x2 rules chinese",
            "3x3 rules tromp-taylor black A1 first white",
        ] {
            for moves in [PerftMoves::Stones, PerftMoves::StonesAndPasses] {
                let position = position(setup);
                for depth in 1..=4 {
                    let sum: u64 = perft_divide(&position, depth, moves).map(|(_, n)| n).sum();
                    assert_eq!(sum, perft(&position, depth, moves), "{setup} {depth}");
                }
                assert_eq!(perft_divide(&position, 0, moves).count(), 0);
            }
        }
    }

    #[test]
    fn a_finished_game_has_no_moves() {
        let mut position = position("2x2");
        position.play(Move::Pass).unwrap();
        position.play(Move::Pass).unwrap();
        for (moves, expected) in [(PerftMoves::Stones, 0), (PerftMoves::StonesAndPasses, 1)] {
            assert_eq!(perft(&position, 3, moves), expected);
            assert_eq!(perft(&position, 0, moves), 1);
            assert_eq!(perft_divide(&position, 3, moves).collect::<Vec<_>>(), []);
        }
    }
}
