//! One tool for Go: referees games, plays matches, and counts, scores and times.
#![forbid(unsafe_code)]

mod bench;
mod matches;
mod options;
mod output;
mod perft;
mod referee;
mod score;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio::runtime::Builder;

const EXIT_STATUS: &str = "\
Exit status:
  0  done: all games decided
  1  an error, or games called off or left without a result
  2  wrong command line
  3  of a match: its test is decided against the first engine";

#[derive(Parser)]
#[command(
    name = "go-game",
    version,
    about,
    arg_required_else_help = true,
    after_help = EXIT_STATUS
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Args),
    Match(Box<matches::Args>),
    Perft(perft::Args),
    Referee(Box<referee::Args>),
    Score(score::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Bench(args) => bench::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Referee(args) => referee::run(&args),
        Command::Score(args) => score::run(&args),
    };
    output::exit_code(result)
}

/// Waits for a future on this thread.
fn block_on<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(work);
    // A thread may be reading standard input, which need not end.
    runtime.shutdown_background();
    Ok(result)
}
