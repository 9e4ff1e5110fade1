//! Lines of a stream of bytes, split anywhere, and the byte order mark that may precede them.

use alloc::{collections::VecDeque, vec::Vec};

/// The maximum length of a line that is kept, in bytes without its end.
pub const MAX_LINE: usize = 4096;

/// A stream of bytes, split anywhere, that is cut into the pieces of a format.
pub trait Framing {
    /// A piece of input, such as a line.
    type Piece;

    /// Adds bytes as they arrived.
    fn push(&mut self, bytes: &[u8]);

    /// Takes the end of input: the remaining bytes may be a last piece.
    fn finish(&mut self);

    /// Returns the next whole piece, if there is one.
    fn next_piece(&mut self) -> Option<Self::Piece>;

    /// Returns `true` if a byte order mark was dropped since the last call.
    fn take_mark(&mut self) -> bool;
}

/// Collects bytes and hands out whole lines, without `\n` or `\r\n`.
///
/// A line of more than [`MAX_LINE`] bytes is reported as [`Line::TooLong`] once and dropped up to
/// its end, so that memory stays bounded by the size of one `push`. A UTF-8 byte order mark at the
/// very start is dropped.
///
/// # Examples
///
/// ```
/// use boardgame_session::framing::{Line, Lines};
///
/// let mut lines = Lines::default();
/// lines.push(b"one\r\ntw");
/// assert_eq!(lines.next_line(), Some(Line::Whole(b"one".to_vec())));
/// assert_eq!(lines.next_line(), None);
/// lines.push(b"o\n");
/// assert_eq!(lines.next_line(), Some(Line::Whole(b"two".to_vec())));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lines {
    mark: MarkFilter,
    ready: VecDeque<Line>,
    partial: Vec<u8>,
    /// True while the rest of the line in progress is dropped.
    skipping: bool,
}

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The bytes of a line without its end.
    Whole(Vec<u8>),
    /// A line longer than [`MAX_LINE`]; its bytes are dropped.
    TooLong,
}

impl Lines {
    /// Adds bytes as they arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        let (held, rest) = self.mark.filter(bytes);
        for &byte in held.iter().chain(rest) {
            if byte == b'\n' {
                self.end_line();
            } else if self.skipping {
                // Already reported or taken.
            } else if self.partial.len() < MAX_LINE {
                self.partial.push(byte);
            } else {
                self.skipping = true;
                self.partial.clear();
                self.ready.push_back(Line::TooLong);
            }
        }
    }

    /// Takes the remaining bytes at the end of input as a last line, if there are any.
    pub fn finish(&mut self) {
        if !self.partial.is_empty() {
            self.end_line();
        }
    }

    /// Returns the next whole line, if there is one.
    pub fn next_line(&mut self) -> Option<Line> {
        self.ready.pop_front()
    }

    /// Takes the next whole line if it is of a kind; returns whether it was.
    pub fn take_if(&mut self, is: impl Fn(&[u8]) -> bool) -> bool {
        let found = matches!(self.ready.front(), Some(Line::Whole(line)) if is(line));
        if found {
            self.ready.pop_front();
        }
        found
    }

    /// Returns the bytes after the last whole line.
    pub fn partial(&self) -> &[u8] {
        &self.partial
    }

    /// Takes the bytes after the last whole line as a line of their own; the rest of that line is
    /// dropped.
    pub fn take_partial(&mut self) -> Vec<u8> {
        self.skipping = true;
        core::mem::take(&mut self.partial)
    }

    /// Returns `true` if nothing is kept: neither a whole line nor part of one.
    pub fn is_empty(&self) -> bool {
        self.ready.is_empty() && self.partial.is_empty()
    }

    /// Returns `true` if a byte order mark was dropped since the last call.
    pub fn take_mark(&mut self) -> bool {
        self.mark.take()
    }

    fn end_line(&mut self) {
        if core::mem::take(&mut self.skipping) {
            return;
        }
        let mut line = core::mem::take(&mut self.partial);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        self.ready.push_back(Line::Whole(line));
    }
}

impl Framing for Lines {
    type Piece = Line;

    fn push(&mut self, bytes: &[u8]) {
        Self::push(self, bytes);
    }

    fn finish(&mut self) {
        Self::finish(self);
    }

