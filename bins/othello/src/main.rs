//! One tool for Othello: plays a demo, hosts the four competition formats, and analyses positions.
#![forbid(unsafe_code)]

mod analyze;
mod bench;
mod board;
mod book;
mod check;
mod check_player;
mod check_rules;
mod demo;
mod diagram;
mod drill;
mod engine;
mod hint;
mod host;
mod interrupt;
mod listen;
mod matches;
mod output;
mod own;
mod page;
mod perft;
mod play;
mod prove;
mod records;
mod shards;
mod solve;
mod store;
mod tier;
mod tournament;
mod watch;
mod web;

use std::process::ExitCode;

use boardgame_cli::command_line;
use clap::{Parser, Subcommand};

const EXIT_STATUS: &str = "\
Exit status:
  0  done: all games decided, all problems solved
  1  an error, a wrong solution, or games called off
  2  the command line cannot be parsed
  3  of a match: its test is decided against the first engine";

#[derive(Parser)]
#[command(
    name = "othello",
    version,
    long_version = othello_cli::long_version(),
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
    Analyze(analyze::Args),
    Bench(bench::Args),
    #[command(subcommand)]
    Book(book::Command),
    Check(check::Args),
    CheckPlayer(check_player::Args),
    CheckRules(check_rules::Args),
    Convert(records::convert::Args),
    Demo(demo::Args),
    Drill(drill::Args),
    Games(records::games::Args),
    Hint(hint::Args),
    #[command(subcommand)]
    Host(host::Format),
    Ladder(tournament::ladder::Args),
    Match(matches::Args),
    Perft(perft::Args),
    Play(play::Args),
    Prove(prove::Args),
    Solve(solve::Args),
    Tournament(tournament::Args),
    Web(web::Args),
    /// One of our own players, as in its own binary.
    #[command(subcommand, hide = true)]
    Player(own::Player),
}

fn main() -> ExitCode {
    let result = match command_line::<Cli>().command {
        Command::Analyze(args) => analyze::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Book(command) => book::run(&command),
        Command::Check(args) => check::run(&args),
        Command::CheckPlayer(args) => check_player::run(&args),
        Command::CheckRules(args) => check_rules::run(&args),
        Command::Convert(args) => records::convert::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Drill(args) => drill::run(&args),
        Command::Games(args) => records::games::run(&args),
        Command::Hint(args) => hint::run(&args),
        Command::Host(format) => host::run(&format),
        Command::Ladder(args) => tournament::ladder::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Web(args) => web::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Player(player) => own::run(player),
    };
    output::exit_code(result)
}
