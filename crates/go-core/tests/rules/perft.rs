//! Counts of move sequences, compared with the plain board and with published counts.

use go_core::{Color, PerftMoves, Position, Setup, Size, SuicideRule, perft};

use crate::oracle::Oracle;

fn empty(setup: &str) -> Position {
    Position::new(&setup.parse::<Setup>().expect("a setup"))
}

/// Counts like `perft` with simple ko, on the plain board.
fn count(
    oracle: &Oracle,
    color: Color,
    depth: u32,
    moves: PerftMoves,
    suicide: SuicideRule,
    passes: u8,
) -> u64 {
    if depth == 0 || passes == 2 {
        return 1;
    }
    let mut sum = 0;
    for point in oracle
        .size
        .points()
        .filter(|&point| oracle.at(point).is_none())
    {
        let is_suicide = suicide == SuicideRule::Forbidden && oracle.is_suicide(color, point);
        if !is_suicide && !oracle.retakes_ko(color, point) {
            let mut next = oracle.clone();
            next.play(color, point);
            sum += count(&next, !color, depth - 1, moves, suicide, 0);
        }
    }
    if moves == PerftMoves::StonesAndPasses {
        let mut next = oracle.clone();
        next.pass();
        sum += count(&next, !color, depth - 1, moves, suicide, passes + 1);
    }
    sum
}

#[test]
fn small_boards_agree_with_the_plain_board() {
    for (lines, max_depth) in [(1, 6), (2, 7), (3, 4)] {
        for rules in ["japanese", "simple-ko+suicide"] {
            let position = empty(&format!("{lines} rules {rules}"));
            let oracle = Oracle::new(Size::new(lines).expect("a size"));
            for moves in [PerftMoves::Stones, PerftMoves::StonesAndPasses] {
                for depth in 0..=max_depth {
                    let suicide = position.rules().suicide;
                    let expected = count(&oracle, Color::Black, depth, moves, suicide, 0);
                    let found = perft(&position, depth, moves);
                    assert_eq!(found, expected, "{lines} {rules} {moves:?} {depth}");
                }
            }
        }
    }
}

#[test]
fn sequences_of_stones_on_9x9() {
    let position = empty("9x9");
    for (depth, expected) in (0..).zip([1, 81, 6480, 511_920, 39_929_136]) {
        assert_eq!(perft(&position, depth, PerftMoves::Stones), expected);
    }
}

/// Takes half a minute without optimization.
#[cfg(not(debug_assertions))]
#[test]
fn sequences_of_five_stones_on_9x9() {
    assert_eq!(perft(&empty("9x9"), 5, PerftMoves::Stones), 3_074_496_080);
}

#[test]
fn superko_shortens_sequences_on_2x2() {
    let count = |rules: &str| perft(&empty(&format!("2 rules {rules}")), 8, PerftMoves::Stones);
    let [simple, situational, positional] = ["simple-ko+area", "aga", "chinese"].map(count);
    assert!(simple > situational && situational >= positional && positional > 0);
}
