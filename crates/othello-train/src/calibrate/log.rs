//! Files of observations that grow.
//!
//! The first line says what they are; then each line is an observation: the discs of the side to
//! move and of its opponent as bitboards in hexadecimal digits, the values in 1/128 of a disc from
//! depth 0 on, the exact score or a dash, and a CRC-32 over the first line, the line's number and
//! its text.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use othello_core::{Bitboard, Position, Score};
use othello_search::{Evaluation, Limits, Searcher};

use super::Observation;
use crate::{corpus::listed, openings::openings, shard::Part};

/// A file of observations, open for writing by this process alone.
#[derive(Debug)]
pub struct ObservationLog {
    path: PathBuf,
    file: File,
    header: String,
    part: Part,
    observations: Vec<Observation>,
}

/// A file of observations that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObservationError {
    /// The system does not let it be read or written.
    #[error("cannot use {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another process writes it.
    #[error("{} is being written by another process", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// It holds others: of other parts, or made by another search or other weights.
    #[error("{} holds other searches: expected {expected:?}, found {found:?}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What its first line should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// Two files that have observations in common.
    #[error("{} would have searches of {} too", path.display(), other.display())]
    Overlap {
        /// A file.
        path: PathBuf,
        /// One before it.
        other: PathBuf,
    },
    /// A line is not as it was written.
    #[error("{}, line {line}: expected an observation with its checksum", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
    },
    /// The positions are not those of the games.
    #[error("{}, line {line}: expected another position, as these games have it", path.display())]
    Position {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
    },
}

impl ObservationLog {
    /// Opens the file of a part in a folder, or makes it; a line that a killed process left torn
    /// is taken away.
    ///
    /// # Errors
    ///
    /// When the file cannot be used, was begun with another search, evaluation or other positions, or
    /// the folder has a file of a part that overlaps this one.
    pub fn open(
        folder: &Path,
        part: Part,
        searcher: &mut Searcher,
        positions: &[Position],
    ) -> Result<Self, ObservationError> {
        let path = folder.join(format!("{}of{}.{EXTENSION}", part.index(), part.count()));
        let io = |source| ObservationError::io(&path, source);
        fs::create_dir_all(folder).map_err(io)?;
        check_others(folder, &path, part)?;
        let mut options = OpenOptions::new();
        let opened = options.read(true).append(true).create(true).open(&path);
        let mut file = opened.map_err(io)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => ObservationError::Locked { path: path.clone() },
            TryLockError::Error(source) => io(source),
        })?;
        let header = format!("{MAGIC} {:08x} {part}", signature(searcher));
        let text = othello_files::read_to_string(&path, MAX_FILE).map_err(io)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(io)?;
        let observations = if whole == 0 {
            file.write_all(format!("{header}\n").as_bytes())
                .map_err(io)?;
            Vec::new()
        } else {
            let (found, observations) = parse(&path, &text[..whole])?;
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
            part,
            observations,
        };
        log.check(positions)?;
        Ok(log)
    }

    /// Refuses a file that was begun with other positions.
    fn check(&self, positions: &[Position]) -> Result<(), ObservationError> {
        for (place, observation) in self.observations.iter().enumerate() {
            let number = self.part.game(place as u64) as usize;
            let expected = positions.get(number);
            // Fewer positions than before ask for no more, which is no contradiction.
            if expected.is_some_and(|&expected| expected != observation.position) {
                return Err(ObservationError::Position {
                    path: self.path.clone(),
                    line: place + 2,
                });
            }
        }
        Ok(())
    }

    /// The number of the position that is observed next.
    pub fn next_number(&self) -> u64 {
        self.part.game(self.observations.len() as u64)
    }

    /// How many observations it holds.
    pub fn len(&self) -> u64 {
        self.observations.len() as u64
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.observations.is_empty()
    }

    /// Adds the observation of the [next number](Self::next_number).
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn append(&mut self, observation: Observation) -> Result<(), ObservationError> {
        let text = print(&observation);
        let sum = checksum(&self.header, self.observations.len(), &text);
        let written = self
            .file
            .write_all(format!("{text} {sum:08x}\n").as_bytes());
        written.map_err(|source| ObservationError::io(&self.path, source))?;
        self.observations.push(observation);
        Ok(())
    }
}

