//! The games of many shards, as one sequence, and which of them are held out.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use othello_core::{Position, Problem};

use crate::{
    openings,
    random::mix,
    record::{GameRecord, ReplayError, Sample},
    shard::{Header, ShardError, ShardReader},
    teacher::Teacher,
};

/// Shards that are read together, with as many games as each had when the corpus was opened.
#[derive(Clone, Debug)]
pub struct Corpus {
    shards: Vec<(PathBuf, u64)>,
    torn: Vec<TornShard>,
    openings: Vec<Sample>,
    teacher: Option<Teacher>,
}

/// A shard that ends with part of a game, which is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TornShard {
    /// The file.
    pub path: PathBuf,
    /// The bytes after its last whole game.
    pub bytes: u64,
}

/// Shards that cannot be read together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// A folder that cannot be listed.
    #[error("cannot list {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Nothing to read.
    #[error("expected shards of games, found none")]
    Empty,
    /// Two shards of parts that have games in common.
    #[error("{} has games of {} too", path.display(), other.display())]
    Overlap {
        /// A shard.
        path: PathBuf,
        /// One before it.
        other: PathBuf,
    },
    /// A shard that has fewer games than when the corpus was opened.
    #[error("{}: expected {expected} games, found {found}", path.display())]
    Shrunk {
        /// The shard.
        path: PathBuf,
        /// Its games at first.
        expected: u64,
        /// Its games now.
        found: u64,
    },
    /// A shard that cannot be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

/// The samples of openings with each number of discs, at least.
const LEAST_OPENINGS: usize = 10_000;

impl Corpus {
    /// Opens shards: files, or folders, of which it takes each file that ends in `.games`.
    ///
    /// # Errors
    ///
    /// When one of them cannot be opened, two have games in common, or there is no game in any.
    pub fn open(paths: &[PathBuf]) -> Result<Self, CorpusError> {
        let (mut shards, mut torn, mut distinct) = (Vec::new(), Vec::new(), Distinct::default());
        for path in paths {
            for path in files(path)? {
                let reader = ShardReader::open(&path)?;
                distinct.add(&path, *reader.header())?;
                if reader.torn() > 0 {
                    torn.push(TornShard {
                        path: path.clone(),
                        bytes: reader.torn(),
                    });
                }
                shards.push((path, reader.games()));
            }
        }
        let corpus = Self {
            shards,
            torn,
            openings: Vec::new(),
            teacher: None,
        };
        if corpus.is_empty() {
            return Err(CorpusError::Empty);
        }
        Ok(corpus)
    }

    /// Adds positions that no game samples, with their values; they are spread evenly among the
    /// samples to learn from, and none is held out. Of a number of discs that has few, each comes
    /// so often that they are about 10,000.
    #[must_use]
    pub fn with_openings(self, problems: &[Problem]) -> Self {
        let openings = openings::samples(problems, LEAST_OPENINGS);
        Self { openings, ..self }
    }

    /// Lets a teacher correct the scores that are learnt from; those of games held out stay.
    #[must_use]
    pub fn with_teacher(self, teacher: Teacher) -> Self {
        let teacher = Some(teacher);
        Self { teacher, ..self }
    }

    pub(crate) fn teacher(&self) -> Option<&Teacher> {
        self.teacher.as_ref()
    }

    /// The openings, some of them several times.
    pub(crate) fn openings(&self) -> &[Sample] {
        &self.openings
    }

    /// A checksum over what the shards are, how many games are taken from each, the openings and
    /// the teacher.
    ///
    /// # Errors
    ///
    /// When a shard cannot be opened any more.
    pub fn signature(&self) -> Result<u32, CorpusError> {
        let mut hasher = crc32fast::Hasher::new();
        for (path, games) in &self.shards {
            hasher.update(&ShardReader::open(path)?.header().body());
            hasher.update(&games.to_le_bytes());
        }
        for Sample { position, score } in &self.openings {
            hasher.update(&position.own().0.to_le_bytes());
            hasher.update(&position.opponent().0.to_le_bytes());
            hasher.update(&score.to_le_bytes());
        }
        if let Some(teacher) = &self.teacher {
            hasher.update(&teacher.signature());
        }
        Ok(hasher.finalize())
    }

    /// The shards that ended with part of a game when the corpus was opened.
    pub fn torn(&self) -> &[TornShard] {
        &self.torn
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.shards.iter().map(|(_, games)| games).sum()
    }

    /// Whether there is no game, which [`Corpus::open`] rules out.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads all games once, those of the shards spread evenly among each other.
    ///
    /// # Errors
    ///
    /// When a shard cannot be opened any more, or has fewer games than before.
    pub fn games(&self) -> Result<Games, CorpusError> {
        let open = |(path, games): &(PathBuf, u64)| {
            let reader = ShardReader::open(path)?;
            let (expected, found) = (*games, reader.games());
            if found < expected {
                let path = path.clone();
                return Err(CorpusError::Shrunk {
                    path,
                    expected,
                    found,
                });
            }
            Ok((reader, expected))
        };
        let shards: Result<_, CorpusError> = self.shards.iter().map(open).collect();
        Ok(Games {
            read: vec![0; self.shards.len()],
            shards: shards?,
            last: 0,
        })
    }
}

/// Shards of parts no two of which overlap.
#[derive(Default)]
pub(crate) struct Distinct(Vec<(PathBuf, Header)>);

impl Distinct {
    /// Adds one.
    ///
    /// # Errors
    ///
    /// When its part has games of another's.
    pub(crate) fn add(&mut self, path: &Path, header: Header) -> Result<(), CorpusError> {
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

/// The shards that a path stands for.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    if !path.is_dir() {
        return Ok(vec![path.into()]);
    }
    listed(path, "games").map_err(|source| CorpusError::Folder {
        path: path.into(),
        source,
    })
}

