//! `othello-train suite`: test positions with exact scores.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::PathBuf,
};

use anyhow::{Context as _, ensure};
use othello_core::{Position, Problem};
use othello_search::{Options, Searcher};
use othello_train::{Corpus, Split, Suite, solved};

use crate::progress::bar;

const EXAMPLE: &str = "\
Example: othello-train suite gen/4 --empties 20 --every 40 --count 500 --out exact-20.obf
Then:    othello solve exact-20.obf --depth 8

A run that was stopped goes on when it is started again.";

/// Solves positions of games held out, and writes them as OBF with all their best moves.
///
/// Only positions with a choice of moves are taken, no two of them alike up to symmetry. Black is
/// to move in all.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Shards of games, or folders of them
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// The empty squares of the positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=40))]
    empties: u32,
    /// How many positions
    #[arg(long, value_name = "N")]
    count: usize,
    /// Of the games held out, take every so manyth
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// What part of the games is held out
    #[arg(long, value_name = "N", default_value_t = Split::default().one_in, value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: u32,
    /// The file of problems
    #[arg(long, value_name = "FILE.obf")]
    out: PathBuf,
    /// The transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    hash: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let suite = Suite {
        empties: args.empties,
        every: args.every,
        count: args.count,
        split: Split {
            one_in: args.hold_out,
        },
    };
    let positions = suite.positions(&Corpus::open(&args.games)?)?;
    ensure!(
        positions.len() == args.count,
        "expected {} positions with {} empty squares, but the games held out have {}",
        args.count,
        args.empties,
        positions.len(),
    );
    let done = resumed(args, &positions)?;
    let mut file = OpenOptions::new().append(true).open(&args.out)?;
    let bar = bar("positions");
    bar.set_length(positions.len() as u64);
    bar.set_position(done as u64);
    bar.reset_eta();
    let mut searcher = Searcher::new(Options {
        hash_mib: args.hash,
        ..Options::default()
    });
    for &position in &positions[done..] {
        let problem = solved(&mut searcher, position);
        file.write_all(format!("{problem}\n").as_bytes())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let problems = positions.len();
    writeln!(
        io::stdout(),
        "{problems} problems in {}",
        args.out.display()
    )?;
    Ok(())
}

/// How many of the positions are solved in the file, which is made if it is not there; a line
/// that was not written to its end is taken away.
fn resumed(args: &Args, positions: &[Position]) -> anyhow::Result<usize> {
    let name = args.out.display();
    let mut text = match fs::read_to_string(&args.out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.with_context(|| name.to_string())?,
    };
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    let problems = Problem::read_all(&text)
        .map_err(|(line, error)| anyhow::anyhow!("{name}, line {line}: {error}"))?;
    let differs =
        |(problem, position): (&Problem, &Position)| problem.board.position() != *position;
    let other = problems.iter().zip(positions).position(differs);
    let many = (problems.len() > positions.len()).then_some(positions.len());
    if let Some(line) = other.or(many) {
        anyhow::bail!(
            "{name}, line {}: expected another position of the suite",
            line + 1
        );
    }
    fs::write(&args.out, text)?;
    Ok(problems.len())
}
