//! The results of all games: a log of games on disk, and counts in memory.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use othello_proto::lth::BUILT_IN_PLAYER_NAME;
use serde::{Deserialize, Serialize};

use super::{
    scores::{Score, StudentScores, sort},
    students::Students,
};
use crate::record::{GameRecord, Journal, JournalError, Winner};

/// The event of games on the testing port.
pub(crate) const TESTING: &str = "testing";

/// The event of games on the evaluation port.
pub(crate) const EVALUATION: &str = "evaluation";

/// The event of games between two clients.
pub(crate) const COMPETITION: &str = "competition";

/// The possible starts of a log: a game, or counts.
const BEGINNINGS: [&str; 2] = [r#"{"finished":"#, r#"{"id":"#];

/// The bounds on memory and disk space for results. Beyond them clients are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultBounds {
    /// The number of ids; beyond it only those that are known may play.
    pub ids: usize,
    /// The maximum size of the log of games in bytes.
    pub log_size: u64,
    /// The maximum number of games of an id in a day of UTC.
    pub games_a_day: Option<u64>,
}

impl ResultBounds {
    /// The defaults: 100,000 ids, 4 GiB, and any number of games a day.
    pub const DEFAULT: Self = Self {
        ids: 100_000,
        log_size: 4 << 30,
        games_a_day: None,
    };
}

/// The reason sent to a refused client: there is no room for its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoRoom {
    /// There are [`ResultBounds::ids`].
    #[error("The server takes no more names. Bye!")]
    Ids,
    /// The log has [`ResultBounds::log_size`], or could not be written.
    #[error("The server takes no more games. Bye!")]
    Games,
    /// The id has played [`ResultBounds::games_a_day`].
    #[error("You have played your games of today. Bye!")]
    Day,
}

/// The counts of an id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// The number of games won.
    pub(crate) wins: u64,
    /// The number of games on the evaluation port.
    pub(crate) evaluations: u64,
    /// The results on the evaluation port, where logs begun by earlier versions have them.
    #[serde(default, skip_serializing_if = "Score::is_none")]
    evaluation: Score,
    /// The results against other clients.
    #[serde(default, skip_serializing_if = "Score::is_none")]
    competition: Score,
    /// The day of the last game, in days since 1970.
    #[serde(default)]
    day: u64,
    /// The number of games on that day.
    #[serde(default)]
    today: u64,
}

/// A line with counts of an id in place of those before: at the start of a log those from earlier logs, later zeros.
#[derive(Debug, Serialize, Deserialize)]
struct CountLine {
    id: String,
    #[serde(flatten)]
    tally: Tally,
    /// The time at which the counts were reset, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reset: Option<u64>,
}

/// The seconds of a day.
const DAY: u64 = 24 * 60 * 60;

/// Returns the seconds since 1970.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}

/// Returns `true` for a line of a log that has counts instead of a game.
pub fn is_count_line(line: &[u8]) -> bool {
    serde_json::from_slice::<CountLine>(line).is_ok()
}

/// The results of all games.
#[derive(Debug)]
pub(crate) struct Results {
    bounds: ResultBounds,
    tallies: HashMap<String, Tally>,
    log: Log,
}

/// The log of games.
#[derive(Debug)]
enum Log {
    None,
    Open(Journal),
    /// Writing a game failed, and nothing was written since.
    Failed,
}

impl Results {
    /// Opens the log, if requested, and counts its games. Also returns the number of lines that are not games.
    pub(crate) fn open(
        log: Option<&Path>,
        bounds: ResultBounds,
    ) -> Result<(Self, u64), JournalError> {
        let mut results = Self {
            bounds,
            tallies: HashMap::new(),
            log: Log::None,
        };
        let mut unreadable = 0;
        if let Some(path) = log {
            let mut journal = Journal::open_locked(path, &BEGINNINGS)?;
            for line in journal.lines()? {
                unreadable += u64::from(!results.read(&line?));
            }
            results.log = Log::Open(journal);
        }
        Ok((results, unreadable))
    }

    /// Returns results whose log is on a full disk.
    #[cfg(all(test, target_os = "linux"))]
    pub(crate) fn full(bounds: ResultBounds) -> Self {
        Self {
            bounds,
            tallies: HashMap::new(),
            log: Journal::open("/dev/full").map_or(Log::None, Log::Open),
        }
    }

    /// Counts a line of the log, and returns `false` if it is none.
    fn read(&mut self, line: &[u8]) -> bool {
        if let Ok(record) = serde_json::from_slice(line) {
            self.count(&record);
            return true;
        }
        let Ok(counts) = serde_json::from_slice::<CountLine>(line) else {
            return false;
        };
        self.tallies.insert(counts.id, counts.tally);
        true
    }

    /// Returns the reason that an id with a number of games in progress may not play another, if there is one.
    pub(crate) fn no_room(&self, id: &str, playing: u64) -> Option<NoRoom> {
        let is_full = match &self.log {
            Log::None => false,
            Log::Open(journal) => journal
                .size()
                .is_ok_and(|size| size >= self.bounds.log_size),
            Log::Failed => true,
        };
        if is_full {
            return Some(NoRoom::Games);
        }
        let tally = self.tally(id);
        let today = if tally.day == now() / DAY {
            tally.today
        } else {
            0
        };
        if let Some(max) = self.bounds.games_a_day
            && today.saturating_add(playing) >= max
        {
            return Some(NoRoom::Day);
        }
        let is_new = !self.tallies.contains_key(id);
        (is_new && self.tallies.len() >= self.bounds.ids).then_some(NoRoom::Ids)
    }

