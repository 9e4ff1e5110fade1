//! `othello hint`: the best moves of a position.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context as _, bail};
use boardgame_cli::{
    duration, number_of,
    terminal::{AnyKey, Frame, columns, exit_on_stop},
};
use othello_analysis::{Hint, HintLimits, MoveValue, line_in_words};
use othello_core::{Game, Position};
use othello_engine::StopHandle;

use crate::{
    board::moves_or_board,
    diagram::Diagram,
    engine::EngineOptions,
    store::{StoreOptions, UserStore},
};

/// Shows a position and the moves in it, with their values and what would follow the best.
///
/// Values are in discs, from the point of view of the side to move: with decimals they are estimates, as whole numbers
/// exact. Estimates have the depth of the search and the confidence, in percent, with which it left moves out. A
/// terminal shows the values as the search deepens, until the time is over or a key is pressed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello hint f5d6c3 --time 2s --best 3
  othello hint '---------------------------OX------XO--------------------------- X'")]
pub(crate) struct Args {
    /// Moves from the start such as f5d6c3, or a board: 64 squares of X, O and -, a1 to h8, then the side to move; or a
    /// printed board [default: the start]
    #[arg(value_name = "BOARD", value_parser = moves_or_board, hide_default_value = true, allow_hyphen_values = true)]
    start: Option<Game>,
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
    #[arg(long, value_name = "PLIES", value_parser = number_of("plies", 1..=60))]
    depth: Option<u32>,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    store: StoreOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut game = args.start.clone().unwrap_or_default();
    let further = Game::from_transcript(game.board(), &args.moves).context("--moves")?;
    for &mv in further.moves() {
        game.play(mv)?;
    }
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
    let mut hint = Hint::new(board.position(), Some(&mut store));
    if !hint.is_final() {
        search(args, board.position(), &mut hint, &mut store)?;
    }
    let moves = hint.shown.map_or_else(Vec::new, |shown| shown.moves);
    let table = table(&moves, board.position(), args.best.into());
    if hint.is_known {
        writeln!(out, "{table}from the store of analyses")?;
    } else {
        let (nodes, elapsed) = (hint.nodes, hint.elapsed);
        writeln!(out, "{table}{nodes} nodes in {elapsed:.2?}")?;
    }
    store.warn_of_failure()?;
    Ok(ExitCode::SUCCESS)
}

/// Searches a position, and shows the values meanwhile on a terminal, until time is up or a key is pressed.
fn search(
    args: &Args,
    position: Position,
    hint: &mut Hint,
    store: &mut UserStore,
) -> anyhow::Result<()> {
    let mut searcher = args.engine.settings().searcher()?;
    let stop = StopHandle::new();
    let limits = HintLimits {
        depth: args.depth,
        time: Some(args.time),
        stop: Some(stop.clone()),
        every_depth: true,
    };
    exit_on_stop()?;
    let any_key = AnyKey::watch(move || stop.stop())?;
    let mut frame = any_key.as_ref().map(|_| Frame::default());
    hint.search(&mut searcher, &limits, Some(store), &mut |hint| {
        if let (Some(frame), Some(shown)) = (&mut frame, &hint.shown) {
            let text = live(&shown.moves, position, args.best.into());
            // A failed display must not end the search.
            let _ = frame.draw(&mut io::stdout(), &text);
        }
    });
    if let Some(mut frame) = frame {
        frame.erase(&mut io::stdout())?;
    }
    Ok(())
}

/// Returns the table, cut to fit the terminal.
fn live(moves: &[MoveValue], position: Position, best: usize) -> String {
    let columns = columns().saturating_sub(1);
    let table = table(moves, position, best);
    let lines = table.lines();
    let cut = lines.map(|line| line.chars().take(columns).collect::<String>() + "\n");
    cut.collect::<String>() + "Any key stops."
}

/// Returns the moves, best first, with their values and evidence, and the line after each of the first `best`.
fn table(moves: &[MoveValue], position: Position, best: usize) -> String {
    let empties = position.empties().count();
    let rows = moves.iter().enumerate().map(|(rank, mv)| {
        let (value, source) = (mv.value(), mv.source.in_words(empties));
        let follows = if rank < best {
            format!("  {}", line_in_words(&mv.line))
        } else {
            String::new()
        };
        format!("{value:>6}  {}  {source}{follows}\n", mv.mv)
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use othello_analysis::{Bound, Discs, Source};

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
            confidence: 79,
        };
        let expected = " +2.00  d3  depth 8, 79 %  d3 c5\n -1.50  c4  depth 8, 79 %\n";
        assert_eq!(table(estimate(8)), expected);
        let exact = table(Source::Exact);
        assert!(exact.starts_with("    +2  d3  exact  d3 c5\n"), "{exact}");
        assert!(table(estimate(60)).contains("to the end, 79 %"));
    }
}
