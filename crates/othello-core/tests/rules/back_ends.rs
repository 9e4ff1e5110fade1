//! Comparison of every supported back end with the oracle.

use othello_core::{
    Backend, Bitboard, Empties, Position, Square, Tier, WithBackend, perft,
    strategies::{games, positions},
};
use proptest::prelude::*;

use crate::oracle;

/// Compares one back end with the oracle on one position.
struct Compare(Position);

impl WithBackend for Compare {
    type Output = Result<(), TestCaseError>;

    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let position = self.0;
        let tier = B::TIER;
        let moves = backend.vectorize(|| backend.legal_moves(position));
        prop_assert_eq!(moves, oracle::legal_moves(position), "moves, {}", tier);
        // Eight different positions: the board with its rows rotated.
        let rotated = |discs: Bitboard| {
            std::array::from_fn(|lane| Bitboard(discs.0.rotate_left(8 * lane as u32)))
        };
        let (own, opponent) = (rotated(position.own()), rotated(position.opponent()));
        let moves = backend.vectorize(|| backend.legal_moves_of_eight(&own, &opponent));
        for lane in 0..8 {
            let expected = oracle::legal_moves(Position::new_unchecked(own[lane], opponent[lane]));
            prop_assert_eq!(moves[lane], expected, "moves in lane {}, {}", lane, tier);
        }
        for square in Square::ALL {
            let flips = backend.vectorize(|| backend.flips(position, square));
            let expected = oracle::flips(position, square);
            prop_assert_eq!(flips, expected, "flips of {}, {}", square, tier);
        }
        for square in Square::ALL {
            let own = position.own().without(square);
            let last = Position::new_unchecked(own, !own.with(square));
            let score = backend.vectorize(|| backend.last_score(own, square));
            prop_assert_eq!(
                score,
                last_score(last, square),
                "last, {}, {}",
                square,
                tier
            );
        }
        Ok(())
    }
}

/// The final disc difference if `square` is the only empty square, found by playing the last moves.
fn last_score(position: Position, square: Square) -> i32 {
    let of = |position: Position| position.score(Empties::ToWinner).discs();
    let after = |position: Position| {
        let flips = oracle::flips(position, square);
        (!flips.is_empty()).then(|| -of(position.after(square, flips)))
    };
    after(position)
        .or_else(|| after(position.passed()).map(|score| -score))
        .unwrap_or_else(|| of(position))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_supported_tier_equals_the_oracle(position in positions()) {
        for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
            tier.dispatch(Compare(position))?;
        }
    }

    #[test]
    fn the_methods_of_position_equal_the_oracle(position in positions()) {
        prop_assert_eq!(position.legal_moves(), oracle::legal_moves(position));
        for square in Square::ALL {
            prop_assert_eq!(position.flips(square), oracle::flips(position, square));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Uses depths at which the batching back ends count in batches.
    #[test]
    fn every_supported_tier_has_the_portable_perft(position in positions()) {
        let count = perft(position, 5, Tier::Portable);
        for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
            prop_assert_eq!(perft(position, 5, tier), count, "{}", tier);
        }
    }

    #[test]
    fn every_supported_tier_equals_the_oracle_along_games(game in games(60..=120)) {
        for board in game.boards() {
            for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
                tier.dispatch(Compare(board.position()))?;
            }
        }
    }
}
