//! Observations on disk: the parts of the searches, with a record for each observation.
//!
//! A record is the discs of the side to move and of its opponent as bitboards in hexadecimal, the values in 1/128 of a
//! disc from depth 0 on, and the exact score or a dash.

use std::{fmt, path::Path, str::FromStr};

use boardgame_files::shards::{Manifest, ManifestError, PartReader, Parts, Work};
use othello_core::{Bitboard, Position, Score};
use othello_search::{Evaluation, Limits, Searcher};
use serde::Serialize;

use super::{Observation, Observations};
use crate::{corpus::Corpus, openings::openings};

/// The extension of the files.
const EXTENSION: &str = "searches";
/// The command whose parts they are.
const COMMAND: &str = "othello-train calibrate";

/// Everything that decides the observations, besides their number.
#[derive(Serialize)]
struct Settings {
    /// The [signature](Corpus::games_signature) of the games.
    games: String,
    hold_out: u32,
    /// That of the search and the evaluation.
    engine: String,
}

/// An error: a record is not an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the discs of both sides, the values at each depth, and a score or a dash")]
pub struct ParseObservationError;

/// Returns the parts of the searches in a folder.
pub fn search_parts(folder: &Path) -> Parts {
    Parts::new(folder, "calibrate", EXTENSION)
}

/// Returns the work of making observations of a corpus with a searcher.
#[expect(
    clippy::missing_panics_doc,
    reason = "numbers and texts are always JSON"
)]
pub fn search_work(wanted: &Observations, corpus: &Corpus, searcher: &mut Searcher) -> Work {
    let settings = Settings {
        games: format!("{:08x}", corpus.games_signature()),
        hold_out: wanted.split.one_in,
        engine: format!("{:08x}", signature(searcher)),
    };
    Work::new(COMMAND, wanted.count as u64, &settings).expect("numbers and texts are JSON")
}

/// Reads all observations in the parts of a folder, in the order of the files' names.
///
/// # Errors
///
/// Fails if there is no part, one cannot be read or is damaged, or the parts are of different searches or have some in
/// common.
pub fn read_observations(folder: &Path) -> Result<Vec<Observation>, ManifestError> {
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
    type Err = ParseObservationError;

    /// Parses a record.
    fn from_str(text: &str) -> Result<Self, ParseObservationError> {
        parse(text).ok_or(ParseObservationError)
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

/// A signature of the search and evaluation: a checksum of their values of some positions.
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
    use std::fs;

    use boardgame_files::shards::{PartError, Shard};
    use othello_search::Options;

    use super::*;
    use crate::{corpus::Split, generate::play_shard, player::Recipe};

    fn observation(position: Position) -> Observation {
        let units = position.legal_moves().0 as i32 % 1000;
        Observation {
            position,
            values: [units, -units, 3].map(Evaluation::from_units).to_vec(),
            exact: (units % 2 == 0).then_some(Score::DRAW),
        }
    }

    /// Games at random, of which one in `one_in` is held out, and the wanted observations.
    fn work(games: u64, one_in: u32, count: usize) -> Work {
        let folder = tempfile::tempdir().unwrap();
        let recipe = Recipe {
            depth: 0,
            solve_from: 0,
            ..Recipe::default()
        };
        play_shard(folder.path(), recipe, games, "0/1");
        let corpus = Corpus::open(&[folder.path().into()]).unwrap();
        let wanted = Observations {
            count,
            split: Split { one_in },
        };
        search_work(&wanted, &corpus, &mut Searcher::new(Options::default()))
    }

    #[test]
    fn records_read_back_and_others_are_refused() {
        for position in openings(3) {
            let observation = observation(position);
            assert_eq!(observation.to_string().parse(), Ok(observation));
        }
        let text = observation(Position::START).to_string();
        let score = text.rfind(' ').unwrap();
        for wrong in [
            "",
            &text[..score],
            &format!("{text} 1"),
            &text.replace(',', ";"),
        ] {
            assert_eq!(
                wrong.parse::<Observation>(),
                Err(ParseObservationError),
                "{wrong}"
            );
        }
    }

    #[test]
    fn searches_of_other_games_or_settings_do_not_mix() {
        let folder = tempfile::tempdir().unwrap();
        let parts = search_parts(folder.path());
        let positions = openings(2);
        let first = work(20, 4, positions.len());
        let mut part = parts.open(&first, Shard::new(0, 2).unwrap()).unwrap();
        while let Some(item) = part.next_item() {
            let observation = observation(positions[item as usize]);
            part.append(&observation.to_string()).unwrap();
        }
        let expected: Vec<_> = (positions.iter().step_by(2).copied())
            .map(observation)
            .collect();
        assert_eq!(read_observations(folder.path()).unwrap(), expected);
        for (other, expected) in [
            (work(21, 4, 5), "expected games = "),
            (work(20, 5, 5), "expected hold_out = 5, found hold_out = 4"),
            (work(20, 4, 6), "expected 6 items, found 5 items"),
        ] {
            let error = parts.open(&other, Shard::new(1, 2).unwrap()).unwrap_err();
            assert!(matches!(error, PartError::Other { .. }), "{error}");
            let error = error.to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(parts.files().unwrap().len(), 1);
        let copy = folder.path().join("calibrate-copy.searches");
        fs::copy(part.path(), copy).unwrap();
        let error = read_observations(folder.path()).unwrap_err();
        assert!(matches!(error, ManifestError::Overlap { .. }), "{error}");
    }

    #[test]
    fn searches_of_an_earlier_version_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0of1.searches");
        fs::write(&path, "othello-train calibrate 2 01234567 0/1\n").unwrap();
        let opened = search_parts(folder.path()).open(&work(20, 4, 5), Shard::WHOLE);
        let error = opened.unwrap_err().to_string();
        assert!(
            error.ends_with("found another file, or one of another version"),
            "{error}"
        );
    }
}
