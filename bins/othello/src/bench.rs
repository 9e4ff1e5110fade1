//! `othello bench`: the search's signature.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use othello_search::{Options, bench};

use crate::tier::TierOption;

/// Searches fixed positions to fixed depths; the node count on the last line is a signature.
///
/// The count is the same at every run and with all instructions; it changes when the search does.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    tier: TierOption,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let tier = args.tier.or_best();
    let mut written = Ok(());
    let result = bench::run(
        Options {
            tier,
            ..Options::default()
        },
        &mut |search| {
            let report = &search.report;
            let best = report.best.map_or("--".into(), |square| square.to_string());
            let line = writeln!(
                out,
                "{} depth {:2} {best} {} {} nodes",
                search.board, report.depth, report.score, report.nodes
            );
            written = std::mem::replace(&mut written, Ok(())).and(line);
        },
    );
    written?;
    let seconds = result.elapsed.as_secs_f64();
    let speed = result.nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(io::stderr(), "{seconds:.3} s, {speed:.2} M nodes/s, {tier}")?;
    writeln!(out, "{} nodes", result.nodes)?;
    Ok(ExitCode::SUCCESS)
}
