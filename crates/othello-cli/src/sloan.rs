//! The Sloan player: S-expressions over standard input and output.

use std::time::Duration;

use boardgame_cli::{Transport, any_duration};
use clap::{Parser, ValueEnum};
use othello_proto::sloan::{self, Message, Player, PlayerOptions};

use crate::{ExitCode, Options, Program, Remarks, environment, session};

/// The program.
pub const PROGRAM: Program = Program {
    name: "othello-sloan",
    log: environment::LOG,
    remarks: Remarks::InFormat(comment),
};

const EXAMPLE: &str = "\
Example: lines marked > are typed by the referee, (W) tells Black to begin
  $ othello-sloan --depth 6
  > (I B)
  (R B)
  > (W)
  (B d 3)
  > (W c 3)
  (B c 4)";

/// Plays Othello for a Sloan (IAGO) referee over stdin and stdout.
///
/// The format's limit of 30 minutes a game holds unless --game-time says otherwise.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM.name, version, long_version = environment::long_version(), after_help = environment::after_help(EXAMPLE, Transport::Pipes))]
pub struct Args {
    /// As Black, wait this long for the (W) that asks for the first move, then move without it; at
    /// most a tenth of the game's time; 0s: move at once
    #[arg(long, value_name = "TIME", value_parser = any_duration, default_value = "10s")]
    pub opening_wait: Duration,

    /// The remarks before each move
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Comments::None)]
    pub comments: Comments,

    /// The options that all players share.
    #[command(flatten)]
    pub options: Options,
}

/// The remarks before each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Comments {
    /// Nothing
    None,
    /// The expected result and the line of play
    Eval,
    /// That, and the board
    Board,
}

impl From<Comments> for sloan::Comments {
    fn from(comments: Comments) -> Self {
        match comments {
            Comments::None => Self::None,
            Comments::Eval => Self::Eval,
            Comments::Board => Self::Board,
        }
    }
}

/// Plays game after game until the referee closes the input.
pub fn run(args: Args) -> ExitCode {
    let Args {
        opening_wait,
        comments,
        options,
    } = args;
    let mut session = PlayerOptions {
        opening_wait: Some(opening_wait),
        comments: comments.into(),
        time_margin: options.time_margin(),
        ..PlayerOptions::default()
    };
    if options.game_time.is_some() {
        session.game_time = options.game_time;
    }
    session::run(PROGRAM, &options, Player::new(session))
}

/// Returns the text as one comment of the Sloan format on its own line.
fn comment(text: &str) -> String {
    let comment = Message::Comment(sloan::bracketed(&sloan::safe(text)));
    format!("{comment}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_to_a_referee_is_one_comment() {
        let line = comment("error: a (bad) \"thing\"):\n\n  try '--help'.");
        assert_eq!(line, "(C (error a [bad] thing try --help))\n");
    }
}
