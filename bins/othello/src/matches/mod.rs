//! `othello match`: which engine is stronger.

mod engines;

use std::process::ExitCode;

use boardgame_match_cli::{Game, MatchOptions, exit_code, two_names};
use othello_match::{
    openings::{Openings, Source},
    runner::check,
};

use self::engines::Engines;

const EXAMPLES: &str = "\
Examples:
  Does a larger table pay at equal time? Stop as soon as 5 Elo are proved or refuted:
    othello match -e big=own:hash=64 -e small=own:hash=4 -l move:50ms --games 20000 --sprt --log hash.jsonl
  Ours against a program that speaks GTP, at the CPU time that it takes at its level:
    othello match -e ours=own -l ours=nodes:100000 -e edax='gtp:edax -gtp -l 8' --match-cpu ours=edax --log edax.jsonl
  A tournament of the engines in a file, first Swiss:
    othello match --engines field.toml --form swiss --rounds 7 --openings start --log swiss.jsonl

  By two processes, whose games are then merged into one log:
    othello match -e a=own:hash=64 -e b=own:hash=4 -l nodes:20000 --games 1000 --parts hash --shard 0/2 &
    othello match -e a=own:hash=64 -e b=own:hash=4 -l nodes:20000 --games 1000 --parts hash --shard 1/2 &
    wait; othello match -e a=own:hash=64 -e b=own:hash=4 -l nodes:20000 --games 1000 --parts hash --merge

A match that was stopped goes on when it is started again with the same log. Raise --games to
extend it; a round robin is filled out with --form double-round-robin.

Exit status:
  0  all games are played, or the test is decided for the first engine
  1  an error, such as an engine that does not start, or the match was called off
  2  wrong command line
  3  the test is decided against the first engine";

/// Plays matches between engines of any protocol and tells who is stronger.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    engines: Engines,
    /// Where games begin: start, xot (10,784 lines of 8 plies), random:PLIES, or a file of
    /// transcripts or OBF positions, one a line
    #[arg(long, value_name = "SOURCE", default_value = "xot")]
    openings: Source,
    #[command(flatten)]
    contest: MatchOptions,
    /// Scale the limit of one engine, our own, until its games cost as much CPU time as those of
    /// another, in games before the match, and go on in the match so that all its games together do
    #[arg(long, value_name = "OURS=OTHER", value_parser = two_names)]
    match_cpu: Option<(String, String)>,
}

/// Plays a match, or the games that its log lacks, and prints the results.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let engines = args.engines.read()?;
    let openings = Openings::load(&args.openings, args.contest.seed)?;
    check(&engines, &openings)?;
    let game = Game {
        engines,
        fingerprint: openings.fingerprint().into(),
        openings,
        rules: String::new(),
        observer: None,
    };
    let options = MatchOptions {
        match_cpu: args.match_cpu.clone(),
        ..args.contest.clone()
    };
    let playing = boardgame_match_cli::run(&options, game);
    Ok(exit_code(boardgame_io::block_on(playing)??))
}
