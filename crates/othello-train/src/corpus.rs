//! The games of several shards as one sequence, and the choice of held-out games.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use boardgame_shard::{PartError, part_files};
use othello_core::{Position, Problem};

use crate::{
    games::{self, GamesHeader, GamesReader},
    openings,
    random::mix,
    record::{GameRecord, ReplayError, Sample},
    targets::Targets,
};

/// Shards that are read together. Games added to a shard after the corpus was opened are not read.
#[derive(Clone, Debug)]
pub struct Corpus {
    shards: Vec<ShardOfGames>,
    torn: Vec<TornShard>,
    openings: Vec<Sample>,
    targets: Targets,
}

/// A shard as it was when the corpus was opened.
#[derive(Clone, Debug)]
struct ShardOfGames {
    path: PathBuf,
    /// The number of games.
    games: u64,
    /// The checksum of all lines.
    checksum: u32,
}

/// A shard that ends with an incomplete record, which is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TornShard {
    /// The file.
    pub path: PathBuf,
    /// The number of bytes after its last complete game.
    pub bytes: u64,
}

/// An error of opening or reading a corpus.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// There are no games.
    #[error("expected shards of games, found none")]
    Empty,
    /// Two shards have games in common.
    #[error("{} has games of {} too", path.display(), other.display())]
    Overlap {
        /// The later of the two shards.
        path: PathBuf,
        /// The earlier one.
        other: PathBuf,
    },
    /// A shard has fewer games than when the corpus was opened.
    #[error("{}: expected {expected} games, found {found}", path.display())]
    Truncated {
        /// The shard.
        path: PathBuf,
        /// The number of games when the corpus was opened.
        expected: u64,
        /// The number of games now.
        found: u64,
    },
    /// A shard cannot be read.
    #[error(transparent)]
    Part(#[from] PartError),
}

/// The minimum number of samples of openings for each number of discs.
const MIN_OPENINGS: usize = 10_000;

impl Corpus {
    /// Opens shards. A path is a file, or a folder with files that end in `.games` or `.games.begun`.
    ///
    /// # Errors
    ///
    /// Fails if a shard cannot be opened, two have games in common, or there are no games.
    pub fn open(paths: &[PathBuf]) -> Result<Self, CorpusError> {
        let (mut shards, mut torn, mut distinct) =
            (Vec::new(), Vec::new(), DisjointShards::default());
        for path in part_files(paths, games::EXTENSION)? {
            let mut reader = GamesReader::open(&path)?;
            distinct.add(&path, *reader.header())?;
            let checksum = reader.skip_all()?;
            if reader.torn() > 0 {
                torn.push(TornShard {
                    path: path.clone(),
                    bytes: reader.torn(),
                });
            }
            shards.push(ShardOfGames {
                games: reader.read(),
                checksum,
                path,
            });
        }
        let corpus = Self {
            shards,
            torn,
            openings: Vec::new(),
            targets: Targets::default(),
        };
        if corpus.is_empty() {
            return Err(CorpusError::Empty);
        }
        Ok(corpus)
    }

    /// Adds positions with their values, distributed evenly among the training samples; none is held
    /// out. If there are fewer than 10,000 with some number of discs, they are repeated to about that
    /// number.
    #[must_use]
    pub fn with_openings(self, problems: &[Problem]) -> Self {
        let openings = openings::samples(problems, MIN_OPENINGS);
        Self { openings, ..self }
    }

    /// Sets the targets of training samples; those of held-out games are the final scores.
    #[must_use]
    pub fn with_targets(self, targets: Targets) -> Self {
        Self { targets, ..self }
    }

    pub(crate) const fn targets(&self) -> &Targets {
        &self.targets
    }

    /// The opening samples, including repetitions.
    pub(crate) fn openings(&self) -> &[Sample] {
        &self.openings
    }

    /// A checksum of the shards, of what was read from each, the openings and the targets.
    ///
    /// # Errors
    ///
    /// Fails if a shard can no longer be opened.
    pub fn signature(&self) -> Result<u32, CorpusError> {
        let mut hasher = crc32fast::Hasher::new();
        for shard in &self.shards {
            hasher.update(&shard.games.to_le_bytes());
            hasher.update(&shard.checksum.to_le_bytes());
        }
        for Sample { position, score } in &self.openings {
            hasher.update(&position.own().0.to_le_bytes());
            hasher.update(&position.opponent().0.to_le_bytes());
            hasher.update(&score.to_le_bytes());
        }
        hasher.update(&self.targets.signature());
        Ok(hasher.finalize())
    }

