//! Gathering a request from its lines.

use alloc::vec::Vec;
use core::{mem, time::Duration};

use othello_core::{Bitboard, Color, Position, Square};

use super::{
    Request,
    lines::{self, SideOrTime},
};
use crate::ParseError;

/// Gathers the lines of a request, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader {
    rows: u8,
    black: Bitboard,
    white: Bitboard,
    side: Option<Color>,
    time: Option<Duration>,
    leniencies: Vec<&'static str>,
}

/// What a line was to a [`Reader`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// A part of a request of which more is to come.
    Part,
    /// The end of a request.
    Request(Request),
}

impl Reader {
    /// Takes the next line. After an error the reader is as before.
    pub(super) fn take(&mut self, line: &[u8]) -> Result<Taken, ParseError> {
        if line.iter().all(u8::is_ascii_whitespace) {
            self.lenient("blank-lines");
        } else if self.rows < 8 {
            self.take_row(line)?;
        } else if self.side.is_none() && self.time.is_none() {
            match lines::side_or_time(line)? {
                SideOrTime::Side(side) => self.side = Some(side),
                SideOrTime::Time(time) => self.time = Some(time),
            }
            self.remark(line, "lower-case-disc", u8::is_ascii_lowercase);
        } else if let Some(time) = self.time {
            return self.take_moves(line, time);
        } else {
            self.time = Some(lines::time(line)?);
            self.remark_blanks(line);
        }
        Ok(Taken::Part)
    }

    /// Whether nothing of a request came yet.
    pub(super) const fn is_idle(&self) -> bool {
        self.rows == 0
    }

    /// What the next line must be.
    pub(super) const fn expects(&self) -> &'static str {
        if self.rows < 8 {
            "a row of the board: 8 of . X O"
        } else if self.time.is_some() {
            "the number of possible moves and the moves"
        } else if self.side.is_some() {
            "the time in whole milliseconds"
        } else {
            "the side to move (X or O) or the time in whole milliseconds"
        }
    }

    /// The leniencies used since the last call, each once.
    pub(super) fn leniencies(&mut self) -> Vec<&'static str> {
        mem::take(&mut self.leniencies)
    }

    fn take_row(&mut self, line: &[u8]) -> Result<(), ParseError> {
        for (column, disc) in (0..).zip(lines::row(line)?) {
            if let (Some(square), Some(color)) = (Square::new(column, self.rows), disc) {
                let discs = match color {
                    Color::Black => &mut self.black,
                    Color::White => &mut self.white,
                };
                *discs |= square.into();
            }
        }
        self.rows += 1;
        self.remark(line, "lower-case-disc", u8::is_ascii_lowercase);
        Ok(())
    }

    fn take_moves(&mut self, line: &[u8], time: Duration) -> Result<Taken, ParseError> {
        let (count, moves) = lines::moves(line)?;
        self.remark(line, "upper-case-move", u8::is_ascii_uppercase);
        if count != moves.len() as u64 {
            self.lenient("count");
        }
        // No square is in two rows, so the colours share none.
        let discs = Position::new_unchecked(self.black, self.white);
        let side = self.side;
        *self = Self {
            leniencies: self.leniencies(),
            ..Self::default()
        };
        Ok(Taken::Request(Request {
            discs,
            side,
            time,
            moves,
        }))
    }

    fn lenient(&mut self, name: &'static str) {
        if !self.leniencies.contains(&name) {
            self.leniencies.push(name);
        }
    }

    /// Remarks letters of the case named, and blanks.
    fn remark(&mut self, line: &[u8], case: &'static str, is_other: fn(&u8) -> bool) {
        if line.iter().any(is_other) {
            self.lenient(case);
        }
        self.remark_blanks(line);
    }

    /// Remarks blanks that the format does not have: at an end, two in a row, tabs.
    fn remark_blanks(&mut self, line: &[u8]) {
        let doubled = line.windows(2).any(|pair| pair == b"  ");
        if doubled || line.contains(&b'\t') || line.trim_ascii() != line {
            self.lenient("blanks");
        }
    }
}
