//! The games of several shards as one sequence, and the choice of held-out games.

use std::{cmp::Reverse, collections::BinaryHeap, iter, path::PathBuf};

use boardgame_files::shards::{PartError, part_files};
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
    header: GamesHeader,
    /// The number of games.
    games: u64,
    /// The checksum of the lines up to the last of these.
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
#[allow(missing_docs)]
pub enum CorpusError {
    /// There are no games.
    #[error("expected shards of games, found none")]
    Empty,
    /// Two shards have games in common.
    #[error("{} has games of {} too", path.display(), other.display())]
    Overlap {
        /// The later of the two shards.
        path: PathBuf,
        other: PathBuf,
    },
    /// A shard has fewer games than when the corpus was opened.
    #[error("{}: expected {expected} games, found {found}", path.display())]
    Truncated {
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
        let (mut shards, mut torn): (Vec<ShardOfGames>, _) = (Vec::new(), Vec::new());
        for path in part_files(paths, games::EXTENSION)? {
            let mut reader = GamesReader::open(&path)?;
            let header = *reader.header();
            if let Some(other) = shards.iter().find(|other| other.header.overlaps(&header)) {
                let other = other.path.clone();
                return Err(CorpusError::Overlap { path, other });
            }
            let checksum = reader.skip_all()?;
            if reader.torn() > 0 {
                torn.push(TornShard {
                    path: path.clone(),
                    bytes: reader.torn(),
                });
            }
            shards.push(ShardOfGames {
                header,
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

    /// A checksum of the games, the openings and the targets.
    pub fn signature(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.games_signature().to_le_bytes());
        for Sample { position, score } in &self.openings {
            hasher.update(&position.own().0.to_le_bytes());
            hasher.update(&position.opponent().0.to_le_bytes());
            hasher.update(&score.to_le_bytes());
        }
        hasher.update(&self.targets.signature());
        hasher.finalize()
    }

    /// Returns the positions after the random moves of each game held out, in the order of the games.
    ///
    /// # Errors
    ///
    /// Fails if a shard cannot be opened; an item is an error if its game cannot be read.
    pub fn held_out(
        &self,
        split: Split,
    ) -> Result<impl Iterator<Item = Result<Vec<Position>, CorpusError>>, CorpusError> {
        let (mut games, mut samples) = (self.games()?, Vec::new());
        Ok(iter::from_fn(move || {
            let game = games.replay_held_out(split, &mut samples)?;
            Some(game.map(|()| samples.iter().map(|sample| sample.position).collect()))
        }))
    }

    /// A checksum of the games alone, and of their number in each shard.
    pub fn games_signature(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for shard in &self.shards {
            hasher.update(&shard.games.to_le_bytes());
            hasher.update(&shard.checksum.to_le_bytes());
        }
        hasher.finalize()
    }

    /// The number of games of each shard.
    pub fn shares(&self) -> Vec<u64> {
        self.shards.iter().map(|shard| shard.games).collect()
    }

    /// Returns the corpus with at most `shares[i]` games of shard `i`, without those that were added later. If the
    /// number of shards is another, nothing is left out.
    ///
    /// # Errors
    ///
    /// Fails if a shard can no longer be read.
    pub fn limited_to(mut self, shares: &[u64]) -> Result<Self, CorpusError> {
        if shares.len() != self.shards.len() {
            return Ok(self);
        }
        for (shard, &games) in self.shards.iter_mut().zip(shares) {
            if games < shard.games {
                shard.checksum = GamesReader::open(&shard.path)?.checksum_up_to(games)?;
                shard.games = games;
            }
        }
        Ok(self)
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
        let shards = self.shards.iter().filter(|shard| shard.games > 0);
        let open = |shard: &ShardOfGames| {
            let reader = GamesReader::open_one_of(&shard.path, self.shards.len())?;
            Ok((reader, shard.games))
        };
        let shards: Vec<_> = shards.map(open).collect::<Result<_, CorpusError>>()?;
        Ok(Games {
            next: (0..shards.len()).map(|at| Reverse((0, at))).collect(),
            shards,
        })
    }
}

/// The games of a corpus, in order.
#[derive(Debug)]
pub struct Games {
    /// The shards and the numbers of their games.
    shards: Vec<(GamesReader, u64)>,
    /// The shards with games left, that of which the smallest share was read first.
    next: BinaryHeap<Reverse<(u128, usize)>>,
}

/// A game that was replayed.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub(crate) game: GameRecord,
    /// The final position.
    pub(crate) last: Position,
    /// The number of empty squares from which the game was played perfectly.
    pub(crate) solve_from: u32,
}

impl Games {
    /// Replaces `samples` by those of the next game and returns the game, or `None` after the last one.
    pub(crate) fn replay(
        &mut self,
        samples: &mut Vec<Sample>,
    ) -> Option<Result<Replayed, CorpusError>> {
        samples.clear();
        let (at, game) = self.next_of_shard()?;
        Some(game.and_then(|game| self.replayed(at, game, samples)))
    }

    /// Replays the last game that was read of a shard.
    fn replayed(
        &self,
        shard: usize,
        game: GameRecord,
        samples: &mut Vec<Sample>,
    ) -> Result<Replayed, CorpusError> {
        let (reader, _) = &self.shards[shard];
        let last = game.samples(samples);
        Ok(Replayed {
            last: last.map_err(|error: ReplayError| reader.record_error(error))?,
            solve_from: u32::from(reader.header().recipe.solve_from),
            game,
        })
    }

    /// Replaces `samples` by those of the next held-out game, or returns `None` after the last one.
    pub(crate) fn replay_held_out(
        &mut self,
        split: Split,
        samples: &mut Vec<Sample>,
    ) -> Option<Result<(), CorpusError>> {
        loop {
            match self.replay(samples)? {
                Ok(game) if split.holds_out(game.last) => return Some(Ok(())),
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Reads the next game, and returns the shard that it is of, too.
    fn next_of_shard(&mut self) -> Option<(usize, Result<GameRecord, CorpusError>)> {
        let Reverse((_, at)) = self.next.pop()?;
        let (reader, games) = &mut self.shards[at];
        let game = match reader.next() {
            Some(game) => game.map_err(CorpusError::from),
            None => Err(CorpusError::Truncated {
                path: reader.path(),
                expected: *games,
                found: reader.read(),
            }),
        };
        if game.is_ok() && reader.read() < *games {
            let share = (u128::from(reader.read()) << 64) / u128::from(*games);
            self.next.push(Reverse((share, at)));
        }
        Some((at, game))
    }
}

impl Iterator for Games {
    type Item = Result<GameRecord, CorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_of_shard().map(|(_, game)| game)
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
    use std::{fs, path::Path};

    use boardgame_files::shards::Shard;
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
        assert_ne!(other.signature(), corpus.signature());
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
    fn a_shard_may_be_completed_after_the_corpus_was_opened() {
        let folder = tempfile::tempdir().unwrap();
        let all = random_games(folder.path(), 1, "0/1", 9);
        let path = folder.path().join("seed1-0of1.games");
        let begun = folder.path().join("seed1-0of1.games.begun");
        let whole = fs::read_to_string(&path).unwrap();
        let first: String = whole.split_inclusive('\n').take(1 + 5).collect();
        fs::remove_file(&path).unwrap();
        fs::write(&begun, first).unwrap();
        let corpus = Corpus::open(&[folder.path().into()]).unwrap();
        assert_eq!(corpus.shares(), [5]);
        fs::rename(&begun, &path).unwrap();
        fs::write(&path, whole).unwrap();
        let read: Vec<GameRecord> = corpus.games().unwrap().map(Result::unwrap).collect();
        assert_eq!(read, all[..5]);

        // A corpus of more games is the same if it is limited to those that there were.
        let more = Corpus::open(&[folder.path().into()]).unwrap();
        assert_eq!(more.len(), 9);
        assert_ne!(more.signature(), corpus.signature());
        let limited = more.limited_to(&corpus.shares()).unwrap();
        assert_eq!(limited.signature(), corpus.signature());
        let read: Vec<GameRecord> = limited.games().unwrap().map(Result::unwrap).collect();
        assert_eq!(read, all[..5]);
        assert_eq!(limited.limited_to(&[1, 2]).unwrap().len(), 5);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn shards_are_not_kept_open_while_they_are_read() {
        let folder = tempfile::tempdir().unwrap();
        for index in 0..30 {
            random_games(folder.path(), 1, &format!("{index}/30"), 60);
        }
        let corpus = Corpus::open(&[folder.path().into()]).unwrap();
        let mut games = corpus.games().unwrap();
        assert!(games.next().is_some());
        let open = fs::read_dir("/proc/self/fd").unwrap();
        let files = open.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
        let in_folder = files.filter(|file| file.starts_with(folder.path()));
        assert_eq!(in_folder.count(), 0);
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
