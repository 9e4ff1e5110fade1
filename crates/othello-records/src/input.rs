//! Games cut out of an input within bounded memory.

use std::io::{self, BufRead, Read as _};

use crate::{
    Record, RecordError,
    error::{Fault, Problem},
};

/// The bytes that a game may have in an input.
pub(crate) const MAX_GAME: usize = 1 << 20;

/// The byte order mark that some editors write at the start of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The bytes of a game.
pub(crate) struct Chunk {
    /// The place of its first byte in the input.
    pub(crate) offset: u64,
    pub(crate) text: Vec<u8>,
}

/// A part of the input that is no game, and its place.
pub(crate) struct Gap {
    pub(crate) offset: u64,
    pub(crate) problem: Problem,
}

pub(crate) type Cut = Result<Chunk, Gap>;

/// An input whose bytes are counted, without the byte order mark at its beginning.
pub(crate) struct Counted<R> {
    input: R,
    offset: u64,
}

impl<R: BufRead> Counted<R> {
    pub(crate) const fn new(input: R) -> Self {
        Self { input, offset: 0 }
    }

    pub(crate) const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns buffered bytes, none at the end of the input.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        if self.offset == 0 && self.input.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
            self.consume(BYTE_ORDER_MARK.len());
        }
        self.input.fill_buf()
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.input.consume(count);
        self.offset += count as u64;
    }

    /// Reads at most `count` bytes, fewer only at the end of the input.
    pub(crate) fn read(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(count.min(4096));
        self.input
            .by_ref()
            .take(count as u64)
            .read_to_end(&mut bytes)?;
        self.offset += bytes.len() as u64;
        Ok(bytes)
    }

    /// Appends the bytes up to the end of the line and that, at most [`MAX_GAME`] in all, and skips the others.
    /// Returns the length of the line, 0 at the end of the input.
    pub(crate) fn append_line(&mut self, text: &mut Vec<u8>) -> io::Result<usize> {
        let mut length = 0;
        loop {
            let bytes = self.fill()?;
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let count = end.map_or(bytes.len(), |end| end + 1);
            let kept = count.min((MAX_GAME + 1).saturating_sub(text.len()));
            text.extend(&bytes[..kept]);
            self.consume(count);
            length += count;
            if count == 0 || end.is_some() {
                return Ok(length);
            }
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
    input: Counted<R>,
    place: F,
    /// The first line of the next game.
    next: Option<Chunk>,
    failed: bool,
}

impl<R: BufRead, F: FnMut(&[u8], &[u8]) -> Place> Lines<R, F> {
    pub(crate) const fn new(input: R, place: F) -> Self {
        Self {
            input: Counted::new(input),
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
            self.input.fill()?;
            let offset = self.input.offset();
            if self.input.append_line(&mut line)? == 0 {
                return Ok(chunk);
            }
            let text = chunk.as_ref().map_or(&[][..], |chunk| &chunk.text);
            let place = (self.place)(text, &line);
            match (place, &mut chunk) {
                (Place::Between | Place::Skipped, None) => {}
                (Place::Between, Some(_)) => return Ok(chunk),
                (Place::Begins, Some(_)) => {
                    self.next = Some(Chunk { offset, text: line });
                    return Ok(chunk);
                }
                (Place::Ends, None) => return Ok(Some(Chunk { offset, text: line })),
                (_, None) => chunk = Some(Chunk { offset, text: line }),
                (place, Some(begun)) => {
                    let room = (MAX_GAME + 1).saturating_sub(begun.text.len());
                    // Bytes keep their distance from the beginning of the game.
                    let blank = [b'\n'].repeat(line.len());
                    let skipped = matches!(place, Place::Skipped);
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
    input: Counted<R>,
    brackets: B,
    between: Between,
    /// The beginning of the next game, where one was broken off.
    begun: Vec<u8>,
    failed: bool,
}

impl<R: BufRead, B: Brackets> Bracketed<R, B> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input: Counted::new(input),
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
        loop {
            self.input.fill()?;
            let base = self.input.offset();
            let bytes = self.input.fill()?;
            if bytes.is_empty() {
                return Ok((!text.is_empty()).then_some(Chunk { offset, text }));
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
                    offset = base + count as u64 - 1;
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
                return Ok(Some(Chunk { offset, text }));
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
        let error = |offset, problem| RecordError {
            game,
            offset,
            problem,
        };
        let chunk = cut.map_err(|gap| error(gap.offset, gap.problem))?;
        let at = |fault: Fault| error(chunk.offset + fault.offset as u64, fault.problem);
        read(&chunk.text).map_err(at)
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
