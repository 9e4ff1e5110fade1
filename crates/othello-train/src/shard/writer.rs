//! Writing of shards.

use std::{
    io,
    path::{Path, PathBuf},
};

use boardgame_files::{AppendFile, AppendOptions, OpenError};

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
    file: AppendFile,
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
        let options = AppendOptions {
            lock: true,
            ..AppendOptions::default()
        };
        let mut file = AppendFile::open(path, options).map_err(|error| match error {
            OpenError::Locked => ShardError::Locked { path: path.into() },
            other => io(other.into()),
        })?;
        let games = if is_begun(&mut file, header).map_err(io)? {
            checked_games(path, &mut file, header)?
        } else {
            file.truncate(0).map_err(io)?;
            file.append(&header.encode()).map_err(io)?;
            0
        };
        file.truncate(size(games)).map_err(io)?;
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
        self.file.append(&record).map_err(|source| {
            // If this fails, the next writer that opens the shard truncates it.
            let _ = self.file.truncate(size(self.games));
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
        let synced = self.file.sync();
        synced.map_err(|source| ShardError::io(&self.path, source))
    }
}

/// The size of a shard of complete games in bytes.
const fn size(games: u64) -> u64 {
    Header::BYTES as u64 + games * RECORD as u64
}

/// Returns `true` if the file is not empty and not just the beginning of this header.
fn is_begun(file: &mut AppendFile, header: &Header) -> io::Result<bool> {
    let max = Header::BYTES as u64;
    Ok(file.size()? >= max || !header.encode().starts_with(&file.read(max)?))
}

/// Checks every complete game of the file and returns their number.
fn checked_games(path: &Path, file: &mut AppendFile, header: &Header) -> Result<u64, ShardError> {
    let io = |source| ShardError::io(path, source);
    let length = file.size().map_err(io)?;
    let reader = ShardReader::new(path, file.reader().map_err(io)?, length)?;
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