    fn next_piece(&mut self) -> Option<Line> {
        self.next_line()
    }

    fn take_mark(&mut self) -> bool {
        Self::take_mark(self)
    }
}

/// The UTF-8 byte order mark.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Drops a UTF-8 byte order mark from the very start of a stream, split anywhere: programs in .NET
/// write one before their first message.
///
/// The start of a mark is held back until more comes, and lost if nothing does.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkFilter {
    past_start: bool,
    /// The number of bytes held back that may be a mark.
    held: usize,
    found: bool,
}

impl MarkFilter {
    /// Returns the filter of a stream at its start.
    pub const fn new() -> Self {
        Self {
            past_start: false,
            held: 0,
            found: false,
        }
    }

    /// Returns the filter of a stream after its start.
    pub const fn past_start() -> Self {
        let mut filter = Self::new();
        filter.past_start = true;
        filter
    }

    /// Returns the bytes to pass on: first those held back, then the rest of the new ones.
    pub fn filter<'a>(&mut self, bytes: &'a [u8]) -> (&'static [u8], &'a [u8]) {
        if self.past_start {
            return (&[], bytes);
        }
        let (held, missing) = MARK.split_at(self.held);
        if let Some(rest) = bytes.strip_prefix(missing) {
            self.past_start = true;
            self.found = true;
            (&[], rest)
        } else if missing.starts_with(bytes) {
            self.held += bytes.len();
            (&[], &[])
        } else {
            self.past_start = true;
            (held, bytes)
        }
    }

    /// Returns `true` if a mark was dropped since the last call.
    pub const fn take(&mut self) -> bool {
        core::mem::replace(&mut self.found, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn all(lines: &mut Lines) -> Vec<Line> {
        core::iter::from_fn(|| lines.next_line()).collect()
    }

    #[test]
    fn an_overlong_line_is_reported_once_and_the_next_is_whole() {
        let mut lines = Lines::default();
        lines.push(&vec![b'x'; 3 * MAX_LINE]);
        lines.push(b"x\nshort\n");
        assert_eq!(
            all(&mut lines),
            [Line::TooLong, Line::Whole(b"short".to_vec())]
        );
    }

    #[test]
    fn the_end_of_input_ends_the_last_line() {
        let mut lines = Lines::default();
        lines.push(b"a\nlast\r");
        lines.finish();
        lines.finish();
        assert_eq!(
            all(&mut lines),
            [Line::Whole(b"a".to_vec()), Line::Whole(b"last".to_vec())]
        );
    }

    #[test]
    fn a_byte_order_mark_is_dropped_at_the_very_start_alone() {
        let read = |chunks: &[&[u8]]| {
            let mut lines = Lines::default();
            for chunk in chunks {
                lines.push(chunk);
            }
            (lines.take_mark(), all(&mut lines))
        };
        let line = |text: &[u8]| Line::Whole(text.to_vec());
        for chunks in [
            &[&b"\xef\xbb\xbfa\n"[..]][..],
            &[b"\xef", b"\xbb", b"", b"\xbf", b"a\n"],
            &[b"\xef\xbb", b"\xbfa\n"],
        ] {
            assert_eq!(read(chunks), (true, vec![line(b"a")]));
        }
        assert_eq!(
            read(&[b"\xef\xbb", b"a\n"]),
            (false, vec![line(b"\xef\xbba")])
        );
        let twice = b"\xef\xbb\xbf\xef\xbb\xbfa\n\xef\xbb\xbfb\n";
        let kept = vec![line("\u{feff}a".as_bytes()), line("\u{feff}b".as_bytes())];
        assert_eq!(read(&[twice]), (true, kept));
    }

    #[test]
    fn of_a_line_that_is_taken_early_the_rest_is_dropped() {
        let mut lines = Lines::default();
        lines.push(b"one\ntwo");
        assert!(!lines.is_empty());
        assert_eq!(all(&mut lines), [Line::Whole(b"one".to_vec())]);
        assert_eq!(lines.partial(), b"two");
        assert_eq!(lines.take_partial(), b"two");
        assert!(lines.is_empty());
        lines.push(b" more\nthree\n");
        assert_eq!(all(&mut lines), [Line::Whole(b"three".to_vec())]);
    }
}
