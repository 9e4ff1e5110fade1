//! Trains the evaluation of the Othello engine, starting from random play.
#![forbid(unsafe_code)]

mod calibrate;
mod corpus;
mod engine;
mod fit;
mod generate;
mod manifest;
mod openings;
mod parity;
mod problems;
mod progress;
mod quantize;
mod reproduce;
mod source;
mod strength;
mod suite;

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
    Calibrate(calibrate::Args),
    Fit(fit::Args),
    Generate(generate::Args),
    Manifest(manifest::Args),
    Merge(MergeOptions),
    Openings(openings::Args),
    Parity(parity::Args),
    #[command(alias = "shrink")]
    Quantize(quantize::Args),
    Reproduce(reproduce::Args),
    Strength(strength::Args),
    Suite(suite::Args),
    Verify(manifest::VerifyArgs),
}

fn main() -> ExitCode {
    let result = match command_line::<Cli>().command {
        Command::Calibrate(args) => calibrate::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Manifest(args) => manifest::run(&args),
        Command::Merge(args) => merge(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Parity(args) => parity::run(&args),
        Command::Quantize(args) => quantize::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Strength(args) => strength::run(&args),
        Command::Suite(args) => suite::run(&args),
        Command::Verify(args) => manifest::verify(&args),
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
    let done = options.run(othello_train::GAMES_EXTENSION, othello_train::GAMES_COMMAND)?;
    Ok(writeln!(io::stdout(), "{done}")?)
}
