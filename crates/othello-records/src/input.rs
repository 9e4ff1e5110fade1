//! Games cut out of an input within bounded memory.

use std::io::{self, BufRead};

use boardgame_files::{ReadAs, TextReader};

use crate::{
    Record, RecordError,
    error::{Fault, Problem},
};

/// The bytes that a game may have in an input.
pub(crate) const MAX_GAME: usize = 1 << 20;

/// The bytes of a game.
pub(crate) struct Chunk {
    /// The place of its first byte in the input.
    pub(crate) offset: u64,
    /// The place where the input has been read to.
    pub(crate) end: u64,
    pub(crate) text: Vec<u8>,
    /// How the last of the text that is not ASCII was read.
    pub(crate) read_as: Option<ReadAs>,
}

impl Chunk {
    /// The place in the input of a byte of the text.
    fn place(&self, offset: usize) -> u64 {
        let text = &self.text[..offset.min(self.text.len())];
        let length = self
            .read_as
            .map_or(text.len(), |read_as| read_as.source_len(text));
        (self.offset + length as u64).min(self.end)
    }

    /// Adds the rest of a read to a game: how the text was read, and that of it which is not of its encoding.
    fn finish(&self, mut record: Record, game: u64) -> Result<Record, RecordError> {
        record.encoding = self.guess();
        let replaced = "\u{fffd}".as_bytes();
        let mut places = self.text.windows(replaced.len());
        match self.read_as.filter(|read_as| read_as.damaged) {
            Some(read_as) if let Some(place) = places.position(|bytes| bytes == replaced) => {
                Err(RecordError {
                    game,
                    offset: self.place(place),
                    problem: Problem::Damaged {
                        encoding: read_as.name(),
                    },
                    record: Some(Box::new(record)),
                })
            }
            _ => Ok(record),
        }
    }

    /// The encoding, if it is a guess.
    fn guess(&self) -> Option<&'static str> {
        let guessed = self.read_as.filter(|read_as| read_as.guessed);
        guessed.map(ReadAs::name)
    }
}

/// A part of the input that is no game, and its place.
pub(crate) struct Gap {
    pub(crate) offset: u64,
    pub(crate) problem: Problem,
}

pub(crate) type Cut = Result<Chunk, Gap>;

/// Appends the bytes up to the end of the line and that, at most [`MAX_GAME`] in all, and skips the others.
/// Returns the length of the line, 0 at the end of the input.
pub(crate) fn append_line(input: &mut impl BufRead, text: &mut Vec<u8>) -> io::Result<usize> {
    let mut length = 0;
    loop {
        let bytes = input.fill_buf()?;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let count = end.map_or(bytes.len(), |end| end + 1);
        let kept = count.min((MAX_GAME + 1).saturating_sub(text.len()));
        text.extend(&bytes[..kept]);
        input.consume(count);
        length += count;
        if count == 0 || end.is_some() {
            return Ok(length);
        }
    }
}

/// The part that a line has in a game.
pub(crate) enum Place {
    /// It is the first line of a game.
    Begins,
    /// It belongs to the game begun, or begins one.
    Joins,
    /// It belongs to the game begun, or begins one, and ends it.
    Ends,
    /// It belongs to no game and ends the one begun.
    Between,
    /// It belongs to no game, and the one begun goes on after it.
    Skipped,
}

/// Games made of whole lines. The function is told the text of the game so far and the next line.
pub(crate) struct Lines<R, F> {
    input: TextReader<R>,
    place: F,
    /// The first line of the next game.
    next: Option<Chunk>,
    failed: bool,
}

impl<R: BufRead, F: FnMut(&[u8], &[u8]) -> Place> Lines<R, F> {
    pub(crate) fn new(input: R, place: F) -> Self {
        Self {
            input: TextReader::new(input),
            place,
            next: None,
            failed: false,
        }
    }

