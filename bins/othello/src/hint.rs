//! `othello hint`: the best moves of a position.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    time::Duration,
};

use anyhow::bail;
use boardgame_cli::duration;
use othello_core::{Board, Game};
use othello_engine::{Clock, Engine, Request, Settings, Strength};

use crate::{
    engine::{EngineOptions, depth, variation},
    output::drawn,
};

/// Shows a position and the best moves in it, with their scores and what would follow.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello hint --moves f5d6c3 --time 2s --best 3
  othello hint '---------------------------OX------XO--------------------------- X'")]
pub(crate) struct Args {
    /// The board: 64 squares of X, O and -, a1 to h8, then the side to move [default: the start]
    #[arg(value_name = "BOARD", default_value_t = Board::START, hide_default_value = true, allow_hyphen_values = true)]
    board: Board,
    /// Moves played from there, such as f5d6c3
    #[arg(long, default_value = "")]
    moves: String,
    /// The number of moves to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    best: u8,
    /// The time to think
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1s")]
    time: Duration,
    /// Search no deeper than this many plies
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    #[command(flatten)]
    engine: EngineOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let game = Game::from_transcript(args.board, &args.moves)?;
    let board = game.board();
    let mut out = io::stdout().lock();
    writeln!(out, "{}", drawn(&game))?;
    if board.is_over() {
        bail!("the game is over");
    }
    let mut engine = Engine::try_new(settings(args))?;
    let report = engine.answer(&Request {
        lines: args.best.into(),
        ..Request::new(board, Clock::default())
    });
    writeln!(
        out,
        "{:>6}  {}",
        report.score.to_string(),
        variation(&report.pv)
    )?;
    for line in &report.others {
        writeln!(
            out,
            "{:>6}  {}",
            line.score.to_string(),
            variation(&line.pv)
        )?;
    }
    writeln!(
        out,
        "{}, {} nodes in {:.2?}",
        depth(&report),
        report.nodes,
        report.elapsed
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The settings of an engine that thinks for exactly the time asked for: nobody waits at a clock.
fn settings(args: &Args) -> Settings {
    Settings {
        strength: Strength {
            depth: args.depth,
            ..Strength::default()
        },
        move_time: Some(args.time),
        reserve: Some(Duration::ZERO),
        ..args.engine.settings()
    }
}
