//! WTHOR, the database of the Fédération Française d'Othello: games (`.wtb`) and names (`.jou`, `.trn`).
//!
//! All numbers are little-endian. The header has 16 bytes: century, year, month and day of the file's creation; the
//! number of games (32 bits); the number of names (16 bits); the year of play (16 bits); the size of the board, where 0
//! means 8; the kind of file, 1 for solitaires; the number of empty squares of the theoretical score; an unused byte.
//! Records of 68 bytes (games), 20 bytes (players) or 26 bytes (tournaments) follow. Source: the FFO's description of
//! the format.

mod names;
mod write;

use std::io::{self, BufRead, ErrorKind, Read as _};

use othello_core::{Game, Square};

pub use names::{Names, NamesError, NumberError};
pub use write::{WriteError, Writer};

use crate::{
    Date, Outcome, Record, RecordError,
    error::{Fault, RecordErrorKind, filled},
};

/// The size of the header in bytes.
pub(crate) const HEADER: usize = 16;

/// The size of a game in bytes.
const GAME: usize = 68;

/// The creation date of every file, 1 January 2000, since this crate has no clock.
const MADE: [u8; 4] = [20, 0, 1, 1];

/// The maximum number of moves of a game, which has no passes.
const MOVES: usize = 60;

/// The tag of the theoretical score: Black's discs after best play, and the number of empty squares, as in `34/24`.
pub(crate) const THEORETICAL: &str = "THEORETICAL";

/// The header of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Century, year, month and day of the file's creation.
    made: [u8; 4],
    games: u32,
    names: u16,
    /// The year of play.
    year: u16,
    size: u8,
    kind: u8,
    /// The number of empty squares of the theoretical score.
    depth: u8,
}

impl Header {
    /// Decodes a header.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; HEADER] = bytes.first_chunk()?;
        let [
            a,
            b,
            c,
            d,
            n0,
            n1,
            n2,
            n3,
            m0,
            m1,
            y0,
            y1,
            size,
            kind,
            depth,
            _,
        ] = *bytes;
        Some(Self {
            made: [a, b, c, d],
            games: u32::from_le_bytes([n0, n1, n2, n3]),
            names: u16::from_le_bytes([m0, m1]),
            year: u16::from_le_bytes([y0, y1]),
            size,
            kind,
            depth,
        })
    }

    fn to_bytes(self) -> [u8; HEADER] {
        let [a, b, c, d] = self.made;
        let [n0, n1, n2, n3] = self.games.to_le_bytes();
        let [m0, m1] = self.names.to_le_bytes();
        let [y0, y1] = self.year.to_le_bytes();
        [
            a, b, c, d, n0, n1, n2, n3, m0, m1, y0, y1, self.size, self.kind, self.depth, 0,
        ]
    }

    /// Returns `true` if the creation date, the size and the kind are valid for a WTHOR file.
    pub(crate) const fn is_plausible(&self) -> bool {
        let [century, year, month, day] = self.made;
        matches!(century, 19..=21)
            && year < 100
            && month >= 1
            && month <= 12
            && day >= 1
            && day <= 31
            && self.kind <= 1
            && matches!(self.size, 0 | 4..=16)
    }

    /// Returns `true` for a file of names.
    pub(crate) const fn has_names(&self) -> bool {
        self.games == 0 && self.names > 0 && self.kind == 0
    }
}

/// Reads games. Players and tournaments are numbers with names in `names`; a number without a name is printed as in
/// `#349`.
pub fn read(
    input: impl BufRead,
    names: Names,
) -> impl Iterator<Item = Result<Record, RecordError>> {
    Games {
        input,
        offset: 0,
        names,
        header: None,
        read: 0,
        ended: false,
    }
}

struct Games<R> {
    input: R,
    /// The number of bytes read.
    offset: u64,
    names: Names,
    header: Option<Header>,
    /// The number of games read.
    read: u64,
    ended: bool,
}

impl<R: BufRead> Games<R> {
    /// Reads at most `count` bytes, or fewer at the end of the input.
    fn bytes(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(count);
        let mut input = self.input.by_ref().take(count as u64);
        input.read_to_end(&mut bytes)?;
        self.offset += bytes.len() as u64;
        Ok(bytes)
    }