    /// Returns the next game, or `None` at the end.
    fn cut(&mut self) -> io::Result<Option<Chunk>> {
        let mut chunk = self.next.take();
        loop {
            let mut line = Vec::new();
            self.input.fill_buf()?;
            let offset = self.input.offset();
            if append_line(&mut self.input, &mut line)? == 0 {
                return Ok(chunk);
            }
            let read_as = Some(self.input.read_as()).filter(|_| !line.is_ascii());
            let text = chunk.as_ref().map_or(&[][..], |chunk| &chunk.text);
            let place = (self.place)(text, &line);
            let end = self.input.offset();
            let begun = |text| Chunk {
                offset,
                end,
                text,
                read_as,
            };
            match (place, &mut chunk) {
                (Place::Between | Place::Skipped, None) => {}
                (Place::Between, Some(_)) => return Ok(chunk),
                (Place::Begins, Some(_)) => {
                    self.next = Some(begun(line));
                    return Ok(chunk);
                }
                (Place::Ends, None) => return Ok(Some(begun(line))),
                (_, None) => chunk = Some(begun(line)),
                (place, Some(begun)) => {
                    let room = (MAX_GAME + 1).saturating_sub(begun.text.len());
                    // Bytes keep their distance from the beginning of the game.
                    let length = end - offset;
                    let blank = [b'\n'].repeat(length.min(MAX_GAME as u64 + 1) as usize);
                    let skipped = matches!(place, Place::Skipped);
                    begun.end = end;
                    begun.read_as = read_as.filter(|_| !skipped).or(begun.read_as);
                    let line = if skipped { blank } else { line };
                    begun.text.extend(line.iter().take(room));
                    if matches!(place, Place::Ends) {
                        return Ok(chunk);
                    }
                }
            }
        }
    }
}

impl<R: BufRead, F: FnMut(&[u8], &[u8]) -> Place> Iterator for Lines<R, F> {
    type Item = Cut;

    fn next(&mut self) -> Option<Cut> {
        if self.failed {
            return None;
        }
        let cut = self.cut();
        self.failed = cut.is_err();
        next_cut(cut, self.input.offset())
    }
}

/// The brackets of a format, byte by byte.
pub(crate) trait Brackets: Default {
    /// Takes the next byte of a game and returns `true` if it is its last.
    fn take(&mut self, byte: u8) -> bool;

    /// Returns the length of the beginning of another game if one stands at the end of `text`, which is then broken
    /// off.
    fn begins_again(&self, text: &[u8]) -> Option<usize>;

    /// Returns `true` if the byte may stand between games.
    fn is_between(byte: u8) -> bool;
}

/// The part of a line that a byte between games belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// It has blanks at most before it.
    Beginning,
    /// It is in a line of comment, which `%` or `#` begins.
    Comment,
    /// Something stands before it.
    Rest,
}

impl Between {
    /// The part that the next byte belongs to.
    const fn then(self, byte: u8) -> Self {
        match (self, byte) {
            (_, b'\n') => Self::Beginning,
            (Self::Beginning, b'%' | b'#') => Self::Comment,
            (Self::Beginning, _) if !byte.is_ascii_whitespace() => Self::Rest,
            _ => self,
        }
    }
}

/// Games between brackets.
pub(crate) struct Bracketed<R, B> {
    input: TextReader<R>,
    brackets: B,
    between: Between,
    /// The beginning of the next game, where one was broken off.
    begun: Vec<u8>,
    failed: bool,
}

impl<R: BufRead, B: Brackets> Bracketed<R, B> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input: TextReader::new(input),
            brackets: B::default(),
            between: Between::Beginning,
            begun: Vec::new(),
            failed: false,
        }
    }

    fn cut(&mut self) -> io::Result<Option<Chunk>> {
        let mut text = std::mem::take(&mut self.begun);
        let mut offset = self.input.offset() - text.len() as u64;
        self.brackets = B::default();
        for &byte in &text {
            self.brackets.take(byte);
        }
        let mut read_as = None;
        loop {
            self.input.fill_buf()?;
            let base = self.input.offset();
            let read = self.input.read_as();
            let bytes = self.input.fill_buf()?;
            if bytes.is_empty() {
                let chunk = Chunk {
                    offset,
                    end: base,
                    text,
                    read_as,
                };
                return Ok((!chunk.text.is_empty()).then_some(chunk));
            }
            let mut count = 0;
            let mut ended = false;
            for &byte in bytes {
                count += 1;
                if text.is_empty() {
                    self.between = self.between.then(byte);
                    if self.between == Between::Comment || B::is_between(byte) {
                        continue;
                    }
                    offset = base + read.source_len(&bytes[..count - 1]) as u64;
                }
                if !byte.is_ascii() {
                    read_as = Some(read);
                }
                // What is beyond the bound is only looked at for the end.
                if text.len() > MAX_GAME + MAX_GAME / 2 {
                    text.drain(MAX_GAME + 1..text.len() - 64);
                }
                text.push(byte);
                ended = self.brackets.take(byte);
                let again = self.brackets.begins_again(&text);
                if let Some(length) = again.filter(|&length| length < text.len()) {
                    self.begun = text.split_off(text.len() - length);
                    ended = true;
                }
                if ended {
                    break;
                }
            }
            self.input.consume(count);
            if ended {
                return Ok(Some(Chunk {
                    offset,
                    end: self.input.offset(),
                    text,
                    read_as,
                }));
            }
        }
    }
}

