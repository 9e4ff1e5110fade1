//! The checker in Python accepts what the other accepts, and refuses what the other refuses.

mod support;

use othello_prove::Claim;
use support::{by_python, proof, random_board, searcher, solved};

#[test]
fn both_checkers_agree() {
    let mut searcher = searcher();
    for (seed, empties, threshold) in [(1, 6, 0), (2, 8, 3), (3, 10, 4), (4, 12, 6), (5, 14, 5)] {
        let board = random_board(seed, empties);
        let exact = solved(&mut searcher, board);
        let mut file =
            proof(&mut searcher, &Claim::exact(board, exact, threshold)).expect("a true claim");
        othello_check::check(file.as_slice()).expect("a proof");
        let Some(answer) = by_python(&file) else {
            return;
        };
        let told = answer.expect("a proof");
        let claim = format!("proved: {board}: score from {exact} to {exact}");
        assert!(told.contains(&claim), "{told}");

        let last = file.len() - 5;
        file[last] ^= 1;
        assert!(by_python(&file).is_some_and(|answer| answer.is_err()));
        assert!(othello_check::check(file.as_slice()).is_err());
        file[0] ^= 1;
        let error = by_python(&file)
            .expect("Python was there before")
            .expect_err("no proof");
        assert!(error.contains("expected othproof 1"), "{error}");
    }
}
