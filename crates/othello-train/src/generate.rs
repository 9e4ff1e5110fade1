//! The making of a generation's games, in as many processes as one likes.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    player::{Player, Stopped},
    shard::{Header, Part, ShardError, ShardWriter},
};

/// How much is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation {
    /// How many games, of all parts together; a generation may be extended.
    pub games: u64,
    /// The part of them to make.
    pub part: Part,
}

/// How far a shard has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The games it has.
    pub games: u64,
    /// Those it shall have.
    pub of: u64,
    /// The positions in the games made by this run, random moves not counted.
    pub positions: u64,
}

/// A shard that could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerationError {
    /// There is no such folder, and it cannot be made.
    #[error("cannot make the folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file cannot be used.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The player was stopped before its signature was known.
    #[error("the player's signature is not known")]
    Stopped(#[from] Stopped),
}

/// Games between two waits for the disk.
const SYNC: u64 = 4096;

/// Makes the games of a shard that are not there yet, each added to its file in `folder` as it
/// ends; `go_on` hears of the state before each and says whether to make another. A game in which the
/// player is [stopped](Player::stop_handle) is not kept, and no other is begun.
///
/// # Errors
///
/// When the folder or the shard cannot be used, or the shard was begun otherwise: with other
/// settings, or by an engine that plays differently.
pub fn generate(
    folder: &Path,
    generation: &Generation,
    player: &mut Player,
    go_on: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Progress, GenerationError> {
    let Generation { games, part } = *generation;
    fs::create_dir_all(folder).map_err(|source| GenerationError::Folder {
        path: folder.into(),
        source,
    })?;
    let header = Header {
        recipe: *player.recipe(),
        part,
        player: player.signature()?,
    };
    let mut writer = ShardWriter::open(&folder.join(header.file_name()), &header)?;
    let mut progress = Progress {
        games: writer.games(),
        of: part.share_of(games),
        positions: 0,
    };
    while progress.games < progress.of && go_on(&progress) {
        let Ok(game) = player.play(writer.next_game()) else {
            break;
        };
        writer.append(&game)?;
        progress.games = writer.games();
        progress.positions += (game.squares().len() - usize::from(game.random())) as u64;
        if progress.games.is_multiple_of(SYNC) {
            writer.sync()?;
        }
    }
    writer.sync()?;
    Ok(progress)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Recipe;

    fn made(folder: &Path, generation: &Generation, most: u64) -> u64 {
        let mut player = Player::new(&Recipe {
            depth: 1,
            solve_from: 6,
            ..Recipe::default()
        });
        let mut made = 0;
        let progress = generate(folder, generation, &mut player, &mut |_| {
            made += 1;
            made <= most
        });
        progress.unwrap().games
    }

    #[test]
    fn a_run_that_is_resumed_leaves_what_an_uninterrupted_one_does() {
        let generation = Generation {
            games: 25,
            part: Part::new(1, 2).unwrap(),
        };
        let (whole, pieces) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert_eq!(made(whole.path(), &generation, u64::MAX), 12);
        let path = pieces.path().join("seed1-1of2.games");
        for (run, most) in [1, 0, 3, 5].into_iter().enumerate() {
            made(pieces.path(), &generation, most);
            // The process was killed while it wrote.
            let mut bytes = fs::read(&path).unwrap();
            bytes.extend(&[0x5a; 49][..run * 16]);
            fs::write(&path, bytes).unwrap();
        }
        assert_eq!(made(pieces.path(), &generation, u64::MAX), 12);
        let whole = fs::read(whole.path().join("seed1-1of2.games")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}
