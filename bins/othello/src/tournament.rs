//! `othello tournament`: a tournament that is a folder.

mod desk;
pub(crate) mod export;
mod games;
mod intake;
pub(crate) mod ladder;
mod play;
mod tables;
mod versions;

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    time::SystemTime,
};

use anyhow::{Context as _, bail, ensure};
use boardgame_core::Margin;
use boardgame_io::printable;
use boardgame_match::{
    GameId,
    log::{Entry, Ruling},
    record::{GameResult, Side},
    schedule::Form,
    tournament,
};

use self::{desk::Desk, export::ExportOptions, play::PlayOptions};

/// The file that `init` writes.
const TEMPLATE: &str = include_str!("tournament/template.toml");

const EXAMPLES: &str = "\
Examples:
  othello tournament spring init     # then edit spring/tournament.toml
  othello tournament spring pairings
  othello tournament spring play     # one round; --all plays to the end
  othello tournament spring standings
  othello tournament spring add dora --command './dora' --author 'Dora Example'
  othello tournament spring adjudicate 7 40-24 --reason 'power cut' --by Eva
  othello tournament spring export html --output spring.html

People edit tournament.toml; this program alone writes games.jsonl. A command that was stopped
at any moment is started again: no game is lost, and none is played twice.";

/// Runs a tournament: pairings, games, standings, late entries, withdrawals, decisions, exports
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder of the tournament
    folder: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Makes the folder with a tournament.toml to edit
    Init,
    /// Shows the round that is being played, or else the next
    Pairings {
        /// Show this round
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        round: Option<u32>,
    },
    /// Plays a round, or what is left of it
    Play(PlayOptions),
    /// Shows the standings and the crosstable
    Standings,
    /// Sets the result of a game
    Adjudicate {
        /// The number of the game in the pairings
        game: usize,
        /// black, white or draw, or the discs of Black and White, such as 40-24
        #[arg(value_parser = result)]
        result: GameResult,
        #[command(flatten)]
        decision: Decision,
    },
    /// Adds a program to tournament.toml, from the next round on
    Add(AddOptions),
    /// Withdraws a program after the current round, in tournament.toml
    Withdraw {
        /// The program
        name: String,
        /// Its last round
        #[arg(long, value_name = "N")]
        after: Option<u32>,
    },
    /// Writes games, standings or a page
    Export(ExportOptions),
}

/// The reason for a decision on a game, and its author.
#[derive(Clone, clap::Args)]
struct Decision {
    /// The reason of the decision
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The person who decides
    #[arg(long, value_name = "NAME")]
    by: String,
}

impl Decision {
    fn ruling(&self, game: GameId, result: Option<GameResult>) -> Entry {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Entry::Ruling(Ruling {
            game,
            result,
            reason: self.reason.clone(),
            by: self.by.clone(),
            time: now.map_or(0, |now| now.as_secs()),
        })
    }
}

#[derive(clap::Args)]
struct AddOptions {
    /// The name, without white space
    name: String,
    /// The command that starts the program, in the tournament's folder
    #[arg(long, value_name = "COMMAND")]
    command: String,
    /// The protocol, if not the one of all programs
    #[arg(long)]
    protocol: Option<String>,
    /// The author
    #[arg(long)]
    author: Option<String>,
    /// The round in which it enters [default: the next to be paired]
    #[arg(long, value_name = "N")]
    from_round: Option<u32>,
}

/// The error of a text that is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected black, white, draw, or 64 discs such as 40-24")]
struct ParseResultError;

fn result(text: &str) -> Result<GameResult, ParseResultError> {
    let played = |points| {
        let margin = Margin::from_points(points);
        Ok(GameResult::Played { margin })
    };
    match text {
        "black" => Ok(GameResult::Forfeit { by: Side::White }),
        "white" => Ok(GameResult::Forfeit { by: Side::Black }),
        "draw" => played(0),
        discs => {
            let (black, white) = discs.split_once('-').ok_or(ParseResultError)?;
            let number = |text: &str| text.parse::<u8>().map_err(|_| ParseResultError);
            let [black, white] = [number(black)?, number(white)?].map(i32::from);
            if black + white != 64 {
                return Err(ParseResultError);
            }
            played(black - white)
        }
    }
}

