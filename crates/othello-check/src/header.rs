//! The first line of a proof, with its claim.

use std::{fmt, io::Read, ops::RangeInclusive, str::FromStr};

use crate::{
    board::{Board, Side},
    error::{CheckError, CheckErrorKind},
    input::Input,
};

/// The maximum length of the first line in bytes, without the line end.
pub const MAX_HEADER: usize = 128;

/// The maximum of [`Claim::threshold`].
pub const MAX_THRESHOLD: usize = 16;

/// The claim of a proof: the score of a position lies between two bounds.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The position's board.
    pub board: Board,
    /// The side to move; the bounds are from its point of view.
    pub to_move: Side,
    /// The lower bound of the score in discs, with empties to the winner.
    pub lower: i32,
    /// The upper bound of the score.
    pub upper: i32,
    /// The number of empty squares up to which the checker solves positions itself.
    pub threshold: usize,
}

/// Reads the claim of a file, without checking the proof.
///
/// # Errors
///
/// Fails if the first line cannot be read or is invalid.
pub fn read_claim(reader: impl Read) -> Result<Claim, CheckError> {
    Claim::read(&mut Input::new(reader))
}

impl Claim {
    /// Reads the first line: `othproof 1 SQUARES SIDE LOWER UPPER THRESHOLD`.
    pub(crate) fn read<R: Read>(input: &mut Input<R>) -> Result<Self, CheckError> {
        let mut line = Vec::new();
        loop {
            match input.byte()? {
                b'\n' => break,
                byte if line.len() < MAX_HEADER => line.push(byte),
                _ => return Err(input.error(CheckErrorKind::Header("a line end within 128 bytes"))),
            }
        }
        Self::parse(&line).map_err(|expected| input.error(CheckErrorKind::Header(expected)))
    }

    fn parse(line: &[u8]) -> Result<Self, &'static str> {
        let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
        let [b"othproof", b"1", board, side, lower, upper, threshold] = words[..] else {
            return Err("othproof 1 SQUARES SIDE LOWER UPPER THRESHOLD");
        };
        let claim = Self {
            board: Board::read(board).ok_or("64 squares X, O or -")?,
            to_move: match side {
                b"X" => Side::X,
                b"O" => Side::O,
                _ => return Err("the side to move, X or O"),
            },
            lower: number(lower, -64..=64).ok_or("a lower bound from -64 to 64")?,
            upper: number(upper, -64..=64).ok_or("an upper bound from -64 to 64")?,
            threshold: number(threshold, 0..=MAX_THRESHOLD).ok_or("a threshold from 0 to 16")?,
        };
        if claim.lower > claim.upper {
            return Err("a lower bound that is not above the upper one");
        }
        if (claim.lower, claim.upper) == (-64, 64) {
            return Err("a bound that not every score is within");
        }
        Ok(claim)
    }
}

/// Parses a decimal number within a range, without leading zeros or a needless sign.
fn number<T>(text: &[u8], range: RangeInclusive<T>) -> Option<T>
where
    T: FromStr + PartialOrd + ToString,
{
    let text = str::from_utf8(text).ok()?;
    let number = text.parse().ok()?;
    (range.contains(&number) && number.to_string() == text).then_some(number)
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: ", self.board, self.to_move)?;
        match (self.lower, self.upper) {
            (lower, upper) if lower == upper => write!(f, "score {lower:+}"),
            (lower, 64) => write!(f, "at least {lower:+}"),
            (-64, upper) => write!(f, "at most {upper:+}"),
            (lower, upper) => write!(f, "from {lower:+} to {upper:+}"),
        }
    }
}
