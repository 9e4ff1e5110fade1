//! Opening books: a reader in place, and the choice of a move.

mod file;

use std::{
    borrow::Cow,
    fmt,
    fs::File,
    io::{self, ErrorKind, Read as _},
    path::Path,
    sync::Arc,
};

use othello_core::{Move, Position, Square};

pub use file::{BookError, LeafRecord, Record, to_bytes};

use file::{HEADER, RECORD};

/// The maximum size of a file, in bytes.
const MAX_SIZE: u64 = 1 << 32;

/// An opening book, read in the bytes of its file: canonical positions with the values of their best moves.
#[derive(Clone, PartialEq, Eq)]
pub struct OpeningBook {
    bytes: Cow<'static, [u8]>,
    weights: u32,
}

/// The use of an opening book by an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookPlay {
    /// The book.
    pub book: Arc<OpeningBook>,
    /// The most that a move may lose, in hundredths of a disc.
    pub margin: u16,
    /// Enables the book also for searches with a limit on depth or nodes. It never applies to the moves of a
    /// [person](crate::Strength::person).
    pub at_any_strength: bool,
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

    /// Reads a file like [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is no book.
    pub fn read(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let size = file.metadata()?.len().min(MAX_SIZE);
        let mut bytes = Vec::with_capacity(size as usize);
        file.take(MAX_SIZE).read_to_end(&mut bytes)?;
        Self::new(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
    }

    /// Returns the built-in book, which belongs to the built-in weights. A program that never calls this is linked
    /// without it.
    ///
    /// # Panics
    ///
    /// Panics if the program was built with a file that is no book.
    pub fn built_in() -> Self {
        let bytes = include_bytes!("../book/othello.book").as_slice();
        Self::new(bytes).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the checksum of the weights that evaluated the moves.
    pub const fn weights(&self) -> u32 {
        self.weights
    }

    /// Returns the CRC-32 of all records, which distinguishes the book from others.
    pub fn checksum(&self) -> u32 {
        file::records_checksum(&self.bytes)
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
        let stays = successors(position)
            .into_iter()
            .filter_map(|(square, next, passes)| {
                let value = self.find(next)?.value;
                Some(BookMove {
                    square,
                    value: if passes { value } else { -value },
                    stays: true,
                })
            });
        let mut moves: Vec<BookMove> = stays.collect();
        let legal = |leaf: &LeafRecord| position.legal_moves().contains(leaf.square);
        moves.extend(record.leaf.filter(legal).map(|leaf| BookMove {
            square: leaf.square,
            value: leaf.value,
            stays: false,
        }));
        moves.sort_by_key(|mv| (-mv.value, !mv.stays, mv.square));
        moves
    }

    /// Returns a move that stays in the book and loses at most `margin` hundredths of a disc against the best known
    /// move, or `None` if there is none.
    ///
    /// Without a margin it is the best move, the first if several are equal. With one it is drawn by a random number:
    /// a move that loses nothing has the weight `margin` + 1, and one less for each hundredth that it loses.
    pub fn choose(&self, position: Position, margin: u16, random: u64) -> Option<BookMove> {
        let moves = self.moves(position);
        let least = i32::from(moves.first()?.value) - i32::from(margin);
        let weight = |mv: &BookMove| u64::try_from(i32::from(mv.value) - least + 1).unwrap_or(0);
        let drawn = moves.iter().filter(|mv| mv.stays && weight(mv) > 0);
        let total: u64 = drawn.clone().map(weight).sum();
        let mut rest = if margin > 0 {
            random.checked_rem(total)?
        } else {
            0
        };
        let is_drawn = |mv: &&BookMove| match rest.checked_sub(weight(mv)) {
            Some(less) => {
                rest = less;
                false
            }
            None => true,
        };
        drawn.into_iter().find(is_drawn).copied()
    }

    /// Returns the line of best known moves that begins with a legal move, to the first move that leads out of the
    /// book; includes passes.
    pub fn line(&self, mut position: Position, square: Square) -> Vec<Move> {
        let (mut line, mut best) = (Vec::new(), Some(square));
        while let Some(square) = best {
            line.push(square.into());
            position = position.play_unchecked(square);
            if position.must_pass() {
                line.push(Move::Pass);
                position = position.passed();
            }
            best = self.moves(position).first().map(|mv| mv.square);
        }
        line
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

/// Returns the moves after which a side has a move, one of those that are images of each other, each with [`next`].
pub fn successors(position: Position) -> Vec<(Square, Position, bool)> {
    let mut successors: Vec<(Square, Position, bool)> = Vec::new();
    for square in position.legal_moves() {
        let Some((next, passes)) = next(position, square) else {
            continue;
        };
        if !successors
            .iter()
            .any(|known| (known.1, known.2) == (next, passes))
        {
            successors.push((square, next, passes));
        }
    }
    successors
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    use othello_core::Game;
    use othello_search::eval::Network;

    /// A transcript, its value in hundredths of a disc, and its best move out of the book with its value.
    type Known<'a> = (&'a str, i16, Option<(Square, i16)>);

    pub(crate) fn book(positions: &[Known<'_>]) -> OpeningBook {
        let record = |&(moves, value, leaf): &Known<'_>| {
            let game: Game = moves.parse().unwrap();
            let (position, symmetry) = game.board().position().canonical();
            let leaf = leaf.map(|(square, value)| LeafRecord {
                square: symmetry.square(square),
                value,
                effort: Some((10, 79)),
            });
            Record {
                position,
                value,
                leaf,
            }
        };
        let mut records: Vec<Record> = positions.iter().map(record).collect();
        records.sort_by_key(|record| record.position);
        OpeningBook::new(to_bytes(7, records)).unwrap()
    }

    /// After f5, d6 loses nothing, f6 0.3 discs and f4 one.
    const REPLIES: &[Known<'_>] = &[
        ("f5", 10, Some((Square::F4, -90))),
        ("f5d6", -10, None),
        ("f5f6", 20, None),
    ];

    fn position(moves: &str) -> Position {
        moves.parse::<Game>().unwrap().board().position()
    }

    #[test]
    fn the_built_in_book_belongs_to_the_built_in_weights() {
        let book = OpeningBook::built_in();
        assert_eq!(book.weights(), Network::built_in_checksum());
        assert!(book.bytes.len() <= 400_000);
        let (len, records, weights) = (book.len(), book.checksum(), book.weights());
        let manifest = format!("| {len} | `{records:08x}` | `{weights:08x}` |");
        assert!(
            include_str!("../book/README.md").contains(&manifest),
            "{manifest}"
        );
        assert!(book.choose(Position::START, 0, 0).is_some());
        assert!(book.records().all(|record| record.is_ok()));
    }

    #[test]
    fn without_a_margin_the_best_move_is_chosen_if_it_stays_in_the_book() {
        let best = book(REPLIES).choose(position("f5"), 0, 3);
        assert_eq!(best.map(|mv| (mv.square, mv.value)), Some((Square::D6, 10)));
        let mut out = REPLIES.to_vec();
        out[0] = ("f5", 11, Some((Square::F4, 11)));
        let book = book(&out);
        assert_eq!(book.choose(position("f5"), 0, 3), None);
        let near = book.choose(position("f5"), 1, 3).map(|mv| mv.square);
        assert_eq!(near, Some(Square::D6));
        assert_eq!(book.choose(position("f5d6c3"), 100, 3), None);
    }

    #[test]
    fn a_move_is_drawn_the_more_often_the_less_it_loses() {
        let book = book(REPLIES);
        let share = |margin: u16| {
            let draws = (0..u64::from(2 * margin))
                .map(|random| book.choose(position("f5"), margin, random));
            let squares: Vec<Square> = draws.map(|mv| mv.unwrap().square).collect();
            let count = |square| squares.iter().filter(|&&drawn| drawn == square).count();
            (count(Square::D6), count(Square::F6), count(Square::F4))
        };
        assert_eq!(share(29), (58, 0, 0));
        // The weights are 61 and 31.
        assert_eq!(share(60), (61 + 28, 31, 0));
    }

    #[test]
    fn a_line_ends_with_the_first_move_out_of_the_book() {
        let line = book(REPLIES).line(position("f5"), Square::D6);
        assert_eq!(line, [Square::D6.into()]);
        let mut longer = REPLIES.to_vec();
        longer[1] = ("f5d6", -10, Some((Square::C3, -10)));
        let line = book(&longer).line(Position::START, Square::F5);
        assert_eq!(line, [Square::F5, Square::D6, Square::C3].map(Move::from));
    }

    #[test]
    fn a_record_against_the_rules_gives_no_illegal_move() {
        let book = book(&[("f5", 10, Some((Square::A1, 10))), ("f5d6", -7000, None)]);
        assert_eq!(book.moves(position("f5")), []);
        let read: Vec<_> = book.records().filter_map(Result::err).collect();
        assert!(matches!(read[..], [BookError::Record { .. }]));
    }
}