/// Runs a command on a tournament.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Init => init(&args.folder, TEMPLATE)?,
        Command::Play(options) => return play::run(&args.folder, options),
        Command::Pairings { round } => {
            let (desk, state) = Desk::read(&args.folder)?;
            write(&games::pairings(&desk, &state, *round)?)?;
        }
        Command::Standings => {
            let (desk, state) = Desk::read(&args.folder)?;
            write(&tables::standings(&desk, &state)?)?;
        }
        Command::Adjudicate {
            game,
            result,
            decision,
        } => {
            let desk = Desk::open(&args.folder)?;
            let (mut log, state) = desk.log()?;
            let id = state.game(*game)?;
            log.append_entry(&decision.ruling(id, Some(*result)))?;
            let (_, state) = Desk::read(&args.folder)?;
            write(&games::line(&state, *game - 1))?;
        }
        Command::Add(options) => add(args, options)?,
        Command::Withdraw { name, after } => {
            let (desk, state) = Desk::read(&args.folder)?;
            let last = after.unwrap_or(state.contents.rounds.len() as u32);
            let text = tournament::withdraw(&desk.text, name, last)?;
            desk.changed(text)?.save()?;
            write(&format!("{name} withdraws after round {last}\n"))?;
        }
        Command::Export(options) => return export::run(&args.folder, options),
    }
    Ok(ExitCode::SUCCESS)
}

fn init(folder: &Path, template: &str) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("expected a folder at {}", folder.display()))?;
    let path = desk::settings_path(folder);
    let is_new = boardgame_files::create(&path, template.as_bytes())
        .with_context(|| path.display().to_string())?;
    ensure!(
        is_new,
        "{}: expected no tournament there yet",
        path.display()
    );
    write(&format!(
        "{}: edit it, then see the pairings\n",
        path.display()
    ))
}

fn add(args: &Args, options: &AddOptions) -> anyhow::Result<()> {
    let (desk, state) = Desk::read(&args.folder)?;
    if desk.settings.form == Form::KnockOut && !state.contents.rounds.is_empty() {
        bail!("expected a knock-out that has not begun, found one with a round");
    }
    let next = state.contents.rounds.len() as u32 + 1;
    let (name, from_round) = (&options.name, options.from_round.unwrap_or(next));
    let keys = [
        ("author", options.author.clone().into()),
        ("protocol", options.protocol.clone().into()),
        ("command", options.command.clone().into()),
        ("from_round", from_round.into()),
    ];
    let changed = desk.changed(tournament::add(&desk.text, name, &keys)?)?;
    if let Some(rounds) = changed.settings.form.rounds() {
        ensure!(
            from_round <= rounds,
            "expected a round up to {rounds}, the last by tournament.toml, found {from_round}"
        );
    }
    changed.save()?;
    write(&format!("{name} enters in round {from_round}\n"))
}

/// Writes lines to standard output, with quoted text made safe for a terminal.
fn write(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for line in text.lines() {
        writeln!(out, "{}", printable(line))?;
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_winners_or_all_discs() {
        let margin = |points| {
            let margin = Margin::from_points(points);
            Ok(GameResult::Played { margin })
        };
        assert_eq!(result("40-24"), margin(16));
        assert_eq!(result("0-64"), margin(-64));
        assert_eq!(result("draw"), margin(0));
        assert_eq!(result("black"), Ok(GameResult::Forfeit { by: Side::White }));
        for wrong in ["", "ann", "40", "40-25", "-40-104", "300-1"] {
            assert_eq!(result(wrong), Err(ParseResultError), "{wrong}");
        }
    }
}
