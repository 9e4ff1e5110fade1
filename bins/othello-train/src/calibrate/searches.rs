//! Observations on disk: the parts of the searches, with a record for each observation.
//!
//! A record is the discs of the side to move and of its opponent as bitboards in hexadecimal, the values in 1/128 of a
//! disc from depth 0 on, and the exact score or a dash.

use std::{fmt, path::Path, str::FromStr};

use anyhow::Context as _;
use boardgame_files::shards::{Manifest, PartReader, Parts, Work};
use othello_core::{Bitboard, Position, Score};
use othello_search::{Evaluation, Limits, Searcher};
use serde::Serialize;

use super::{Observation, Observations};
use crate::{corpus::Corpus, openings::openings};

/// The extension of the files.
const EXTENSION: &str = "searches";
/// The command that writes the parts.
const COMMAND: &str = "othello-train calibrate";

/// Everything that determines the observations, except their number.
#[derive(Serialize)]
struct Settings {
    /// The [signature](Corpus::games_signature) of the games.
    games: String,
    hold_out: u32,
    /// That of the search and the evaluation.
    engine: String,
}

/// Returns the parts of the searches in a folder.
pub(crate) fn search_parts(folder: &Path) -> Parts {
    Parts::new(folder, "calibrate", EXTENSION)
}

/// Returns the work of making observations of a corpus with a searcher.
pub(crate) fn search_work(wanted: &Observations, corpus: &Corpus, searcher: &mut Searcher) -> Work {
    let settings = Settings {
        games: format!("{:08x}", corpus.games_signature()),
        hold_out: wanted.split.one_in,
        engine: format!("{:08x}", signature(searcher)),
    };
    Work::new(COMMAND, wanted.count as u64, &settings).expect("numbers and texts are JSON")
}

/// Reads all observations in the parts of a folder, in the order of the files' names.
pub(crate) fn read_observations(folder: &Path) -> anyhow::Result<Vec<Observation>> {
    let files = search_parts(folder).files()?;
    // Checks that the parts go together.
    Manifest::of(&files, PartReader::checksum)?;
    let mut observations = Vec::new();
    for path in files {
        let mut part = PartReader::open(&path)?;
        while let Some(record) = part.next() {
            let observation = record?.parse::<Observation>();
            observations.push(observation.map_err(|error| part.record_error(error))?);
        }
    }
    Ok(observations)
}

impl fmt::Display for Observation {
    /// Writes the observation as a record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (own, opponent) = (self.position.own().0, self.position.opponent().0);
        write!(f, "{own:016x} {opponent:016x} ")?;
        for (at, value) in self.values.iter().enumerate() {
            let separator = if at == 0 { "" } else { "," };
            write!(f, "{separator}{}", value.units())?;
        }
        match self.exact {
            Some(score) => write!(f, " {}", score.discs()),
            None => write!(f, " -"),
        }
    }
}

impl FromStr for Observation {
    type Err = anyhow::Error;

    /// Parses a record.
    fn from_str(text: &str) -> anyhow::Result<Self> {
        parse(text).context(
            "expected the discs of both sides, the values at each depth, and a score or a dash",
        )
    }
}

fn parse(text: &str) -> Option<Observation> {
    let mut words = text.split(' ');
    let mut discs = || u64::from_str_radix(words.next()?, 16).ok().map(Bitboard);
    let position = Position::new(discs()?, discs()?).ok()?;
    let values = words.next()?.split(',').map(|value| {
        let units: i32 = value.parse().ok()?;
        Some(Evaluation::from_units(units))
    });
    let values = values.collect::<Option<_>>()?;
    let exact = match words.next()? {
        "-" => None,
        score => Some(Score::new(score.parse().ok()?)?),
    };
    words.next().is_none().then_some(Observation {
        position,
        values,
        exact,
    })
}

/// The depth of the searches for the signature.
const SIGNATURE_DEPTH: u32 = 6;

/// Returns a signature of the search and evaluation: a checksum of their values for some positions.
fn signature(searcher: &mut Searcher) -> u32 {
    searcher.clear();
    let mut hasher = crc32fast::Hasher::new();
    for position in openings(4) {
        let limits = Limits {
            selective: false,
            ..Limits::depth(SIGNATURE_DEPTH)
        };
        let report = searcher.search(position, &limits);
        for value in [searcher.evaluate(position), report.score] {
            hasher.update(&value.units().to_le_bytes());
        }
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observation(position: Position) -> Observation {
        let units = position.legal_moves().0 as i32 % 1000;
        Observation {
            position,
            values: [units, -units, 3].map(Evaluation::from_units).to_vec(),
            exact: (units % 2 == 0).then_some(Score::DRAW),
        }
    }

    #[test]
    fn records_read_back_and_others_are_refused() {
        for position in openings(3) {
            let observation = observation(position);
            assert_eq!(parse(&observation.to_string()), Some(observation));
        }
        let text = observation(Position::START).to_string();
        let score = text.rfind(' ').unwrap();
        for wrong in [
            "",
            &text[..score],
            &format!("{text} 1"),
            &text.replace(',', ";"),
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
