//! `othello hint`: the best moves of a position.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    time::Duration,
};

use anyhow::bail;
use boardgame_cli::{
    duration,
    terminal::{AnyKey, Frame, columns},
};
use othello_core::{Board, Game, Move};
use othello_engine::{Clock, Engine, Request, Settings, Strength};
use othello_search::{Evaluation, Exactness, Report, StopHandle};

use crate::{
    diagram::Diagram,
    engine::{EngineOptions, source, value, variation},
};

/// Shows a position and the moves in it, with their values and what would follow the best.
///
/// Values are in discs, from the point of view of the side to move: with decimals they are estimates, as whole numbers
/// exact. Each has the depth of its search and the confidence in percent of what that left out. On a terminal the values
/// deepen before your eyes, and any key stops.
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
    /// The number of moves to show with what would follow
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
    let mut out = io::stdout();
    writeln!(out, "{}", Diagram::of(&game))?;
    if board.is_over() {
        bail!("the game is over");
    }
    if board.must_pass() {
        bail!("{} has no move and must pass", board.side_to_move());
    }
    let mut engine = Engine::try_new(settings(args))?;
    let stop = StopHandle::new();
    let request = Request {
        lines: board.legal_moves().count() as usize,
        stop: Some(stop.clone()),
        ..Request::new(board, Clock::default())
    };
    let any_key = AnyKey::watch(move || stop.stop())?;
    let mut frame = any_key.as_ref().map(|_| Frame::default());
    let mut shown = None;
    let report = engine.answer_observed(&request, &mut |report| {
        if is_of_one_iteration(report) {
            if let Some(frame) = &mut frame {
                // Watching must not end the search.
                let _ = frame.draw(&mut io::stdout(), &live(report, args.best.into()));
            }
            shown = Some(report.clone());
        }
    });
    if let Some(mut frame) = frame {
        frame.erase(&mut out)?;
    }
    drop(any_key);
    let (nodes, elapsed) = (report.nodes, report.elapsed);
    write!(out, "{}", table(&shown.unwrap_or(report), args.best.into()))?;
    writeln!(out, "{nodes} nodes in {elapsed:.2?}")?;
    Ok(ExitCode::SUCCESS)
}

/// Returns whether all values of a report are of one iteration: while the exact search has only proved bounds on the
/// best one, they are not.
fn is_of_one_iteration(report: &Report) -> bool {
    report.exactness == Exactness::Exact || report.bounds == (Evaluation::MIN, Evaluation::MAX)
}

/// The table as a terminal has room for it.
fn live(report: &Report, best: usize) -> String {
    let columns = columns().saturating_sub(1);
    let table = table(report, best);
    let lines = table.lines();
    let cut = lines.map(|line| line.chars().take(columns).collect::<String>() + "\n");
    cut.collect::<String>() + "Any key stops."
}

/// The moves, best first, with their values, where these come from, and what would follow each of the `best` first.
fn table(report: &Report, best: usize) -> String {
    let mut lines: Vec<(Evaluation, &[Move])> = vec![(report.score, &report.pv)];
    lines.extend(report.others.iter().map(|line| (line.score, &line.pv[..])));
    // A search that was stopped in its first iteration has them in no order.
    lines.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    let is_exact = report.exactness == Exactness::Exact;
    let source = source(report);
    let rows = lines.iter().enumerate().map(|(rank, (score, line))| {
        let value = value(*score, is_exact);
        let follows = if rank < best {
            format!("  {}", variation(line))
        } else {
            String::new()
        };
        let first = variation(&line[..1]);
        format!("{value:>6}  {first}  {source}{follows}\n")
    });
    rows.collect()
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
