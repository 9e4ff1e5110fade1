//! Cutting a stream of bytes into lines, whatever its chunks.

use alloc::{collections::VecDeque, vec::Vec};

/// The longest line that is kept, in bytes without its end.
pub const MAX_LINE: usize = 4096;

/// Collects bytes and hands out whole lines, without `\n` or `\r\n`.
///
/// A line of more than [`MAX_LINE`] bytes is reported as [`Line::TooLong`] once and dropped up to
/// its end, so that memory stays bounded by what one `push` brings.
///
/// # Examples
///
/// ```
/// use othello_proto::framing::{Line, Lines};
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
    ready: VecDeque<Line>,
    partial: Vec<u8>,
    overlong: bool,
}

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The bytes of a line without its end.
    Whole(Vec<u8>),
    /// A line that passed [`MAX_LINE`]; its bytes are gone.
    TooLong,
}

impl Lines {
    /// Adds bytes as they arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                self.end_line();
            } else if self.overlong {
                // Already reported: the rest of the line is skipped.
            } else if self.partial.len() < MAX_LINE {
                self.partial.push(byte);
            } else {
                self.overlong = true;
                self.partial.clear();
                self.ready.push_back(Line::TooLong);
            }
        }
    }

    /// Takes what is left at the end of input as a last line, if it is anything.
    pub fn finish(&mut self) {
        if !self.partial.is_empty() {
            self.end_line();
        }
    }

    /// The next whole line, if there is one.
    pub fn next_line(&mut self) -> Option<Line> {
        self.ready.pop_front()
    }

    /// The bytes after the last whole line.
    pub fn partial(&self) -> &[u8] {
        &self.partial
    }

    fn end_line(&mut self) {
        if core::mem::take(&mut self.overlong) {
            return;
        }
        let mut line = core::mem::take(&mut self.partial);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        self.ready.push_back(Line::Whole(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn chunks_do_not_matter(bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a')], 0..60), cut in 0usize..60) {
            let cut = cut.min(bytes.len());
            let (mut whole, mut parts) = (Lines::default(), Lines::default());
            whole.push(&bytes);
            parts.push(&bytes[..cut]);
            parts.push(&bytes[cut..]);
            prop_assert_eq!(all(&mut whole), all(&mut parts));
        }
    }
}
