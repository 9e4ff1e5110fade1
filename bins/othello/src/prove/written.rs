//! The proof of one board, and the file that it is written to.

use std::{fmt, path::Path, time::Instant};

use anyhow::Context as _;
use othello_core::Board;
use othello_search::{Searcher, StopHandle};
use serde::{Deserialize, Serialize};

use super::{Args, progress};

/// The number of positions of the prover between two reports of progress.
const REPORT_INTERVAL: u64 = 1024;

/// A proof that was written.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Written {
    /// The number of the problem, from 1.
    number: u32,
    empties: u32,
    board: String,
    lower: i32,
    upper: i32,
    threshold: u32,
    /// The positions of the prover.
    choices: u64,
    bytes: u64,
    /// The CRC-32 of the whole file.
    checksum: String,
    /// Seconds of wall-clock time to solve and to prove, if they are to be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<[f64; 2]>,
}

/// Proves what the options say of a board and writes the file, once it is complete.
pub(super) fn prove(
    searcher: &mut Searcher,
    args: &Args,
    number: u32,
    board: Board,
    path: &Path,
) -> anyhow::Result<Written> {
    searcher.clear();
    let began = Instant::now();
    let claim = args.claim.of(searcher, board, args.threshold);
    let solving = began.elapsed();
    let solved = Instant::now();
    let bar = progress();
    let mut file = Vec::new();
    let tell = &mut |so_far: othello_prove::Progress| {
        if so_far.choices.is_multiple_of(REPORT_INTERVAL) {
            bar.set_message(format!(
                "problem {number}: {} positions of the prover, {} bytes",
                so_far.choices, so_far.bytes
            ));
            bar.tick();
        }
    };
    let proof = othello_prove::prove(searcher, &claim, &StopHandle::new(), &mut file, tell);
    bar.finish_and_clear();
    let end = proof.with_context(|| board.to_string())?;
    boardgame_files::replace(path, &file)?;
    let proving = solved.elapsed();
    Ok(Written {
        number,
        empties: board.empties().count(),
        board: board.to_string(),
        lower: claim.lower.discs(),
        upper: claim.upper.discs(),
        threshold: claim.threshold,
        choices: end.choices,
        bytes: end.bytes,
        checksum: format!("{:08x}", crc32fast::hash(&file)),
        seconds: Some([solving.as_secs_f64(), proving.as_secs_f64()]),
    })
}

impl Written {
    /// Returns the proof without its times, which are others whenever it is made.
    pub(super) fn without_times(self) -> Self {
        Self {
            seconds: None,
            ..self
        }
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            number,
            empties,
            lower,
            upper,
            choices,
            bytes,
            ..
        } = self;
        write!(f, "{number:3}  {empties:2} empties  ")?;
        match (lower, upper) {
            (lower, upper) if lower == upper => write!(f, "score {lower:+3}")?,
            (lower, 64) => write!(f, "at least {lower:+3}")?,
            (_, upper) => write!(f, "at most {upper:+3}")?,
        }
        write!(f, "  {bytes:8} bytes  {choices:9} positions of the prover")?;
        if let Some([solving, proving]) = self.seconds {
            write!(f, "  solved in {solving:.3} s, proved in {proving:.3} s")?;
        }
        Ok(())
    }
}
