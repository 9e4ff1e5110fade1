//! Append-only files of observations.
//!
//! The first line is a header that identifies the search and the part. Each further line is an
//! observation: the discs of the side to move and of its opponent as bitboards in hexadecimal, the
//! values in 1/128 of a disc from depth 0 on, the exact score or a dash, and a CRC-32 of the header,
//! the line's number and its text.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use boardgame_files::{AppendFile, AppendOptions, OpenError, whole_lines};
use boardgame_shard::Shard;
use othello_core::{Bitboard, Position, Score};
use othello_search::{Evaluation, Limits, Searcher};

use super::Observation;
use crate::{corpus::list_files, openings::openings};

/// A file of observations, opened and locked for appending.
#[derive(Debug)]
pub struct ObservationLog {
    path: PathBuf,
    file: AppendFile,
    header: String,
    shard: Shard,
    observations: Vec<Observation>,
}

/// An error of reading or writing observations.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObservationError {
    /// The file cannot be read or written.
    #[error("cannot use {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Another process is writing the file.
    #[error("{} is being written by another process", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The file holds observations of another part, or of another search or other weights.
    #[error("{} holds other searches: expected {expected:?}, found {found:?}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// The expected header.
        expected: String,
        /// The header of the file.
        found: String,
    },
    /// Two files have observations in common.
    #[error("{} has searches in common with {}", path.display(), other.display())]
    Overlap {
        /// The later of the two files.
        path: PathBuf,
        /// The earlier one.
        other: PathBuf,
    },
    /// A line is invalid.
    #[error("{}, line {line}: expected an observation with its checksum", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
    },
    /// An observation is not of the position that the games have.
    #[error("{}, line {line}: expected another position, that of these games", path.display())]
    Position {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
    },
}

impl ObservationLog {
    /// Opens or creates the file of a part in a folder. A torn line at the end is removed.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be used, if it was begun with another search, evaluation or list of
    /// positions, or if the folder has a file of a part that overlaps this one.
    pub fn open(
        folder: &Path,
        shard: Shard,
        searcher: &mut Searcher,
        positions: &[Position],
    ) -> Result<Self, ObservationError> {
        let path = folder.join(format!("{}of{}.{EXTENSION}", shard.index(), shard.count()));
        let io = |source| ObservationError::io(&path, source);
        fs::create_dir_all(folder).map_err(io)?;
        check_others(folder, &path, shard)?;
        let options = AppendOptions {
            lock: true,
            ..AppendOptions::default()
        };
        let mut file = AppendFile::open(&path, options).map_err(|error| match error {
            OpenError::Locked => ObservationError::Locked { path: path.clone() },
            other => io(other.into()),
        })?;
        let header = format!("{MAGIC} {:08x} {shard}", signature(searcher));
        let text = file.read_to_string(MAX_FILE).map_err(io)?;
        let whole = whole_lines(&text);
        file.truncate(whole.len() as u64).map_err(io)?;
        let observations = if whole.is_empty() {
            file.append_line(&header).map_err(io)?;
            Vec::new()
        } else {
            let (found, observations) = parse(&path, whole)?;
            if found != header {
                let found = found.to_owned();
                return Err(ObservationError::Other {
                    path,
                    expected: header,
                    found,
                });
            }
            observations
        };
        let log = Self {
            path,
            file,
            header,
            shard,
            observations,
        };
        log.check(positions)?;
        Ok(log)
    }

    /// Checks that the observations are of these positions.
    fn check(&self, positions: &[Position]) -> Result<(), ObservationError> {
        for (place, observation) in self.observations.iter().enumerate() {
            let number = self.shard.item(place as u64) as usize;
            let expected = positions.get(number);
            // There may be fewer positions than when the file was begun.
            if expected.is_some_and(|&expected| expected != observation.position) {
                return Err(ObservationError::Position {
                    path: self.path.clone(),
                    line: place + 2,
                });
            }
        }
        Ok(())
    }

    /// The number of the position to be observed next.
    pub fn next_number(&self) -> u64 {
        self.shard.item(self.observations.len() as u64)
    }

    /// The number of observations.
    pub fn len(&self) -> u64 {
        self.observations.len() as u64
    }

    /// Returns `true` if there are no observations.
    pub fn is_empty(&self) -> bool {
        self.observations.is_empty()
    }

    /// Appends the observation of the position with the [next number](Self::next_number).
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn append(&mut self, observation: Observation) -> Result<(), ObservationError> {
        let text = print(&observation);
        let sum = checksum(&self.header, self.observations.len(), &text);
        let written = self.file.append_line(format_args!("{text} {sum:08x}"));
        written.map_err(|source| ObservationError::io(&self.path, source))?;
        self.observations.push(observation);
        Ok(())
    }
}

