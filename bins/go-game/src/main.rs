//! One tool for Go: plays and referees games, and counts, scores and times.
#![forbid(unsafe_code)]

mod bench;
mod demo;
mod options;
mod output;
mod perft;
mod play;
mod referee;
mod score;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

const EXIT_STATUS: &str = "\
Exit status:
  0  done: all games decided
  1  an error, or games called off
  2  wrong command line";

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
    Demo(demo::Args),
    Perft(perft::Args),
    Play(Box<play::Args>),
    Referee(Box<referee::Args>),
    Score(score::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Bench(args) => bench::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Referee(args) => referee::run(&args),
        Command::Score(args) => score::run(&args),
    };
    output::exit_code(result)
}
