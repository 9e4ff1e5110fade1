//! Generation of self-play games, in any number of processes.

use std::path::Path;

use boardgame_files::shards::{Part, PartError, Parts, Work};

use crate::{
    games::{self, GamesReader},
    player::{Player, Recipe},
};

/// All games of a generation, and the engine that plays them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generation {
    /// The settings of the games.
    pub recipe: Recipe,
    /// The number of games of all shards together.
    pub games: u64,
    /// The version of the program and a checksum of its file.
    pub program: String,
    /// The CRC-32 of the file of weights in hexadecimal digits, or `None` for the built-in ones.
    pub weights: Option<String>,
}

/// The progress of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of games in the shard.
    pub games: u64,
    /// The number of positions in the games of this run, not counting random moves.
    pub positions: u64,
}

impl Generation {
    /// Returns the parts of the games in a folder.
    pub fn parts(&self, folder: &Path) -> Parts {
        let name = format!("seed{}", self.recipe.seed);
        Parts::new(folder, &name, games::EXTENSION)
    }

    /// Returns the work of playing the games with a player of a [signature](Player::signature).
    pub fn work(&self, player: u32) -> Work {
        let weights = self.weights.as_deref();
        games::work(&self.recipe, player, self.games, &self.program, weights)
    }

    /// Returns the signature of the player that one of the parts names. Program and weights decide it, so that a part
    /// of the same program and weights spares the games that it takes to find the signature.
    ///
    /// # Errors
    ///
    /// Fails if the folder of the parts exists and cannot be listed.
    pub fn known_player(parts: &Parts) -> Result<Option<u32>, PartError> {
        if !parts.folder().exists() {
            return Ok(None);
        }
        let files = parts.files()?;
        let readable = files.iter().find_map(|path| GamesReader::open(path).ok());
        Ok(readable.map(|games| games.header().player))
    }
}

/// Plays the missing games of a shard and appends each to the shard's part.
///
/// `proceed` is called before each game with the progress so far; if it returns `false`, no further
/// game is played. If the player is [stopped](Player::stop_handle), the game in progress is dropped
/// and no further game is played.
///
/// # Errors
///
/// Fails if the part cannot be written.
pub fn generate(
    part: &mut Part,
    player: &mut Player,
    proceed: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Progress, PartError> {
    let mut progress = Progress {
        games: part.records(),
        positions: 0,
    };
    while let Some(number) = part.next_item()
        && proceed(&progress)
    {
        let Ok(game) = player.play(number) else {
            break;
        };
        part.append(&game.to_string())?;
        progress.games = part.records();
        progress.positions += (game.squares().len() - usize::from(game.random())) as u64;
    }
    part.sync()?;
    Ok(progress)
}

/// Plays a shard of games in a folder.
#[cfg(test)]
pub(crate) fn play_shard(folder: &Path, recipe: Recipe, games: u64, shard: &str) {
    let generation = Generation {
        recipe,
        games,
        ..Generation::default()
    };
    let mut player = Player::new(&recipe);
    let work = generation.work(player.signature().unwrap());
    let shard = shard.parse().unwrap();
    let mut part = generation.parts(folder).open(&work, shard).unwrap();
    generate(&mut part, &mut player, &mut |_| true).unwrap();
}

#[cfg(test)]
mod tests {
    use std::fs;

    use boardgame_files::shards::Shard;

    use super::*;

    /// Plays at most `max` more games of shard 1/2 and returns the number of its games.
    fn generated(folder: &Path, max: u64) -> u64 {
        let generation = Generation {
            recipe: Recipe {
                depth: 1,
                solve_from: 6,
                ..Recipe::default()
            },
            games: 25,
            ..Generation::default()
        };
        let mut player = Player::new(&generation.recipe);
        let parts = generation.parts(folder);
        let known = Generation::known_player(&parts).unwrap();
        let signature = player.signature().unwrap();
        assert!(known.is_none_or(|known| known == signature));
        let shard = Shard::new(1, 2).unwrap();
        let mut part = parts.open(&generation.work(signature), shard).unwrap();
        let mut made = 0;
        let progress = generate(&mut part, &mut player, &mut |_| {
            made += 1;
            made <= max
        });
        assert_eq!(Generation::known_player(&parts).unwrap(), Some(signature));
        progress.unwrap().games
    }

    #[test]
    fn a_resumed_run_makes_the_same_file_as_an_uninterrupted_one() {
        let (whole, pieces) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert_eq!(generated(whole.path(), u64::MAX), 12);
        let path = pieces.path().join("seed1-1of2.games.begun");
        for (run, max) in [1, 0, 3, 5].into_iter().enumerate() {
            generated(pieces.path(), max);
            // As if the process had been killed while writing.
            let mut bytes = fs::read(&path).unwrap();
            bytes.extend(&[0x5a; 49][..run * 16]);
            fs::write(&path, bytes).unwrap();
        }
        assert_eq!(generated(pieces.path(), u64::MAX), 12);
        let whole = fs::read(whole.path().join("seed1-1of2.games")).unwrap();
        let path = pieces.path().join("seed1-1of2.games");
        assert_eq!(fs::read(path).unwrap(), whole);
    }

    #[test]
    fn a_stopped_player_plays_no_game() {
        let folder = tempfile::tempdir().unwrap();
        let generation = Generation {
            games: 3,
            ..Generation::default()
        };
        let mut player = Player::new(&generation.recipe);
        player.stop_handle().stop();
        let parts = generation.parts(folder.path());
        let mut part = parts.open(&generation.work(0), Shard::WHOLE).unwrap();
        let progress = generate(&mut part, &mut player, &mut |_| true).unwrap();
        assert_eq!((progress.games, progress.positions), (0, 0));
    }
}
