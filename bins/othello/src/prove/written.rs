//! The summary of a written proof, for printing and for parts.

use std::{fmt, fs, path::Path, time::Duration};

use anyhow::{Context as _, ensure};
use othello_analysis::proof::{Claim, Proof};
use serde::{Deserialize, Serialize};

use super::numbered;

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
    /// The CRC-32 at the end of the file, of all bytes before it.
    checksum: String,
    /// Seconds of wall-clock time to solve and to prove, if printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<[f64; 2]>,
}

impl Written {
    /// Describes a proof that took some time to solve and to prove.
    pub(super) fn new(number: u32, claim: &Claim, proof: &Proof, times: [Duration; 2]) -> Self {
        Self {
            number,
            empties: claim.board.empties().count(),
            board: claim.board.to_string(),
            lower: claim.lower.discs(),
            upper: claim.upper.discs(),
            threshold: claim.threshold,
            choices: proof.choices,
            bytes: proof.bytes,
            checksum: hexadecimal(proof.checksum),
            seconds: Some(times.map(|time| time.as_secs_f64())),
        }
    }

    /// Checks that a folder has the file of this proof, unchanged.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or differs.
    pub(super) fn verify(&self, folder: &Path) -> anyhow::Result<()> {
        let path = numbered(folder, self.number);
        let name = path.display();
        let file = fs::read(&path).with_context(|| name.to_string())?;
        let is_whole = file.split_last_chunk().is_some_and(|(content, last)| {
            let checksum = crc32fast::hash(content);
            checksum.to_le_bytes() == *last && hexadecimal(checksum) == self.checksum
        });
        ensure!(
            is_whole && file.len() as u64 == self.bytes,
            "{name}: expected the proof of {} bytes with checksum {}, found another file",
            self.bytes,
            self.checksum
        );
        Ok(())
    }

    /// Returns the proof without its times, which vary.
    pub(super) fn without_times(self) -> Self {
        Self {
            seconds: None,
            ..self
        }
    }
}

fn hexadecimal(checksum: u32) -> String {
    format!("{checksum:08x}")
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