    /// The shards that ended with an incomplete record when the corpus was opened.
    pub fn torn(&self) -> &[TornShard] {
        &self.torn
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.games).sum()
    }

    /// Returns `true` if there are no games, which [`Corpus::open`] rejects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads all games once, with those of different shards evenly interleaved.
    ///
    /// # Errors
    ///
    /// Fails if a shard can no longer be opened.
    pub fn games(&self) -> Result<Games, CorpusError> {
        let open = |shard: &ShardOfGames| Ok((GamesReader::open(&shard.path)?, shard.games));
        let shards: Result<_, CorpusError> = self.shards.iter().map(open).collect();
        Ok(Games {
            read: vec![0; self.shards.len()],
            shards: shards?,
            last: 0,
            values: Vec::new(),
        })
    }
}

/// A list of shards that have no games in common.
#[derive(Default)]
pub(crate) struct DisjointShards(Vec<(PathBuf, GamesHeader)>);

impl DisjointShards {
    /// Adds a shard.
    ///
    /// # Errors
    ///
    /// Fails if the shard has games in common with another.
    pub(crate) fn add(&mut self, path: &Path, header: GamesHeader) -> Result<(), CorpusError> {
        let path = path.to_owned();
        let mut before = self.0.iter();
        if let Some((other, _)) = before.find(|(_, other)| other.overlaps(&header)) {
            let other = other.clone();
            return Err(CorpusError::Overlap { path, other });
        }
        self.0.push((path, header));
        Ok(())
    }
}

/// The files of a folder with an extension, sorted by name.
pub(crate) fn list_files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut files: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == extension));
    // The order in which the system lists files must not affect the result.
    files.sort_unstable();
    Ok(files)
}

/// The games of a corpus, in order.
#[derive(Debug)]
pub struct Games {
    shards: Vec<(GamesReader, u64)>,
    read: Vec<u64>,
    /// The shard of the last game.
    last: usize,
    /// The values of the last game that was replayed.
    values: Vec<i16>,
}

impl Games {
    /// The number of empty squares from which the last game was played perfectly.
    pub(crate) fn solve_from(&self) -> u32 {
        u32::from(self.shards[self.last].0.header().recipe.solve_from)
    }

    /// The [values](GameRecord::values) of the last game that was replayed.
    pub(crate) fn values(&self) -> &[i16] {
        &self.values
    }

    /// Replaces `samples` by those of the next game and returns the game's final position, or `None`
    /// after the last game.
    pub(crate) fn replay(
        &mut self,
        samples: &mut Vec<Sample>,
    ) -> Option<Result<Position, CorpusError>> {
        samples.clear();
        let replayed = self.next()?.map(|game| {
            self.values.clear();
            self.values.extend_from_slice(game.values());
            game.samples(samples)
        });
        let record_error = |error: ReplayError| self.shards[self.last].0.record_error(error).into();
        Some(replayed.and_then(|last| last.map_err(record_error)))
    }

