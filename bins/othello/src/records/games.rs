//! `othello games`: lists and counts game records.

use std::{
    io::{self, BufWriter, Write as _},
    ops::ControlFlow,
    process::ExitCode,
};

use boardgame_io::printable;
use othello_analysis::{Explored, look_up_values};
use othello_core::Game;
use othello_records::{Continuations, Openings, Outcome, OutcomeKind, Record};

use super::{
    Inputs, exit_code,
    explore::Table,
    filter::{Filter, Winner},
    games_in_words, moves_in_words,
};
use crate::{board::moves_or_board, diagram::Diagram, store::StoreOptions};

/// Lists the games of files, all or those that pass the filters, and counts them.
///
/// A line a game: file and number, date, tournament, players, result from Black's side, moves, and the last named
/// opening. With --at a line for each move that was played in a position instead: its games, its results for the side
/// that played it, years, main player, the opening it leads to, and its value, if the store has it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello games WTH_2001.wtb --opening tiger --result draw
  othello games *.ggf --player saio --date 2003..2005 --count
  othello games WTH_*.wtb --at f5d6c3d3c4 --date 2000..2015")]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    /// Print only the counts
    #[arg(long)]
    count: bool,
    /// Show the moves that were played in this position, in every order of moves and orientation: moves from the start
    /// such as f5d6c3, or a board
    #[arg(
        long,
        value_name = "BOARD",
        value_parser = moves_or_board,
        allow_hyphen_values = true,
        conflicts_with = "count"
    )]
    at: Option<Game>,
    /// Show the moves as JSON
    #[arg(long, requires = "at")]
    json: bool,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    store: StoreOptions,
}

/// The numbers of games by their results.
#[derive(Default)]
struct Results {
    games: u64,
    black: u64,
    white: u64,
    draws: u64,
}

impl Results {
    fn add(&mut self, winner: Winner) {
        self.games += 1;
        match winner {
            Winner::Black => self.black += 1,
            Winner::White => self.white += 1,
            Winner::Draw => self.draws += 1,
            Winner::Unknown => {}
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let names = args.inputs.names()?;
    let openings = Openings::default();
    args.filter.check(&openings)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut results = Results::default();
    let mut continuations = args
        .at
        .as_ref()
        .map(|game| Continuations::new(game.board()));
    let counts = args.inputs.for_each(&names, |file, number, record| {
        let reaches = |found: &mut Continuations| found.add(record).is_some();
        if !args.filter.takes(record, &openings) || !continuations.as_mut().is_none_or(reaches) {
            return Ok(ControlFlow::Continue(()));
        }
        results.add(Winner::of(record));
        if !args.count && continuations.is_none() {
            let line = format!("{file} {number}: {}", line(record, &openings));
            writeln!(out, "{}", printable(&line))?;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    if let (Some(found), Some(game)) = (&continuations, &args.at) {
        let mut store = args.store.open(None)?;
        let board = game.board();
        let known = look_up_values(&mut store, board.position());
        store.warn_of_failure()?;
        let values = known.map_or_else(Vec::new, |stored| stored.moves);
        let explored = Explored::new(board, found, &openings, &values, &[]);
        if args.json {
            serde_json::to_writer(&mut out, &explored)?;
            writeln!(out)?;
            out.flush()?;
            return Ok(exit_code(counts.errors));
        }
        write!(out, "{}\n{}", Diagram::of(game), Table(&explored))?;
    }
    let Results {
        games,
        black,
        white,
        draws,
    } = results;
    writeln!(
        out,
        "{}: Black won {black}, White {white}, {draws} drawn, {} without a result",
        games_in_words(games),
        games - black - white - draws
    )?;
    out.flush()?;
    Ok(exit_code(counts.errors))
}

/// Returns the line of a game.
fn line(record: &Record, openings: &Openings) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(record.date.as_ref().map(ToString::to_string));
    parts.extend((!record.event.is_empty()).then(|| record.event.clone()));
    let [black, white] = record
        .players
        .as_ref()
        .map(|player| named(&player.name))
        .into_array();
    parts.push(format!("{black} - {white}"));
    parts.extend(record.outcome().map(result));
    parts.push(moves_in_words(record));
    parts.extend(
        openings
            .of(&record.game)
            .map(|opening| opening.name.to_owned()),
    );
    parts.extend(record.remarks().iter().map(ToString::to_string));
    parts.join(", ")
}

const fn named(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}

/// Formats a result: `+4`, `+4 resigned`, `Black won, resigned`.
fn result(outcome: Outcome) -> String {
    let cause = match outcome.kind {
        OutcomeKind::Played => "",
        OutcomeKind::Resigned => " by resignation",
        OutcomeKind::TimedOut => " on time",
        OutcomeKind::Agreed => " by agreement",
        OutcomeKind::Left => " by leaving",
        OutcomeKind::Forfeited => " by forfeit",
    };
    let score = match (outcome.score, outcome.discs(), outcome.winner) {
        (_, Some(discs), _) => format!("{discs:+}"),
        (Some(score), None, _) => format!("{score:+}"),
        (None, None, Some(winner)) => format!("{winner} won"),
        (None, None, None) => "drawn".into(),
    };
    score + cause
}
