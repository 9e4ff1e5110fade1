//! The proof of one board, and the file that it is written to.

use std::{fmt, fs, path::Path, time::Instant};

use anyhow::{Context as _, ensure};
use othello_core::Board;
use othello_search::{Searcher, StopHandle};
use serde::{Deserialize, Serialize};

use super::{Args, numbered, progress};

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
    /// The CRC-32 that the file ends with, of all bytes before it.
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
        checksum: checksum(&file),
        seconds: Some([solving.as_secs_f64(), proving.as_secs_f64()]),
    })
}

/// Returns the checksum that ends a proof, in hexadecimal digits, most significant first. That of all its bytes would be
/// the same for every proof, as for all data followed by its CRC-32.
fn checksum(file: &[u8]) -> String {
    let last = file.last_chunk().copied().unwrap_or_default();
    format!("{:08x}", u32::from_le_bytes(last))
}

/// Returns the checksum that a proof with this content must end with.
fn checksum_of_content(file: &[u8]) -> String {
    let content = &file[..file.len().saturating_sub(4)];
    format!("{:08x}", crc32fast::hash(content))
}

impl Written {
    /// Checks that a folder has the file of this proof, unchanged.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or is another.
    pub(super) fn verify(&self, folder: &Path) -> anyhow::Result<()> {
        let path = numbered(folder, self.number);
        let name = path.display();
        let file = fs::read(&path).with_context(|| name.to_string())?;
        let (bytes, found) = (file.len() as u64, checksum(&file));
        ensure!(
            (bytes, &found) == (self.bytes, &self.checksum) && checksum_of_content(&file) == found,
            "{name}: expected the proof of {} bytes with checksum {}, found another file",
            self.bytes,
            self.checksum
        );
        Ok(())
    }

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
