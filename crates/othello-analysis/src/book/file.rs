//! The bytes of a book's file, whose format is that of [`OpeningBook`].

use othello_core::Position;
use othello_engine::book::{BookError, LeafRecord, OpeningBook, Record, to_bytes};

use super::{Book, Entry, Leaf};
use crate::{Discs, Source};

impl Book {
    /// Returns the book as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self.weights, self.entries().map(record))
    }

    /// Reads the bytes of a file, and checks that no two values contradict each other.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are no book, with the place.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let file = OpeningBook::new(bytes.to_vec())?;
        let mut entries: Vec<(Position, Entry)> = Vec::new();
        for (index, record) in file.records().enumerate() {
            let (position, entry) = entry(record?);
            if entries.last().is_some_and(|(last, _)| *last >= position) {
                let fault = "expected positions in ascending order";
                return Err(BookError::of_record(index, fault));
            }
            entries.push((position, entry));
        }
        let mut book = Self::new(file.weights());
        book.graph.extend(entries.iter().copied());
        for (index, (position, entry)) in entries.iter().enumerate() {
            if let Some(fault) = book.fault(*position, entry) {
                return Err(BookError::of_record(index, fault));
            }
        }
        Ok(book)
    }
}

fn record((position, entry): (Position, Entry)) -> Record {
    let value = |discs: Discs| discs.hundredths() as i16;
    let leaf = entry.leaf.map(|leaf| LeafRecord {
        square: leaf.square,
        value: value(leaf.score),
        effort: match leaf.source {
            Source::Depth { depth, confidence } => Some((depth as u8, confidence)),
            Source::Exact | Source::Over => None,
        },
    });
    Record {
        position,
        value: value(entry.value),
        leaf,
    }
}

fn entry(record: Record) -> (Position, Entry) {
    let value = |hundredths: i16| Discs::from_hundredths(hundredths.into());
    let leaf = record.leaf.map(|leaf| Leaf {
        square: leaf.square,
        score: value(leaf.value),
        source: match leaf.effort {
            Some((depth, confidence)) => Source::Depth {
                depth: depth.into(),
                confidence,
            },
            None => Source::Exact,
        },
    });
    let value = value(record.value);
    (record.position, Entry { value, leaf })
}
