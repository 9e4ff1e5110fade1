//! The Code Warriors player: two characters a message over standard input and output.

use boardgame_cli::Transport;
use clap::Parser;
use othello_proto::{
    codewarriors::{Player, PlayerOptions},
    session::Timestamp,
};

use crate::{ExitCode, Options, Program, Remarks, environment, session};

/// The program.
pub const PROGRAM: Program = Program {
    name: "othello-codewarriors",
    log: environment::LOG,
    remarks: Remarks::Silent,
};

const EXAMPLE: &str = "\
Example: lines marked > are typed by the judge, ST makes us Black
  $ othello-codewarriors --move-time 1500ms
  > ST
  D3
  > C3
  C4";

/// Plays Othello for a Code Warriors judge over stdin and stdout, within 2 s a move.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM.name, version, long_version = environment::long_version(), after_help = environment::after_help(EXAMPLE, Transport::Pipes))]
pub struct Args {
    /// The options that all players share.
    #[command(flatten)]
    pub options: Options,
}

/// Plays until the judge closes the input.
pub fn run(args: Args) -> ExitCode {
    let Args { options } = args;
    let session = Player::new(PlayerOptions {
        launched: Some(Timestamp::ORIGIN),
        time_margin: options.time_margin(),
        ..PlayerOptions::default()
    });
    session::run(PROGRAM, &options, session)
}
