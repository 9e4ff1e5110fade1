//! `othello host codewarriors`: the Code Warriors judge.

use std::{process::ExitCode, time::Duration};

use boardgame_cli::{any_duration, duration};
use humantime::format_duration;
use othello_host::formats::{self, CodeWarriorsOptions};
use othello_proto::codewarriors::MOVE_LIMIT;

use super::Contest;

/// Judges a Code Warriors game between two programs, 2 s a move.
///
/// A program that makes an illegal move, breaks the format, takes too long or ends early is
/// disqualified, and the other one wins. One that does not start is an error, and no game is scored.
#[derive(clap::Args)]
#[command(after_help = "Example: othello host codewarriors ./mybot 'python3 bot.py' --games 10")]
pub(crate) struct Args {
    #[command(flatten)]
    contest: Contest,
    /// The limit for a move, from the last input
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "2s")]
    limit: Duration,
    /// The time allowed beyond the limit for the way through the pipes
    #[arg(long, value_name = "TIME", value_parser = any_duration, default_value = "0s")]
    grace: Duration,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    debug_assert_eq!(
        MOVE_LIMIT,
        Duration::from_secs(2),
        "the default in the help"
    );
    let options = CodeWarriorsOptions {
        limit: args.limit,
        grace: args.grace,
        ..CodeWarriorsOptions::default()
    };
    let limit = format_duration(args.limit).to_string();
    let game = formats::codewarriors(options);
    args.contest
        .play("codewarriors", &["--move-time", &limit], &game)
}
