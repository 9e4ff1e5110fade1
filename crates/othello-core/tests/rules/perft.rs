//! Known perft counts, on every supported tier; small ones also with the oracle.
//!
//! Each line of a data file is a board followed by pairs of a depth and a count: `; 5 1396`. A line
//! that begins with `#` is a comment.

use othello_core::{Board, Position, Tier, perft, perft_divide};

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

fn data(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

fn check(name: &str, text: &str) {
    let mut checked_by_oracle = 0;
    for line in data(text) {
        let (board, counts) = line.split_once(';').expect("a board, then counts");
        let board: Board = board
            .parse()
            .unwrap_or_else(|error| panic!("{name}: {error}: {line}"));
        let position = board.position();
        for pair in counts.split(';') {
            let (depth, count) = pair.trim().split_once(' ').expect("a depth and a count");
            let (depth, count) = (depth.parse().unwrap(), count.parse().unwrap());
            for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
                if count <= limit(tier) {
                    assert_eq!(
                        perft(position, depth, tier),
                        count,
                        "{name}, depth {depth}, {tier}: {line}"
                    );
                }
            }
            if count <= ORACLE_LIMIT {
                assert_eq!(
                    oracle::perft(position, depth),
                    count,
                    "{name}, depth {depth}, oracle: {line}"
                );
                checked_by_oracle += 1;
            }
        }
    }
    assert!(
        checked_by_oracle > 0,
        "{name}: expected a count within the oracle's limit"
    );
}

#[test]
fn from_the_start() {
    check("start", include_str!("../data/perft/start.txt"));
}

#[test]
fn across_the_edges() {
    check("edges", include_str!("../data/perft/edges.txt"));
}

#[test]
fn with_passes() {
    check("passes", include_str!("../data/perft/passes.txt"));
}

#[test]
fn with_wipe_outs() {
    check("wipe-outs", include_str!("../data/perft/wipe-outs.txt"));
}

#[test]
fn unreachable_positions() {
    check("unreachable", include_str!("../data/perft/unreachable.txt"));
}

#[test]
fn divided_counts_add_up_to_perft() {
    let boards =
        data(include_str!("../data/perft/passes.txt")).filter_map(|line| line.split_once(';'));
    let mut positions = boards.map(|(board, _)| board.parse::<Board>().unwrap().position());
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
