//! Splitting of an input into games, in bounded memory.

use std::io::{self, BufRead};

use boardgame_files::{ReadAs, TextReader};

use crate::{
    Record, RecordError,
    error::{Fault, RecordErrorKind},
};

/// The maximum size of a game in bytes.
pub(crate) const MAX_GAME: usize = 1 << 20;

/// The text of a game.
pub(crate) struct Chunk {
    /// The offset of its first byte in the input.
    pub(crate) offset: u64,
    /// The offset up to which the input has been read.
    pub(crate) end: u64,
    pub(crate) text: Vec<u8>,
    /// The encoding of the last text that was not ASCII.
    pub(crate) read_as: Option<ReadAs>,
}

impl Chunk {
    /// Converts an offset in the text to an offset in the input.
    pub(crate) fn place(&self, offset: usize) -> u64 {
        let text = &self.text[..offset.min(self.text.len())];
        let length = self
            .read_as
            .map_or(text.len(), |read_as| read_as.source_len(text));
        (self.offset + length as u64).min(self.end)
    }

    /// Adds to a record how its text was decoded, or returns an error if bytes are invalid in the encoding.
    fn finish(&self, mut record: Record, game: u64) -> Result<Record, RecordError> {
        record.encoding = self.guess();
        let replaced = "\u{fffd}".as_bytes();
        let mut places = self.text.windows(replaced.len());
        let Some(read_as) = self.read_as.filter(|read_as| read_as.damaged) else {
            return Ok(record);
        };
        let Some(place) = places.position(|bytes| bytes == replaced) else {
            return Ok(record);
        };
        Err(RecordError {
            game,
            offset: self.place(place),
            kind: RecordErrorKind::Damaged {
                encoding: read_as.name(),
            },
            record: Some(Box::new(record)),
        })
    }

    /// The encoding, if it was guessed.
    fn guess(&self) -> Option<&'static str> {
        let guessed = self.read_as.filter(|read_as| read_as.guessed);
        guessed.map(ReadAs::name)
    }
}

/// A part of the input outside games, and its offset.
pub(crate) struct Gap {
    pub(crate) offset: u64,
    pub(crate) kind: RecordErrorKind,
}

pub(crate) type Cut = Result<Chunk, Gap>;

/// Appends a line including its end, up to [`MAX_GAME`] bytes in all, and skips the rest of the line. Returns the
/// length of the line, or 0 at the end of the input.
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

/// The role of a line in a game.
pub(crate) enum Place {
    /// The first line of a game.
    Begins,
    /// Part of the current game, or the start of a new one.
    Joins,
    /// The last line of the current game, or a game in one line.
    Ends,
    /// Outside games; ends the current one.
    Between,
    /// Outside games; the current one continues after it.
    Skipped,
}

/// Games that consist of whole lines. The function gets the text of the current game and the next line.
pub(crate) struct Lines<R, F> {
    input: TextReader<R>,
    place: F,
    /// The start of the next game.
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
                    // Bytes keep their distance from the start of the game.
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

/// The brackets of a format, as a state machine over bytes.
pub(crate) trait Brackets: Default {
    /// Processes the next byte of a game. Returns `true` if it is the last one.
    fn take(&mut self, byte: u8) -> bool;

    /// Returns the length of another game's start at the end of `text`, if there is one; the current game is then cut
    /// off before it.
    fn begins_again(&self, text: &[u8]) -> Option<usize>;

    /// Returns `true` if the byte may occur between games.
    fn is_between(byte: u8) -> bool;
}

/// The part of a line to which a byte between games belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// At the start of the line or after white space.
    Beginning,
    /// In a comment, which starts with `%` or `#`.
    Comment,
    /// After other text.
    Rest,
}

impl Between {
    /// Returns the part to which the byte after `byte` belongs.
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
    /// The start of the next game, after one that was cut off.
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
                // Text beyond the limit is only scanned for the end of the game.
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

/// A chunk, or an error if it is longer than the limit.
fn bounded(chunk: Chunk) -> Cut {
    if chunk.text.len() <= MAX_GAME {
        return Ok(chunk);
    }
    Err(Gap {
        offset: chunk.offset,
        kind: RecordErrorKind::TooLong { max: MAX_GAME },
    })
}

pub(crate) const fn broken(offset: u64, error: io::Error) -> Gap {
    Gap {
        offset,
        kind: RecordErrorKind::Io(error),
    }
}

/// Converts chunks of one game each to records.
pub(crate) fn games(
    chunks: impl Iterator<Item = Cut>,
    read: impl Fn(&[u8]) -> Result<Record, Fault>,
) -> impl Iterator<Item = Result<Record, RecordError>> {
    chunks.zip(1..).map(move |(cut, game)| {
        let error = |offset, kind, record| RecordError {
            game,
            offset,
            kind,
            record,
        };
        let chunk = cut.map_err(|gap| error(gap.offset, gap.kind, None))?;
        match read(&chunk.text) {
            Ok(record) => chunk.finish(record, game),
            Err(fault) => {
                let offset = chunk.place(fault.offset);
                let mut record = Fault::part(fault.record);
                if let Some(record) = &mut record {
                    record.encoding = chunk.guess();
                }
                Err(error(offset, fault.kind, record))
            }
        }
    })
}

/// Returns the text, or an error if it is not UTF-8.
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

    fn read_all(cuts: impl Iterator<Item = Cut>) -> Vec<(u64, String)> {
        cuts.map(|cut| match cut {
            Ok(chunk) => (chunk.offset, String::from_utf8(chunk.text).unwrap()),
            Err(gap) => (gap.offset, gap.kind.to_string()),
        })
        .collect()
    }

    #[test]
    fn games_between_brackets_are_found_anywhere() {
        let text = b"\xef\xbb\xbf  (a)(b (!c) d";
        let found = read_all(Bracketed::<_, Parentheses>::new(&text[..]));
        let expected = [(5, "(a)"), (8, "(b "), (11, "(!c)"), (16, "d")];
        assert_eq!(
            found,
            expected.map(|(offset, text)| (offset, text.to_owned()))
        );
    }

    #[test]
    fn an_endless_game_takes_bounded_memory_and_does_not_affect_others() {
        let long = "x".repeat(3 * MAX_GAME);
        let text = format!("({long}(!b)(c)");
        let found = read_all(Bracketed::<_, Parentheses>::new(text.as_bytes()));
        let too_long = RecordErrorKind::TooLong { max: MAX_GAME }.to_string();
        let after = 1 + long.len() as u64;
        assert_eq!(found[0], (0, too_long.clone()));
        assert_eq!(
            found[1..],
            [(after, "(!b)".into()), (after + 4, "(c)".into())]
        );

        let place = |_: &[u8], _: &[u8]| Place::Ends;
        let text = format!("{long}\nb\n");
        let found = read_all(Lines::new(text.as_bytes(), place));
        assert_eq!(found, [(0, too_long), (after, "b\n".into())]);
    }

    #[test]
    fn a_failure_of_the_input_is_the_last_error() {
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let input = || io::BufReader::new(io::Read::chain(&b"a\n"[..], Broken));
        let place = |_: &[u8], _: &[u8]| Place::Ends;
        let found = read_all(Lines::new(input(), place));
        assert_eq!(found, [(0, "a\n".into()), (2, "broken".into())]);
        let found = read_all(Bracketed::<_, Parentheses>::new(input()));
        assert_eq!(found, [(2, "broken".into())]);
    }
}
