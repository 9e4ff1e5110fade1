//! `othello ladder`: a tournament without end, whose programs are folders that people change.

use std::{fs, path::PathBuf, process::ExitCode, time::SystemTime};

use anyhow::ensure;
use boardgame_match::schedule::Form;

use super::{
    desk::{self, Desk},
    play::{self, Rounds, RunOptions},
    tables, write,
};

/// The file that `init` writes.
const TEMPLATE: &str = include_str!("ladder.toml");

/// Plays a ladder: each new version of a program is checked, then plays where ratings are least certain
///
/// Programs are the folders programs/NAME, each with an executable file named run, or a program.toml with the keys
/// command, author and protocol. A version that makes a fault does not displace the one before. The ladder is a
/// tournament: othello tournament DIR pairings, adjudicate and export work on it too.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello ladder spring init       # then edit spring/tournament.toml
  othello ladder spring --web
  othello ladder spring standings

A command that was stopped at any moment is started again: no game is lost, and none is played
twice. Stop it before you decide on a game with othello tournament.")]
pub(crate) struct Args {
    /// The folder of the ladder
    folder: PathBuf,
    #[command(subcommand)]
    command: Option<Command>,
    /// Stop once this number of games is on record [default: never]
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Begin no games from this time on, such as 2026-12-24T18:00:00Z [default: never stop]
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<SystemTime>,
    #[command(flatten)]
    run: RunOptions,
}

fn time(text: &str) -> Result<SystemTime, &'static str> {
    let expected = "expected a time in UTC such as 2026-12-24T18:00:00Z";
    humantime::parse_rfc3339_weak(text).map_err(|_| expected)
}

#[derive(clap::Subcommand)]
enum Command {
    /// Makes the folder with a tournament.toml to edit
    Init,
    /// Shows the ratings with their intervals
    Standings,
}

/// Runs a command on a ladder.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Some(Command::Init) => {
            super::init(&args.folder, TEMPLATE)?;
            fs::create_dir_all(args.folder.join("programs"))?;
        }
        Some(Command::Standings) => {
            let (desk, state) = Desk::read(&args.folder)?;
            write(&tables::standings(&desk, &state)?)?;
        }
        None => {
            let desk = Desk::open(&args.folder)?;
            ensure!(
                desk.settings.form == Form::Ladder,
                "{}: expected form = \"ladder\"",
                desk::settings_path(&args.folder).display()
            );
            let (games, until) = (args.games, args.until);
            return play::rounds(&args.folder, &args.run, &Rounds::Ladder { games, until });
        }
    }
    Ok(ExitCode::SUCCESS)
}
