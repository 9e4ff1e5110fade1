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
use othello_analysis::{
    Effort, MoveValue, Source, Stored, distinct_moves, keep, look_up_values, values,
};
use othello_core::{Board, Game, Position};
use othello_engine::{Clock, Engine, Request, Settings, Strength};
use othello_search::StopHandle;

use crate::{
    diagram::Diagram,
    engine::{self, EngineOptions, source, variation},
    store::StoreOptions,
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
    let known = look_up_values(&mut store, board.position());
    if let Some(known) = known.as_ref().filter(|known| known.effort == Effort::Exact) {
        write!(
            out,
            "{}",
            known_table(known, board.position(), args.best.into())
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let position = board.position();
    let distinct = distinct_moves(position);
    let mut engine = Engine::try_new(settings(args))?;
    let stop = StopHandle::new();
    let request = Request {
        moves: Some(distinct),
        lines: distinct.count() as usize,
        stop: Some(stop.clone()),
        ..Request::new(board, Clock::default())
    };
    let any_key = AnyKey::watch(move || stop.stop())?;
    let mut frame = any_key.as_ref().map(|_| Frame::default());
    let (mut shown, mut found) = (None, None);
    let report = engine.answer_observed(&request, &mut |report| {
        if let Some(moves) = values(report, position) {
            if let Some(frame) = &mut frame {
                // Watching must not end the search.
                let _ = frame.draw(&mut io::stdout(), &live(&moves, position, args.best.into()));
            }
            found = Stored::of_report(report, position).or(found.take());
            shown = Some((Effort::of_report(report), moves));
        }
    });
    if let Some(mut frame) = frame {
        frame.erase(&mut out)?;
    }
    drop(any_key);
    if let Some(found) = &found {
        keep(&mut store, position, found);
    }
    let last = || {
        (
            Effort::of_report(&report),
            values(&report, position).unwrap_or_default(),
        )
    };
    let (effort, moves) = shown.unwrap_or_else(last);
    if let Some(known) = known.filter(|known| effort < known.effort) {
        write!(out, "{}", known_table(&known, position, args.best.into()))?;
    } else {
        write!(out, "{}", table(&moves, position, args.best.into()))?;
        writeln!(out, "{} nodes in {:.2?}", report.nodes, report.elapsed)?;
    }
    store.warn_of_failure()?;
    Ok(ExitCode::SUCCESS)
}

/// The table as a terminal has room for it.
fn live(moves: &[MoveValue], position: Position, best: usize) -> String {
    let columns = columns().saturating_sub(1);
    let table = table(moves, position, best);
    let lines = table.lines();
    let cut = lines.map(|line| line.chars().take(columns).collect::<String>() + "\n");
    cut.collect::<String>() + "Any key stops."
}

/// The moves, best first, with their values, where these come from, and what would follow each of the `best` first.
fn table(moves: &[MoveValue], position: Position, best: usize) -> String {
    let rows = moves.iter().enumerate().map(|(rank, mv)| {
        let (value, source) = (score(mv), source(mv.source, is_to_the_end(mv, position)));
        let follows = if rank < best {
            format!("  {}", variation(&mv.line))
        } else {
            String::new()
        };
        format!("{value:>6}  {}  {source}{follows}\n", mv.mv)
    });
    rows.collect()
}

/// A score as people write it: in whole discs if it is exact, else with decimals.
fn score(value: &MoveValue) -> String {
    match value.source {
        Source::Depth { .. } => value.score.to_string(),
        Source::Exact | Source::Over => engine::value(value.score.into(), true),
    }
}

/// Returns whether a value comes from a search to the end of the game.
fn is_to_the_end(value: &MoveValue, position: Position) -> bool {
    let empties = position.empties().count();
    matches!(value.source, Source::Depth { depth, .. } if depth >= empties)
}

/// The values that the store has.
fn known_table(known: &Stored, position: Position, best: usize) -> String {
    table(&known.moves, position, best) + "from the store of analyses\n"
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
    use othello_analysis::{Bound, Discs};

    use super::*;

    fn value(hundredths: i32, source: Source, moves: &str) -> MoveValue {
        let line: Vec<_> = moves.split(' ').map(|mv| mv.parse().unwrap()).collect();
        MoveValue {
            mv: line[0],
            score: Discs::from_hundredths(hundredths),
            bound: Bound::Exact,
            source,
            line,
        }
    }

    #[test]
    fn every_move_has_a_value_with_its_source_and_the_best_have_lines() {
        let table = |source| {
            let moves = [value(200, source, "d3 c5"), value(-150, source, "c4 e3")];
            table(&moves, Position::START, 1)
        };
        let estimate = |depth| Source::Depth {
            depth,
            confidence: 81,
        };
        let expected = " +2.00  d3  depth 8, 81 %  d3 c5\n -1.50  c4  depth 8, 81 %\n";
        assert_eq!(table(estimate(8)), expected);
        let exact = table(Source::Exact);
        assert!(exact.starts_with("    +2  d3  exact  d3 c5\n"), "{exact}");
        assert!(table(estimate(60)).contains("to the end, 81 %"));
        assert!(table(estimate(1)).contains("depth 1  d3"));
    }
}
