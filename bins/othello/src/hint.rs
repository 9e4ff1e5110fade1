//! `othello hint`: the best moves of a position.

use std::{
    cmp::Reverse,
    io::{self, Write as _},
    process::ExitCode,
    time::Duration,
};

use anyhow::bail;
use boardgame_cli::{
    duration,
    terminal::{AnyKey, Frame, columns},
};
use othello_analysis::{Bound, Effort, MoveValue, Source, Stored, keep, look_up};
use othello_core::{Board, Game, Move, Position};
use othello_engine::{Clock, Engine, Request, Settings, Strength};
use othello_search::{Evaluation, Exactness, Report, StopHandle};

use crate::{
    diagram::Diagram,
    engine::{EngineOptions, source, value, variation},
    store::{StoreOptions, UserStore},
};

/// Shows a position and the moves in it, with their values and what would follow the best.
///
/// Values are in discs, from the point of view of the side to move: with decimals they are estimates, as whole numbers
/// exact. Estimates have the depth of the search and the confidence, in percent, with which it left moves out. A terminal
/// shows the values as the search deepens, until the time is over or a key is pressed.
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
    #[command(flatten)]
    store: StoreOptions,
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
        writeln!(out, "{} has no move and passes.", board.side_to_move())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut store = args.store.open(args.engine.evaluation.weights.as_ref())?;
    let known = known(&mut store, board.position());
    if let Some(known) = known.as_ref().filter(|known| known.effort == Effort::Exact) {
        write!(out, "{}", known_table(known, args.best.into()))?;
        return Ok(ExitCode::SUCCESS);
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
    let (mut shown, mut found) = (None, None);
    let report = engine.answer_observed(&request, &mut |report| {
        if is_of_one_iteration(report) {
            if let Some(frame) = &mut frame {
                // Watching must not end the search.
                let _ = frame.draw(&mut io::stdout(), &live(report, args.best.into()));
            }
            found = Stored::of_report(report, board.position()).or(found.take());
            shown = Some(report.clone());
        }
    });
    if let Some(mut frame) = frame {
        frame.erase(&mut out)?;
    }
    drop(any_key);
    let (nodes, elapsed) = (report.nodes, report.elapsed);
    if let Some(found) = &found {
        keep(&mut store, board.position(), found);
    }
    let report = shown.unwrap_or(report);
    if let Some(known) = known.filter(|known| Effort::of_report(&report) < known.effort) {
        write!(out, "{}", known_table(&known, args.best.into()))?;
    } else {
        write!(out, "{}", table(&report, args.best.into()))?;
        writeln!(out, "{nodes} nodes in {elapsed:.2?}")?;
    }
    store.finish()?;
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
    lines.sort_by_key(|&(score, _)| Reverse(score));
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

/// Returns the values of all moves that the store has, unless some are only bounds.
fn known(store: &mut UserStore, position: Position) -> Option<Stored> {
    let mut known = look_up(store, position)?;
    known.moves.sort_by_key(|mv| Reverse(mv.score));
    let is_value = |mv: &MoveValue| mv.bound == Bound::Exact;
    known.moves.iter().all(is_value).then_some(known)
}

/// The values that the store has, as [`table`] shows those of a search.
fn known_table(known: &Stored, best: usize) -> String {
    let rows = known.moves.iter().enumerate().map(|(rank, mv)| {
        let (score, source) = match mv.source {
            Source::Depth { depth, confidence } => (
                mv.score.to_string(),
                format!("depth {depth}, {confidence} %"),
            ),
            Source::Exact | Source::Over => (value(mv.score.into(), true), "exact".to_owned()),
        };
        let follows = if rank < best {
            format!("  {}", variation(&mv.line))
        } else {
            String::new()
        };
        format!("{score:>6}  {}  {source}{follows}\n", mv.mv)
    });
    rows.collect::<String>() + "from the store of analyses\n"
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

#[cfg(test)]
mod tests {
    use othello_search::Line;

    use super::*;

    fn report(exactness: Exactness) -> Report {
        let line = |score: f32, moves: &str| Line {
            score: Evaluation::from_units((score * 128.0) as i32),
            pv: moves.split(' ').map(|mv| mv.parse().unwrap()).collect(),
        };
        let best = line(1.5, "f5 d6");
        Report {
            best: best.pv[0].square(),
            score: best.score,
            pv: best.pv,
            depth: 8,
            exactness,
            bounds: (Evaluation::MIN, Evaluation::MAX),
            others: vec![line(-2.0, "c4 e3"), line(2.0, "d3 c5")],
            nodes: 1,
            generated: 0,
            elapsed: Duration::ZERO,
        }
    }

    #[test]
    fn every_move_has_a_value_with_its_source_and_the_best_have_lines() {
        let expected = " +2.00  d3  depth 8, 81 %  d3 c5\n +1.50  f5  depth 8, 81 %  f5 d6\n \
                        -2.00  c4  depth 8, 81 %\n";
        assert_eq!(table(&report(Exactness::Midgame), 2), expected);
        let exact = table(&report(Exactness::Exact), 0);
        assert!(exact.starts_with("    +2  d3  exact\n"), "{exact}");
    }

    #[test]
    fn bounds_of_an_exact_search_that_goes_on_are_no_values() {
        let mut report = report(Exactness::Probable { percent: 81 });
        assert!(is_of_one_iteration(&report));
        report.bounds.0 = Evaluation::DRAW;
        assert!(!is_of_one_iteration(&report));
        report.exactness = Exactness::Exact;
        assert!(is_of_one_iteration(&report));
    }
}
