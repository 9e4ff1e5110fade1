//! `go-game score`: counts a recorded game.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context as _, ensure};
use boardgame_io::printable;
use go_core::{
    Move, Point, Score, Scoring,
    sgf::{ReadRecord, Record},
};
use go_match::{Judge, Picture};

use crate::options::JudgeOptions;

/// The maximum size of a file, in bytes.
const MAX_FILE: u64 = 16 * 1024 * 1024;

/// The first bytes of a picture.
const SVG: &[u8] = b"<svg xmlns";

/// Plays the main line of an SGF file by the rules and counts the final position, with dead stones found by playouts.
#[derive(clap::Args)]
#[command(after_help = "Example: go-game score game.sgf --svg game.svg")]
pub(crate) struct Args {
    /// The file
    file: PathBuf,
    /// Write the final position with its judgement to this file, as a picture in SVG; only a picture is replaced
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    judge: JudgeOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.svg {
        boardgame_files::check_target(path, SVG)?;
    }
    let file = || printable(&args.file.display().to_string());
    let (text, read_as) =
        boardgame_files::read_any_text(&args.file, MAX_FILE).with_context(file)?;
    if let Some(read_as) = read_as {
        writeln!(io::stderr(), "{}: {read_as}", file())?;
    }
    let ReadRecord {
        record,
        leniencies,
        error,
    } = Record::read(&text, usize::MAX);
    for leniency in leniencies {
        writeln!(io::stderr(), "{}: {leniency}", file())?;
    }
    let error = error.map(|error| printable(&error.to_string()));
    let moves = record.game.moves().len();
    if let Some(error) = &error {
        ensure!(moves > 0, "{}: {error}", file());
        writeln!(
            io::stderr(),
            "{}: {error}; the moves before it are scored",
            file()
        )?;
    }
    let position = record.game.position();
    let judgement = Judge::from(args.judge).judge(position);
    if let Some(path) = &args.svg {
        let picture = Picture {
            judgement: &judgement,
            last_move: last_stone(&record),
        };
        boardgame_files::replace(path, picture.to_string().as_bytes())?;
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{moves} moves, komi {}", position.komi())?;
    if !position.is_over() {
        writeln!(out, "The game does not end with two passes.")?;
    }
    writeln!(out, "{judgement}")?;
    for (name, scoring) in [("Japanese", Scoring::Territory), ("Area", Scoring::Area)] {
        let score = Score::new(&judgement.board, &judgement.status, scoring);
        let margin = if scoring == position.rules().scoring {
            position.margin(&score)
        } else {
            score.margin(position.komi())
        };
        writeln!(out, "{name} score: {margin}")?;
    }
    if let Some(result) = record.result {
        writeln!(out, "On record: {result}")?;
    }
    let is_whole = error.is_none() && read_as.is_none_or(|read_as| !read_as.damaged);
    Ok(if is_whole {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns the point of the last move other than a pass.
fn last_stone(record: &Record) -> Option<Point> {
    let mut moves = record.game.moves().iter().rev();
    moves.find_map(|&(_, mv)| match mv {
        Move::Place(point) => Some(point),
        Move::Pass => None,
    })
}
