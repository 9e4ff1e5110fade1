//! Gathering a request from its lines.

use alloc::vec::Vec;
use core::{mem, time::Duration};

use othello_core::{Bitboard, ByColor, Color, Position, Square};

use super::{MAX_MOVES, Request, lines};
use crate::ParseError;

/// The limit if the time cannot be parsed: short, since the real one is unknown.
const UNKNOWN_TIME: Duration = Duration::from_secs(1);

/// Gathers the lines of a request, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader {
    rows: u8,
    discs: ByColor<Bitboard>,
    side: Option<Color>,
    time: Option<Duration>,
    leniencies: Vec<&'static str>,
}

/// The result of a line that a [`Reader`] took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// A part of a request; more is to come.
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
        } else if self.awaits_moves(line) {
            return self.take_moves(line);
        } else if self.side.is_none()
            && let Ok(side) = lines::side(line)
        {
            self.side = Some(side);
            self.remark(line, "lower-case-disc", u8::is_ascii_lowercase);
        } else {
            self.take_time(line)?;
        }
        Ok(Taken::Part)
    }

    /// Returns `true` before the first line of a request.
    pub(super) const fn is_idle(&self) -> bool {
        self.rows == 0
    }

    /// Returns `true` if `line`, though unterminated, ends a request.
    pub(super) fn ends_with(&self, line: &[u8]) -> bool {
        self.awaits_moves(line) && lines::is_whole_list(line)
    }

    /// Returns a description of the next line.
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

    /// Takes the leniencies used since the last call, each once.
    pub(super) fn leniencies(&mut self) -> Vec<&'static str> {
        mem::take(&mut self.leniencies)
    }

    fn take_row(&mut self, line: &[u8]) -> Result<(), ParseError> {
        for (column, disc) in (0..).zip(lines::row(line)?) {
            if let (Some(square), Some(color)) = (Square::new(column, self.rows), disc) {
                self.discs[color] |= square.into();
            }
        }
        self.rows += 1;
        self.remark(line, "lower-case-disc", u8::is_ascii_lowercase);
        Ok(())
    }

    fn take_time(&mut self, line: &[u8]) -> Result<(), ParseError> {
        let time = lines::time(line).or_else(|_| self.odd_time(line))?;
        self.time = Some(time);
        self.remark_blanks(line);
        self.remark_zeros(line);
        Ok(())
    }

    /// Takes a line in place of the time: without a side before it, only one that starts like a
    /// time; never a row, which starts another board.
    fn odd_time(&mut self, line: &[u8]) -> Result<Duration, ParseError> {
        let begins = self.side.is_some() || lines::begins_as_number(line);
        if !begins || lines::row(line).is_ok() {
            return Err(ParseError::new(self.expects(), 0, line));
        }
        self.lenient("time");
        Ok(lines::odd_time(line).unwrap_or(UNKNOWN_TIME))
    }

    /// Returns `true` if `line` must be the list of moves, or can only be that with the time left
    /// out.
    fn awaits_moves(&self, line: &[u8]) -> bool {
        self.rows == 8 && (self.time.is_some() || lines::moves_among_words(line).is_some())
    }

    fn take_moves(&mut self, line: &[u8]) -> Result<Taken, ParseError> {
        let side = self.side;
        let without_moves = || side.and_then(|_| lines::list_without_moves(line));
        let list = lines::moves(line).or_else(|error| {
            let read = lines::moves_among_words(line).or_else(without_moves);
            read.ok_or(error)
        })?;
        let mut moves = list.moves;
        self.remark(line, "upper-case-move", u8::is_ascii_uppercase);
        self.remark_zeros(line);
        if list.count != Some(list.entries as u64) {
            self.lenient("count");
        }
        if moves.len() < list.entries {
            self.lenient("entry");
        }
        if moves.len() > MAX_MOVES {
            moves.truncate(MAX_MOVES);
            self.lenient("long-list");
        }
        if self.time.is_none() {
            self.lenient("time");
        }
        // No square is in two rows, so the colours share none.
        let discs = Position::new_unchecked(self.discs.black, self.discs.white);
        let mut request = Request {
            discs,
            side,
            time: self.time.unwrap_or(UNKNOWN_TIME),
            moves,
        };
        if let Some(side) = side
            && request.moves.is_empty()
            && list.count != Some(0)
        {
            request.moves.extend(request.board(side).legal_moves());
            self.lenient("no-moves");
        }
        *self = Self {
            leniencies: self.leniencies(),
            ..Self::default()
        };
        Ok(Taken::Request(request))
    }

    fn lenient(&mut self, name: &'static str) {
        if !self.leniencies.contains(&name) {
            self.leniencies.push(name);
        }
    }

    /// Remarks on letters of the named case, and on blanks.
    fn remark(&mut self, line: &[u8], case: &'static str, is_other: fn(&u8) -> bool) {
        if line.iter().any(is_other) {
            self.lenient(case);
        }
        self.remark_blanks(line);
    }

    /// Remarks on needless zeros before the number that starts the line.
    fn remark_zeros(&mut self, line: &[u8]) {
        if let [b'0', b'0'..=b'9', ..] = line.trim_ascii() {
            self.lenient("zeros");
        }
    }

    /// Remarks on blanks that the format does not have: at an end, two in a row, tabs.
    fn remark_blanks(&mut self, line: &[u8]) {
        let doubled = line.windows(2).any(|pair| pair == b"  ");
        if doubled || line.contains(&b'\t') || line.trim_ascii() != line {
            self.lenient("blanks");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{
        format,
        string::{String, ToString as _},
    };
    use proptest::prelude::*;

    const SAMPLE: &str = "\
        ........\n........\n...X....\n...XX...\n...XO...\n........\n........\n........\n\
        O\n3000\n3 c3 e3 c5\n";

    /// Parses a request, and returns it with the leniencies that it used.
    fn read(text: &str) -> Option<(Request, Vec<&'static str>)> {
        let mut reader = Reader::default();
        for line in text.lines() {
            if let Taken::Request(request) = reader.take(line.as_bytes()).ok()? {
                return Some((request, reader.leniencies()));
            }
        }
        None
    }

    #[test]
    fn each_leniency_is_named() {
        let check = |text: &str, name| {
            let (_, names) = read(text).expect("a request");
            assert_eq!(names, [name], "{text}");
        };
        assert_eq!(read(SAMPLE).map(|(_, names)| names), Some(Vec::new()));
        check(&SAMPLE.replace("O\n3", "\nO\n3"), "blank-lines");
        check(&SAMPLE.replace(" e3", "  e3"), "blanks");
        check(&SAMPLE.replace('X', "x"), "lower-case-disc");
        check(&SAMPLE.replace("O\n3", "o\n3"), "lower-case-disc");
        check(&SAMPLE.replace("e3", "E3"), "upper-case-move");
        for count in ["4 ", "-1 ", "many ", ""] {
            check(&SAMPLE.replace("\n3 ", &format!("\n{count}")), "count");
        }
        check(&SAMPLE.replace(" e3", " i9"), "entry");
        let many = format!("65{}\n", " c3".repeat(65));
        check(&SAMPLE.replace("3 c3 e3 c5\n", &many), "long-list");
        let most = format!("64{}\n", " c3".repeat(64));
        let names = read(&SAMPLE.replace("3 c3 e3 c5\n", &most)).map(|(_, names)| names);
        assert_eq!(names, Some(Vec::new()));
        for side in ["O\n", ""] {
            for time in ["-1\n", "+500\n", "3000.5\n", "18446744073709551616\n", ""] {
                let header = format!("{side}{time}");
                check(&SAMPLE.replace("O\n3000\n", &header), "time");
            }
        }
        check(&SAMPLE.replace("3000", "soon"), "time");
        check(&SAMPLE.replace("3000", "03000"), "zeros");
        check(&SAMPLE.replace("O\n3000", "03000"), "zeros");
        check(&SAMPLE.replace("\n3 ", "\n03 "), "zeros");
    }

    #[test]
    fn a_time_that_is_odd_still_counts_as_far_as_it_can_be_read() {
        for (text, millis) in [("+500", 500), ("3000.5", 3000), ("-1", 1000), ("", 1000)] {
            let read = read(&SAMPLE.replace("3000", text));
            let time = read.map(|(request, _)| request.time);
            assert_eq!(time, Some(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn a_row_is_never_taken_for_a_time() {
        assert_eq!(read(&SAMPLE.replace("3000", "........")), None);
        assert_eq!(read(&SAMPLE.replace("O\n3000", "........")), None);
        assert_eq!(read(&SAMPLE.replace("O\n", "Black\n")), None);
    }

    proptest! {
        #[test]
        fn without_a_leniency_a_request_is_as_it_prints(
            at in 0..SAMPLE.len() - 1,
            take in 0usize..2,
            put in "[ \t0-9xXoOe3E.\n]{0,2}",
        ) {
            // The last line may lack its end.
            let end = (at + take).min(SAMPLE.len() - 1);
            let mut text = String::from(SAMPLE);
            text.replace_range(at..end, &put);
            if let Some((request, names)) = read(&text) {
                let printed = request.to_string();
                // What follows a whole request is none of its own.
                prop_assert_eq!(text.starts_with(&printed), names.is_empty(), "{}", text);
            }
        }
    }
}
