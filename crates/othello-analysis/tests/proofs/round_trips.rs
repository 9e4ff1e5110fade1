//! Proofs of random positions are accepted by the checker, and false claims have none.

use crate::support::{proof, random_board, searcher, solved};
use othello_analysis::proof::{Claim, ProveError};
use othello_check::check;
use othello_core::Score;

fn score(discs: i32) -> Score {
    Score::new(discs).expect("a score")
}

#[test]
fn exact_scores_are_proved_with_any_threshold() {
    let mut searcher = searcher();
    for seed in 0..40 {
        let empties = 8 + seed as u32 % 5;
        let board = random_board(seed, empties);
        let exact = solved(&mut searcher, board);
        for threshold in [0, 3, 6, 12] {
            let claim = Claim::exact(board, exact, threshold);
            let file = proof(&mut searcher, &claim).expect("a true claim");
            let proved = check(file.as_slice()).unwrap_or_else(|error| panic!("{claim}: {error}"));
            let (lower, upper) = (proved.claim.lower, proved.claim.upper);
            assert_eq!((lower, upper), (exact.discs(), exact.discs()), "{claim}");
            assert_eq!(
                proved.claim.board.to_string(),
                board.to_string()[..64],
                "{claim}"
            );
            assert_eq!(proved.bytes, file.len() as u64, "{claim}");
            let solves = threshold >= empties;
            assert_eq!(
                (proved.choices == 0, proved.leaves <= 2),
                (solves, solves || board.is_over()),
                "{claim}"
            );
        }
    }
}

#[test]
fn bounds_are_proved_if_they_are_true() {
    let mut searcher = searcher();
    for seed in 100..120 {
        let board = random_board(seed, 9);
        let exact = solved(&mut searcher, board).discs();
        for (lower, upper) in [
            (exact - 8, 64),
            (exact - 1, exact + 1),
            (-64, exact),
            (1, 64),
            (-64, -1),
            (exact, exact - 1),
        ] {
            let (lower, upper) = (lower.clamp(-64, 64), upper.clamp(-64, 64));
            let claim = Claim {
                board,
                lower: score(lower),
                upper: score(upper),
                threshold: 4,
            };
            match proof(&mut searcher, &claim) {
                Ok(file) => {
                    assert!(lower <= exact && exact <= upper, "{claim}, {exact}");
                    let proved =
                        check(file.as_slice()).unwrap_or_else(|error| panic!("{claim}: {error}"));
                    assert_eq!((proved.claim.lower, proved.claim.upper), (lower, upper));
                }
                Err(ProveError::False { .. }) => {
                    assert!(exact < lower || upper < exact, "{claim}, {exact}");
                }
                Err(error) => panic!("{claim}: {error}"),
            }
        }
    }
}

#[test]
fn claims_that_the_checker_never_accepts_are_refused() {
    let mut searcher = searcher();
    let claim = Claim::exact(random_board(1, 8), score(0), 17);
    let error = proof(&mut searcher, &claim).expect_err("a threshold above the largest");
    assert!(
        matches!(error, ProveError::Threshold { found: 17 }),
        "{error}"
    );
    let claim = Claim {
        lower: Score::MIN,
        upper: Score::MAX,
        threshold: 16,
        ..claim
    };
    let error = proof(&mut searcher, &claim).expect_err("no bound");
    assert!(matches!(error, ProveError::NoBound), "{error}");
}

#[test]
fn finished_games_and_passes_are_proved() {
    let mut searcher = searcher();
    for (board, exact) in [
        (
            "XXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOOOOOOOO-OOOOOOX X",
            52,
        ),
        (
            "XXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOOOOOOOO-OOOOOOX O",
            -52,
        ),
        (
            "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX-------- O",
            -64,
        ),
        (
            "OXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOXOX X",
            0,
        ),
    ] {
        let board = board.parse().expect("a board");
        let file =
            proof(&mut searcher, &Claim::exact(board, score(exact), 0)).expect("a true claim");
        check(file.as_slice()).unwrap_or_else(|error| panic!("{board}: {error}"));
    }
}
