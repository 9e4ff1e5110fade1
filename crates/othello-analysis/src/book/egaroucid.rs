//! Books of Egaroucid 7.
//!
//! The format is that of `src/engine/book.hpp` in the sources of Egaroucid: `DICUORAGE`, version 3 and the number of
//! positions (4 bytes); then positions of 25 bytes with the discs of the side to move and of the other, value, level,
//! number of lines (4 bytes), and value, move and level of the leaf. Values are in whole discs from the side to move; a
//! leaf without a move has −126, 125 and −1. Links are not stored. Squares count from h8, but as the least image of a
//! position is stored, half a turn makes no difference and they are read as if they counted from a1.

use super::{
    Book, Import, Leaf,
    foreign::{FormatError, Reader, book_level, discs, evidence, legal, level, line_counts, whole},
};

const MAGIC: &[u8] = b"DICUORAGE";
const VERSION: u8 = 3;
/// The value, the move and the level of a leaf without a move.
const NO_LEAF: (i8, u8, u8) = (-126, 125, 255);

/// Reads the bytes of a book, and adds what they say.
///
/// # Errors
///
/// Fails if the bytes break the format or the rules of the game, with the place.
pub fn read(bytes: &[u8], import: &mut Import) -> Result<(), FormatError> {
    let mut reader = Reader::new(bytes);
    reader.expect(MAGIC, "a book of Egaroucid (`DICUORAGE`)")?;
    reader.expect(&[VERSION], "version 3 of Egaroucid's format")?;
    for _ in 0..reader.number()? {
        let position = reader.position()?;
        let error = reader.error("a value from -64 to 64 discs");
        let value = discs(reader.byte()?).ok_or(error)?;
        let source = evidence(reader.byte()?, position);
        // The number of lines.
        reader.number()?;
        let [score, square, level] = reader.take()?;
        // Egaroucid ignores a leaf that is no legal move, too.
        let leaf = legal(position, square).zip(discs(score));
        let leaf = leaf.map(|(square, score)| Leaf {
            square,
            score,
            source: evidence(level, position),
        });
        import.add(position, Some((source, value)), leaf);
    }
    reader.end()
}

/// Returns a book as the bytes of a file, with values in whole discs.
pub fn write(book: &Book) -> Vec<u8> {
    let book_level = book_level(book);
    let counts = line_counts(book);
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    bytes.extend((book.len() as u32).to_le_bytes());
    for (position, entry) in book.entries() {
        let leaf = entry.leaf.map(|leaf| {
            let level = level(leaf.source, position, book_level);
            (whole(leaf.score), leaf.square as u8, level)
        });
        let position_level = leaf.map_or(book_level, |(.., level)| level);
        let (value, square, level) = leaf.unwrap_or(NO_LEAF);
        bytes.extend(position.own().0.to_le_bytes());
        bytes.extend(position.opponent().0.to_le_bytes());
        bytes.extend([whole(entry.value).cast_unsigned(), position_level]);
        bytes.extend(counts[&position].to_le_bytes());
        bytes.extend([value.cast_unsigned(), square, level]);
    }
    bytes
}
