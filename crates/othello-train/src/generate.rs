//! Generation of self-play games, in any number of processes.

use std::path::Path;

use boardgame_shard::{PartError, PartReader, Shard};

use crate::{
    games::{parts, work},
    player::{Player, Recipe},
};

/// The games to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation {
    /// The number of games of all shards together, which may be increased later.
    pub games: u64,
    /// The shard to generate.
    pub shard: Shard,
}

/// The progress of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of games in the shard.
    pub games: u64,
    /// The number of games to reach.
    pub total: u64,
    /// The number of positions in the games of this run, not counting random moves.
    pub positions: u64,
}

/// The number of games between two syncs to disk.
const SYNC: u64 = 4096;

/// Plays the missing games of a shard and appends each to the shard's part in `folder`.
///
/// `proceed` is called before each game with the progress so far; if it returns `false`, no further
/// game is played. If the player is [stopped](Player::stop_handle), the game in progress is dropped
/// and no further game is played.
///
/// # Errors
///
/// Fails if the folder or the shard cannot be used, or if the shard was begun with other settings or
/// by an engine that plays differently.
pub fn generate(
    folder: &Path,
    generation: &Generation,
    player: &mut Player,
    proceed: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Progress, PartError> {
    let Generation { games, shard } = *generation;
    let recipe = *player.recipe();
    let mut progress = Progress {
        games: 0,
        total: shard.share_of(games),
        positions: 0,
    };
    let Ok(signature) = player.signature() else {
        progress.games = games_of(folder, &recipe, shard)?;
        return Ok(progress);
    };
    let mut part = parts(folder, &recipe).open(&work(&recipe, signature), shard, games)?;
    progress.games = part.records();
    while let Some(number) = part.next_item()
        && proceed(&progress)
    {
        let Ok(game) = player.play(number) else {
            break;
        };
        part.append(&game.to_string())?;
        progress.games = part.records();
        progress.positions += (game.squares().len() - usize::from(game.random())) as u64;
        if progress.games.is_multiple_of(SYNC) {
            part.sync()?;
        }
    }
    part.sync()?;
    Ok(progress)
}

/// The number of games of a shard, 0 if there is no part.
fn games_of(folder: &Path, recipe: &Recipe, shard: Shard) -> Result<u64, PartError> {
    let parts = parts(folder, recipe);
    let files = [parts.path(shard), parts.begun_path(shard)];
    let Some(path) = files.into_iter().find(|path| path.exists()) else {
        return Ok(0);
    };
    let mut reader = PartReader::open(&path)?;
    reader.checksum()?;
    Ok(reader.records())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn generated(folder: &Path, generation: &Generation, max: u64) -> u64 {
        let mut player = Player::new(&Recipe {
            depth: 1,
            solve_from: 6,
            ..Recipe::default()
        });
        let mut made = 0;
        let progress = generate(folder, generation, &mut player, &mut |_| {
            made += 1;
            made <= max
        });
        progress.unwrap().games
    }

    #[test]
    fn a_resumed_run_makes_the_same_file_as_an_uninterrupted_one() {
        let generation = Generation {
            games: 25,
            shard: Shard::new(1, 2).unwrap(),
        };
        let (whole, pieces) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert_eq!(generated(whole.path(), &generation, u64::MAX), 12);
        let path = pieces.path().join("seed1-1of2.games.begun");
        for (run, max) in [1, 0, 3, 5].into_iter().enumerate() {
            generated(pieces.path(), &generation, max);
            // As if the process had been killed while writing.
            let mut bytes = fs::read(&path).unwrap();
            bytes.extend(&[0x5a; 49][..run * 16]);
            fs::write(&path, bytes).unwrap();
        }
        assert_eq!(generated(pieces.path(), &generation, u64::MAX), 12);
        let whole = fs::read(whole.path().join("seed1-1of2.games")).unwrap();
        let path = pieces.path().join("seed1-1of2.games");
        assert_eq!(fs::read(path).unwrap(), whole);
    }

    #[test]
    fn a_player_stopped_before_its_signature_is_known_plays_no_game() {
        let generation = Generation {
            games: 3,
            shard: Shard::WHOLE,
        };
        let folder = tempfile::tempdir().unwrap();
        let stopped = || {
            let mut player = Player::new(&Recipe::default());
            player.stop_handle().stop();
            let progress = generate(folder.path(), &generation, &mut player, &mut |_| true);
            let Progress {
                games,
                total,
                positions,
            } = progress.unwrap();
            (games, total, positions)
        };
        assert_eq!(stopped(), (0, 3, 0));
        assert_eq!(generated(folder.path(), &generation, 2), 2);
        assert_eq!(stopped(), (2, 3, 0));
        assert_eq!(generated(folder.path(), &generation, u64::MAX), 3);
    }
}
