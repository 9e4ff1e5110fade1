//! Append-only files of problems.

use std::{
    io::{self, Write as _},
    path::Path,
};

use anyhow::{Context as _, anyhow, bail, ensure};
use boardgame_files::{AppendFile, AppendOptions, OpenError, whole_lines};
use othello_core::{Position, Problem};

use crate::progress::bar;

/// The maximum size of a file of problems in bytes.
const MAX_FILE: u64 = 64 * boardgame_files::MIB;

/// Solves positions in order and appends each to a file of problems. Positions that are already in
/// the file are skipped, except the last, which is solved again to detect other settings.
pub(crate) fn write_problems(
    path: &Path,
    positions: &[Position],
    solve: &mut dyn FnMut(Position) -> Problem,
) -> anyhow::Result<()> {
    let name = path.display();
    let (mut file, problems) = resumed(path, positions)?;
    let done = problems.len();
    if let Some(last) = problems.last() {
        let again = solve(positions[done - 1]);
        ensure!(
            again == *last,
            "{name}, line {done}: expected {again}, found {last}: the file was begun with other settings",
        );
    }
    let bar = bar("positions");
    bar.set_length(positions.len() as u64);
    bar.set_position(done as u64);
    bar.reset_eta();
    for &position in &positions[done..] {
        file.append_line(solve(position))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    writeln!(io::stdout(), "{} problems in {name}", positions.len())?;
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

/// Opens or creates the file and returns its problems, which are those of the first positions. A torn
/// line at the end is removed.
fn resumed(path: &Path, positions: &[Position]) -> anyhow::Result<(AppendFile, Vec<Problem>)> {
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
    Ok((file, problems))
}

#[cfg(test)]
mod tests {
    use othello_core::{Board, Color, Move, Score, Square};
    use othello_train::openings;

    use std::fs;

    use super::*;

    fn made_up(position: Position) -> Problem {
        let square = position.legal_moves().first().unwrap_or(Square::A1);
        Problem {
            board: Board::new(position, Color::Black),
            moves: vec![(Move::Place(square), Score::DRAW)],
        }
    }

    #[test]
    fn a_file_truncated_anywhere_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("problems.obf");
        let positions = openings(2);
        let write = |positions: &[Position]| write_problems(&path, positions, &mut made_up);
        write(&positions).unwrap();
        let whole = fs::read(&path).unwrap();
        assert_eq!(read_problems(&path).unwrap().len(), positions.len());
        for length in (0..whole.len()).step_by(13) {
            fs::write(&path, &whole[..length]).unwrap();
            write(&positions).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole, "{length} bytes");
        }
        let error = write(&positions[1..]).unwrap_err().to_string();
        assert!(
            error.ends_with("line 1: expected another position"),
            "{error}"
        );
        let error = write(&positions[..2]).unwrap_err().to_string();
        assert!(
            error.ends_with("expected at most 2 problems, found 5"),
            "{error}"
        );
        let other = |position| Problem {
            moves: vec![(Move::Pass, Score::DRAW)],
            ..made_up(position)
        };
        let error = write_problems(&path, &positions, &mut { other }).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("line 5: expected ") && error.contains(" PS:+0"),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn only_a_regular_file_that_nobody_else_writes_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("problems.obf");
        let open = |path| resumed(path, &[]);
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
