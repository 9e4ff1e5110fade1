//! Matches divided into shards: every N-th game of the schedule.
//!
//! While a shard is played its games are in a log of their own; once all are, its part has them in the order of the
//! schedule. Parts are merged into one log, whose report is the same as for an undivided match.

use std::{
    collections::{HashMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
};

use crate::ShardOptions;
use boardgame_core::Game;
use boardgame_files::shards::{Part, Parts, Shard, Work};
use boardgame_match::{
    GameId,
    log::{self, Header, Log},
    record::{PlayedGame, RecordFormat},
    schedule::Schedule,
    tally::Tally,
};
use serde::Serialize;

use crate::matches::{MatchError, MatchOptions};

/// Everything that decides the games of a match.
#[derive(Serialize)]
struct Settings<'a> {
    program: String,
    game: &'static str,
    engines: Vec<String>,
    schedule: &'a str,
    openings: &'a str,
    seed: u64,
    rules: &'a str,
}

/// A match that is divided into shards.
pub(crate) struct ShardedMatch<'a> {
    options: &'a ShardOptions,
    work: Work,
    /// All games of the schedule.
    games: Vec<GameId>,
    folder: PathBuf,
}

impl<'a> ShardedMatch<'a> {
    /// Returns a match whose parts are in a folder.
    ///
    /// # Errors
    ///
    /// Fails if the settings of the match cannot be written as JSON.
    pub(crate) fn new<F: RecordFormat>(
        options: &'a MatchOptions,
        header: &Header,
        schedule: &Schedule,
        program: &str,
        folder: &Path,
    ) -> Result<Self, MatchError> {
        let games = schedule.known(&Tally::default());
        let engine = |engine: &log::EngineEntry| format!("{}={}", engine.name, engine.spec);
        let settings = Settings {
            program: program.into(),
            game: <F::Game as Game>::NAME,
            engines: header.engines.iter().map(engine).collect(),
            schedule: &header.schedule,
            openings: &header.openings,
            seed: header.seed,
            rules: &header.rules,
        };
        let work = Work::new("match", games.len() as u64, &settings)?;
        Ok(Self {
            options: &options.shards,
            work,
            games,
            folder: folder.into(),
        })
    }

    fn parts(&self) -> Parts {
        Parts::new(&self.folder, "match", "part")
    }

    /// Returns the log of a shard while it is played.
    pub(crate) fn log(&self, shard: Shard) -> PathBuf {
        self.parts().path(shard).with_extension("jsonl")
    }

    /// Opens and locks the part of a shard.
    ///
    /// # Errors
    ///
    /// Fails if the part cannot be used, or a manifest is named that is of another match or cannot be read or written.
    pub(crate) fn open(&self, shard: Shard) -> Result<Part, MatchError> {
        Ok(self.options.open(&self.parts(), &self.work, shard)?)
    }

    /// Appends the games in the log of a shard to its part.
    pub(crate) fn complete<F: RecordFormat>(
        &self,
        shard: Shard,
        part: &mut Part,
    ) -> Result<(), MatchError> {
        let logged = log::read::<F>(&self.log(shard))?.games.into_iter();
        let logged: HashMap<GameId, PlayedGame> = logged.map(|game| (game.id, game)).collect();
        while let Some(item) = part.next_item() {
            let game = logged.get(&self.games[item as usize]);
            let game = game.ok_or(MatchError::Unplayed { item })?;
            part.append(&serde_json::to_string(game)?)?;
        }
        Ok(())
    }

    /// Removes the log of a shard whose part is complete.
    pub(crate) fn remove_log(&self, shard: Shard) -> Result<(), MatchError> {
        let path = self.log(shard);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(|source| MatchError::File { path, source }),
        }
    }

    /// Merges the parts of all shards into a log. Games already in the log must be the same.
    pub(crate) fn merge<F: RecordFormat>(
        &self,
        path: &Path,
        header: &Header,
    ) -> Result<(), MatchError> {
        let merged = self.options.merged(&self.parts(), &self.work)?;
        let games: Vec<PlayedGame> = merged
            .records()?
            .map(|record| Ok(serde_json::from_str(&record?)?))
            .collect::<Result<_, MatchError>>()?;
        if !games
            .iter()
            .map(|game| game.id)
            .eq(self.games.iter().copied())
        {
            return Err(MatchError::OtherGames {
                path: self.folder.clone(),
            });
        }
        let (mut log, contents) = Log::<F>::open(path, header)?;
        let logged: HashMap<GameId, &PlayedGame> =
            contents.games.iter().map(|game| (game.id, game)).collect();
        let is_other =
            |game: &&PlayedGame| logged.get(&game.id).is_some_and(|logged| logged != game);
        let ids: HashSet<GameId> = self.games.iter().copied().collect();
        if games.iter().any(|game| is_other(&game)) || !logged.keys().all(|id| ids.contains(id)) {
            return Err(MatchError::OtherGames { path: path.into() });
        }
        let missing: Vec<PlayedGame> = games
            .into_iter()
            .filter(|game| !logged.contains_key(&game.id))
            .collect();
        Ok(log.append_all(&missing)?)
    }
}
