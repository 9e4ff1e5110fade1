//! The GUI player: a board over standard input, a move over standard output.

mod config;

use boardgame_cli::{Transport, over_stdio, over_stdio_alone};
use clap::{Parser, ValueEnum};
use othello_engine::SessionEngine;
use othello_proto::{
    gui::{self, Player, PlayerOptions},
    session::Timestamp,
};

use crate::{ExitCode, Options, Program, Remarks, environment, session::settings};

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
othello-guibot.conf next to the program, or othello/guibot.conf in the user's configuration
folder. The file may also have lines for threads, hash and reserve, as in reserve = 30ms.";

/// Plays Othello for a GUI that starts the player and sends it a board.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM.name, version, long_version = environment::long_version(), after_help = environment::after_help(EXAMPLE, Transport::Pipes))]
pub struct Args {
    /// The form of the GUI's protocol [default: see below]
    #[arg(
        long,
        value_enum,
        ignore_case = true,
        env = "OTHELLO_GUI_MODE",
        hide_env_values = true
    )]
    pub mode: Option<Mode>,

    /// The options that all players share.
    #[command(flatten)]
    pub options: Options,
}

/// A form of the GUI's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Find out: `released` when the GUI sends at once, else `document`
    Auto,
    /// The version line, one board, one move
    Document,
    /// No version line; one board, one move and a line of notes
    Released,
    /// The version line, then board and move until the input ends
    Stay,
}

impl From<Mode> for gui::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Auto => Self::Auto,
            Mode::Document => Self::Document,
            Mode::Released => Self::Released,
            Mode::Stay => Self::Stay,
        }
    }
}

/// Runs the program as a whole process. Settings that a GUI cannot give as arguments come from the environment or a
/// file.
pub fn start() -> ! {
    boardgame_cli::start_with(PROGRAM, config::configured, run)
}

/// Answers one board, or in [`Mode::Stay`] board after board until the input ends.
pub fn run(args: Args) -> ExitCode {
    let Args { mode, options } = args;
    if let Err(code) = PROGRAM.prepare(options.log.as_deref()) {
        return code;
    }
    let mode = mode.unwrap_or(Mode::Auto);
    let session = Player::new(PlayerOptions {
        mode: mode.into(),
        launched: Some(Timestamp::ORIGIN),
        time_margin: options.time_margin(),
        ..PlayerOptions::default()
    });
    let settings = settings(&options);
    if mode == Mode::Stay {
        over_stdio(PROGRAM, session, SessionEngine::new(settings))
    } else {
        over_stdio_alone(PROGRAM, session, SessionEngine::for_one_move(settings))
    }
}