/// The end of the files' names.
const EXTENSION: &str = "searches";
/// The bytes that a file may have.
const MAX_FILE: u64 = 1024 * othello_files::MIB;
/// What a file begins with.
const MAGIC: &str = "othello-train calibrate 2";

impl ObservationError {
    fn io(path: &Path, source: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, source }
    }
}

/// Refuses a folder that has a file of a part that overlaps this one, which is for the file at `path`.
fn check_others(folder: &Path, path: &Path, part: Part) -> Result<(), ObservationError> {
    let files = listed(folder, EXTENSION).map_err(|source| ObservationError::io(folder, source))?;
    for other in files.into_iter().filter(|other| other != path) {
        let text = othello_files::read_to_string(&other, MAX_FILE)
            .map_err(|source| ObservationError::io(&other, source))?;
        let theirs = text
            .lines()
            .next()
            .and_then(|header| header.rsplit_once(' '));
        let theirs = theirs.and_then(|(_, theirs)| theirs.parse::<Part>().ok());
        if theirs.is_some_and(|theirs| theirs.overlaps(part)) {
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
/// When one cannot be read, they were made by different searches, or two are of parts that overlap.
pub fn read_observations(folder: &Path) -> Result<Vec<Observation>, ObservationError> {
    let files = listed(folder, EXTENSION).map_err(|source| ObservationError::io(folder, source))?;
    let (mut all, mut first, mut parts) = (Vec::new(), None, Vec::<(PathBuf, Part)>::new());
    for path in files {
        let text = othello_files::read_to_string(&path, MAX_FILE)
            .map_err(|source| ObservationError::io(&path, source))?;
        let (header, observations) = parse(&path, &text)?;
        if header.is_empty() {
            // Another process has only just begun it.
            continue;
        }
        // All but the part is the same.
        let (kind, part) = header.rsplit_once(' ').unwrap_or((header, ""));
        let expected = first.get_or_insert_with(|| kind.to_owned());
        let (true, Ok(part)) = (expected == kind, part.parse::<Part>()) else {
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

/// The first line of a file, and the observations on the others; a last line without its end is
/// left alone.
fn parse<'a>(path: &Path, text: &'a str) -> Result<(&'a str, Vec<Observation>), ObservationError> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text[..whole].lines();
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

/// How deep positions are searched for the signature.
const SIGNATURE_DEPTH: u32 = 6;

/// A number that tells searches and evaluations apart: a checksum over what they make of some positions.
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

    /// Adds what is missing, but no more than so many, and tells how many there are.
    fn add(folder: &Path, part: &str, positions: &[Position], most: usize) -> u64 {
        let mut searcher = Searcher::new(Options::default());
        let part = part.parse().unwrap();
        let mut log = ObservationLog::open(folder, part, &mut searcher, positions).unwrap();
        for _ in 0..most {
            if let Some(&position) = positions.get(log.next_number() as usize) {
                log.append(observation(position)).unwrap();
            }
        }
        log.len()
    }

    #[test]
    fn wherever_it_was_cut_off_a_file_is_completed() {
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
    fn what_is_not_as_it_was_written_is_told_by_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let positions = openings(2);
        add(folder, "0/1", &positions, 99);
        let path = folder.join("0of1.searches");
        let whole = fs::read_to_string(&path).unwrap();
        let told = |text: String| {
            fs::write(&path, text).unwrap();
            read_observations(folder).unwrap_err().to_string()
        };
        let lines: Vec<&str> = whole.lines().collect();
        let swapped = format!("{}\n{}\n{}\n", lines[0], lines[2], lines[1]);
        assert!(told(swapped).contains("line 2: expected an observation"));
        let changed = whole.replacen(",3 ", ",4 ", 1);
        assert_ne!(changed, whole);
        assert!(told(changed).contains("line 2: expected an observation"));
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
            error.contains("1of2.searches would have searches of "),
            "{error}"
        );
        let copy = folder.join("copy.searches");
        fs::copy(&path, &copy).unwrap();
        let error = read_observations(folder).unwrap_err().to_string();
        assert!(error.contains("copy.searches would have"), "{error}");
        fs::remove_file(copy).unwrap();
        fs::rename(&path, folder.join("0of2.searches")).unwrap();
        let error = open("0/2", &positions).unwrap_err().to_string();
        assert!(
            error.contains("expected \"othello-train calibrate 2"),
            "{error}"
        );
    }
}
