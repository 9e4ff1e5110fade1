//! The parts that the books of Edax and Egaroucid have in common.

use std::collections::BTreeMap;

use othello_core::{Bitboard, Position, Square};

use super::Book;
use crate::{Discs, Source};

/// A place where bytes break a format or the rules of the game.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("offset {offset}: expected {expected}")]
pub struct FormatError {
    /// The offset of the first byte of what was expected.
    pub offset: usize,
    /// The expectation, in words.
    pub expected: &'static str,
}

/// A reader of little-endian numbers.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let found = self.bytes[self.offset..].first_chunk();
        let found = *found.ok_or_else(|| self.error("more bytes"))?;
        self.offset += N;
        Ok(found)
    }

    pub(super) fn byte(&mut self) -> Result<u8, FormatError> {
        self.take().map(|[byte]| byte)
    }

    pub(super) fn number(&mut self) -> Result<u32, FormatError> {
        self.take().map(u32::from_le_bytes)
    }

    /// Reads the discs of the side to move, then those of the other side.
    pub(super) fn position(&mut self) -> Result<Position, FormatError> {
        let error = self.error("disjoint sets of discs");
        let mut discs = || self.take().map(u64::from_le_bytes).map(Bitboard);
        Position::new(discs()?, discs()?).map_err(|_| error)
    }

    /// Reads bytes that must be there.
    pub(super) fn expect(
        &mut self,
        bytes: &[u8],
        expected: &'static str,
    ) -> Result<(), FormatError> {
        if !self.bytes[self.offset..].starts_with(bytes) {
            return Err(self.error(expected));
        }
        self.offset += bytes.len();
        Ok(())
    }

    pub(super) fn end(&self) -> Result<(), FormatError> {
        if self.offset < self.bytes.len() {
            return Err(self.error("the end of the file, by the number of positions in the header"));
        }
        Ok(())
    }

    /// Returns the error that something else was expected here.
    pub(super) const fn error(&self, expected: &'static str) -> FormatError {
        FormatError {
            offset: self.offset,
            expected,
        }
    }
}

/// Returns a byte as a value in whole discs, if it is one.
pub(super) fn discs(byte: u8) -> Option<Discs> {
    let discs = i32::from(byte.cast_signed());
    (-64..=64).contains(&discs).then(|| Discs::whole(discs))
}

/// Returns a value in whole discs, rounded with halves away from zero: the rounded value of a best move is the best of
/// the rounded values.
pub(super) const fn whole(value: Discs) -> i8 {
    let hundredths = value.hundredths();
    ((hundredths + 50 * hundredths.signum()) / 100) as i8
}

/// Returns the square of a byte that counts from a1, if it is a legal move.
pub(super) fn legal(position: Position, byte: u8) -> Option<Square> {
    let square = Square::ALL.get(usize::from(byte)).copied();
    square.filter(|&square| position.legal_moves().contains(square))
}

/// Returns the least that a search of a position by Edax or Egaroucid at a level looks ahead. The search is exact if
/// few squares are empty. Both have levels to 60; other numbers, such as those of values entered by people, say nothing.
pub(super) fn evidence(level: u8, position: Position) -> Source {
    let (level, empties) = (u32::from(level), position.empties().count());
    let (exact_from, confidence) = match level {
        ..=10 => (2 * level, 100),
        11..60 => (21, 73),
        60 => (60, 100),
        _ => (0, 100),
    };
    let depth = if level > 60 { 0 } else { level.min(empties) };
    if empties <= exact_from || position.is_over() {
        Source::Exact
    } else {
        Source::Depth { depth, confidence }
    }
}

/// Returns the level whose evidence comes next to that of a search, and is not more. For an exact value it is the
/// level of the book, if that is high enough.
pub(super) fn level(source: Source, position: Position, book_level: u8) -> u8 {
    let mut levels = 0..=60;
    match source {
        Source::Depth { .. } => levels.rfind(|&level| evidence(level, position) <= source),
        Source::Exact | Source::Over => levels
            .find(|&level| evidence(level, position) == Source::Exact)
            .map(|level| level.max(book_level)),
    }
    .unwrap_or_default()
}

/// Returns the highest level of searches that are not exact, or the level of a new book in Edax and Egaroucid.
pub(super) fn book_level(book: &Book) -> u8 {
    let levels = book.entries().filter_map(|(position, entry)| {
        let source = entry.leaf?.source;
        matches!(source, Source::Depth { .. }).then(|| level(source, position, 0))
    });
    levels.max().unwrap_or(21)
}

/// Returns the number of lines from each position to a leaf.
pub(super) fn line_counts(book: &Book) -> BTreeMap<Position, u32> {
    let mut order: Vec<_> = book.entries().collect();
    order.sort_by_key(|(position, _)| position.empties().count());
    let mut counts: BTreeMap<Position, u32> = BTreeMap::new();
    for (position, entry) in order {
        let mut count = u32::from(entry.leaf.is_some());
        for (_, next, ..) in links(book, position) {
            count = count.saturating_add(counts[&next]);
        }
        counts.insert(position, count);
    }
    counts
}

/// Returns all moves of a canonical position that stay in the book, images included, with the canonical position in
/// which a side has a move, `true` if the other side passes before it, and the value of that position.
pub(super) fn links(
    book: &Book,
    position: Position,
) -> impl Iterator<Item = (Square, Position, bool, Discs)> + '_ {
    let moves = position.legal_moves().into_iter();
    moves.filter_map(move |square| {
        let (next, passes) = super::next(position, square)?;
        Some((square, next, passes, book.graph.get(&next)?.value))
    })
}
