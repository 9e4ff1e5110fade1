//! `othello book learn` and `othello book add`: positions of games in a book.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU64,
    ops::ControlFlow,
    path::PathBuf,
    process::ExitCode,
};

use anyhow::ensure;
use boardgame_cli::{number_of, positive};
use othello_core::{Board, Game, Position};
use othello_records::Openings;

use super::{rounds::RoundOptions, search::SearchOptions};
use crate::{
    board::moves_or_board,
    records::{Inputs, exit_code, filter::Filter},
    solve::one_thread_in_shards,
};

/// Adds the positions of game records to a book, or makes one of them.
///
/// Each new position is searched as in a build. Ctrl-C ends the work; what was found is in the file, and the same
/// command goes on.
///
/// With --shard and --merge the work goes by rounds, as in `othello book build`; a merge ends with status 3 if another
/// round is left.
#[derive(clap::Args)]
#[command(mut_arg("threads", one_thread_in_shards))]
#[command(after_help = "\
Examples:
  othello book learn othello.book WTH_20*.wtb --plies 12 --min-games 5")]
pub(crate) struct LearnArgs {
    /// The file of the book
    book: PathBuf,
    #[command(flatten)]
    inputs: Inputs,
    /// Learn the positions up to this ply
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = number_of("plies", 0..=60))]
    plies: u32,
    /// Learn the positions that at least this number of games reach
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive::<NonZeroU64>)]
    min_games: NonZeroU64,
    #[command(flatten)]
    rounds: RoundOptions,
    #[command(flatten)]
    filter: Filter,
}

/// Adds lines to a book, or makes one of them.
///
/// Each new position is searched as in a build.
#[derive(clap::Args)]
pub(crate) struct AddArgs {
    /// The file of the book
    book: PathBuf,
    /// Moves from the start such as f5d6c3, or a board
    #[arg(value_name = "BOARD", value_parser = moves_or_board, required = true)]
    lines: Vec<Game>,
    #[command(flatten)]
    search: SearchOptions,
}

pub(super) fn learn(args: &LearnArgs) -> anyhow::Result<ExitCode> {
    let book = args.rounds.search.open_or_create(&args.book)?;
    let openings = Openings::default();
    args.filter.check(&openings)?;
    let names = args.inputs.names()?;
    let mut games: BTreeMap<Position, u64> = BTreeMap::new();
    let counts = args.inputs.for_each(&names, |_, _, record| {
        if args.filter.takes(record, &openings) {
            let positions = record.game.boards().map(Board::position);
            let is_early = |position: &Position| 60 <= args.plies + position.empties().count();
            let positions = positions.filter(is_early).map(|it| it.canonical().0);
            for position in positions.collect::<BTreeSet<_>>() {
                *games.entry(position).or_default() += 1;
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    games.retain(|_, games| *games >= args.min_games.get());
    let positions: Vec<_> = games.into_keys().collect();
    ensure!(
        !positions.is_empty(),
        "expected games, but found no position that {} of them reach",
        args.min_games
    );
    let done = args
        .rounds
        .work("learn", book, &args.book, |book| book.learn(&positions))?;
    // The status of a shard or merge tells how far the work is.
    Ok(if done == ExitCode::SUCCESS && !args.rounds.is_divided() {
        exit_code(counts.errors)
    } else {
        done
    })
}

pub(super) fn add(args: &AddArgs) -> anyhow::Result<ExitCode> {
    let book = args.search.open_or_create(&args.book)?;
    let boards = args.lines.iter().flat_map(Game::boards);
    let positions: Vec<_> = boards.map(Board::position).collect();
    args.search
        .work(book, &args.book, |book| book.learn(&positions))
}