/// The extension of the files.
const EXTENSION: &str = "searches";
/// The maximum size of a file in bytes.
const MAX_FILE: u64 = 1024 * boardgame_files::MIB;
/// The beginning of a header.
const MAGIC: &str = "othello-train calibrate 2";

impl ObservationError {
    fn io(path: &Path, source: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, source }
    }
}

/// Checks that no file of the folder other than `path` is of a part that overlaps this one.
fn check_others(folder: &Path, path: &Path, shard: Shard) -> Result<(), ObservationError> {
    let files =
        list_files(folder, EXTENSION).map_err(|source| ObservationError::io(folder, source))?;
    for other in files.into_iter().filter(|other| other != path) {
        let text = boardgame_files::read_to_string(&other, MAX_FILE)
            .map_err(|source| ObservationError::io(&other, source))?;
        let other_part = text
            .lines()
            .next()
            .and_then(|header| header.rsplit_once(' '));
        let other_part = other_part.and_then(|(_, part)| part.parse::<Shard>().ok());
        if other_part.is_some_and(|other_part| other_part.overlaps(shard)) {
            let path = path.to_owned();
            return Err(ObservationError::Overlap { path, other });
        }
    }
    Ok(())
}

/// Reads all observations in the files of a folder, in the order of the files' names.
///
/// # Errors
///
/// Fails if a file cannot be read, if the files are of different searches, or if two are of parts that
/// overlap.
pub fn read_observations(folder: &Path) -> Result<Vec<Observation>, ObservationError> {
    let files =
        list_files(folder, EXTENSION).map_err(|source| ObservationError::io(folder, source))?;
    let (mut all, mut first, mut parts) = (Vec::new(), None, Vec::<(PathBuf, Shard)>::new());
    for path in files {
        let text = boardgame_files::read_to_string(&path, MAX_FILE)
            .map_err(|source| ObservationError::io(&path, source))?;
        let (header, observations) = parse(&path, &text)?;
        if header.is_empty() {
            // Another process has just created it.
            continue;
        }
        // Headers may differ in the part only.
        let (kind, part) = header.rsplit_once(' ').unwrap_or((header, ""));
        let expected = first.get_or_insert_with(|| kind.to_owned());
        let (true, Ok(part)) = (expected == kind, part.parse::<Shard>()) else {
            return Err(ObservationError::Other {
                path,
                expected: expected.clone(),
                found: header.to_owned(),
            });
        };
        if let Some((other, _)) = parts.iter().find(|(_, other)| other.overlaps(part)) {
            let other = other.clone();
            return Err(ObservationError::Overlap { path, other });
        }
        parts.push((path, part));
        all.extend(observations);
    }
    Ok(all)
}

/// Parses a file into its header and observations; a torn last line is ignored.
fn parse<'a>(path: &Path, text: &'a str) -> Result<(&'a str, Vec<Observation>), ObservationError> {
    let mut lines = whole_lines(text).lines();
    let header = lines.next().unwrap_or_default();
    let observations = lines.enumerate().map(|(number, line)| {
        read(header, number, line).ok_or_else(|| ObservationError::Line {
            path: path.into(),
            line: number + 2,
        })
    });
    Ok((header, observations.collect::<Result<_, _>>()?))
}

fn print(observation: &Observation) -> String {
    let Observation {
        position,
        values,
        exact,
    } = observation;
    let values: Vec<String> = values
        .iter()
        .map(|value| value.units().to_string())
        .collect();
    let exact = exact.map_or("-".into(), |score| score.discs().to_string());
    let (own, opponent) = (position.own().0, position.opponent().0);
    format!("{own:016x} {opponent:016x} {} {exact}", values.join(","))
}

fn read(header: &str, number: usize, line: &str) -> Option<Observation> {
    let (text, sum) = line.rsplit_once(' ')?;
    if u32::from_str_radix(sum, 16) != Ok(checksum(header, number, text)) {
        return None;
    }
    let mut parts = text.split(' ');
    let mut discs = || u64::from_str_radix(parts.next()?, 16).ok().map(Bitboard);
    let position = Position::new(discs()?, discs()?).ok()?;
    let values = parts.next()?.split(',').map(|value| {
        let units: i32 = value.parse().ok()?;
        Some(Evaluation::from_units(units))
    });
    let values = values.collect::<Option<_>>()?;
    let exact = match parts.next()? {
        "-" => None,
        score => Some(Score::new(score.parse().ok()?)?),
    };
    Some(Observation {
        position,
        values,
        exact,
    })
}

