//! The making of a generation's games, in as many processes as one likes.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    player::Player,
    shard::{Header, Part, ShardError, ShardReader, ShardWriter},
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
}

/// Games between two waits for the disk.
const SYNC: u64 = 4096;

/// Makes the games of a shard that are not there yet, each added to its file in `folder` as it
/// ends; `go_on` hears of the state before each and says whether to make another. A game in which the
/// player is [stopped](Player::stop_handle) is not kept, and no other is begun; stopped before its signature
/// is known, it makes none.
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
    let mut header = Header {
        recipe: *player.recipe(),
        part,
        player: 0,
    };
    let path = folder.join(header.file_name());
    let Ok(signature) = player.signature() else {
        return Ok(Progress {
            games: games_of(&path)?,
            of: part.share_of(games),
            positions: 0,
        });
    };
    header.player = signature;
    let mut writer = ShardWriter::open(&path, &header)?;
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

/// How many games a shard has that may not be there.
fn games_of(path: &Path) -> Result<u64, ShardError> {
    if path.exists() {
        ShardReader::open(path).map(|shard| shard.games())
    } else {
        Ok(0)
    }
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

    #[test]
    fn a_player_that_is_stopped_before_its_signature_is_known_makes_no_game() {
        let generation = Generation {
            games: 3,
            part: Part::WHOLE,
        };
        let folder = tempfile::tempdir().unwrap();
        let stopped = || {
            let mut player = Player::new(&Recipe::default());
            player.stop_handle().stop();
            let progress = generate(folder.path(), &generation, &mut player, &mut |_| true);
            let Progress {
                games,
                of,
                positions,
            } = progress.unwrap();
            (games, of, positions)
        };
        assert_eq!(stopped(), (0, 3, 0));
        assert_eq!(made(folder.path(), &generation, 2), 2);
        assert_eq!(stopped(), (2, 3, 0));
        assert_eq!(made(folder.path(), &generation, u64::MAX), 3);
    }
}
