//! The games of several shards as one sequence, and the choice of held-out games.

use std::{cmp::Reverse, collections::BinaryHeap, iter, path::PathBuf};

use anyhow::{anyhow, bail, ensure};
use boardgame_files::shards::part_files;
use othello_core::{Position, Problem};

use crate::{
    games::{self, GamesHeader, GamesReader},
    openings,
    random::mix,
    record::{GameRecord, Sample},
    targets::Targets,
};

/// Shards that are read together. Games added to a shard after the corpus was opened are not read.
#[derive(Clone, Debug)]
pub(crate) struct Corpus {
    shards: Vec<ShardOfGames>,
    /// Shards with an incomplete last game, and the number of its bytes, which are not read.
    pub(crate) torn: Vec<(PathBuf, u64)>,
    /// Returns the opening samples, including repetitions.
    pub(crate) openings: Vec<Sample>,
    pub(crate) targets: Targets,
}

/// The state of a shard when the corpus was opened.
#[derive(Clone, Debug)]
struct ShardOfGames {
    path: PathBuf,
    header: GamesHeader,
    /// The number of games.
    games: u64,
    /// The checksum of the lines up to the last of these.
    checksum: u32,
}

/// The minimum number of samples of openings for each number of discs.
const MIN_OPENINGS: usize = 10_000;

impl Corpus {
    /// Opens shards. A path is a file, or a folder with files that end in `.games` or `.games.begun`.
    pub(crate) fn open(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let (mut shards, mut torn): (Vec<ShardOfGames>, _) = (Vec::new(), Vec::new());
        for path in part_files(paths, games::EXTENSION)? {
            let mut reader = GamesReader::open(&path)?;
            let header = reader.header;
            if let Some(other) = shards.iter().find(|other| other.header.overlaps(&header)) {
                bail!(
                    "{} has games of {} too",
                    path.display(),
                    other.path.display()
                );
            }
            let checksum = reader.part.checksum()?;
            if reader.part.torn() > 0 {
                torn.push((path.clone(), reader.part.torn()));
            }
            shards.push(ShardOfGames {
                header,
                games: reader.part.records(),
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
        ensure!(corpus.len() > 0, "expected shards of games, found none");
        Ok(corpus)
    }

    /// Adds positions with their values, distributed evenly among the training samples; none is held
    /// out. If there are fewer than 10,000 with some number of discs, they are repeated to about that
    /// number.
    #[must_use]
    pub(crate) fn with_openings(self, problems: &[Problem]) -> Self {
        let openings = openings::samples(problems, MIN_OPENINGS);
        Self { openings, ..self }
    }

    /// Sets the targets of training samples; held-out games have the final scores.
    #[must_use]
    pub(crate) fn with_targets(self, targets: Targets) -> Self {
        Self { targets, ..self }
    }

    /// Returns a checksum of the games, the openings and the targets.
    pub(crate) fn signature(&self) -> u32 {
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
    pub(crate) fn held_out(
        &self,
        split: Split,
    ) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Vec<Position>>>> {
        let (mut games, mut samples) = (self.games()?, Vec::new());
        Ok(iter::from_fn(move || {
            let game = games.replay_held_out(split, &mut samples)?;
            Some(game.map(|()| samples.iter().map(|sample| sample.position).collect()))
        }))
    }

    /// Returns a checksum of only the games and their number in each shard.
    pub(crate) fn games_signature(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for shard in &self.shards {
            hasher.update(&shard.games.to_le_bytes());
            hasher.update(&shard.checksum.to_le_bytes());
        }
        hasher.finalize()
    }

    /// The number of games of each shard.
    pub(crate) fn shares(&self) -> Vec<u64> {
        self.shards.iter().map(|shard| shard.games).collect()
    }

    /// Returns the corpus limited to the first `shares[i]` games of each shard `i`, or the whole corpus if the
    /// number of shards differs.
    pub(crate) fn limited_to(mut self, shares: &[u64]) -> anyhow::Result<Self> {
        if shares.len() != self.shards.len() {
            return Ok(self);
        }
        for (shard, &games) in self.shards.iter_mut().zip(shares) {
            if games < shard.games {
                shard.checksum = GamesReader::open(&shard.path)?.part.checksum_up_to(games)?;
                shard.games = games;
            }
        }
        Ok(self)
    }

    /// The number of games.
    pub(crate) fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.games).sum()
    }

    /// Reads all games once, with those of different shards evenly interleaved.
    pub(crate) fn games(&self) -> anyhow::Result<Games> {
        let shards = self.shards.iter().filter(|shard| shard.games > 0);
        let open = |shard: &ShardOfGames| {
            let reader = GamesReader::open_one_of(&shard.path, self.shards.len())?;
            Ok((reader, shard.games))
        };
        let shards: Vec<_> = shards.map(open).collect::<anyhow::Result<_>>()?;
        Ok(Games {
            next: (0..shards.len()).map(|at| Reverse((0, at))).collect(),
            shards,
        })
    }
}

/// The games of a corpus, in order.
#[derive(Debug)]
pub(crate) struct Games {
    /// The shards and the numbers of their games.
    shards: Vec<(GamesReader, u64)>,
    /// The shards with games left; first the one with the smallest share read.
    next: BinaryHeap<Reverse<(u128, usize)>>,
}

/// A replayed game.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub(crate) game: GameRecord,
    /// The final position.
    pub(crate) last: Position,
    /// The number of empty squares from which the game was played perfectly.
    pub(crate) solve_from: u32,
}

impl Games {
    /// Replaces `samples` with those of the next game and returns the game, or `None` after the last one.
    pub(crate) fn replay(&mut self, samples: &mut Vec<Sample>) -> Option<anyhow::Result<Replayed>> {
        samples.clear();
        let (at, game) = self.next_of_shard()?;
        Some(game.and_then(|game| self.replayed(at, game, samples)))
    }

