//! The player of the USENIX Computer Go Tournament: lines over standard input and output.

use std::{path::PathBuf, time::Duration};

use boardgame_cli::{Config, ConfigError, Remarks, Transport, after_help, duration};
use clap::{Command, Parser};
use go_core::{Komi, Setup, Size};
use go_engine::{Engine, Settings};
use go_proto::usenix::{KOMI, Player, PlayerOptions};

use crate::{
    ExitCode, Options, Program,
    environment::{LOG, long_version},
};

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

Settings that the command line and the environment do not have come from go-usenix.toml next to
the program, as in
  size = 9
  main-time = \"30m\"
where the paths of weights and log are relative to its folder.";

/// Plays Go for a referee of the USENIX Computer Go Tournament over stdin and stdout.
///
/// The rules of the tournament give a program no arguments: settings also come from the environment or a file.
#[derive(Clone, Debug, Parser)]
#[command(
    name = PROGRAM.name,
    version,
    long_version = long_version(),
    after_help = after_help(EXAMPLE, Transport::Pipes, &[LOG.variable_help()])
)]
pub struct Args {
    /// Lines of the board, 1 to 25
    #[arg(long, value_name = "LINES", default_value_t)]
    pub size: Size,

    /// White's bonus
    #[arg(long, value_name = "POINTS", default_value_t = KOMI, allow_hyphen_values = true)]
    pub komi: Komi,

    /// User CPU time for the game before byo-romi
    #[arg(long, value_name = "TIME", default_value = "60m", value_parser = duration)]
    pub main_time: Duration,

    /// User CPU time for each later move
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub byo_romi: Duration,

    /// Append the log to this file [default: one in the user's state directory]
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,

    /// The options of the engine.
    #[command(flatten)]
    pub options: Options,
}

/// Runs the program as a whole process. Settings that a referee cannot give as arguments come from the environment or a
/// file.
pub fn start() -> ! {
    boardgame_cli::start_with(PROGRAM, configured, run)
}

/// Sets missing options from their variables, else from the file next to the program.
fn configured(command: Command) -> Result<Command, ConfigError> {
    let config = Config {
        settings: &[
            ("size", "GO_USENIX_SIZE"),
            ("komi", "GO_USENIX_KOMI"),
            ("main-time", "GO_USENIX_MAIN_TIME"),
            ("byo-romi", "GO_USENIX_BYO_ROMI"),
            ("playouts", "GO_USENIX_PLAYOUTS"),
            ("move-time", "GO_USENIX_MOVE_TIME"),
            ("memory", "GO_USENIX_MEMORY"),
            ("seed", "GO_USENIX_SEED"),
            ("weights", "GO_USENIX_WEIGHTS"),
            ("log", "GO_USENIX_LOG"),
        ],
        prefix: Some("GO_USENIX_"),
        example: "size = 9",
        files: Config::beside_program("go-usenix.toml")
            .into_iter()
            .collect(),
    };
    config.apply(command)
}

/// Plays until the referee closes the input.
#[allow(clippy::needless_pass_by_value)] // The signature of every player.
pub fn run(args: Args) -> ExitCode {
    let session = Player::new(PlayerOptions {
        setup: Setup::new(args.size).with_komi(args.komi),
        main_time: args.main_time,
        byo_romi: args.byo_romi,
        ..PlayerOptions::default()
    });
    let engine = || Engine::by_cpu_time(Settings::from(&args.options));
    boardgame_cli::play(PROGRAM, args.log.as_deref(), session, engine)
}

#[cfg(test)]
mod tests {
    use go_proto::usenix::{BYO_ROMI, MAIN_TIME};

    use super::*;

    #[test]
    fn without_settings_the_tournaments_hold() {
        let args = Args::parse_from(["go-usenix"]);
        assert_eq!((args.size, args.komi), (Size::default(), KOMI));
        assert_eq!((args.main_time, args.byo_romi), (MAIN_TIME, BYO_ROMI));
        assert_eq!(Settings::from(&args.options), Settings::default());
    }
}
