//! Reading of shards.

use std::{
    fs::File,
    io::{BufReader, Read},
    path::{Path, PathBuf},
};

use super::{Header, RECORD, RecordError, ShardError, checksum};
use crate::record::GameRecord;

/// An iterator over the games of a shard, which checks their checksums. Another process may append
/// games at the same time.
#[derive(Debug)]
pub struct ShardReader<R = BufReader<File>> {
    path: PathBuf,
    input: R,
    header: Header,
    games: u64,
    /// The number of games read so far.
    read: u64,
    torn: u64,
}

impl ShardReader {
    /// Opens a shard.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or its header is invalid.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        let file = File::open(path).map_err(|source| ShardError::io(path, source))?;
        let length = file
            .metadata()
            .map_err(|source| ShardError::io(path, source))?;
        Self::new(path, BufReader::new(file), length.len())
    }
}

impl<R: Read> ShardReader<R> {
    /// Makes a reader of a shard of `length` bytes.
    pub(super) fn new(path: &Path, mut input: R, length: u64) -> Result<Self, ShardError> {
        let mut bytes = Vec::with_capacity(Header::BYTES);
        let beginning = &mut input.by_ref().take(Header::BYTES as u64);
        let read = beginning.read_to_end(&mut bytes);
        read.map_err(|source| ShardError::io(path, source))?;
        let header = Header::decode(&bytes).map_err(|error| ShardError::Header {
            path: path.into(),
            error,
        })?;
        let records = length.saturating_sub(Header::BYTES as u64);
        Ok(Self {
            path: path.into(),
            input,
            header,
            games: records / RECORD as u64,
            read: 0,
            torn: records % RECORD as u64,
        })
    }

    /// The header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The number of complete games in the shard when it was opened.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The number of bytes after the last complete game: a torn record, or one being written.
    pub const fn torn(&self) -> u64 {
        self.torn
    }

    fn next_game(&mut self) -> Result<GameRecord, ShardError> {
        let mut bytes = [0; RECORD];
        let read = self.input.read_exact(&mut bytes);
        read.map_err(|source| ShardError::io(&self.path, source))?;
        let number = self.header.part.game(self.read);
        self.read += 1;
        self.game_of(number, &bytes)
            .map_err(|error| self.record_error(error))
    }

    /// The error of the last record read, which is invalid.
    pub(crate) fn record_error(&self, error: RecordError) -> ShardError {
        let place = self.read.saturating_sub(1);
        ShardError::Record {
            path: self.path.clone(),
            offset: Header::BYTES as u64 + place * RECORD as u64,
            game: self.header.part.game(place),
            error,
        }
    }

    fn game_of(&self, number: u64, bytes: &[u8; RECORD]) -> Result<GameRecord, RecordError> {
        let (packed, stored) = bytes.split_at(GameRecord::BYTES);
        let expected = checksum(&self.header, number, packed);
        let found = stored
            .iter()
            .rev()
            .fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        if expected != found {
            return Err(RecordError::Checksum { expected, found });
        }
        let mut whole = [0; GameRecord::BYTES];
        whole.copy_from_slice(packed);
        Ok(GameRecord::unpack(&whole)?)
    }
}

impl<R: Read> Iterator for ShardReader<R> {
    type Item = Result<GameRecord, ShardError>;

    /// The next game, or an error, after which the following games can still be read.
    fn next(&mut self) -> Option<Self::Item> {
        (self.read < self.games).then(|| self.next_game())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.games - self.read) as usize;
        (left, Some(left))
    }
}
