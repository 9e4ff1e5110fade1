//! Games on disk: the parts of shards, with a record of JSON for each game.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use boardgame_files::shards::{Manifest, PartReader, Parts, ShardError, Work};
use go_core::{Move, Position, Size};
use go_search::Searcher;
use serde::{Deserialize, Serialize};

use crate::self_play::{GameRecord, PlayedMove, Recipe, self_play};

/// The extension of files of games.
pub(crate) const EXTENSION: &str = "games";
/// The command that writes the parts.
pub(crate) const COMMAND: &str = "go-train generate";

/// The settings of games in manifests.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    seed: u64,
    lines: u8,
    playouts: u32,
    /// The checksum of the weights in hexadecimal digits.
    weights: String,
    /// The version of the program and a checksum of its file.
    program: String,
}

/// The names of settings that may differ between two runs with the same games: a program built elsewhere may play the
/// same, and a run stopped early has fewer games than planned.
const OF_A_RUN: [&str; 2] = ["items", "program"];

/// Returns the parts of the games of a recipe in a folder.
pub(crate) fn parts(folder: &Path, recipe: &Recipe) -> Parts {
    Parts::new(folder, &format!("seed{}", recipe.seed), EXTENSION)
}

/// Returns the work of playing a number of a recipe's games with a program, named by its version and checksum.
pub(crate) fn work(recipe: &Recipe, games: u64, program: String) -> Work {
    let settings = Settings {
        seed: recipe.seed,
        lines: recipe.lines,
        playouts: recipe.playouts,
        weights: format!("{:08x}", recipe.weights),
        program,
    };
    Work::new(COMMAND, games, &settings).expect("numbers and texts are JSON")
}

/// Returns the recipe of some work.
pub(crate) fn recipe(work: &Work) -> anyhow::Result<Recipe> {
    ensure!(
        work.command == COMMAND,
        "expected games of {COMMAND}, found work of {}",
        work.command
    );
    let settings: Settings =
        (work.settings()).map_err(|error| anyhow!("expected the settings of games: {error}"))?;
    let lines = settings.lines;
    Size::new(lines)
        .with_context(|| format!("expected a board of 1 to 25 lines, found {lines}"))?;
    let is_checksum = settings.weights.len() == 8 && !settings.weights.starts_with('+');
    let weights = u32::from_str_radix(&settings.weights, 16).ok();
    let weights = weights.filter(|_| is_checksum);
    let weights = weights.with_context(|| {
        let found = &settings.weights;
        format!("expected a checksum of eight hexadecimal digits, found {found:?}")
    })?;
    Ok(Recipe {
        seed: settings.seed,
        lines,
        playouts: settings.playouts,
        weights,
    })
}

/// Returns the record of a game.
pub(crate) fn json(game: &GameRecord) -> String {
    serde_json::to_string(game).expect("numbers and strings are JSON")
}

/// Returns the manifest of the games in some files. The checksum of a part covers only its records.
pub(crate) fn manifest(files: &[PathBuf]) -> Result<Manifest, ShardError> {
    Manifest::of(files, PartReader::records_checksum)
}

/// Checks that the games in some files match a manifest, even if another build of the program played them or more games
/// were planned.
pub(crate) fn check_manifest(manifest: &Manifest, files: &[PathBuf]) -> Result<(), ShardError> {
    let found = self::manifest(files)?;
    manifest.without(&OF_A_RUN).check(&found.without(&OF_A_RUN))
}

/// Reads the recipe and the games of a part, which may not be complete.
pub(crate) fn read_games(path: &Path) -> Result<(Recipe, Vec<GameRecord>), ShardError> {
    let games = GamesReader::open(path)?;
    Ok((games.recipe, games.collect::<Result<_, _>>()?))
}

/// An iterator over the games of a part, which may not be complete.
struct GamesReader {
    recipe: Recipe,
    part: PartReader,
}

impl GamesReader {
    fn open(path: &Path) -> Result<Self, ShardError> {
        let part = PartReader::open(path)?;
        let recipe = recipe(part.work()).map_err(|error| part.header_error(error))?;
        Ok(Self { recipe, part })
    }

