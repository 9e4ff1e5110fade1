//! Known perft counts, on every supported tier; small ones also with the oracle.

use othello_core::{
    Position, Tier,
    conformance::{START_COUNTS, Suite},
    perft, perft_divide,
};

use crate::oracle;

/// The largest count checked with the oracle, which counts about a million leaves per second.
const ORACLE_LIMIT: u64 = 20_000;

/// The largest count checked on a tier.
fn limit(tier: Tier) -> u64 {
    match tier {
        Tier::Portable => 30_000_000,
        _ => 300_000_000,
    }
}

/// Checks the counts of a position, and returns the number of those that the oracle checked.
fn check(name: &str, position: Position, counts: impl Iterator<Item = (u32, u64)>) -> u32 {
    let mut checked_by_oracle = 0;
    for (depth, count) in counts {
        for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
            if count <= limit(tier) {
                let counted = perft(position, depth, tier);
                assert_eq!(counted, count, "{name}, depth {depth}, {tier}: {position}");
            }
        }
        if count <= ORACLE_LIMIT {
            let counted = oracle::perft(position, depth);
            assert_eq!(counted, count, "{name}, depth {depth}, oracle: {position}");
            checked_by_oracle += 1;
        }
    }
    checked_by_oracle
}

fn check_suite(suite: Suite) {
    for (board, counts) in suite.boards() {
        let checked = check(&format!("{suite:?}"), board.position(), counts);
        assert!(
            checked > 0,
            "expected a count within the oracle's limit: {board}"
        );
    }
}

#[test]
fn from_the_start() {
    check("start", Position::START, (0..).zip(START_COUNTS));
}

#[test]
fn across_the_edges() {
    check_suite(Suite::Edges);
}

#[test]
fn with_passes() {
    check_suite(Suite::Passes);
}

#[test]
fn with_wipe_outs() {
    check_suite(Suite::WipeOuts);
}

#[test]
fn unreachable_positions() {
    check_suite(Suite::Unreachable);
}

#[test]
fn divided_counts_add_up_to_perft() {
    let mut positions = Suite::Passes.boards().map(|(board, _)| board.position());
    let passing = positions
        .find(|position| position.must_pass())
        .expect("a pass at the root");
    for position in [Position::START, passing] {
        let by_move: Vec<_> = perft_divide(position, 6, Tier::best()).collect();
        assert_eq!(
            by_move.len(),
            position.legal_moves().count().max(1) as usize
        );
        let sum: u64 = by_move.iter().map(|(_, leaves)| leaves).sum();
        assert_eq!(sum, perft(position, 6, Tier::best()));
        assert_eq!(perft_divide(position, 0, Tier::best()).count(), 0);
    }
}
