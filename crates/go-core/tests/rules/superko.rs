//! Comparison of superko with a list of all earlier positions, along random games on small boards.

use go_core::{Color, IllegalReason, KoRule, Move, Position, Rules, Setup, Size, SuicideRule};
use proptest::prelude::*;

use crate::oracle::{Oracle, Stones};

/// Plays a random game, and compares every point in every position.
fn check_game(setup: &Setup, choices: &[(prop::sample::Index, u8)]) -> Result<(), TestCaseError> {
    let (mut position, mut oracle) = (Position::new(setup), Oracle::new(setup.size()));
    let mut seen: Vec<(Stones, Color)> = vec![(oracle.stones.clone(), Color::Black)];
    for (choice, kind) in choices {
        let color = position.side_to_move();
        let mut legal = Vec::new();
        for point in setup
            .size()
            .points()
            .filter(|&point| oracle.at(point).is_none())
        {
            let mut after = oracle.clone();
            after.play(color, point);
            let repeats = seen.iter().any(|(stones, side)| {
                let same_side = setup.rules().ko == KoRule::PositionalSuperko || *side == !color;
                *stones == after.stones && same_side
            });
            let expected = if oracle.retakes_ko(color, point) {
                Err(IllegalReason::Ko)
            } else if oracle.is_suicide(color, point)
                && setup.rules().suicide == SuicideRule::Forbidden
            {
                Err(IllegalReason::Suicide)
            } else if repeats {
                Err(IllegalReason::Superko)
            } else {
                legal.push(point);
                Ok(())
            };
            prop_assert_eq!(
                position.check(point).map_err(|error| error.reason),
                expected
            );
        }
        prop_assert!(position.legal_points().eq(legal.iter().copied()));
        if *kind == 0 || legal.is_empty() {
            position.play(Move::Pass).expect("a pass");
            oracle.pass();
        } else {
            let point = *choice.get(&legal);
            position.play(point).expect("a legal move");
            oracle.play(color, point);
        }
        seen.push((oracle.stones.clone(), !color));
        if position.is_over() {
            position.resume();
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn superko_agrees_with_the_list_of_positions(
        lines in 1..=4_u8,
        rules in prop::sample::select(vec![Rules::CHINESE, Rules::AGA, Rules::NEW_ZEALAND, Rules::TROMP_TAYLOR]),
        choices in prop::collection::vec((any::<prop::sample::Index>(), 0..10_u8), 0..80),
    ) {
        let setup = Setup::new(Size::new(lines).expect("a size")).with_rules(rules);
        check_game(&setup, &choices)?;
    }
}