    /// Replaces `samples` by those of the next held-out game, or returns `None` after the last one.
    pub(crate) fn replay_held_out(
        &mut self,
        split: Split,
        samples: &mut Vec<Sample>,
    ) -> Option<Result<(), CorpusError>> {
        loop {
            match self.replay(samples)? {
                Ok(last) if split.holds_out(last) => return Some(Ok(())),
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Iterator for Games {
    type Item = Result<GameRecord, CorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        // The shard of which the smallest share has been read, the first of those if equal.
        let share_read = |&at: &usize| {
            let of = self.shards[at].1;
            (u128::from(self.read[at]) << 64) / u128::from(of)
        };
        let unfinished = (0..self.shards.len()).filter(|&at| self.read[at] < self.shards[at].1);
        let at = unfinished.min_by_key(share_read)?;
        self.read[at] += 1;
        self.last = at;
        let (reader, expected) = &mut self.shards[at];
        let game = reader.next().ok_or_else(|| CorpusError::Truncated {
            path: reader.path(),
            expected: *expected,
            found: reader.read(),
        });
        Some(game.and_then(|game| game.map_err(CorpusError::from)))
    }
}

/// The choice of games that are held out of training, for validation.
///
/// It depends on a game's final position up to symmetry, so that the images of a game under the
/// symmetries of the board are on the same side of the split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// One in this number of games is held out, none if it is 0.
    pub one_in: u32,
}

impl Default for Split {
    /// One in 20.
    fn default() -> Self {
        Self { one_in: 20 }
    }
}

impl Split {
    /// Returns `true` if the game that ends in position `last` is held out.
    pub fn holds_out(self, last: Position) -> bool {
        let (canonical, _) = last.canonical();
        let key = mix(mix(canonical.own().0) ^ canonical.opponent().0);
        self.one_in != 0 && key.is_multiple_of(u64::from(self.one_in))
    }
}

#[cfg(test)]
mod tests {
    use boardgame_shard::Shard;
    use othello_core::Symmetry;

    use super::*;
    use crate::{generate::play_shard, player::Recipe};

    fn random_games(folder: &Path, seed: u64, part: &str, games: u64) -> Vec<GameRecord> {
        let recipe = Recipe {
            seed,
            depth: 0,
            solve_from: 0,
            ..Recipe::default()
        };
        play_shard(folder, recipe, games, part);
        let shard: Shard = part.parse().unwrap();
        let name = format!("seed{seed}-{}of{}.games", shard.index(), shard.count());
        let reader = GamesReader::open(&folder.join(name)).unwrap();
        reader.map(Result::unwrap).collect()
    }

    #[test]
    fn shards_are_interleaved_and_do_not_grow() {
        let folder = tempfile::tempdir().unwrap();
        let few = random_games(folder.path(), 1, "0/1", 2);
        let many = random_games(folder.path(), 2, "0/1", 5);
        let corpus = Corpus::open(&[folder.path().into()]).unwrap();
        let read = || -> Vec<GameRecord> { corpus.games().unwrap().map(Result::unwrap).collect() };
        let expected = [
            &few[0], &many[0], &many[1], &many[2], &few[1], &many[3], &many[4],
        ];
        assert!(read().iter().eq(expected), "{:?}", read());
        let path = folder.path().join("seed2-0of1.games");
        fs::remove_file(&path).unwrap();
        random_games(folder.path(), 2, "0/1", 9);
        assert!(read().iter().eq(expected));
        assert_eq!(corpus.len(), 7);
        let other = tempfile::tempdir().unwrap();
        random_games(other.path(), 1, "0/1", 2);
        random_games(other.path(), 3, "0/1", 5);
        let other = Corpus::open(&[other.path().into()]).unwrap();
        assert_ne!(other.signature().unwrap(), corpus.signature().unwrap());
        fs::remove_file(&path).unwrap();
        random_games(folder.path(), 2, "0/1", 2);
        let error = corpus.games().unwrap().find_map(Result::err).unwrap();
        let error = error.to_string();
        assert!(
            error.ends_with("seed2-0of1.games: expected 5 games, found 2"),
            "{error}"
        );
    }

    #[test]
    fn a_torn_shard_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        random_games(folder.path(), 1, "0/1", 5);
        let open = || Corpus::open(&[folder.path().into()]).unwrap();
        assert_eq!(open().torn(), []);
        let path = folder.path().join("seed1-0of1.games");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let corpus = open();
        assert!((1..5).contains(&corpus.len()));
        let [torn] = corpus.torn() else {
            panic!("{:?}", corpus.torn())
        };
        assert_eq!(torn.path, path);
        let whole = bytes[..bytes.len() / 2].iter().rev();
        let expected = whole.take_while(|&&byte| byte != b'\n').count();
        assert_eq!(torn.bytes, expected as u64);
    }

    #[test]
    fn opening_fails_without_games() {
        let folder = tempfile::tempdir().unwrap();
        let error = Corpus::open(&[folder.path().into()]).unwrap_err();
        assert!(matches!(error, CorpusError::Empty), "{error}");
        let missing = folder.path().join("none.games");
        let error = Corpus::open(&[missing]).unwrap_err();
        assert!(
            matches!(error, CorpusError::Part(PartError::Io { .. })),
            "{error}"
        );
    }

    #[test]
    fn one_in_n_games_is_held_out_with_its_images() {
        let folder = tempfile::tempdir().unwrap();
        let games = random_games(folder.path(), 1, "0/1", 2000);
        let split = Split { one_in: 10 };
        let mut held_out = 0;
        for game in &games {
            let last = game.samples(&mut Vec::new()).unwrap();
            held_out += u32::from(split.holds_out(last));
            for symmetry in Symmetry::ALL {
                let image = symmetry.position(last);
                assert_eq!(split.holds_out(image), split.holds_out(last));
            }
        }
        // Five standard deviations around 200.
        assert!((133..267).contains(&held_out), "{held_out}");
        assert!(!Split { one_in: 0 }.holds_out(Position::START));
    }
}