fn checksum(header: &str, number: usize, text: &str) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header.as_bytes());
    hasher.update(&(number as u64).to_le_bytes());
    hasher.update(text.as_bytes());
    hasher.finalize()
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
        let report = searcher.search(position, &limits, &mut |_| {});
        for value in [searcher.evaluate(position), report.score] {
            hasher.update(&value.units().to_le_bytes());
        }
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use othello_search::Options;

    use super::*;

    fn observation(position: Position) -> Observation {
        let units = position.legal_moves().0 as i32 % 1000;
        Observation {
            position,
            values: [units, -units, 3].map(Evaluation::from_units).to_vec(),
            exact: (units % 2 == 0).then_some(Score::DRAW),
        }
    }

    /// Appends at most `max` of the missing observations and returns the number in the file.
    fn add(folder: &Path, part: &str, positions: &[Position], max: usize) -> u64 {
        let mut searcher = Searcher::new(Options::default());
        let part = part.parse().unwrap();
        let mut log = ObservationLog::open(folder, part, &mut searcher, positions).unwrap();
        for _ in 0..max {
            if let Some(&position) = positions.get(log.next_number() as usize) {
                log.append(observation(position)).unwrap();
            }
        }
        log.len()
    }

    #[test]
    fn a_file_truncated_anywhere_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let positions = openings(3);
        assert_eq!(add(folder, "0/2", &positions, 99), 10);
        assert_eq!(add(folder, "1/2", &positions, 99), 9);
        let path = folder.join("0of2.searches");
        let whole = fs::read(&path).unwrap();
        for length in (0..whole.len()).step_by(17) {
            fs::write(&path, &whole[..length]).unwrap();
            let read = read_observations(folder).unwrap().len();
            assert!((9..19).contains(&read), "{length}");
            add(folder, "0/2", &positions, 2);
            assert_eq!(add(folder, "0/2", &positions, 99), 10);
            assert_eq!(fs::read(&path).unwrap(), whole, "{length}");
        }
        let (even, odd) = (
            positions.iter().step_by(2),
            positions.iter().skip(1).step_by(2),
        );
        let expected: Vec<_> = even.chain(odd).copied().map(observation).collect();
        assert_eq!(read_observations(folder).unwrap(), expected);
    }

    #[test]
    fn a_file_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let mut searcher = Searcher::new(Options::default());
        let mut open = || ObservationLog::open(folder.path(), Shard::WHOLE, &mut searcher, &[]);
        let log = open().unwrap();
        let error = open().unwrap_err().to_string();
        assert!(
            error.ends_with("0of1.searches is being written by another process"),
            "{error}"
        );
        drop(log);
        open().unwrap();
    }

    #[test]
    fn invalid_lines_and_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let positions = openings(2);
        add(folder, "0/1", &positions, 99);
        let path = folder.join("0of1.searches");
        let whole = fs::read_to_string(&path).unwrap();
        let error = |text: String| {
            fs::write(&path, text).unwrap();
            read_observations(folder).unwrap_err().to_string()
        };
        let lines: Vec<&str> = whole.lines().collect();
        let swapped = format!("{}\n{}\n{}\n", lines[0], lines[2], lines[1]);
        assert!(error(swapped).contains("line 2: expected an observation"));
        let changed = whole.replacen(",3 ", ",4 ", 1);
        assert_ne!(changed, whole);
        assert!(error(changed).contains("line 2: expected an observation"));
        fs::write(&path, &whole).unwrap();
        let mut searcher = Searcher::new(Options::default());
        let mut open = |part: &str, positions: &[Position]| {
            let part = part.parse().unwrap();
            let opened = ObservationLog::open(folder, part, &mut searcher, positions);
            opened.map(|log| log.len())
        };
        let others: Vec<Position> = positions.iter().rev().copied().collect();
        let error = open("0/1", &others).unwrap_err().to_string();
        assert!(
            error.contains("line 2: expected another position"),
            "{error}"
        );
        assert_eq!(
            open("0/1", &positions[..1]).unwrap(),
            positions.len() as u64
        );
        let error = open("1/2", &positions).unwrap_err().to_string();
        assert!(
            error.contains("1of2.searches has searches in common with "),
            "{error}"
        );
        let copy = folder.join("copy.searches");
        fs::copy(&path, &copy).unwrap();
        let error = read_observations(folder).unwrap_err().to_string();
        assert!(
            error.contains("copy.searches has searches in common"),
            "{error}"
        );
        fs::remove_file(copy).unwrap();
        fs::rename(&path, folder.join("0of2.searches")).unwrap();
        let error = open("0/2", &positions).unwrap_err().to_string();
        assert!(
            error.contains("expected \"othello-train calibrate 2"),
            "{error}"
        );
    }
}
