//! Generation of self-play games by any number of processes.

use std::path::Path;

use boardgame_files::shards::{Part, Parts, ShardError, Work};

use crate::{
    games::{self, GamesReader},
    player::{Player, Recipe},
};

/// All games of a generation, and the engine that plays them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Generation {
    /// The settings of the games.
    pub(crate) recipe: Recipe,
    /// The number of games of all shards together.
    pub(crate) games: u64,
    /// The version of the program and a checksum of its file.
    pub(crate) program: String,
    /// The CRC-32 of the file of weights in hexadecimal digits, or `None` for the built-in ones.
    pub(crate) weights: Option<String>,
}

/// The progress of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The number of games in the shard.
    pub(crate) games: u64,
    /// The number of positions in the games of this run, not counting random moves.
    pub(crate) positions: u64,
}

impl Generation {
    /// Returns the parts of the games in a folder.
    pub(crate) fn parts(&self, folder: &Path) -> Parts {
        let name = format!("seed{}", self.recipe.seed);
        Parts::new(folder, &name, games::EXTENSION)
    }

    /// Returns the work of playing the games with a player of a [signature](Player::signature).
    pub(crate) fn work(&self, player: u32) -> Work {
        let weights = self.weights.as_deref();
        games::work(&self.recipe, player, self.games, &self.program, weights)
    }

    /// Returns the player's signature from one of the parts. Program and weights determine it, so a part with the
    /// same ones saves the games needed to compute it.
    pub(crate) fn known_player(parts: &Parts) -> Result<Option<u32>, ShardError> {
        if !parts.folder().exists() {
            return Ok(None);
        }
        let files = parts.files()?;
        let readable = files.iter().find_map(|path| GamesReader::open(path).ok());
        Ok(readable.map(|games| games.header.player))
    }
}

/// Plays the missing games of a shard and appends each to the shard's part.
///
/// `proceed` is called before each game with the progress so far; if it returns `false`, no further
/// game is played. If the player is [stopped](Player::stop_handle), the game in progress is dropped
/// and no further game is played.
pub(crate) fn generate(
    part: &mut Part,
    player: &mut Player,
    proceed: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Progress, ShardError> {
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
        progress.positions += (game.squares.len() - usize::from(game.random)) as u64;
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