    /// Reads the game of the last record.
    fn read(&self, record: &str) -> Result<GameRecord, ShardError> {
        let error = |error: String| self.part.record_error(error);
        let game: GameRecord =
            serde_json::from_str(record).map_err(|it| error(format!("expected a game: {it}")))?;
        let (expected, found) = (self.part.shard().item(self.part.records() - 1), game.game);
        if found != expected {
            return Err(error(format!(
                "expected game {expected}, found game {found}"
            )));
        }
        check_moves(&self.recipe, &game).map_err(error)?;
        Ok(game)
    }
}

impl Iterator for GamesReader {
    type Item = Result<GameRecord, ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.part.next()?;
        Some(record.and_then(|record| self.read(&record)))
    }
}

/// Checks that all played and visited moves of a game are legal.
fn check_moves(recipe: &Recipe, game: &GameRecord) -> Result<(), String> {
    let mut position = Position::new(&recipe.setup());
    for (number, PlayedMove(played, visits)) in (1..).zip(&game.moves) {
        let error = |found: &String| {
            format!("expected a legal move, found {found:?} as move {number} or among its visits")
        };
        let is_legal = |mv: Move| position.check(mv).is_ok();
        let mut visited = visits.iter().map(|(name, _)| name);
        if let Some(name) = visited.find(|name| !name.parse().is_ok_and(is_legal)) {
            return Err(error(name));
        }
        if !played
            .parse::<Move>()
            .is_ok_and(|mv| position.play(mv).is_ok())
        {
            return Err(error(played));
        }
    }
    Ok(())
}

/// Plays `count` of the games in some parts again, spread evenly, or all if there are fewer, and returns their number.
pub(crate) fn replay(
    files: &[PathBuf],
    searcher: &mut Searcher,
    count: u64,
) -> anyhow::Result<u64> {
    let mut total = 0;
    for path in files {
        let mut part = PartReader::open(path)?;
        part.checksum()?;
        total += part.records();
    }
    let count = count.min(total);
    let (mut place, mut replayed) = (0, 0);
    for path in files {
        let reader = GamesReader::open(path)?;
        let recipe = reader.recipe;
        for (line, game) in (2..).zip(reader) {
            let game = game?;
            // Game number `replayed` of the sample is the first at or after `replayed * total / count`.
            let is_chosen = replayed < count && place * count >= replayed * total;
            place += 1;
            if !is_chosen {
                continue;
            }
            if self_play(searcher, &recipe, game.game) != game {
                let path = path.display();
                bail!("{path}, line {line}: a different game when played again");
            }
            replayed += 1;
        }
    }
    Ok(replayed)
}

#[cfg(test)]
mod tests {
    use boardgame_files::shards::Shard;
    use go_search::Options;

    use super::*;

    const RECIPE: Recipe = Recipe {
        seed: 1,
        lines: 3,
        playouts: 20,
        weights: 7,
    };

    fn make(folder: &Path, shard: &str, games: u64) -> PathBuf {
        let mut searcher = Searcher::new(Options::default());
        let shard: Shard = shard.parse().unwrap();
        let work = work(&RECIPE, games, "1".into());
        let mut part = parts(folder, &RECIPE).open(&work, shard).unwrap();
        while let Some(number) = part.next_item() {
            let game = self_play(&mut searcher, &RECIPE, number);
            part.append(&json(&game)).unwrap();
        }
        part.path().to_owned()
    }