/// The files of a folder with this extension, in the order of their names.
pub(crate) fn listed(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut files: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == extension));
    // The system lists them in any order, and what is read must not depend on it.
    files.sort_unstable();
    Ok(files)
}

/// The games of a corpus in their order.
#[derive(Debug)]
pub struct Games {
    shards: Vec<(ShardReader, u64)>,
    read: Vec<u64>,
    /// The shard of the game that came last.
    last: usize,
}

impl Games {
    /// The empty squares from which the game that came last was played perfectly.
    pub(crate) fn solve_from(&self) -> u32 {
        u32::from(self.shards[self.last].0.header().recipe.solve_from)
    }

    /// Makes `samples` those of the next game, and tells the game's last position; none after the
    /// last game.
    pub(crate) fn replay(
        &mut self,
        samples: &mut Vec<Sample>,
    ) -> Option<Result<Position, CorpusError>> {
        samples.clear();
        let replayed = self.next()?.map(|game| game.samples(samples));
        let refused = |error: ReplayError| self.shards[self.last].0.refused(error.into()).into();
        Some(replayed.and_then(|last| last.map_err(refused)))
    }

    /// The same with the next game that is held out.
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
        // The shard that is least far comes next, the first of those that are equally far.
        let far = |&at: &usize| {
            let of = self.shards[at].1;
            (u128::from(self.read[at]) << 64) / u128::from(of)
        };
        let unfinished = (0..self.shards.len()).filter(|&at| self.read[at] < self.shards[at].1);
        let at = unfinished.min_by_key(far)?;
        self.read[at] += 1;
        self.last = at;
        let game = self.shards[at].0.next()?;
        Some(game.map_err(CorpusError::from))
    }
}

/// Which games are held out of the training, for validation.
///
/// A game is told by its last position, so that its images under the symmetries of the board are
/// on the same side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// One of so many games is held out; none when this is 0.
    pub one_in: u32,
}

impl Default for Split {
    /// One of 20.
    fn default() -> Self {
        Self { one_in: 20 }
    }
}

impl Split {
    /// Whether the game that ends in a position is held out.
    pub fn holds_out(self, last: Position) -> bool {
        let (canonical, _) = last.canonical();
        let key = mix(mix(canonical.own().0) ^ canonical.opponent().0);
        self.one_in != 0 && key.is_multiple_of(u64::from(self.one_in))
    }
}

#[cfg(test)]
mod tests {
    use othello_core::Symmetry;

    use super::*;
    use crate::{
        generate::{Generation, generate},
        player::{Player, Recipe},
        shard::Part,
    };

    fn random_games(folder: &Path, seed: u64, part: &str, games: u64) -> Vec<GameRecord> {
        let recipe = Recipe {
            seed,
            depth: 0,
            solve_from: 0,
            ..Recipe::default()
        };
        let part: Part = part.parse().unwrap();
        let generation = Generation { games, part };
        let mut player = Player::new(&recipe);
        generate(folder, &generation, &mut player, &mut |_| true).unwrap();
        let name = format!("seed{seed}-{}of{}.games", part.index(), part.count());
        let reader = ShardReader::open(&folder.join(name)).unwrap();
        reader.map(Result::unwrap).collect()
    }

    #[test]
    fn shards_are_spread_among_each_other_and_do_not_grow() {
        let folder = tempfile::tempdir().unwrap();
        let few = random_games(folder.path(), 1, "0/1", 2);
        let many = random_games(folder.path(), 2, "0/1", 5);
        let corpus = Corpus::open(&[folder.path().into()]).unwrap();
        let read = || -> Vec<GameRecord> { corpus.games().unwrap().map(Result::unwrap).collect() };
        let expected = [
            &few[0], &many[0], &many[1], &many[2], &few[1], &many[3], &many[4],
        ];
        assert!(read().iter().eq(expected), "{:?}", read());
        random_games(folder.path(), 2, "0/1", 9);
        assert!(read().iter().eq(expected));
        assert_eq!(corpus.len(), 7);
        let other = tempfile::tempdir().unwrap();
        random_games(other.path(), 1, "0/1", 2);
        random_games(other.path(), 3, "0/1", 5);
        let other = Corpus::open(&[other.path().into()]).unwrap();
        assert_ne!(other.signature().unwrap(), corpus.signature().unwrap());
        fs::remove_file(folder.path().join("seed2-0of1.games")).unwrap();
        random_games(folder.path(), 2, "0/1", 2);
        let error = corpus.games().unwrap_err().to_string();
        assert!(
            error.ends_with("seed2-0of1.games: expected 5 games, found 2"),
            "{error}"
        );
    }

    #[test]
    fn a_shard_that_was_cut_off_is_told() {
        let folder = tempfile::tempdir().unwrap();
        random_games(folder.path(), 1, "0/1", 5);
        let open = || Corpus::open(&[folder.path().into()]).unwrap();
        assert_eq!(open().torn(), []);
        let path = folder.path().join("seed1-0of1.games");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let corpus = open();
        assert_eq!(corpus.len(), 1);
        assert_eq!(corpus.torn(), [TornShard { path, bytes: 43 }]);
    }

    #[test]
    fn where_there_are_no_games_an_error_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let error = Corpus::open(&[folder.path().into()]).unwrap_err();
        assert!(matches!(error, CorpusError::Empty), "{error}");
        let missing = folder.path().join("none.games");
        let error = Corpus::open(&[missing]).unwrap_err();
        assert!(
            matches!(error, CorpusError::Shard(ShardError::Io { .. })),
            "{error}"
        );
    }

    #[test]
    fn one_in_so_many_games_is_held_out_with_its_images() {
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