    /// Returns the counts of an id.
    pub(crate) fn tally(&self, id: &str) -> Tally {
        self.tallies.get(id).copied().unwrap_or_default()
    }

    /// Writes games to the log, if there is one. Returns `false` if the log failed earlier: after an error it is left
    /// alone.
    pub(crate) fn write(&mut self, games: &[GameRecord]) -> Result<bool, JournalError> {
        let lines: Vec<String> = games.iter().map(GameRecord::to_line).collect();
        self.write_lines(&lines)
    }

    fn write_lines(&mut self, lines: &[String]) -> Result<bool, JournalError> {
        match &mut self.log {
            Log::None => Ok(true),
            Log::Failed => Ok(false),
            Log::Open(journal) => match journal.write(lines) {
                Ok(()) => Ok(true),
                Err(error) => {
                    self.log = Log::Failed;
                    Err(error)
                }
            },
        }
    }

    /// Sets the counts of an id to zero, once the log has a line about it. Returns `false` if the log failed earlier.
    pub(crate) fn reset(&mut self, id: &str) -> Result<bool, JournalError> {
        if !self.tallies.contains_key(id) {
            return Ok(true);
        }
        let line = CountLine {
            id: id.to_owned(),
            tally: Tally::default(),
            reset: Some(now()),
        };
        let line = serde_json::to_string(&line).unwrap_or_default();
        let is_kept = self.write_lines(&[line])?;
        if is_kept {
            self.tallies.insert(id.to_owned(), Tally::default());
        }
        Ok(is_kept)
    }

    /// Returns the scores of students, best first in each class.
    pub(crate) fn scores(&self, students: &Students) -> Vec<StudentScores> {
        let scores = students.iter().map(|(id, student)| {
            let tally = self.tally(id);
            StudentScores {
                student: student.clone(),
                competition: tally.competition,
                evaluation: tally.evaluation,
            }
        });
        let mut scores: Vec<_> = scores.collect();
        sort(&mut scores);
        scores
    }

    /// Counts a game in memory.
    pub(crate) fn count(&mut self, record: &GameRecord) {
        let day = record.finished / DAY;
        for (id, own) in clients(record) {
            let tally = self.tallies.entry(id.to_owned()).or_default();
            tally.wins += u64::from(record.winner == own);
            tally.evaluations += u64::from(record.event == EVALUATION);
            if day > tally.day {
                (tally.day, tally.today) = (day, 0);
            }
            tally.today += u64::from(day == tally.day);
            let score = match record.event.as_str() {
                EVALUATION => &mut tally.evaluation,
                COMPETITION => &mut tally.competition,
                _ => continue,
            };
            match record.winner {
                Winner::Draw => score.drawn += 1,
                winner if winner == own => score.won += 1,
                _ => score.lost += 1,
            }
        }
    }
}

/// Returns the clients of a game, each as the winner that it would be; none if the game does not count.
fn clients(record: &GameRecord) -> impl Iterator<Item = (&str, Winner)> {
    let is_client = |name: &str| match record.event.as_str() {
        COMPETITION => true,
        TESTING | EVALUATION => name != BUILT_IN_PLAYER_NAME,
        _ => false,
    };
    let seats = [
        (record.black.as_str(), Winner::Black),
        (record.white.as_str(), Winner::White),
    ];
    seats
        .into_iter()
        .filter(move |(id, _)| record.winner != Winner::None && is_client(id))
}

/// Returns the scores in a log, best first in each class.
///
/// # Errors
///
/// When the log is in use, is another kind of file, or cannot be read.
pub fn scores(log: &Path, students: &Students) -> Result<Vec<StudentScores>, JournalError> {
    let (results, _) = Results::open(Some(log), ResultBounds::DEFAULT)?;
    Ok(results.scores(students))
}

/// Renames a log to the first free name of `FILE.1`, `FILE.2`, …, and starts a new one with the counts of each id.
/// Returns the name; `None` if the log was empty.
///
/// # Errors
///
/// When the log is in use, is another kind of file, or cannot be read or replaced.
pub fn rotate(log: &Path) -> Result<Option<PathBuf>, JournalError> {
    let (results, _) = Results::open(Some(log), ResultBounds::DEFAULT)?;
    let failed = |reason| JournalError::file(log, reason);
    if results.tallies.is_empty() {
        return Ok(None);
    }
    let mut lines = String::new();
    for (id, tally) in results.tallies {
        let line = CountLine {
            id,
            tally,
            reset: None,
        };
        lines += &serde_json::to_string(&line).map_err(|error| failed(error.into()))?;
        lines.push('\n');
    }
    let mut numbered = (1..).map(|number: u32| {
        let mut name = log.as_os_str().to_owned();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    });
    let aside = numbered.find(|path| !path.exists()).unwrap_or_default();
    // The log keeps its path until the new one takes it at once.
    fs::hard_link(log, &aside)
        .or_else(|_| fs::copy(log, &aside).map(drop))
        .and_then(|()| boardgame_files::overwrite(log, lines.as_bytes()))
        .map_err(failed)?;
    Ok(Some(aside))
}

#[cfg(test)]
mod tests;
