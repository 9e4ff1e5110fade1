//! Learns the weights of the Go engine from games against itself and of people.
#![forbid(unsafe_code)]

mod commands;
mod fit;
mod games;
mod mm;
mod self_play;
mod training_game;

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
#[command(name = "go-train", version, about, arg_required_else_help = true, after_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Fit(commands::fit::Args),
    Generate(commands::generate::Args),
    Manifest(commands::manifest::Args),
    Merge(MergeOptions),
    Predict(commands::predict::Args),
    Strength(commands::strength::Args),
    Verify(commands::manifest::VerifyArgs),
}

fn main() -> ExitCode {
    let result = match command_line::<Cli>().command {
        Command::Fit(args) => commands::fit::run(&args),
        Command::Generate(args) => commands::generate::run(&args),
        Command::Manifest(args) => commands::manifest::run(&args),
        Command::Merge(options) => merge(&options),
        Command::Predict(args) => commands::predict::run(&args),
        Command::Strength(args) => commands::strength::run(&args),
        Command::Verify(args) => commands::manifest::verify(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe, as in `go-train fit … | head -1`, is not an error.
        Err(error) if is_closed_pipe(error.root_cause()) => ExitCode::SUCCESS,
        Err(error) => {
            tell_error("go-train", format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Merges shards of games.
fn merge(options: &MergeOptions) -> anyhow::Result<()> {
    let done = options.run(games::EXTENSION, games::COMMAND)?;
    Ok(writeln!(io::stdout(), "{done}")?)
}
