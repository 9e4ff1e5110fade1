//! Writing of shards.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufReader, Seek as _, Write as _},
    path::{Path, PathBuf},
};

use super::{Header, RECORD, ShardError, ShardReader, checksum};
use crate::record::GameRecord;

/// A shard opened and locked for appending.
///
/// # Examples
///
/// ```
/// use othello_train::{Player, Recipe, shard::{Header, Part, ShardReader, ShardWriter}};
///
/// let recipe = Recipe { depth: 0, solve_from: 6, ..Recipe::default() };
/// let mut player = Player::new(&recipe);
/// let header = Header { recipe, part: Part::WHOLE, player: player.signature()? };
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join(header.file_name());
///
/// let mut writer = ShardWriter::open(&path, &header)?;
/// writer.append(&player.play(writer.next_game())?)?;
/// drop(writer);
/// assert_eq!(ShardWriter::open(&path, &header)?.next_game(), 1);
/// let games: Result<Vec<_>, _> = ShardReader::open(&path)?.collect();
/// assert_eq!(games?, [player.play(0)?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ShardWriter {
    path: PathBuf,
    /// The file, locked until it is closed.
    file: File,
    header: Header,
    games: u64,
}

impl ShardWriter {
    /// Creates a shard, or opens it to be continued; a torn record at the end is removed.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be used, if another process is writing it, if its header differs, or
    /// if a record is invalid.
    pub fn open(path: &Path, header: &Header) -> Result<Self, ShardError> {
        let io = |source| ShardError::io(path, source);
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(io)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => ShardError::Locked { path: path.into() },
            TryLockError::Error(source) => io(source),
        })?;
        let length = file.metadata().map_err(io)?.len();
        let games = if is_begun(&mut file, length, header).map_err(io)? {
            checked_games(path, &file, length, header)?
        } else {
            file.set_len(0).map_err(io)?;
            file.write_all(&header.encode()).map_err(io)?;
            0
        };
        file.set_len(Header::BYTES as u64 + games * RECORD as u64)
            .map_err(io)?;
        Ok(Self {
            path: path.into(),
            file,
            header: *header,
            games,
        })
    }

    /// The number of games in the shard.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The number of the game to be appended next.
    pub const fn next_game(&self) -> u64 {
        self.header.part.game(self.games)
    }

    /// Appends the [next game](Self::next_game). It then survives a kill of this process, but not
    /// a crash of the machine: see [`sync`](Self::sync).
    ///
    /// # Errors
    ///
    /// Fails if the game cannot be written; the file is then truncated to its complete games if
    /// possible.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), ShardError> {
        let packed = game.pack();
        let checksum = checksum(&self.header, self.next_game(), &packed);
        let mut record = [0; RECORD];
        record[..packed.len()].copy_from_slice(&packed);
        record[packed.len()..].copy_from_slice(&checksum.to_le_bytes());
        let written = self.file.write_all(&record);
        written.map_err(|source| {
            let whole = Header::BYTES as u64 + self.games * RECORD as u64;
            // If this fails, the next writer that opens the shard truncates it.
            let _ = self.file.set_len(whole);
            ShardError::io(&self.path, source)
        })?;
        self.games += 1;
        Ok(())
    }

    /// Waits until all games are on disk, where they survive a crash of the machine.
    ///
    /// # Errors
    ///
    /// Fails if the system reports an error.
    pub fn sync(&self) -> Result<(), ShardError> {
        let synced = self.file.sync_data();
        synced.map_err(|source| ShardError::io(&self.path, source))
    }
}

/// Returns `true` if the file is not empty and not just the beginning of this header.
fn is_begun(file: &mut File, length: u64, header: &Header) -> io::Result<bool> {
    if length >= Header::BYTES as u64 {
        return Ok(true);
    }
    let mut bytes = Vec::new();
    io::Read::read_to_end(file, &mut bytes)?;
    file.rewind()?;
    Ok(!header.encode().starts_with(&bytes))
}

/// Checks every complete game of the file and returns their number.
fn checked_games(
    path: &Path,
    file: &File,
    length: u64,
    header: &Header,
) -> Result<u64, ShardError> {
    let reader = ShardReader::new(path, BufReader::new(file), length)?;
    if reader.header() != header {
        return Err(ShardError::Other {
            path: path.into(),
            expected: *header,
            found: *reader.header(),
        });
    }
    let games = reader.games();
    for game in reader {
        game?;
    }
    Ok(games)
}
