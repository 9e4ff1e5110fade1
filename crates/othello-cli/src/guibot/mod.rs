//! The GUI player: a board over standard input, a move over standard output.

mod mode;

use boardgame_cli::{Transport, over_stdio};
use clap::Parser;
use othello_engine::{Engine, Settings};
use othello_proto::{
    gui::{Player, PlayerOptions},
    session::Timestamp,
};

use crate::{ExitCode, Options, Program, Remarks, environment};

pub use mode::{ConfigError, Mode};

/// The program.
pub const PROGRAM: Program = Program {
    name: "othello-guibot",
    log: environment::LOG,
    remarks: Remarks::Silent,
};

const EXAMPLE: &str = "\
Example: lines marked > are the GUI's, sent after the version line; it asks for White's move
  $ othello-guibot --mode document
  v1.0.0
  > ........
  > ........
  > ...X....
  > ...XX...
  > ...XO...
  > ........
  > ........
  > ........
  > O
  > 3000
  > 3 c3 e3 c5
  c5

The mode comes from --mode, else from OTHELLO_GUI_MODE, else from the name that the program is
started under (othello-guibot-released), else from a file with a line such as mode = released:
othello-guibot.conf beside the program, or othello/guibot.conf in the user's configuration
folder.";

/// Plays Othello for a GUI that starts the player and sends it a board.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM.name, version, after_help = environment::after_help(EXAMPLE, Transport::Pipes))]
pub struct Args {
    /// The form of the GUI's protocol [default: see below]
    #[arg(long, value_enum, env = mode::VARIABLE, hide_env_values = true)]
    pub mode: Option<Mode>,

    /// The options that all players share.
    #[command(flatten)]
    pub options: Options,
}

/// Answers one board, or in [`Mode::Stay`] board after board until the input ends.
pub fn run(args: Args) -> ExitCode {
    let Args { mode, options } = args;
    if let Err(code) = PROGRAM.prepare(options.log.as_deref()) {
        return code;
    }
    match mode.map_or_else(Mode::find, Ok) {
        Ok(mode) => {
            let session = Player::new(PlayerOptions {
                mode: mode.into(),
                launched: Some(Timestamp::ORIGIN),
                time_margin: options.time_margin(),
                ..PlayerOptions::default()
            });
            let engine = Engine::new(Settings::from(&options));
            over_stdio(PROGRAM, session, engine)
        }
        Err(error) => PROGRAM.refuse(&error),
    }
}
