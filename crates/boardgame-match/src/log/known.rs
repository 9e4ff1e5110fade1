//! The checks of entries against the entries before them.

use std::collections::HashSet;

use super::{Contents, EngineEntry, Entry, EntryError, Header};
use crate::{EngineId, GameId, record::RecordFormat, schedule::Round};

/// The facts in the entries of a log so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    header: Option<Header>,
    logged: HashSet<GameId>,
    /// The games of the rounds of a tournament.
    paired: HashSet<GameId>,
}

impl Known {
    /// Returns what the entries of a log say.
    pub(super) fn of(contents: &Contents) -> Self {
        let paired = contents.rounds.iter().flat_map(|round| &round.games);
        Self {
            header: Some(contents.header.clone()),
            logged: contents.games.iter().map(|game| game.id).collect(),
            paired: paired.copied().collect(),
        }
    }

    /// Checks that an entry fits the entries before it and, if it is a game, replays; then adds it.
    pub(super) fn take<F: RecordFormat>(&mut self, entry: &Entry) -> Result<(), EntryError> {
        let header = match (entry, &mut self.header) {
            (Entry::Match(header), None) => {
                self.header = Some(header.clone());
                return Ok(());
            }
            (Entry::Match(_), Some(_)) => return Err(EntryError::SecondHeader),
            (_, None) => return Err(EntryError::NoHeader),
            (_, Some(header)) => header,
        };
        match entry {
            Entry::Match(_) => {}
            Entry::Engine(engine) => header.set_engine(engine.clone()),
            Entry::Round(Round { games, byes }) => {
                let seats = games.iter().flat_map(|game| [game.black, game.white]);
                for engine in seats.chain(byes.iter().copied()) {
                    check_engine(engine, header)?;
                }
                if let Some(&id) = games.iter().find(|game| self.paired.contains(game)) {
                    return Err(EntryError::Duplicate { id });
                }
                self.paired.extend(games);
            }
            Entry::Game(game) => {
                for (engine, name) in [game.id.black, game.id.white].into_iter().zip(&game.names) {
                    let entry = check_engine(engine, header)?;
                    if entry.name != *name {
                        return Err(EntryError::Name {
                            expected: entry.name.clone(),
                            found: name.clone(),
                        });
                    }
                }
                if self.logged.contains(&game.id) {
                    return Err(EntryError::Duplicate { id: game.id });
                }
                game.replay::<F>()?;
                self.logged.insert(game.id);
            }
            Entry::Ruling(ruling) => {
                if !self.paired.contains(&ruling.game) {
                    return Err(EntryError::NotPaired { id: ruling.game });
                }
                if ruling.result.is_none() {
                    self.logged.remove(&ruling.game);
                }
            }
            Entry::Limit { engine, .. } => {
                check_engine(*engine, header)?;
            }
        }
        Ok(())
    }
}

fn check_engine(engine: EngineId, header: &Header) -> Result<&EngineEntry, EntryError> {
    let known = header.engines.get(usize::from(engine.0));
    known.ok_or(EntryError::Engine {
        engine,
        count: header.engines.len(),
    })
}
