//! One tool for Go: plays and referees games and matches, analyzes and scores records, counts and times.
#![forbid(unsafe_code)]

mod analyze;
mod bench;
mod check_player;
mod demo;
mod matches;
mod options;
mod output;
mod perft;
mod play;
mod record;
mod referee;
mod score;

use std::process::ExitCode;

use boardgame_cli::command_line;
use clap::{Parser, Subcommand};

use self::output::while_read;

const EXIT_STATUS: &str = "\
Exit status:
  0  done: all games decided
  1  an error, or games called off or left without a result
  2  the command line cannot be parsed
  3  of a match: its test is decided against the first engine";

#[derive(Parser)]
#[command(
    name = "go-game",
    version,
    long_version = go_cli::long_version(),
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
    Analyze(Box<analyze::Args>),
    Bench(bench::Args),
    CheckPlayer(Box<check_player::Args>),
    Demo(demo::Args),
    Match(Box<matches::Args>),
    Perft(perft::Args),
    Play(Box<play::Args>),
    Referee(Box<referee::Args>),
    Score(score::Args),
}

fn main() -> ExitCode {
    let result = match command_line::<Cli>().command {
        Command::Analyze(args) => while_read(analyze::run(&args)),
        Command::Bench(args) => while_read(bench::run(&args)),
        Command::CheckPlayer(args) => while_read(check_player::run(&args)),
        Command::Demo(args) => while_read(demo::run(&args)),
        Command::Play(args) => while_read(play::run(&args)),
        Command::Match(args) => matches::run(&args),
        Command::Perft(args) => while_read(perft::run(&args)),
        Command::Referee(args) => referee::run(&args),
        Command::Score(args) => while_read(score::run(&args)),
    };
    output::exit_code(result)
}
