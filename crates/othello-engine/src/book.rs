//! Opening books: a reader in place, and the choice of a move.

mod file;

use std::{borrow::Cow, fmt};

use othello_core::{Position, Square};

pub use file::{BookError, LeafRecord, Record, to_bytes};

use file::{HEADER, RECORD};

/// An opening book, read in the bytes of its file: canonical positions with the values of their best moves.
#[derive(Clone, PartialEq, Eq)]
pub struct OpeningBook {
    bytes: Cow<'static, [u8]>,
    weights: u32,
}

/// A move of a position in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub square: Square,
    /// Its value from the side to move, in hundredths of a disc.
    pub value: i16,
    /// True if it leads to a position of the book.
    pub stays: bool,
}

impl OpeningBook {
    /// Reads the bytes of a file. Checks its header, its size and its checksums; [`records`](Self::records) checks the
    /// rest.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are no book, with the place.
    pub fn new(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, BookError> {
        let bytes = bytes.into();
        let weights = file::check(&bytes)?;
        Ok(Self { bytes, weights })
    }

    /// Returns the checksum of the weights that evaluated the moves.
    pub const fn weights(&self) -> u32 {
        self.weights
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.table().len()
    }

    /// Returns `true` if the book has no positions.
    pub fn is_empty(&self) -> bool {
        self.table().is_empty()
    }

    /// Returns the records in the order of the file.
    pub fn records(&self) -> impl Iterator<Item = Result<Record, BookError>> + '_ {
        let records = self.table().iter().enumerate();
        records.map(|(index, bytes)| {
            Record::read(bytes).map_err(|fault| BookError::of_record(index, fault))
        })
    }

    /// Returns what the book has of a position in any orientation, with its best move that leads out of the book in
    /// that orientation.
    pub fn get(&self, position: Position) -> Option<Record> {
        let (canonical, symmetry) = position.canonical();
        let mut record = self.find(canonical)?;
        record.position = position;
        if let Some(leaf) = &mut record.leaf {
            leaf.square = symmetry.inverse().square(leaf.square);
        }
        Some(record)
    }

    /// Returns the known moves of a position in any orientation, best first: all that stay in the book, and the best
    /// that leads out of it. Of moves that are images of each other it has the first square from a1 on.
    pub fn moves(&self, position: Position) -> Vec<BookMove> {
        let Some(record) = self.get(position) else {
            return Vec::new();
        };
        let (mut known, mut moves) = (Vec::new(), Vec::new());
        for square in position.legal_moves() {
            let Some(reached) = next(position, square).filter(|next| !known.contains(next)) else {
                continue;
            };
            known.push(reached);
            let (next, passes) = reached;
            moves.extend(self.find(next).map(|Record { value, .. }| BookMove {
                square,
                value: if passes { value } else { -value },
                stays: true,
            }));
        }
        moves.extend(record.leaf.map(|leaf| BookMove {
            square: leaf.square,
            value: leaf.value,
            stays: false,
        }));
        moves.sort_by_key(|mv| (-mv.value, !mv.stays, mv.square));
        moves
    }

    fn table(&self) -> &[[u8; RECORD]] {
        self.bytes[HEADER..].as_chunks().0
    }

    /// Returns the record of a canonical position.
    fn find(&self, position: Position) -> Option<Record> {
        let key = (position.own().0, position.opponent().0);
        let table = self.table();
        let index = table.binary_search_by_key(&key, file::key).ok()?;
        Record::read(&table[index]).ok()
    }
}

impl fmt::Debug for OpeningBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpeningBook")
            .field("weights", &self.weights)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// Returns the canonical position after a legal move in which a side has a move, and `true` if the other side passes
/// before it; `None` if the game is over.
pub fn next(position: Position, square: Square) -> Option<(Position, bool)> {
    playable(position.play_unchecked(square))
}

/// Returns the canonical form of a position, or of that after a pass if the side to move has no move, with `true`;
/// `None` if the game is over.
pub fn playable(position: Position) -> Option<(Position, bool)> {
    if position.is_over() {
        return None;
    }
    let passes = position.must_pass();
    let position = if passes { position.passed() } else { position };
    Some((position.canonical().0, passes))
}
