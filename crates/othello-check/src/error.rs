//! Errors of checking a proof.

use std::{error::Error, fmt, io};

use crate::board::Side;

/// The error of a rejected proof.
#[derive(Debug)]
#[non_exhaustive]
pub struct CheckError {
    /// The number of bytes of the file read so far.
    pub offset: u64,
    /// The kind of the error.
    pub kind: CheckErrorKind,
}

/// The kind of a [`CheckError`].
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum CheckErrorKind {
    /// The first line is invalid or of another version; holds the expected text.
    Header(&'static str),
    /// The file ends early.
    Truncated,
    /// There are bytes after the end of the proof.
    TooLong,
    /// The checksum does not match.
    Checksum { computed: u32, stored: u32 },
    /// The tree does not prove the bound: a line ends in a position without it.
    Unproved {
        /// The 64 squares of that position.
        board: String,
        /// The side to move in it.
        to_move: Side,
        /// The side whose bound is claimed.
        prover: Side,
        /// The claimed minimum score of the prover, in discs.
        bound: i32,
    },
    /// Checking the proof takes more nodes than allowed.
    OutOfNodes { max: u64 },
    /// The file cannot be read.
    Read(io::Error),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.offset)?;
        match &self.kind {
            CheckErrorKind::Header(expected) => write!(f, "expected {expected}"),
            CheckErrorKind::Truncated => f.write_str("the file ends, expected more of the proof"),
            CheckErrorKind::TooLong => f.write_str("expected the end of the file"),
            CheckErrorKind::Checksum { computed, stored } => {
                write!(
                    f,
                    "expected the checksum {computed:08x}, found {stored:08x}"
                )
            }
            CheckErrorKind::Unproved {
                board,
                to_move,
                prover,
                bound,
            } => write!(
                f,
                "expected {prover} to reach {bound:+}, but it does not in {board} {to_move}"
            ),
            CheckErrorKind::OutOfNodes { max } => {
                write!(
                    f,
                    "expected a proof that takes at most {max} nodes to check"
                )
            }
            CheckErrorKind::Read(_) => f.write_str("the file cannot be read"),
        }
    }
}

impl Error for CheckError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            CheckErrorKind::Read(error) => Some(error),
            _ => None,
        }
    }
}
