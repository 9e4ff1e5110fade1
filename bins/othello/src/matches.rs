//! `othello match`: measures which engine is stronger.

mod engines;

use std::{process::ExitCode, sync::Arc};

use boardgame_cli::matches::{Game, MatchOptions, exit_code, two_names};
use boardgame_match::{ForfeitScore, MatchObserver, contest::Ending, tally::Tally};
use othello_core::Board;
use othello_host::FORFEIT_SCORE;
use othello_match::{
    engine::EngineSpec,
    openings::{Openings, Source},
    runner::check,
};
use othello_web::live::MatchRun;

use self::engines::Engines;
use crate::{
    output::tell,
    watch::{WatchOptions, WatchServer},
};

const EXAMPLES: &str = "\
Examples:
  Does a larger table pay at equal time? Stop as soon as 5 Elo are proved or refuted:
    othello match -e big=own:hash=64 -e small=own:hash=4 -l move:50ms \\
      --games 20000 --sprt --log hash.jsonl
  Ours against a program that speaks GTP, at the CPU time that it takes at its level:
    othello match -e ours=own -l ours=nodes:100000 -e edax='gtp:edax -gtp -l 8' \\
      --match-cpu ours=edax --log edax.jsonl
  A tournament of the engines in a file, first Swiss:
    othello match --engines field.toml --form swiss --rounds 7 --openings start \\
      --log swiss.jsonl

  By two processes, whose games are then merged into one log:
    othello match -e a=own:hash=64 -e b=own:hash=4 -l nodes:20000 --games 1000 \\
      --parts hash --shard 0/2 &
    othello match -e a=own:hash=64 -e b=own:hash=4 -l nodes:20000 --games 1000 \\
      --parts hash --shard 1/2 &
    wait; othello match -e a=own:hash=64 -e b=own:hash=4 -l nodes:20000 --games 1000 \\
      --parts hash --merge

A match that was stopped goes on when it is started again with the same log. Raise --games to
extend it; a round robin is filled out with --form double-round-robin.

Exit status:
  0  all games are played, or the test is decided for the first engine
  1  an error, such as an engine that does not start, or the match was called off
  2  the command line cannot be parsed
  3  the test is decided against the first engine";

/// Plays matches between engines of any protocol and tells who is stronger.
#[derive(Clone, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    engines: Engines,
    /// The openings: start, xot (10,784 lines of 8 plies), random:PLIES,
    /// book:FILE,plies=PLIES,margin=DISCS or book:built-in with the same (balanced lines of a book,
    /// 8 plies and 2 discs by default), or a file of transcripts or OBF positions, one a line
    /// [default: xot, or start for protocols that begin every game there]
    #[arg(long, value_name = "SOURCE")]
    openings: Option<Source>,
    #[command(flatten)]
    contest: MatchOptions,
    /// The discs by which a game lost by a fault counts, or board for those on the board
    #[arg(long, value_name = "DISCS", default_value_t = FORFEIT_SCORE)]
    forfeit_score: ForfeitScore,
    #[command(flatten)]
    watch: WatchOptions,
    /// Scale the limit of one engine, our own, until its games cost as much CPU time as those of
    /// another, in games before the match, and go on in the match so that all its games together do
    #[arg(long, value_name = "OURS=OTHER", value_parser = two_names)]
    match_cpu: Option<(String, String)>,
}

/// Plays a match, or the games that its log lacks, and prints the results.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let engines = args.engines.read()?;
    let openings = openings(args, &engines)?;
    check(&engines, &openings)?;
    let options = MatchOptions {
        match_cpu: args.match_cpu.clone(),
        forfeit_score: Some(args.forfeit_score),
        ..args.contest.clone()
    };
    let server = args.watch.start()?;
    let shown = server
        .as_ref()
        .map(|server| shown(server, &options, &engines));
    let game = Game {
        engines,
        fingerprint: openings.fingerprint().into(),
        openings,
        rules: String::new(),
        observer: shown.transpose()?,
    };
    let playing = boardgame_cli::matches::run(&options, game);
    let ending = boardgame_io::block_on(playing)??;
    if ending != Ending::Cancelled {
        WatchServer::stay(server.as_ref());
    }
    Ok(exit_code(ending))
}

/// Returns the openings asked for, or those that all engines can play from.
fn openings(args: &Args, engines: &[EngineSpec]) -> anyhow::Result<Openings> {
    let seed = args.contest.seed;
    if let Some(source) = &args.openings {
        return Ok(Openings::load(source, seed)?);
    }
    let openings = Openings::load(&Source::default(), seed)?;
    let Err(reason) = check(engines, &openings) else {
        return Ok(openings);
    };
    let engine = reason.engine;
    tell(format_args!(
        "all games begin at the start (--openings start), since the protocol of {engine} has no other beginning"
    ))?;
    Ok(Openings::load(&Source::Start, seed)?)
}

/// Returns the observer of a match that writes its games to a server.
fn shown(
    server: &WatchServer,
    options: &MatchOptions,
    engines: &[EngineSpec],
) -> anyhow::Result<Arc<dyn MatchObserver<Board>>> {
    let names = engines.iter().map(|engine| engine.name.clone()).collect();
    let schedule = options.schedule(engines.len())?;
    // Later rounds of a Swiss tournament depend on results, and a shard has only part of the games.
    let depends = schedule.form().depends_on_results();
    let is_known = !depends && options.shards.division().is_none();
    let total = is_known.then(|| schedule.known(&Tally::default()).len() as u64);
    let run = MatchRun::new(server.runs(), names, schedule, options.sprt, total);
    Ok(Arc::new(run))
}
