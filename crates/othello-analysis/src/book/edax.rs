//! Books of Edax 4.
//!
//! The format is that of `book.c` in the sources of Edax 4.5. A header of 42 bytes: `XADEKOOB`, version 4, release, date
//! (8 bytes), level, the empty squares down to which positions are added, errors of values in the midgame and before
//! the end, verbosity, number of positions (4 bytes each). A position has the discs of the side to move and of the
//! other; the numbers of lines won, drawn, lost and in all; value, lower and upper bound (2 bytes each); the number of
//! links and the level (1 byte each); for each link and then for the leaf a value and a move (1 byte each). Values are
//! in whole discs from the side to move, squares count from a1, 64 is a pass and 65 no move.
//!
//! A position is stored as the least of its images, as here. A link is a move to another position of the book, also if
//! it is an image of another link, and a position of a side without a move has a pass as its one link.

use std::collections::BTreeMap;

use othello_core::Position;

use super::{
    Book, Import, Leaf,
    foreign::{
        FormatError, Reader, book_level, discs, evidence, legal, level, line_counts, links, whole,
    },
};
use crate::Discs;

const MAGIC: &[u8] = b"XADEKOOB";
const VERSION: u8 = 4;
/// The release that the current version of Edax writes.
const RELEASE: u8 = 5;
const PASS: u8 = 64;
const NO_MOVE: u8 = 65;
/// The value and the move of a position whose moves are all links.
const NO_LEAF: (i8, u8) = (-127, NO_MOVE);

/// Reads the bytes of a book, and adds what they say.
///
/// # Errors
///
/// Fails if the bytes break the format or the rules of the game, with the place.
pub fn read(bytes: &[u8], import: &mut Import) -> Result<(), FormatError> {
    let mut reader = Reader::new(bytes);
    reader.expect(MAGIC, "a book of Edax (`XADEKOOB`)")?;
    reader.expect(&[VERSION], "version 4 of Edax's format")?;
    // Release, date and options.
    reader.take::<29>()?;
    for _ in 0..reader.number()? {
        read_position(&mut reader, import)?;
    }
    reader.end()
}

fn read_position(reader: &mut Reader<'_>, import: &mut Import) -> Result<(), FormatError> {
    let position = reader.position()?;
    // The numbers of lines.
    reader.take::<16>()?;
    let value = i32::from(i16::from_le_bytes(reader.take()?));
    // The bounds.
    reader.take::<4>()?;
    let (links, level) = (reader.byte()?, reader.byte()?);
    let source = evidence(level, position);
    let mut moves = Vec::new();
    for index in 0..=links {
        let error = reader.error("a legal move with a value from -64 to 64 discs");
        match reader.take()? {
            [_, NO_MOVE] if index == links => {}
            [_, PASS] if position.must_pass() => {}
            [score, square] => {
                let leaf = legal(position, square)
                    .zip(discs(score))
                    .map(|(square, score)| Leaf {
                        square,
                        score,
                        source,
                    });
                moves.push(leaf.ok_or(error)?);
            }
        }
    }
    let value = (-64..=64)
        .contains(&value)
        .then(|| (source, Discs::whole(value)));
    import.add(position, value, moves);
    Ok(())
}

/// A position with its moves, each with its value.
struct Record {
    position: Position,
    lines: u32,
    value: i8,
    level: u8,
    links: Vec<(i8, u8)>,
    leaf: (i8, u8),
}

impl Record {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for discs in [self.position.own(), self.position.opponent()] {
            bytes.extend(discs.0.to_le_bytes());
        }
        // No lines are counted as won, drawn or lost.
        bytes.extend([0; 12]);
        bytes.extend(self.lines.to_le_bytes());
        // Nothing is claimed of the bounds, which Edax calculates.
        for value in [self.value.into(), -64, 64] {
            bytes.extend(i16::to_le_bytes(value));
        }
        bytes.extend([self.links.len() as u8, self.level]);
        let moves = self.links.iter().chain([&self.leaf]);
        bytes.extend(moves.flat_map(|&(value, square)| [value.cast_unsigned(), square]));
        bytes
    }
}

/// Returns a book as the bytes of a file, with values in whole discs.
pub fn write(book: &Book) -> Vec<u8> {
    let book_level = book_level(book);
    let counts = line_counts(book);
    let mut passes = BTreeMap::new();
    let mut records = Vec::new();
    for (position, entry) in book.entries() {
        let mut moves = Vec::new();
        for (square, next, side_passes, value) in links(book, position) {
            let value = whole(value);
            moves.push((if side_passes { value } else { -value }, square as u8));
            if side_passes {
                let record = Record {
                    position: next.passed().canonical().0,
                    lines: counts[&next],
                    value: -value,
                    level: book_level,
                    links: vec![(-value, PASS)],
                    leaf: NO_LEAF,
                };
                passes.insert(record.position, record);
            }
        }
        let leaf = entry.leaf;
        records.push(Record {
            position,
            lines: counts[&position],
            value: whole(entry.value),
            level: leaf.map_or(book_level, |leaf| level(leaf.source, position, book_level)),
            links: moves,
            leaf: leaf.map_or(NO_LEAF, |leaf| (whole(leaf.score), leaf.square as u8)),
        });
    }
    records.extend(passes.into_values());
    let least = book
        .entries()
        .map(|(position, _)| position.empties().count());
    let mut bytes = MAGIC.to_vec();
    bytes.extend([VERSION, RELEASE]);
    // No date, so that the same book makes the same file.
    bytes.extend([0; 8]);
    let empties = least.min().unwrap_or(60) + 1;
    // The errors are those of a new book.
    for number in [book_level.into(), empties, 2, 1, 0, records.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(records.iter().flat_map(Record::to_bytes));
    bytes
}
