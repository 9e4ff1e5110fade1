//! Cutting a stream of bytes into messages of two non-blank characters.

use alloc::collections::VecDeque;

use crate::framing::{Framing, MarkFilter};

/// Cuts bytes into pairs of non-blank characters, wherever blanks and newlines are.
///
/// # Examples
///
/// ```
/// use boardgame_session::framing::Framing as _;
/// use othello_proto::codewarriors::{Pairs, Piece};
///
/// let mut pairs = Pairs::default();
/// pairs.push(b"D3C");
/// assert_eq!(pairs.next_piece(), Some(Piece::Pair { bytes: *b"D3", split: false }));
/// assert_eq!(pairs.next_piece(), None);
/// pairs.push(b"5\r\n");
/// assert_eq!(pairs.next_piece(), Some(Piece::Pair { bytes: *b"C5", split: false }));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    mark: MarkFilter,
    input: VecDeque<u8>,
    first: Option<u8>,
    split: bool,
    line_used: bool,
    in_blank_lines: bool,
}

/// A piece of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Two non-blank characters.
    Pair {
        /// The characters.
        bytes: [u8; 2],
        /// True when blanks or newlines lay between them.
        split: bool,
    },
    /// One or more lines that hold nothing.
    BlankLines,
}

impl Framing for Pairs {
    type Piece = Piece;

    fn push(&mut self, bytes: &[u8]) {
        let (held, rest) = self.mark.filter(bytes);
        self.input.extend(held.iter().chain(rest));
    }

    fn finish(&mut self) {}

    fn next_piece(&mut self) -> Option<Piece> {
        while let Some(byte) = self.input.pop_front() {
            let piece = if is_blank(byte) {
                self.take_blank(byte)
            } else {
                self.take_character(byte)
            };
            if piece.is_some() {
                return piece;
            }
        }
        None
    }

    fn take_mark(&mut self) -> bool {
        self.mark.take()
    }
}

impl Pairs {
    /// Returns the state before the first byte.
    pub const fn new() -> Self {
        Self {
            mark: MarkFilter::new(),
            input: VecDeque::new(),
            first: None,
            split: false,
            line_used: false,
            in_blank_lines: false,
        }
    }

    /// Creates a stream after its first bytes, where no byte order mark is skipped.
    pub(super) const fn past_start() -> Self {
        let mut pairs = Self::new();
        pairs.mark = MarkFilter::past_start();
        pairs
    }

    /// Puts back `byte`, the second character of the last pair, as the first of the next one.
    pub(super) const fn put_back(&mut self, byte: u8) {
        self.first = Some(byte);
    }

    /// Returns the character that waits for a second one, once every piece was taken.
    pub const fn lone(&self) -> Option<u8> {
        self.first
    }

    fn take_blank(&mut self, byte: u8) -> Option<Piece> {
        self.split = self.first.is_some();
        if byte != b'\n' || core::mem::take(&mut self.line_used) {
            return None;
        }
        (!core::mem::replace(&mut self.in_blank_lines, true)).then_some(Piece::BlankLines)
    }

    fn take_character(&mut self, byte: u8) -> Option<Piece> {
        self.line_used = true;
        self.in_blank_lines = false;
        let split = core::mem::take(&mut self.split);
        let Some(first) = self.first.take() else {
            self.first = Some(byte);
            return None;
        };
        let bytes = [first, byte];
        Some(Piece::Pair { bytes, split })
    }
}

/// Returns `true` if `byte` is no part of a message: a blank, a tab, or the end of a line.
pub(super) const fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn all(bytes: &[u8]) -> Vec<Piece> {
        let mut pairs = Pairs::default();
        pairs.push(bytes);
        core::iter::from_fn(|| pairs.next_piece()).collect()
    }

    fn pair(text: &str) -> Piece {
        let bytes = text.as_bytes().try_into().unwrap();
        let split = false;
        Piece::Pair { bytes, split }
    }

    #[test]
    fn newlines_do_not_matter() {
        let expected = [pair("D3"), pair("C5")];
        for stream in [
            &b"D3C5"[..],
            b"D3\nC5\n",
            b"D3\r\nC5\r\n",
            b" D3 \tC5",
            b"D3\rC5\r",
        ] {
            assert_eq!(all(stream), expected, "{:?}", stream.escape_ascii());
        }
    }

    #[test]
    fn a_run_of_blank_lines_is_one_piece() {
        let expected = [Piece::BlankLines, pair("D3"), Piece::BlankLines];
        assert_eq!(all(b"\n\n \r\nD3\n\n\n"), expected);
    }

    #[test]
    fn a_split_pair_is_marked() {
        let split = Piece::Pair {
            bytes: *b"D3",
            split: true,
        };
        assert_eq!(all(b"D\n3 C5"), [split, pair("C5")]);
    }
}
