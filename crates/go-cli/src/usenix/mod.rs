//! The player of the USENIX Computer Go Tournament: lines over standard input and output.

mod settings;

use boardgame_cli::{Remarks, Transport, after_help};
use clap::Parser;
use go_core::Setup;
use go_engine::Engine;
use go_proto::usenix::{Player, PlayerOptions};

use crate::{ExitCode, Program, environment::LOG};

pub use settings::{Place, Settings, SettingsError};

/// The program.
pub const PROGRAM: Program = Program {
    name: "go-usenix",
    log: LOG,
    remarks: Remarks::Plain,
};

const EXAMPLE: &str = "\
Example: lines marked > are the referee's
  $ GO_USENIX_SIZE=9 go-usenix
  > black
  E5
  > G7
  C4

Settings that the environment does not have come from go-usenix.toml beside the program, as in
  size = 9
  main-time = \"30m\"
with the keys size, komi, main-time, byo-romi, playouts, move-time, memory, seed, weights and
log.";

/// Plays Go for a referee of the USENIX Computer Go Tournament over stdin and stdout.
///
/// The rules of the tournament give a program no arguments: settings come from the environment or a file.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM.name, version, after_help = help())]
pub struct Args {}

/// Returns the end of `--help`.
fn help() -> String {
    let variables = settings::KEYS.map(|key| (key.variable, key.meaning));
    let variables = [&variables[..], &[LOG.variable_help()]].concat();
    after_help(EXAMPLE, Transport::Pipes, &variables)
}

/// Plays with the settings of the environment and the file until the referee closes the input.
pub fn run(_: Args) -> ExitCode {
    match Settings::find() {
        Ok(settings) => play(&settings),
        Err(error) => PROGRAM.refuse(&error),
    }
}

/// Plays until the referee closes the input.
pub fn play(settings: &Settings) -> ExitCode {
    let session = Player::new(PlayerOptions {
        setup: Setup::new(settings.size).with_komi(settings.komi),
        main_time: settings.main_time,
        byo_romi: settings.byo_romi,
        ..PlayerOptions::default()
    });
    let engine = || Engine::by_cpu_time(settings.engine.clone());
    boardgame_cli::play(PROGRAM, settings.log.as_deref(), session, engine)
}
