//! The GTP engine: the Go Text Protocol over standard input and output.

use boardgame_cli::{Transport, read_record};
use clap::Parser;
use othello_proto::gtp::{Player, PlayerOptions};

use crate::{ExitCode, Options, Program, Remarks, environment, session};

/// The program.
pub const PROGRAM: Program = Program {
    name: "othello-gtp",
    log: environment::LOG,
    remarks: Remarks::Plain,
};

const EXAMPLE: &str = "\
Example: lines marked > are typed by the controller
  $ othello-gtp --move-time 2s
  > genmove b
  = D3

  > play w c3
  =

  > quit
  =";

/// Plays Othello as a GTP engine over stdin and stdout, for GoGui, Quarry and match tools.
///
/// The clocks that the controller sets and the options both apply; the tightest limit counts.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM.name, version, long_version = environment::long_version(), after_help = environment::after_help(EXAMPLE, Transport::Pipes))]
pub struct Args {
    /// The options that all players share.
    #[command(flatten)]
    pub options: Options,
}

/// Carries commands out until `quit` or the end of input.
pub fn run(args: Args) -> ExitCode {
    let Args { options } = args;
    let session = Player::new(PlayerOptions {
        version: env!("CARGO_PKG_VERSION").into(),
        load: read_record,
        time_margin: options.time_margin(),
        ..PlayerOptions::default()
    });
    session::run(PROGRAM, &options, session)
}