impl<R: BufRead, B: Brackets> Iterator for Bracketed<R, B> {
    type Item = Cut;

    fn next(&mut self) -> Option<Cut> {
        if self.failed {
            return None;
        }
        let cut = self.cut();
        self.failed = cut.is_err();
        next_cut(cut, self.input.offset())
    }
}

/// Returns the next chunk or gap, or the error of the input at an offset.
fn next_cut(cut: io::Result<Option<Chunk>>, offset: u64) -> Option<Cut> {
    match cut {
        Ok(chunk) => chunk.map(bounded),
        Err(error) => Some(Err(broken(offset, error))),
    }
}

/// A chunk, unless it is longer than a game may be.
fn bounded(chunk: Chunk) -> Cut {
    if chunk.text.len() <= MAX_GAME {
        return Ok(chunk);
    }
    Err(Gap {
        offset: chunk.offset,
        problem: Problem::TooLong { max: MAX_GAME },
    })
}

pub(crate) const fn broken(offset: u64, error: io::Error) -> Gap {
    Gap {
        offset,
        problem: Problem::Io(error),
    }
}

/// The records of chunks that are a game each.
pub(crate) fn games(
    chunks: impl Iterator<Item = Cut>,
    read: impl Fn(&[u8]) -> Result<Record, Fault>,
) -> impl Iterator<Item = Result<Record, RecordError>> {
    chunks.zip(1..).map(move |(cut, game)| {
        let error = |offset, problem, record| RecordError {
            game,
            offset,
            problem,
            record,
        };
        let chunk = cut.map_err(|gap| error(gap.offset, gap.problem, None))?;
        match read(&chunk.text) {
            Ok(record) => chunk.finish(record, game),
            Err(fault) => {
                let offset = chunk.place(fault.offset);
                let mut record = Fault::part(fault.record);
                if let Some(record) = &mut record {
                    record.encoding = chunk.guess();
                }
                Err(error(offset, fault.problem, record))
            }
        }
    })
}

/// Returns a text, or the error that it is no UTF-8.
pub(crate) fn utf8(text: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(text).map_err(|error| Fault::expected(error.valid_up_to(), "text in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Parentheses;

    impl Brackets for Parentheses {
        fn take(&mut self, byte: u8) -> bool {
            byte == b')'
        }

        fn begins_again(&self, text: &[u8]) -> Option<usize> {
            text.ends_with(b"(!").then_some(2)
        }

        fn is_between(byte: u8) -> bool {
            byte == b' '
        }
    }

    fn told(cuts: impl Iterator<Item = Cut>) -> Vec<(u64, String)> {
        cuts.map(|cut| match cut {
            Ok(chunk) => (chunk.offset, String::from_utf8(chunk.text).unwrap()),
            Err(gap) => (gap.offset, gap.problem.to_string()),
        })
        .collect()
    }

    #[test]
    fn games_between_brackets_are_cut_out_wherever_they_begin() {
        let text = b"\xef\xbb\xbf  (a)(b (!c) d";
        let found = told(Bracketed::<_, Parentheses>::new(&text[..]));
        let expected = [(5, "(a)"), (8, "(b "), (11, "(!c)"), (16, "d")];
        assert_eq!(
            found,
            expected.map(|(offset, text)| (offset, text.to_owned()))
        );
    }

    #[test]
    fn an_endless_game_takes_bounded_memory_and_loses_no_other() {
        let long = "x".repeat(3 * MAX_GAME);
        let text = format!("({long}(!b)(c)");
        let found = told(Bracketed::<_, Parentheses>::new(text.as_bytes()));
        let too_long = Problem::TooLong { max: MAX_GAME }.to_string();
        let after = 1 + long.len() as u64;
        assert_eq!(found[0], (0, too_long.clone()));
        assert_eq!(
            found[1..],
            [(after, "(!b)".into()), (after + 4, "(c)".into())]
        );

        let place = |_: &[u8], _: &[u8]| Place::Ends;
        let text = format!("{long}\nb\n");
        let found = told(Lines::new(text.as_bytes(), place));
        assert_eq!(found, [(0, too_long), (after, "b\n".into())]);
    }

    #[test]
    fn an_input_that_fails_is_the_last_error() {
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let input = || io::BufReader::new(io::Read::chain(&b"a\n"[..], Broken));
        let place = |_: &[u8], _: &[u8]| Place::Ends;
        let found = told(Lines::new(input(), place));
        assert_eq!(found, [(0, "a\n".into()), (2, "broken".into())]);
        let found = told(Bracketed::<_, Parentheses>::new(input()));
        assert_eq!(found, [(2, "broken".into())]);
    }
}