    /// Returns the header, reading it before the first game.
    fn header(&mut self) -> Result<Header, RecordErrorKind> {
        if let Some(header) = self.header {
            return Ok(header);
        }
        let bytes = self.bytes(HEADER).map_err(RecordErrorKind::Io)?;
        let header = Header::read(&bytes).ok_or(RecordErrorKind::CutShort {
            expected: HEADER,
            found: bytes.len(),
        })?;
        if !header.is_plausible() {
            return Err(RecordErrorKind::Expected(
                "the header of a WTHOR file of games",
            ));
        }
        if header.kind != 0 {
            return Err(RecordErrorKind::Expected(
                "a WTHOR file of games, not one of solitaires, which are endgames",
            ));
        }
        if !matches!(header.size, 0 | 8) {
            return Err(RecordErrorKind::BoardSize {
                size: header.size.into(),
            });
        }
        if header.has_names() {
            return Err(RecordErrorKind::Expected(
                "a WTHOR file of games, not one of players or tournaments",
            ));
        }
        self.header = Some(header);
        Ok(header)
    }

    /// Reads the next game. An error of the file as a whole is the last one.
    fn next_game(&mut self) -> Result<Option<Result<Record, Fault>>, RecordErrorKind> {
        let header = self.header()?;
        let bytes = self.bytes(GAME).map_err(RecordErrorKind::Io)?;
        match bytes.len() {
            0 if self.read < u64::from(header.games) => Err(RecordErrorKind::Missing {
                expected: header.games.into(),
                found: self.read,
            }),
            0 => Ok(None),
            GAME => Ok(Some(game(&bytes, &header, &self.names))),
            found => Err(RecordErrorKind::CutShort {
                expected: GAME,
                found,
            }),
        }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let before = self.offset;
        let game = self.read + 1;
        let error = |offset, kind, record| RecordError {
            game,
            offset,
            kind,
            record,
        };
        match self.next_game() {
            Ok(next) => {
                self.read = game;
                let read = next?;
                Some(read.map_err(|fault| {
                    let offset = before + fault.offset as u64;
                    error(offset, fault.kind, Fault::part(fault.record))
                }))
            }
            Err(kind) => {
                self.ended = true;
                let interrupted = matches!(&kind, RecordErrorKind::Io(error) if error.kind() != ErrorKind::UnexpectedEof);
                let offset = if interrupted { self.offset } else { before };
                Some(Err(error(offset, kind, None)))
            }
        }
    }
}

/// Decodes a game.
fn game(bytes: &[u8], header: &Header, names: &Names) -> Result<Record, Fault> {
    filled(|record| fill(record, bytes, header, names))
}

fn fill(record: &mut Record, bytes: &[u8], header: &Header, names: &Names) -> Result<(), Fault> {
    let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    record.event = names.tournament(number(0));
    record.players.black.name = names.player(number(2));
    record.players.white.name = names.player(number(4));
    record.date = (header.year > 0).then(|| Date::year(header.year));
    let [discs, theoretical] = [bytes[6], bytes[7]];
    if header.depth > 0 {
        record.tag(THEORETICAL, &format!("{theoretical}/{}", header.depth));
    }
    if discs <= 64 {
        record.result = Some(Outcome::played(2 * i32::from(discs) - 64));
    }
    play(&mut record.game, &bytes[8..])?;
    match record.result {
        Some(_) => Ok(()),
        None => Err(Fault::expected(6, "a number of discs, 0 to 64")),
    }
}

/// Plays the moves, 10·row + column each, up to a 0.
fn play(game: &mut Game, bytes: &[u8]) -> Result<(), Fault> {
    let played = bytes.iter().take_while(|&&byte| byte != 0);
    for (index, &byte) in played.enumerate() {
        let offset = 8 + index;
        let square = u8::checked_sub(byte % 10, 1).zip(u8::checked_sub(byte / 10, 1));
        let square = square.and_then(|(column, row)| Square::new(column, row));
        let square = square.ok_or(Fault::expected(offset, "a square, 11 (a1) to 88 (h8)"))?;
        game.play_recorded(square)
            .map_err(|error| Fault::illegal(offset, index + 1, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
