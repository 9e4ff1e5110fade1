//! Trains the evaluation of the Othello engine, starting from random play.
#![forbid(unsafe_code)]

mod calibrate;
mod commands;
mod corpus;
mod fit;
mod games;
mod generate;
mod levels;
mod manifest;
mod openings;
mod parity;
mod people;
mod player;
mod quantize;
mod random;
mod record;
mod suite;
mod targets;

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use boardgame_cli::{MergeOptions, command_line, tell_error};
use boardgame_files::is_closed_pipe;
use clap::{Parser, Subcommand};

const EXIT_STATUS: &str = "\
Exit status:
  0  done
  1  an error
  2  wrong command line";

#[derive(Parser)]
#[command(name = "othello-train", version, about, arg_required_else_help = true, after_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Calibrate(commands::calibrate::Args),
    Fit(commands::fit::Args),
    Generate(commands::generate::Args),
    Levels(commands::levels::Args),
    Manifest(commands::manifest::Args),
    Merge(MergeOptions),
    Openings(commands::openings::Args),
    Parity(commands::parity::Args),
    People(commands::people::Args),
    Quantize(commands::quantize::Args),
    Reproduce(commands::reproduce::Args),
    Strength(commands::strength::Args),
    Suite(commands::suite::Args),
    Verify(commands::manifest::VerifyArgs),
}

fn main() -> ExitCode {
    let result = match command_line::<Cli>().command {
        Command::Calibrate(args) => commands::calibrate::run(&args),
        Command::Fit(args) => commands::fit::run(&args),
        Command::Generate(args) => commands::generate::run(&args),
        Command::Levels(args) => commands::levels::run(&args),
        Command::Manifest(args) => commands::manifest::run(&args),
        Command::Merge(args) => merge(&args),
        Command::Openings(args) => commands::openings::run(&args),
        Command::Parity(args) => commands::parity::run(&args),
        Command::People(args) => commands::people::run(&args),
        Command::Quantize(args) => commands::quantize::run(&args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::Strength(args) => commands::strength::run(&args),
        Command::Suite(args) => commands::suite::run(&args),
        Command::Verify(args) => commands::manifest::verify(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe, as in `othello-train fit … | head -1`, is not an error.
        Err(error) if is_closed_pipe(error.root_cause()) => ExitCode::SUCCESS,
        Err(error) => {
            tell_error("othello-train", format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Merges shards of games.
fn merge(options: &MergeOptions) -> anyhow::Result<()> {
    let done = options.run(games::EXTENSION, games::COMMAND)?;
    Ok(writeln!(io::stdout(), "{done}")?)
}
