//! Append-only files of problems, with their settings beside them.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail, ensure};
use boardgame_files::shards::{Manifest, Work};
use boardgame_files::{AppendFile, AppendOptions, OpenError, whole_lines};
use othello_core::{Position, Problem};

use super::progress::bar;

/// The maximum size of a file of problems in bytes.
const MAX_FILE: u64 = 64 * boardgame_files::MIB;
/// The number of characters that an error shows of a file that has no problems.
const SHOWN: usize = 10;

/// Solves positions in order and appends each to a file of problems. Positions that are already in the file are skipped.
/// The settings are kept in a manifest beside the file, and a file that was begun with others is refused.
pub(crate) fn write_problems(
    path: &Path,
    work: &Work,
    positions: &[Position],
    solve: &mut dyn FnMut(Position) -> Problem,
) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    let (mut file, done) = resumed(path, work, positions)?;
    let bar = bar("positions", positions.len() as u64, done as u64);
    for &position in &positions[done..] {
        file.append_line(solve(position)).with_context(name)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    file.sync().with_context(name)?;
    writeln!(io::stdout(), "{} problems in {}", positions.len(), name())?;
    Ok(())
}

/// Reads a file of problems.
pub(crate) fn read_problems(path: &Path) -> anyhow::Result<Vec<Problem>> {
    let name = path.display();
    let text = boardgame_files::read_to_string(path, MAX_FILE).with_context(|| name.to_string())?;
    let problems = parse(path, &text)?;
    ensure!(
        !problems.is_empty(),
        "{name}: expected problems, found none"
    );
    Ok(problems)
}

fn parse(path: &Path, text: &str) -> anyhow::Result<Vec<Problem>> {
    Problem::read_all(text).map_err(|error| anyhow!("{}, {error}", path.display()))
}

/// Opens or creates the file and returns the number of its problems, which are those of the first positions. A torn
/// line at the end is removed.
fn resumed(
    path: &Path,
    work: &Work,
    positions: &[Position],
) -> anyhow::Result<(AppendFile, usize)> {
    let name = || path.display().to_string();
    let options = AppendOptions {
        lock: true,
        regular: true,
        ..AppendOptions::default()
    };
    let mut file = AppendFile::open(path, options).map_err(|error| match error {
        OpenError::Locked => anyhow!("{}: another process is writing it", name()),
        OpenError::NotRegular => anyhow!("{}: expected a regular file", name()),
        other => anyhow!(io::Error::from(other)).context(name()),
    })?;
    let text = file.read_to_string(MAX_FILE).with_context(name)?;
    keep_settings(path, &text, work)?;
    let whole = whole_lines(&text);
    let problems = parse(path, whole)?;
    let differs =
        |(problem, position): (&Problem, &Position)| problem.board.position() != *position;
    let other = problems.iter().zip(positions).position(differs);
    if let Some(line) = other {
        bail!("{}, line {}: expected another position", name(), line + 1);
    }
    ensure!(
        problems.len() <= positions.len(),
        "{}: expected at most {} problems, found {}",
        name(),
        positions.len(),
        problems.len(),
    );
    file.truncate(whole.len() as u64).with_context(name)?;
    Ok((file, problems.len()))
}

/// Writes the settings of a file of problems that is empty, and checks those of one that was begun.
fn keep_settings(path: &Path, text: &str, work: &Work) -> anyhow::Result<()> {
    let settings = settings_of(path);
    if text.is_empty() {
        let manifest = Manifest {
            work: work.clone(),
            shards: Vec::new(),
        };
        return Ok(boardgame_files::replace(
            &settings,
            manifest.to_string().as_bytes(),
        )?);
    }
    ensure!(
        settings.exists(),
        "{}: expected no file, or one whose settings are in {}, found {:?}",
        path.display(),
        settings.display(),
        beginning(text),
    );
    Ok(Manifest::check_work(&settings, work)?)
}

/// Returns the file of the settings of a file of problems.
fn settings_of(path: &Path) -> PathBuf {
    path.with_added_extension("toml")
}

/// Returns the first characters of a text, with a mark if there are more.
fn beginning(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use othello_core::{Board, Color, Move, Score, Square};

    use std::fs;

    use super::*;
    use crate::openings::openings;

    fn made_up(position: Position) -> Problem {
        let square = position.legal_moves().first().unwrap_or(Square::A1);
        Problem {
            board: Board::new(position, Color::Black),
            moves: vec![(Move::Place(square), Score::DRAW)],
        }
    }

    fn work(depth: u32) -> Work {
        let settings = [("depth".to_owned(), depth.into())];
        Work {
            command: "test".into(),
            settings: settings.into(),
        }
    }

    #[test]
    fn a_file_truncated_anywhere_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("problems.obf");
        let positions = openings(2);
        let write = |positions: &[Position], depth| {
            write_problems(&path, &work(depth), positions, &mut made_up)
        };
        write(&positions, 1).unwrap();
        let whole = fs::read(&path).unwrap();
        assert_eq!(read_problems(&path).unwrap().len(), positions.len());
        for length in (0..whole.len()).step_by(13) {
            fs::write(&path, &whole[..length]).unwrap();
            write(&positions, 1).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole, "{length} bytes");
        }
        let refused = |positions: &[Position], depth, expected: &str| {
            let error = write(positions, depth).unwrap_err().to_string();
            assert!(error.ends_with(expected), "{error}");
        };
        refused(&positions[1..], 1, "line 1: expected another position");
        refused(&positions[..2], 1, "expected at most 2 problems, found 5");
        // Also if the last problem would come out the same.
        let expected =
            "problems.obf.toml: not as in the manifest: expected depth = 1, found depth = 2";
        refused(&positions, 2, expected);
        assert_eq!(fs::read(&path).unwrap(), whole);
        // Nothing was begun with the settings of an empty file.
        fs::write(&path, "").unwrap();
        write(&positions, 2).unwrap();
    }

    #[test]
    fn a_file_of_something_else_is_refused_and_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        for (text, shown) in [("my only notes", "my only no…"), ("a\n", "a\\n")] {
            fs::write(&path, text).unwrap();
            let error = resumed(&path, &work(1), &[]).unwrap_err().to_string();
            let expected = format!("notes.toml, found \"{shown}\"");
            assert!(error.ends_with(&expected), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn only_a_regular_file_that_nobody_else_writes_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("problems.obf");
        let open = |path| resumed(path, &work(1), &[]);
        let writer = open(&path).unwrap();
        let error = open(&path).unwrap_err().to_string();
        assert!(
            error.ends_with("problems.obf: another process is writing it"),
            "{error}"
        );
        drop(writer);
        open(&path).unwrap();
        if cfg!(unix) {
            let error = open(Path::new("/dev/null")).unwrap_err().to_string();
            assert_eq!(error, "/dev/null: expected a regular file");
        }
    }
}
