//! Truncated and changed proofs, or with another claim: refused with the place, or still true.

use crate::support::{proof, random_board, searcher, solved};
use othello_analysis::proof::Claim;
use othello_check::{CheckErrorKind, check, check_within, read_claim};
use othello_core::{Board, Score};
use proptest::prelude::*;

fn small_proof(seed: u64, empties: u32, threshold: u32) -> Vec<u8> {
    let mut searcher = searcher();
    let board = random_board(seed, empties);
    let exact = solved(&mut searcher, board);
    proof(&mut searcher, &Claim::exact(board, exact, threshold)).expect("a true claim")
}

#[test]
fn every_cut_is_refused_with_the_place() {
    let file = small_proof(1, 10, 2);
    for length in 0..file.len() {
        let error = check(&file[..length]).expect_err("a file that is cut");
        assert!(
            matches!(error.kind, CheckErrorKind::Truncated),
            "{length}: {error}"
        );
        assert_eq!(error.offset, length as u64);
    }
    let longer = [file.as_slice(), b"\n"].concat();
    let error = check(longer.as_slice()).expect_err("a file with more");
    assert_eq!(
        error.to_string(),
        format!("byte {}: expected the end of the file", file.len())
    );
}

#[test]
fn every_changed_byte_is_refused() {
    let file = small_proof(2, 10, 2);
    for at in 0..file.len() {
        for bit in 0..8 {
            let mut changed = file.clone();
            changed[at] ^= 1 << bit;
            assert!(check(changed.as_slice()).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn a_check_takes_no_more_nodes_than_it_may() {
    let file = small_proof(3, 10, 4);
    let proved = check(file.as_slice()).expect("a proof");
    let is_enough = |max: u64| match check_within(file.as_slice(), max) {
        Ok(within) => {
            assert_eq!(within.nodes, proved.nodes);
            true
        }
        Err(error) => {
            assert!(
                matches!(error.kind, CheckErrorKind::OutOfNodes { max: found } if found == max),
                "{error}"
            );
            false
        }
    };
    // The positions of the trees count, too, and leaves twice.
    assert!(!is_enough(0));
    assert!(!is_enough(proved.nodes + proved.leaves));
    let enough = (0..10)
        .map(|n| proved.nodes << n)
        .find(|&max| is_enough(max));
    assert!(enough.is_some());

    // A short file about a position with 60 empty squares, whose trees have more positions than can be visited.
    let line = format!("othproof 1 {} -62 64 16\n", Board::START);
    let endless = [line.as_bytes(), &[0; 1000]].concat();
    let error = check_within(endless.as_slice(), 20_000).expect_err("no proof");
    assert!(
        error
            .to_string()
            .ends_with("expected a proof that takes at most 20000 nodes to check"),
        "{error}"
    );
}

#[test]
fn what_a_cut_proof_claims_is_read() {
    let file = small_proof(4, 10, 4);
    let line = file.iter().position(|&byte| byte == b'\n').expect("a line");
    let claim = read_claim(&file[..=line]).expect("a claim");
    let proved = check(file.as_slice()).expect("a proof").claim;
    assert_eq!(claim.to_string(), proved.to_string());
    assert!(read_claim(&file[..line]).is_err());
}

#[test]
fn what_is_wrong_is_named() {
    let error_of = |file: &[u8]| check(file).expect_err("a wrong file").to_string();
    let board = "X".repeat(63) + "-";
    for (line, problem) in [
        (
            format!("othproof 2 {board} X 0 0 4\n"),
            "expected othproof 1 SQUARES SIDE LOWER UPPER THRESHOLD",
        ),
        (
            format!("othproof 1 {board}X X 0 0 4\n"),
            "expected 64 squares X, O or -",
        ),
        (
            format!("othproof 1 {board} x 0 0 4\n"),
            "expected the side to move, X or O",
        ),
        (
            format!("othproof 1 {board} X -65 0 4\n"),
            "expected a lower bound from -64 to 64",
        ),
        (
            format!("othproof 1 {board} X 2 0 4\n"),
            "expected a lower bound that is not above the upper one",
        ),
        (
            format!("othproof 1 {board} X 0 0 17\n"),
            "expected a threshold from 0 to 16",
        ),
        ("x".repeat(200), "expected a line end within 128 bytes"),
    ] {
        let place = line.len().min(129);
        assert_eq!(
            error_of(line.as_bytes()),
            format!("byte {place}: {problem}")
        );
    }
    let unproved = format!("othproof 1 {board} X 0 0 4\n\0\0\0\0");
    let offset = unproved.len();
    let place = format!("byte {offset}: expected O to reach +0, but it does not in {board} X");
    assert_eq!(error_of(unproved.as_bytes()), place);
}

/// Changes of a file without its checksum.
fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_changed_proof_proves_nothing_false(
        seed in 0u64..1000, empties in 6u32..=9, threshold in 0u32..4, off in -4i32..=4, changes in changes(),
    ) {
        let mut searcher = searcher();
        let board = random_board(seed, empties);
        let exact = solved(&mut searcher, board);
        let file = proof(&mut searcher, &Claim::exact(board, exact, threshold)).expect("a true claim");
        let body = file.iter().position(|&byte| byte == b'\n').expect("a first line");
        let other = Score::new((exact.discs() + off).clamp(-64, 64)).expect("a score");
        let line = Claim::exact(board, other, threshold).to_string();
        let mut changed = [line.as_bytes(), &file[body..file.len() - 4]].concat();
        for (index, byte) in changes {
            let at = index.index(changed.len());
            changed[at] = byte;
        }
        boardgame_laws::othello::proofs::check(&changed);
    }
}
