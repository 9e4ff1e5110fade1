//! Why a proof is refused.

use std::{error::Error, fmt, io};

use crate::board::Side;

/// A proof that is refused, and the place.
#[derive(Debug)]
#[non_exhaustive]
pub struct CheckError {
    /// The number of bytes of the file read so far.
    pub offset: u64,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a proof.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The first line is not as described, or of another version: what was expected.
    Header(&'static str),
    /// The file ends early.
    Cut,
    /// The file goes on after its end.
    TooLong,
    /// The checksum is another.
    Checksum {
        /// That of the bytes.
        computed: u32,
        /// That in the file.
        stored: u32,
    },
    /// The tree does not prove the bound: a line ends in a position that does not have it.
    Unproved {
        /// The 64 squares of that position.
        board: String,
        /// The side to move in it.
        to_move: Side,
        /// The side of which the bound is claimed.
        prover: Side,
        /// The score that it must reach, in discs.
        bound: i32,
    },
    /// The proof takes more nodes to check than it may.
    OutOfNodes {
        /// The nodes that it may take.
        max: u64,
    },
    /// The file cannot be read.
    Read(io::Error),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.offset)?;
        match &self.problem {
            Problem::Header(expected) => write!(f, "expected {expected}"),
            Problem::Cut => f.write_str("the file ends, expected more of the proof"),
            Problem::TooLong => f.write_str("expected the end of the file"),
            Problem::Checksum { computed, stored } => {
                write!(
                    f,
                    "expected the checksum {computed:08x}, found {stored:08x}"
                )
            }
            Problem::Unproved {
                board,
                to_move,
                prover,
                bound,
            } => write!(
                f,
                "expected {prover} to reach {bound:+}, but it does not in {board} {to_move}"
            ),
            Problem::OutOfNodes { max } => {
                write!(
                    f,
                    "expected a proof that takes at most {max} nodes to check"
                )
            }
            Problem::Read(_) => f.write_str("the file cannot be read"),
        }
    }
}

impl Error for CheckError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            Problem::Read(error) => Some(error),
            _ => None,
        }
    }
}
