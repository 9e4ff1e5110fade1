//! The NBoard player: an engine for Chris Welty's front end, over standard input and output.

use boardgame_cli::Transport;
use clap::Parser;
use othello_proto::nboard::{Player, PlayerOptions};

use crate::{ExitCode, Options, Program, Remarks, environment, session};

/// The program.
pub const PROGRAM: Program = Program {
    name: "othello-nboard",
    log: environment::LOG,
    // The front end reads both streams as one.
    remarks: Remarks::Silent,
};

const EXAMPLE: &str = "\
Example: lines marked > are typed by the front end
  $ othello-nboard --threads 2
  > nboard 2
  set myname othello
  > set depth 8
  > go
  status Thinking
  nodestats 6686 0.009
  search D3-C3-C4-E3-C2-C5-E2-B3 +2.00 0 8
  === D3/2.00/0.009";

/// Plays Othello for NBoard, or another program that speaks its protocol, over stdin and stdout.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM.name, version, long_version = environment::long_version(), after_help = environment::after_help(EXAMPLE, Transport::Pipes))]
pub struct Args {
    /// The name to show, one word
    #[arg(long, value_name = "NAME", default_value = "othello", value_parser = one_word)]
    pub name: String,

    /// The options that all players share.
    #[command(flatten)]
    pub options: Options,
}

/// A name is not one printable word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one word of printable characters")]
pub struct NameError;

fn one_word(text: &str) -> Result<String, NameError> {
    let is_printable = |letter: char| !letter.is_whitespace() && !letter.is_control();
    if !text.is_empty() && text.chars().all(is_printable) {
        Ok(text.to_owned())
    } else {
        Err(NameError)
    }
}

/// Plays until the front end says `quit` or closes the input.
pub fn run(args: Args) -> ExitCode {
    let Args { name, options } = args;
    let session = Player::new(PlayerOptions {
        name,
        time_margin: options.time_margin(),
    });
    session::run(PROGRAM, &options, session)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word() {
        let name = |name| {
            let args = Args::try_parse_from(["othello-nboard", "--name", name]);
            args.map(|args| args.name).ok()
        };
        assert_eq!(name("Zebra"), Some("Zebra".into()));
        for bad in ["", "two words", "a\nb"] {
            assert_eq!(name(bad), None);
        }
    }
}
