//! Strategies of proptest: squares, positions and games.
//!
//! # Examples
//!
//! A failure is reported with the shortest game that shows it:
//!
//! ```
//! use othello_core::{Position, Tier, perft, strategies};
//! use proptest::prelude::*;
//!
//! proptest! {
//!     # #![proptest_config(ProptestConfig::with_cases(8))]
//!     fn reflections_have_the_same_perft(board in strategies::boards(0..=60)) {
//!         let position = board.position();
//!         let count = |position: Position| perft(position, 3, Tier::best());
//!         prop_assert_eq!(count(position.canonical().0), count(position));
//!     }
//! }
//! # reflections_have_the_same_perft();
//! ```

use core::ops::RangeInclusive;

use proptest::{collection::vec, prelude::*, sample::select};

use crate::{Bitboard, Board, Game, Position, Square};

/// Any square.
pub fn squares() -> impl Strategy<Value = Square> + Clone {
    select(&Square::ALL[..])
}

/// Any two disjoint sets of discs, from almost empty to full boards. Most are reached by no game: see [`boards`].
pub fn positions() -> impl Strategy<Value = Position> + Clone {
    let discs = any::<[u64; 4]>().prop_flat_map(|[a, b, c, d]| {
        // A half, three quarters, nearly all, a quarter, few, and all of the squares.
        select(std::vec![a, a | b, a | b | c | d, a & b, a & b & c, !0])
    });
    let own = any::<[u64; 3]>()
        .prop_flat_map(|[a, b, c]| select(std::vec![a, a & b, a | b, a & b & c, a | b | c, 0, !0]));
    // A few empty squares on full boards too.
    let holes = (select(std::vec![0_u64, 1, 3, 1 << 63]), 0..64_u32)
        .prop_map(|(holes, turn)| holes.rotate_left(turn));
    (discs, own, holes).prop_map(|(discs, own, holes)| {
        let discs = discs & !holes;
        Position::new_unchecked(Bitboard(discs & own), Bitboard(discs & !own))
    })
}

/// The last boards of [`games`] with a number of plies.
pub fn boards(plies: RangeInclusive<usize>) -> impl Strategy<Value = Board> + Clone {
    games(plies).prop_map(|game| game.board())
}

/// More plies than any game has, passes included.
const MAX_PLIES: usize = 128;

/// Games of legal moves from the standard start, with a number of plies (passes are plies) or fewer if the game ends.
/// No game has more than 128 plies.
///
/// A failing game is cut at its end, then its moves become the first legal ones.
pub fn games(plies: RangeInclusive<usize>) -> impl Strategy<Value = Game> + Clone {
    games_from(Just(Board::START), plies)
}

/// The same as [`games`] from other boards.
pub fn games_from(
    starts: impl Strategy<Value = Board> + Clone,
    plies: RangeInclusive<usize>,
) -> impl Strategy<Value = Game> + Clone {
    let choices = vec(any::<u8>(), MAX_PLIES.min(*plies.end()));
    (starts, plies, choices).prop_map(|(start, plies, choices)| {
        let mut game = Game::new(start);
        game.play_choices(choices.into_iter().take(plies).map(u64::from));
        game
    })
}

#[cfg(test)]
mod tests {
    use proptest::test_runner::{TestError, TestRunner};

    use super::*;

    #[test]
    fn a_failure_shrinks_to_the_shortest_game() {
        let mut runner = TestRunner::deterministic();
        let failure = runner.run(&games(0..=60), |game| {
            prop_assert!(game.board().empties().count() > 40);
            Ok(())
        });
        let Err(TestError::Fail(_, game)) = failure else {
            panic!("expected a game of 20 discs or more, found {failure:?}");
        };
        assert_eq!(game.board().empties().count(), 40);
    }
}
