//! Positions and proofs for the tests.

use std::{
    fs,
    io::{self, Write as _},
    iter,
    process::Command,
};

use othello_analysis::proof::{Claim, ProveError, prove};
use othello_core::{Board, Game, Score};
use othello_search::{Limits, Options, Searcher, StopHandle};

/// Returns a board with a number of empty squares from a game of random moves.
pub(crate) fn random_board(seed: u64, empties: u32) -> Board {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut game = Game::default();
    game.play_choices(iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 16
    }));
    let found = game
        .boards()
        .find(|board| board.empties().count() <= empties);
    found.unwrap_or_else(|| random_board(seed + 0x1000_0000, empties))
}

/// Returns a searcher with a small table.
pub(crate) fn searcher() -> Searcher {
    Searcher::new(Options {
        hash_mib: 8,
        ..Options::default()
    })
}

/// Returns the exact score for the side to move.
pub(crate) fn solved(searcher: &mut Searcher, board: Board) -> Score {
    let report = searcher.search(board.position(), &Limits::default());
    report.score.to_score()
}

/// Returns the file that proves a claim.
pub(crate) fn proof(searcher: &mut Searcher, claim: &Claim) -> Result<Vec<u8>, ProveError> {
    let mut file = Vec::new();
    prove(searcher, claim, &StopHandle::new(), &mut file, &mut |_| {})?;
    Ok(file)
}

/// The checker in Python.
pub(crate) const CHECKER: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/design/proofs/check.py"
);

/// Returns the results of the checker in Python, with its errors, or `None` if there is no Python.
pub(crate) fn by_python(files: &[Vec<u8>]) -> Option<Vec<Result<String, String>>> {
    let folder = tempfile::tempdir().expect("a folder");
    let names: Vec<String> = (0..files.len()).map(|at| format!("{at}.proof")).collect();
    for (name, file) in names.iter().zip(files) {
        fs::write(folder.path().join(name), file).expect("a file");
    }
    let mut python = Command::new("python3");
    python.arg(CHECKER).args(&names).current_dir(folder.path());
    let output = match python.output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let _ = writeln!(io::stderr(), "SKIPPED: there is no python3");
            return None;
        }
        output => output.expect("Python starts"),
    };
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let (proved, refused) = (text(output.stdout), text(output.stderr));
    let line = |text: &str, start: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| line.strip_prefix(start).map(str::to_owned))
    };
    let answers = names.iter().map(|name| {
        let proved = line(&proved, &format!("{name}: proved: "));
        proved.ok_or_else(|| {
            let refused_line = line(&refused, &format!("{name}: refused: "));
            refused_line.unwrap_or_else(|| panic!("{name}: {refused}"))
        })
    });
    let answers: Vec<_> = answers.collect();
    let status = i32::from(answers.iter().any(Result::is_err));
    assert_eq!(output.status.code(), Some(status), "{refused}");
    Some(answers)
}

/// Returns a file with a valid checksum of its other bytes.
pub(crate) fn with_checksum(content: &[u8]) -> Vec<u8> {
    [content, &crc32fast::hash(content).to_le_bytes()].concat()
}
