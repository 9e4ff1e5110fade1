//! A shard that grows.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufReader, Seek as _, Write as _},
    path::{Path, PathBuf},
};

use super::{Header, RECORD, ShardError, ShardReader, checksum};
use crate::record::GameRecord;

/// A shard open for writing by this process alone.
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
    /// Locked until it is closed.
    file: File,
    header: Header,
    games: u64,
}

impl ShardWriter {
    /// Makes a shard, or opens it to go on; a record that a killed writer left torn is taken away.
    ///
    /// # Errors
    ///
    /// When the file cannot be used, another process writes it, it holds other games, or one of
    /// its games is not as it was written.
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

    /// How many games it holds.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The number of the game to be added next.
    pub const fn next_game(&self) -> u64 {
        self.header.part.game(self.games)
    }

    /// Adds the [next game](Self::next_game), which a kill of this process no longer loses.
    ///
    /// # Errors
    ///
    /// When it cannot be written; nothing of it is left then, if the system allows.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), ShardError> {
        let packed = game.pack();
        let checksum = checksum(&self.header, self.next_game(), &packed);
        let mut record = [0; RECORD];
        record[..packed.len()].copy_from_slice(&packed);
        record[packed.len()..].copy_from_slice(&checksum.to_le_bytes());
        let written = self.file.write_all(&record);
        written.map_err(|source| {
            let whole = Header::BYTES as u64 + self.games * RECORD as u64;
            // The next to open the shard does it otherwise.
            let _ = self.file.set_len(whole);
            ShardError::io(&self.path, source)
        })?;
        self.games += 1;
        Ok(())
    }

    /// Waits until all games are on the disk, where a failure of the machine no longer loses them.
    ///
    /// # Errors
    ///
    /// When the system does not bring them there.
    pub fn sync(&self) -> Result<(), ShardError> {
        let synced = self.file.sync_data();
        synced.map_err(|source| ShardError::io(&self.path, source))
    }
}

/// Whether the file is more than a header that was not written to its end.
fn is_begun(file: &mut File, length: u64, header: &Header) -> io::Result<bool> {
    if length >= Header::BYTES as u64 {
        return Ok(true);
    }
    let mut bytes = Vec::new();
    io::Read::read_to_end(file, &mut bytes)?;
    file.rewind()?;
    Ok(!header.encode().starts_with(&bytes))
}

/// How many whole games the file has, each of them checked.
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
