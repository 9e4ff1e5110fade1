//! Files of problems, solved in shards.

use std::{
    io::{self, Write as _},
    path::Path,
};

use anyhow::{Context as _, anyhow, ensure};
use boardgame_files::{
    check_target, replace,
    shards::{Merged, Part, Parts, Shard, Work},
};
use othello_core::{Board, Color, Position, Problem};

use super::progress::bar;

/// The maximum size of a file of problems in bytes.
const MAX_FILE: u64 = 64 * boardgame_files::MIB;

/// Returns the parts of problems in a folder.
pub(crate) fn parts(folder: &Path) -> Parts {
    Parts::new(folder, "suite", "part")
}

/// Solves positions in order and writes them as a file of problems. An interrupted run is resumed from a part in a
/// folder next to the file, which also has the settings and stays: without it, a file that exists is somebody else's.
pub(crate) fn write_problems(
    out: &Path,
    work: &Work,
    positions: &[Position],
    solve: &mut dyn FnMut(Position) -> Problem,
) -> anyhow::Result<()> {
    if let Some(&first) = positions.first() {
        check_target(out, Board::new(first, Color::Black).to_string().as_bytes())?;
    }
    let folder = out.with_added_extension("parts");
    ensure!(
        folder.is_dir() || !out.exists(),
        "expected no file {}, or {} with the settings of its problems",
        out.display(),
        folder.display()
    );
    let parts = parts(&folder);
    let mut part = parts.open(work, Shard::WHOLE)?;
    solve_shard(&mut part, Shard::WHOLE, positions, solve)?;
    write_merged(&Merged::of(&parts, work)?, out)
}

/// Solves the positions of a shard that its part does not have yet.
pub(crate) fn solve_shard(
    part: &mut Part,
    shard: Shard,
    positions: &[Position],
    solve: &mut dyn FnMut(Position) -> Problem,
) -> anyhow::Result<()> {
    let share = shard.share_of(positions.len() as u64);
    let bar = bar("positions", share, part.records());
    while let Some(item) = part.next_item() {
        part.append(&solve(positions[item as usize]).to_string())?;
        bar.inc(1);
    }
    part.sync()?;
    bar.finish_and_clear();
    Ok(())
}

/// Writes the problems of all shards to a file.
pub(crate) fn write_merged(merged: &Merged, out: &Path) -> anyhow::Result<()> {
    let mut text = String::new();
    for record in merged.records()? {
        text += &record?;
        text += "\n";
    }
    parse(out, &text)?;
    replace(out, text.as_bytes())?;
    let (problems, path) = (merged.items(), out.display());
    Ok(writeln!(io::stdout(), "{problems} problems in {path}")?)
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
