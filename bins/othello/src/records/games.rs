//! `othello games`: lists and counts game records.

use std::{
    io::{self, BufWriter, Write as _},
    ops::ControlFlow,
    process::ExitCode,
};

use boardgame_io::printable;
use othello_records::{Openings, Outcome, OutcomeKind, Record};

use super::{
    Inputs,
    filter::{Filter, Winner},
    games_in_words, moves_in_words,
};

/// Lists the games of files, all or those that pass the filters, and counts them.
///
/// A line a game: file and number, date, tournament, players, result from Black's side, moves, and the last named
/// opening.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello games WTH_2001.wtb --opening tiger --result draw
  othello games *.ggf --player saio --date 2003..2005 --count")]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    filter: Filter,
    /// Print only the counts
    #[arg(long)]
    count: bool,
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
    let counts = args.inputs.for_each(&names, |file, number, record| {
        if !args.filter.takes(record, &openings) {
            return Ok(ControlFlow::Continue(()));
        }
        results.add(Winner::of(record));
        if !args.count {
            let line = format!("{file} {number}: {}", line(record, &openings));
            writeln!(out, "{}", printable(&line))?;
        }
        Ok(ControlFlow::Continue(()))
    })?;
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
    Ok(if counts.errors == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
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