    #[test]
    fn games_read_back_and_come_out_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["0/2", "1/2"].map(|shard| make(folder.path(), shard, 5));
        let (recipe, games) = read_games(&files[1]).unwrap();
        let mut searcher = Searcher::new(Options::default());
        let played = [1, 3].map(|number| self_play(&mut searcher, &RECIPE, number));
        assert_eq!((recipe, games), (RECIPE, played.into()));
        for (count, replayed) in [(0, 0), (1, 1), (2, 2), (4, 4), (9, 5)] {
            let result = replay(&files, &mut searcher, count);
            assert_eq!(result.unwrap(), replayed, "{count}");
        }
    }

    #[test]
    fn a_game_that_is_different_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let mut searcher = Searcher::new(Options::default());
        let parts = parts(folder.path(), &RECIPE);
        let work = work(&RECIPE, 1, "1".into());
        let mut part = parts.open(&work, Shard::WHOLE).unwrap();
        let game = self_play(&mut searcher, &RECIPE, 1);
        part.append(&json(&GameRecord { game: 0, ..game })).unwrap();
        let files = [part.path().to_owned()];
        let error = replay(&files, &mut searcher, 1).unwrap_err().to_string();
        assert!(
            error.ends_with("line 2: a different game when played again"),
            "{error}"
        );
    }

    #[test]
    fn a_game_of_another_number_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let parts = parts(folder.path(), &RECIPE);
        let shard = Shard::new(1, 2).unwrap();
        let mut part = parts.open(&work(&RECIPE, 2, "1".into()), shard).unwrap();
        let game = self_play(&mut Searcher::new(Options::default()), &RECIPE, 2);
        part.append(&json(&game)).unwrap();
        let error = read_games(part.path()).unwrap_err().to_string();
        assert!(
            error.ends_with("line 2: expected game 1, found game 2"),
            "{error}"
        );
    }

    #[test]
    fn games_are_those_of_a_manifest_whatever_program_played_them() {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let files = [make(one.path(), "0/1", 3)];
        let of_records = manifest(&files).unwrap();
        check_manifest(&of_records, &files).unwrap();
        let again = |program: &str, number: u64| {
            let part = parts(other.path(), &RECIPE);
            let work = work(&RECIPE, 4, program.into());
            let mut part = part.open(&work, Shard::WHOLE).unwrap();
            let mut searcher = Searcher::new(Options::default());
            while part.records() < number {
                let game = self_play(&mut searcher, &RECIPE, part.next_item().unwrap());
                part.append(&json(&game)).unwrap();
            }
            parts(other.path(), &RECIPE).files().unwrap()
        };
        // Played by another program, and stopped early.
        check_manifest(&of_records, &again("2", 3)).unwrap();
        let error = check_manifest(&of_records, &again("2", 4)).unwrap_err();
        assert!(matches!(error, ShardError::Differs(_)), "{error}");
    }

    #[test]
    fn illegal_moves_are_refused() {
        let error = |moves: &[(&str, &str)]| {
            let folder = tempfile::tempdir().unwrap();
            let parts = parts(folder.path(), &RECIPE);
            let work = work(&RECIPE, 1, "1".into());
            let mut part = parts.open(&work, Shard::WHOLE).unwrap();
            let moves = moves.iter().map(|&(played, visited)| {
                let visits = vec![(visited.to_owned(), 3)];
                PlayedMove(played.into(), visits)
            });
            let game = GameRecord {
                game: 0,
                moves: moves.collect(),
            };
            part.append(&json(&game)).unwrap();
            read_games(part.path()).unwrap_err().to_string()
        };
        let expected = |found: &str, number: usize| {
            format!(
                "line 2: expected a legal move, found \"{found}\" as move {number} or among its visits"
            )
        };
        let taken = error(&[("A1", "B2"), ("B1", "B1"), ("A1", "C1")]);
        assert!(taken.ends_with(&expected("A1", 3)), "{taken}");
        let unknown = error(&[("x", "A1")]);
        assert!(unknown.ends_with(&expected("x", 1)), "{unknown}");
        let visited = error(&[("A1", "B2"), ("B1", "Z9")]);
        assert!(visited.ends_with(&expected("Z9", 2)), "{visited}");
        let over = error(&[("pass", "A1"), ("pass", "A1"), ("A1", "A1")]);
        assert!(over.ends_with(&expected("A1", 3)), "{over}");
    }

    #[test]
    fn work_of_other_kinds_is_refused() {
        let work = work(&RECIPE, 1, "1".into());
        assert_eq!(recipe(&work).unwrap(), RECIPE);
        let error = |name: &str, value: serde_json::Value| {
            let mut work = work.clone();
            work.settings.insert(name.into(), value);
            recipe(&work).unwrap_err().to_string()
        };
        assert_eq!(
            error("lines", 26.into()),
            "expected a board of 1 to 25 lines, found 26"
        );
        assert!(error("weights", "x".into()).contains("eight hexadecimal digits"));
        assert!(error("more", 1.into()).starts_with("expected the settings of games: "));
        let other = Work {
            command: "go-game match".into(),
            ..work
        };
        assert_eq!(
            recipe(&other).unwrap_err().to_string(),
            "expected games of go-train generate, found work of go-game match"
        );
    }
}
