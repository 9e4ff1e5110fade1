//! Writing of files of games.

use std::io::{self, Seek, SeekFrom, Write};

use othello_core::{Board, Color, Empties, Move, Square};

use super::{Header, MADE, MOVES, Names, THEORETICAL, names::NumberError};
use crate::{Format, Outcome, Record};

/// A writer of a `.wtb` file, and of the names for its numbers.
///
/// # Examples
///
/// ```
/// use std::io::Cursor;
///
/// use othello_records::{Record, wthor::{Names, Writer, read}};
///
/// let mut record = Record::from("f5d6c3".parse::<othello_core::Game>()?);
/// record.players.black.name = "Emmanuel".into();
/// let mut file = Cursor::new(Vec::new());
/// let mut writer = Writer::new(&mut file, Names::default())?;
/// writer.write(&record)?;
/// let (_, names) = writer.finish()?;
///
/// let again = read(file.get_ref().as_slice(), names).next().unwrap()?;
/// assert_eq!(again.players.black.name, "Emmanuel");
/// assert_eq!(again.game, record.game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    names: Names,
    header: Header,
}

/// The error of writing a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum WriteError {
    /// The game starts from another board.
    #[error("expected a game from the standard start, which is all that the format {} holds", format.name())]
    Start { format: Format },
    /// The game has no moves, so its transcript would be empty.
    #[error("expected a game with moves, since a transcript has nothing else")]
    NoMoves,
    /// The format is not text.
    #[error("expected a format of text, found wthor")]
    NotText,
    /// The game is from another year.
    #[error("expected games of {expected}, since a WTHOR file holds a single year, found {found}")]
    Year { expected: u16, found: u16 },
    /// The theoretical scores are for another number of empty squares.
    #[error(
        "expected theoretical scores at {expected} empty squares, as in the games before, found {found}"
    )]
    Depth { expected: u8, found: u8 },
    /// A player or tournament cannot be given a number.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl<W: Write + Seek> Writer<W> {
    /// Starts a file. Players and tournaments are numbered by `names`, to which new ones are added.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn new(mut output: W, names: Names) -> io::Result<Self> {
        let header = Header {
            made: MADE,
            games: 0,
            names: 0,
            year: 0,
            size: 8,
            kind: 0,
            depth: 0,
        };
        output.write_all(&header.to_bytes())?;
        Ok(Self {
            output,
            names,
            header,
        })
    }

    /// Writes a game. If it is rejected, the file is unchanged.
    ///
    /// # Errors
    ///
    /// Fails if WTHOR cannot hold the game, if it is from another year than the games before, or if writing fails.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        if record.game.start() != Board::START {
            let format = Format::Wthor;
            return Err(WriteError::Start { format });
        }
        let header = self.header_with(record)?;
        let numbers = [
            self.names.number_of_tournament(&record.event)?,
            self.names.number_of_player(&record.players.black.name)?,
            self.names.number_of_player(&record.players.white.name)?,
        ];
        let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u16::to_le_bytes).collect();
        let discs = discs(record);
        let theoretical = theoretical(record).map_or(discs, |(best, _)| best);
        bytes.extend([discs, theoretical]);
        let squares = record.game.moves().iter().filter_map(|mv| match mv {
            Move::Place(square) => Some(*square),
            Move::Pass => None,
        });
        bytes.extend(squares.map(number));
        bytes.resize(8 + MOVES, 0);
        self.output.write_all(&bytes)?;
        self.header = header;
        Ok(())
    }

    /// The header including this game.
    fn header_with(&self, record: &Record) -> Result<Header, WriteError> {
        let mut header = self.header;
        header.games += 1;
        let year = record.date.as_ref().map_or(0, |date| date.year);
        if self.header.games > 0 && year != header.year {
            let (expected, found) = (header.year, year);
            return Err(WriteError::Year { expected, found });
        }
        header.year = year;
        let depth = theoretical(record).map_or(0, |(_, depth)| depth);
        if self.header.games > 0 && depth != header.depth {
            let (expected, found) = (header.depth, depth);
            return Err(WriteError::Depth { expected, found });
        }
        header.depth = depth;
        Ok(header)
    }

    /// Writes the number of games to the header, and returns the output and the names of the numbers in the file.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn finish(mut self) -> io::Result<(W, Names)> {
        self.output.seek(SeekFrom::Start(0))?;
        self.output.write_all(&self.header.to_bytes())?;
        self.output.flush()?;
        Ok((self.output, self.names))
    }
}

/// The number of a square, 10·row + column.
const fn number(square: Square) -> u8 {
    10 * (square.row() + 1) + square.column() + 1
}

/// Black's discs, with empty squares to the winner: the board's if the result follows from it or none is recorded,
/// otherwise the recorded ones. A recorded win without discs counts as 64 or 0.
fn discs(record: &Record) -> u8 {
    let recorded = record.result.filter(|_| !record.result_follows());
    let by_winner = |outcome: Outcome| match outcome.winner {
        Some(Color::Black) => 64,
        Some(Color::White) => -64,
        None => 0,
    };
    let discs = match recorded {
        Some(outcome) => outcome.discs().unwrap_or_else(|| by_winner(outcome)),
        None => record.board_score(Empties::ToWinner),
    };
    (64 + discs).div_euclid(2) as u8
}

/// Black's discs after best play, and the number of empty squares at which they were computed.
fn theoretical(record: &Record) -> Option<(u8, u8)> {
    let (_, value) = record.tags.iter().find(|(name, _)| name == THEORETICAL)?;
    let (best, depth) = value.split_once('/')?;
    let depth = depth.parse().ok().filter(|&depth: &u8| depth > 0)?;
    Some((best.parse().ok()?, depth))
}