    /// Replays the last game read from a shard.
    fn replayed(
        &self,
        shard: usize,
        game: GameRecord,
        samples: &mut Vec<Sample>,
    ) -> anyhow::Result<Replayed> {
        let (reader, _) = &self.shards[shard];
        let last = game.samples(samples);
        Ok(Replayed {
            last: last.map_err(|error| reader.part.record_error(error))?,
            solve_from: u32::from(reader.header.recipe.solve_from),
            game,
        })
    }

    /// Replaces `samples` with those of the next held-out game, or returns `None` after the last one.
    pub(crate) fn replay_held_out(
        &mut self,
        split: Split,
        samples: &mut Vec<Sample>,
    ) -> Option<anyhow::Result<()>> {
        loop {
            match self.replay(samples)? {
                Ok(game) if split.holds_out(game.last) => return Some(Ok(())),
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Reads the next game; also returns its shard.
    fn next_of_shard(&mut self) -> Option<(usize, anyhow::Result<GameRecord>)> {
        let Reverse((_, at)) = self.next.pop()?;
        let (reader, games) = &mut self.shards[at];
        let game = match reader.next() {
            Some(game) => game.map_err(anyhow::Error::from),
            None => Err(anyhow!(
                "{}: expected {games} games, found {}",
                reader.part.path().display(),
                reader.part.records(),
            )),
        };
        if game.is_ok() && reader.part.records() < *games {
            let share = (u128::from(reader.part.records()) << 64) / u128::from(*games);
            self.next.push(Reverse((share, at)));
        }
        Some((at, game))
    }
}

/// The choice of games that are held out of training, for validation.
///
/// It depends on a game's final position up to symmetry, so that the images of a game under the
/// symmetries of the board are on the same side of the split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Split {
    /// One in this number of games is held out; 0 for none.
    pub(crate) one_in: u32,
}

impl Default for Split {
    /// One in 20.
    fn default() -> Self {
        Self { one_in: 20 }
    }
}

impl Split {
    /// Returns `true` if the game that ends in position `last` is held out.
    pub(crate) fn holds_out(self, last: Position) -> bool {
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

    fn results(corpus: &Corpus) -> impl Iterator<Item = anyhow::Result<GameRecord>> {
        let mut games = corpus.games().unwrap();
        iter::from_fn(move || games.next_of_shard().map(|(_, game)| game))
    }

    fn read(corpus: &Corpus) -> Vec<GameRecord> {
        results(corpus).map(Result::unwrap).collect()
    }

    #[test]
    fn shards_are_interleaved_and_do_not_grow() {
        let folder = tempfile::tempdir().unwrap();
        let few = random_games(folder.path(), 1, "0/1", 2);
        let many = random_games(folder.path(), 2, "0/1", 5);
        let corpus = Corpus::open(&[folder.path().into()]).unwrap();
        let expected = [
            &few[0], &many[0], &many[1], &many[2], &few[1], &many[3], &many[4],
        ];
        assert!(read(&corpus).iter().eq(expected));
        let path = folder.path().join("seed2-0of1.games");
        fs::remove_file(&path).unwrap();
        random_games(folder.path(), 2, "0/1", 9);
        assert!(read(&corpus).iter().eq(expected));
        assert_eq!(corpus.len(), 7);
        let other = tempfile::tempdir().unwrap();
        random_games(other.path(), 1, "0/1", 2);
        random_games(other.path(), 3, "0/1", 5);
        let other = Corpus::open(&[other.path().into()]).unwrap();
        assert_ne!(other.signature(), corpus.signature());
        fs::remove_file(&path).unwrap();
        random_games(folder.path(), 2, "0/1", 2);
        let error = results(&corpus).find_map(Result::err).unwrap().to_string();
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
        assert_eq!(read(&corpus), all[..5]);

        // A corpus with more games is the same if limited to the earlier ones.
        let more = Corpus::open(&[folder.path().into()]).unwrap();
        assert_eq!(more.len(), 9);
        assert_ne!(more.signature(), corpus.signature());
        let limited = more.limited_to(&corpus.shares()).unwrap();
        assert_eq!(limited.signature(), corpus.signature());
        assert_eq!(read(&limited), all[..5]);
        assert_eq!(limited.limited_to(&[1, 2]).unwrap().len(), 5);
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
