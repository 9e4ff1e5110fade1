//! The engines named on a command line.

use std::{path::Path, str::FromStr};

use boardgame_match::{
    EngineId,
    engine::{Engine, ReadEnginesError},
    limit::{Limit, ParseLimitError},
};

use crate::matches::MatchError;

/// The maximum size of a file of engines, in bytes.
const MAX_FILE: u64 = 16 * boardgame_files::MIB;

/// A limit for one engine or for all: `[NAME=]LIMIT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedLimit {
    /// The engine, or `None` for all that have no limit of their own.
    pub name: Option<String>,
    /// The limit.
    pub limit: Limit,
}

impl FromStr for NamedLimit {
    type Err = ParseLimitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, limit) = match text.split_once('=') {
            Some((name, limit)) => (Some(name.to_owned()), limit),
            None => (None, text),
        };
        let limit = limit.parse()?;
        Ok(Self { name, limit })
    }
}

/// Reads a file of engines with `read`.
///
/// # Errors
///
/// Fails if the file cannot be read, is too large or names no engines.
pub fn read_file<E>(
    path: &Path,
    read: impl Fn(&str) -> Result<Vec<E>, ReadEnginesError>,
) -> Result<Vec<E>, MatchError> {
    let text = boardgame_files::read_to_string(path, MAX_FILE).map_err(|source| {
        let path = path.to_owned();
        MatchError::File { path, source }
    })?;
    read(&text).map_err(|source| {
        let path = path.to_owned();
        MatchError::Engines { path, source }
    })
}

/// Returns the engines of a match with their limits: their own, or else the one for all.
///
/// # Errors
///
/// Fails if there are fewer than two engines, two engines with one name, two limits for all or for
/// one engine, or a limit for an unknown engine.
pub fn with_limits<E: Engine>(
    mut engines: Vec<E>,
    limits: &[NamedLimit],
) -> Result<Vec<E>, MatchError> {
    let found = engines.len();
    if found < 2 {
        return Err(MatchError::Options(format!(
            "two engines or more, by --engine or in the file of --engines, found {found}"
        )));
    }
    let (named, common): (Vec<_>, Vec<_>) = limits.iter().partition(|limit| limit.name.is_some());
    if common.len() > 1 {
        return Err(MatchError::Options(format!(
            "one limit for all engines, found {}: name the engine, as in -l {}={}",
            common.len(),
            engines[0].name(),
            common[0].limit
        )));
    }
    for NamedLimit { name, limit } in &named {
        let found = named.iter().filter(|limit| limit.name == *name).count();
        let name = name.as_deref().unwrap_or_default();
        let place = place(&engines, name)?;
        if found > 1 {
            return Err(MatchError::Options(format!(
                "one limit for {name}, found {found}"
            )));
        }
        engines[place].set_limit(*limit);
    }
    for limit in common {
        let is_open = |engine: &&mut E| engine.limit() == Limit::default();
        for engine in engines.iter_mut().filter(is_open) {
            engine.set_limit(limit.limit);
        }
    }
    for (number, engine) in engines.iter().enumerate() {
        if place(&engines, engine.name())? != number {
            let name = engine.name();
            return Err(MatchError::Options(format!(
                "each name once, found two engines named {name}"
            )));
        }
    }
    Ok(engines)
}

/// Returns the engine of a name.
///
/// # Errors
///
/// Fails if there is none.
pub fn find<E: Engine>(engines: &[E], name: &str) -> Result<EngineId, MatchError> {
    Ok(EngineId(place(engines, name)? as u16))
}

fn place<E: Engine>(engines: &[E], name: &str) -> Result<usize, MatchError> {
    let found = engines.iter().position(|engine| engine.name() == name);
    found.ok_or_else(|| {
        let names: Vec<_> = engines.iter().map(Engine::name).collect();
        let names = names.join(", ");
        MatchError::Options(format!("one of the engines {names}, found {name:?}"))
    })
}
