//! Comparison of the fast board with the plain one along random games of every size.

use std::collections::BTreeMap;

use go_core::{Board, Color, IllegalReason, Point, PointSet, Size, SuicideRule};
use proptest::prelude::*;

use crate::oracle::{Oracle, Stones};

/// Compares everything that both boards know about every point.
fn compare(board: &Board, oracle: &Oracle) -> Result<(), TestCaseError> {
    prop_assert_eq!(board.captures(), oracle.captures);
    let empty: PointSet = board.empty_points().collect();
    prop_assert_eq!(empty.len(), board.empty_points().len());
    for point in oracle.size.points() {
        prop_assert_eq!(board.stone(point), oracle.at(point));
        prop_assert_eq!(board.is_empty(point), oracle.at(point).is_none());
        prop_assert_eq!(board.is_empty(point), empty.contains(point));
        if oracle.at(point).is_some() {
            compare_chain(board, oracle, point)?;
        } else {
            for color in Color::ALL {
                compare_empty(board, oracle, color, point)?;
            }
        }
    }
    Ok(())
}

fn compare_chain(board: &Board, oracle: &Oracle, point: Point) -> Result<(), TestCaseError> {
    let (stones, liberties) = oracle.chain(point);
    prop_assert_eq!(board.chain_len(point), stones.len());
    prop_assert!(
        board
            .chain(point)
            .all(|stone| board.chain_id(stone) == board.chain_id(point))
    );
    prop_assert_eq!(
        board.chain(point).collect::<PointSet>(),
        stones.into_iter().collect()
    );
    let last = liberties.first().copied().filter(|_| liberties.len() == 1);
    prop_assert_eq!(board.atari(point), last);
    let least = board.min_liberties(point);
    prop_assert!((1..=liberties.len()).contains(&least));
    if board.chain_len(point) <= 2 {
        prop_assert_eq!(least, liberties.len());
    }
    let few = board.few_liberties::<2>(point);
    let few = few.map(|few| few.iter().copied().collect::<PointSet>());
    let liberties: PointSet = liberties.into_iter().collect();
    prop_assert_eq!(few, Some(liberties).filter(|it| it.len() <= 2));
    prop_assert_eq!(board.liberties(point), liberties);
    Ok(())
}

fn compare_empty(
    board: &Board,
    oracle: &Oracle,
    color: Color,
    point: Point,
) -> Result<(), TestCaseError> {
    let (suicide, ko) = (
        oracle.is_suicide(color, point),
        oracle.retakes_ko(color, point),
    );
    prop_assert_eq!(board.is_suicide(color, point), suicide);
    prop_assert_eq!(board.is_legal(color, point), !suicide && !ko);
    prop_assert_eq!(
        board.is_eye_like(color, point),
        oracle.is_eye_like(color, point)
    );
    let expected = match (ko, suicide) {
        (true, _) => Err(IllegalReason::Ko),
        (false, true) => Err(IllegalReason::Suicide),
        (false, false) => Ok(()),
    };
    prop_assert_eq!(board.check(color, point, SuicideRule::Forbidden), expected);
    let expected = if ko { Err(IllegalReason::Ko) } else { Ok(()) };
    prop_assert_eq!(board.check(color, point, SuicideRule::Allowed), expected);
    let mut played = board.clone();
    played.play(color, point);
    prop_assert_eq!(board.hash_after(color, point), played.hash());
    Ok(())
}

/// The choices of a random game: mostly moves in turn, with some passes and some moves out of turn.
fn choices(max_moves: usize) -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), 0..40_u8), 0..max_moves)
}

/// Plays a random game on both boards, and compares them after every `step` moves and at the end.
fn check_game(
    size: Size,
    suicide: SuicideRule,
    choices: &[(prop::sample::Index, u8)],
    step: usize,
) -> Result<(), TestCaseError> {
    let (mut board, mut oracle) = (Board::new(size), Oracle::new(size));
    let mut hashes: BTreeMap<Stones, u64> = BTreeMap::new();
    let mut color = Color::Black;
    for (number, (choice, kind)) in choices.iter().enumerate() {
        let allowed = |point: &Point| board.check(color, *point, suicide).is_ok();
        let legal: Vec<_> = size.points().filter(allowed).collect();
        if *kind == 0 || legal.is_empty() {
            board.clear_ko();
            oracle.pass();
        } else {
            let point = *choice.get(&legal);
            prop_assert_eq!(board.play(color, point) as usize, oracle.play(color, point));
        }
        if *kind != 1 {
            color = !color;
        }
        let known = *hashes.entry(oracle.stones.clone()).or_insert(board.hash());
        prop_assert_eq!(board.hash(), known);
        if number % step == 0 || number + 1 == choices.len() {
            compare(&board, &oracle)?;
        }
    }
    // Different positions have different hashes.
    let distinct: std::collections::BTreeSet<_> = hashes.values().collect();
    prop_assert_eq!(distinct.len(), hashes.len());
    for size in [size, Size::NINE] {
        let mut copy = Board::new(size);
        copy.clone_from(&board);
        prop_assert_eq!(&copy, &board);
        compare(&copy, &oracle)?;
    }
    let rebuilt = Board::from_stones(size, board.stones()).expect("every chain has a liberty");
    prop_assert_eq!(rebuilt.hash(), board.hash());
    Ok(())
}

fn rules() -> impl Strategy<Value = SuicideRule> {
    prop_oneof![Just(SuicideRule::Forbidden), Just(SuicideRule::Allowed)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn on_small_boards(lines in 1..=7_u8, suicide in rules(), choices in choices(200)) {
        check_game(Size::new(lines).expect("a size"), suicide, &choices, 1)?;
    }

    #[test]
    fn on_every_size(lines in 1..=25_u8, suicide in rules(), choices in choices(700)) {
        check_game(Size::new(lines).expect("a size"), suicide, &choices, 40)?;
    }
}

#[test]
fn a_full_board_of_the_maximum_size_is_captured() {
    let rows = format!(
        "{}\n{}.",
        format!("{}\n", "X".repeat(25)).repeat(24),
        "X".repeat(24)
    );
    let point = |name: &str| name.parse::<Point>().expect("a point");
    let mut board: Board = rows.parse().expect("a board");
    assert_eq!(board.atari(point("A25")), Some(point("Z1")));
    assert!(board.is_suicide(Color::Black, point("Z1")));
    assert_eq!(board.play(Color::White, point("Z1")), 624);
    assert_eq!((board.stone_count(), board.captures().white), (1, 624));
    assert_eq!(board.liberties(point("Z1")).to_string(), "Y1 Z2");
}
