//! The GTP engine: the Go Text Protocol over standard input and output.

use std::path::PathBuf;

use boardgame_cli::{
    Remarks, Transport, after_help, clock_of_this_process, read_record, write_record,
};
use clap::Parser;
use go_core::{Rules, Setup, Size};
use go_engine::{Engine, Settings};
use go_proto::gtp::{GoGame, Player, PlayerOptions};

use crate::{
    ExitCode, Options, Program,
    environment::{LOG, long_version},
};

/// The program.
pub const PROGRAM: Program = Program {
    name: "go-gtp",
    log: LOG,
    remarks: Remarks::Plain,
};

const EXAMPLE: &str = "\
Example: lines marked > are typed by the controller
  $ go-gtp --rules chinese --move-time 2s
  > boardsize 9
  =

  > genmove b
  = E5

  > play w c3
  =

  > quit
  =";

/// Plays Go as a GTP engine over stdin and stdout, for GoGui, kgsGtp and match tools.
///
/// The controller sets the size of the board, komi, handicap and the clocks. Until it does, the board has 19 lines,
/// the komi is 0, and a move takes 3 s. Clocks and options both apply; the tightest limit counts.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM.name, version, long_version = long_version(), after_help = help())]
pub struct Args {
    /// Rules, until the controller names others: japanese, chinese, aga, new-zealand, tromp-taylor, or single rules
    /// joined by +, such as simple-ko+area, positional-superko or suicide
    #[arg(long, value_name = "RULES", default_value_t = Rules::JAPANESE)]
    pub rules: Rules,

    /// Resign when the win rate is below this percentage [default: never]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(1..=50))]
    pub resign: Option<u8>,

    /// Append the log to this file [default: one in the user's state directory]
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,

    /// The options of the engine.
    #[command(flatten)]
    pub options: Options,
}

/// Returns the end of `--help`.
fn help() -> String {
    after_help(EXAMPLE, Transport::Pipes, &[LOG.variable_help()])
}

/// Carries commands out until `quit` or the end of input.
pub fn run(args: Args) -> ExitCode {
    let Args {
        rules,
        resign,
        log,
        options,
    } = args;
    let setup = Setup::new(Size::default()).with_rules(rules);
    let game = GoGame::new(setup).with_play_out(go_engine::play_out);
    let of_session = PlayerOptions {
        version: env!("CARGO_PKG_VERSION").into(),
        name: Some(PROGRAM.name.into()),
        load: read_record,
        save: write_record,
        cpu_time: || clock_of_this_process().map(|clock| clock()),
        ..PlayerOptions::default()
    };
    let session = Player::with_game(game, of_session);
    let resignation = resign.map(|percent| f32::from(percent) / 100.0);
    let engine = || Engine::new(Settings::from(&options)).with_resignation(resignation);
    boardgame_cli::play(PROGRAM, log.as_deref(), session, engine)
}
