//! The headers of logs.

use serde::{Deserialize, Serialize};

use super::Difference;

/// The identity of a match: only a run with an equal header continues it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The engines, in the order of their [`EngineId`](crate::EngineId)s.
    pub engines: Vec<EngineEntry>,
    /// The [family](crate::schedule::Form::family) of schedules; a match can be extended within it.
    pub schedule: String,
    /// The identity of the openings, as text.
    pub openings: String,
    /// The seed of the match.
    pub seed: u64,
    /// Other settings that affect results, as text, such as the tolerance of the clock.
    pub rules: String,
}

/// An engine in the header of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineEntry {
    /// The name.
    pub name: String,
    /// All settings that affect its play, as text.
    pub spec: String,
}

/// Returns the difference of two values, if they differ.
fn difference(what: &str, expected: &str, found: &str) -> Option<Difference> {
    (expected != found).then(|| Difference {
        what: what.to_owned(),
        expected: expected.to_owned(),
        found: found.to_owned(),
    })
}

impl Header {
    /// Returns the names of the engines.
    pub fn names(&self) -> Vec<String> {
        let engines = self.engines.iter();
        engines.map(|engine| engine.name.clone()).collect()
    }

    /// Adds an engine, or replaces the one of its name.
    pub(super) fn set_engine(&mut self, engine: EngineEntry) {
        match self
            .engines
            .iter_mut()
            .find(|known| known.name == engine.name)
        {
            Some(known) => *known = engine,
            None => self.engines.push(engine),
        }
    }

    /// Returns the first difference of a log's header from this one.
    pub(super) fn difference(&self, log: &Self) -> Option<Difference> {
        let of = difference;
        let engine = |number: usize, (ours, theirs): (&EngineEntry, &EngineEntry)| {
            let name = || {
                of(
                    &format!("name of engine {number}"),
                    &ours.name,
                    &theirs.name,
                )
            };
            name().or_else(|| of(&format!("engine {}", ours.name), &ours.spec, &theirs.spec))
        };
        let numbers = |count: usize| count.to_string();
        let count = |header: &Self| numbers(header.engines.len());
        of("number of engines", &count(self), &count(log))
            .or_else(|| {
                let mut pairs = self.engines.iter().zip(&log.engines).enumerate();
                pairs.find_map(|(index, pair)| engine(index + 1, pair))
            })
            .or_else(|| self.difference_of_rules(log))
    }

    /// Returns the first difference of a log's header from this one that is not of an engine.
    pub(super) fn difference_of_rules(&self, log: &Self) -> Option<Difference> {
        let of = difference;
        of("rules", &self.rules, &log.rules)
            .or_else(|| of("schedule", &self.schedule, &log.schedule))
            .or_else(|| of("seed", &self.seed.to_string(), &log.seed.to_string()))
            .or_else(|| of("openings", &self.openings, &log.openings))
    }
}
