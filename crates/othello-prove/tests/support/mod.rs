//! Positions and proofs for the tests.
#![allow(dead_code, reason = "each test file uses its part")]

use std::{
    fs,
    io::{self, Write as _},
    process::Command,
};

use othello_core::{Board, Game, Move, Score};
use othello_engine::{HashSize, Settings};
use othello_prove::{Claim, ProveError, prove};
use othello_search::{Limits, Searcher, StopHandle};

/// Returns a board with a number of empty squares from a game of random moves.
pub(crate) fn random_board(seed: u64, empties: u32) -> Board {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut game = Game::default();
    while game.board().empties().count() > empties {
        if game.board().is_over() {
            return random_board(seed + 0x1000_0000, empties);
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let moves: Vec<_> = game.board().legal_moves().iter().collect();
        let mv = match moves.as_slice() {
            [] => Move::Pass,
            moves => moves[(state >> 16) as usize % moves.len()].into(),
        };
        game.play(mv).expect("a legal move");
    }
    game.board()
}

/// Returns a searcher with a small table.
pub(crate) fn searcher() -> Searcher {
    let settings = Settings {
        hash: HashSize::new(8).expect("within the bounds"),
        ..Settings::default()
    };
    settings.searcher().expect("a small table")
}

/// Returns the exact score for the side to move.
pub(crate) fn solved(searcher: &mut Searcher, board: Board) -> Score {
    let report = searcher.search(board.position(), &Limits::default(), &mut |_| {});
    report.score.to_score()
}

/// Returns the file that proves a claim.
pub(crate) fn proof(searcher: &mut Searcher, claim: &Claim) -> Result<Vec<u8>, ProveError> {
    let mut file = Vec::new();
    prove(searcher, claim, &StopHandle::new(), &mut file, &mut |_| {})?;
    Ok(file)
}

const CHECKER: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/design/proofs/check.py"
);

/// Returns what the checker in Python says of a file, as an error if it refuses it, or `None` if there is no Python.
pub(crate) fn by_python(file: &[u8]) -> Option<Result<String, String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.proof");
    fs::write(&path, file).expect("a file");
    let output = match Command::new("python3").arg(CHECKER).arg(&path).output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let _ = writeln!(io::stderr(), "SKIPPED: there is no python3");
            return None;
        }
        output => output.expect("Python starts"),
    };
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let (told, errors) = (text(output.stdout), text(output.stderr));
    Some(if output.status.success() {
        Ok(told)
    } else {
        Err(errors)
    })
}
