//! `go-game score`: counts a recorded game.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use go_core::{Move, Point, Score, Scoring, sgf::Record};
use go_match::{Judge, Picture};

use crate::options::JudgeOptions;

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
    let (record, is_whole) = crate::record::read(&args.file, "scored")?;
    let moves = record.game.moves().len();
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
