//! The GTP engine: the Go Text Protocol over standard input and output.

use std::{fs, io};

use boardgame_cli::Transport;
use clap::Parser;
use othello_proto::gtp::{Player, PlayerOptions};

use crate::{ExitCode, Options, Program, Remarks, environment, session};

/// The program.
pub const PROGRAM: Program = Program {
    name: "othello-gtp",
    log: environment::LOG,
    remarks: Remarks::Plain,
};

/// The largest record that `loadsgf` reads, in bytes.
const MAX_RECORD: u64 = 1 << 20;

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
/// The clocks that the controller sets hold beside the options; the tightest counts.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM.name, version, after_help = environment::after_help(EXAMPLE, Transport::Pipes))]
pub struct Args {
    /// The options that all players share.
    #[command(flatten)]
    pub options: Options,
}

/// Carries commands out until `quit` or the end of input.
pub fn run(args: Args) -> ExitCode {
    let Args { options } = args;
    let session = Player::new(PlayerOptions {
        load,
        time_margin: options.time_margin(),
        ..PlayerOptions::default()
    });
    session::run(PROGRAM, &options, session)
}

/// Reads a record of a game; what is wrong with it goes to the log.
fn load(path: &str) -> Option<String> {
    match read_record(path) {
        Ok(text) => Some(text),
        Err(error) => {
            tracing::warn!(path, %error, "the record cannot be read");
            None
        }
    }
}

fn read_record(path: &str) -> io::Result<String> {
    // To open a pipe would wait for its writer, however long that takes.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("expected a regular file"));
    }
    boardgame_files::read_to_string(path.as_ref(), MAX_RECORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_and_a_folder_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.sgf");
        fs::write(&path, "(;GM[2])").unwrap();
        assert_eq!(load(path.to_str().unwrap()).as_deref(), Some("(;GM[2])"));
        assert_eq!(load(folder.path().to_str().unwrap()), None);
        assert_eq!(load("/no/such/record.sgf"), None);
    }

    #[test]
    fn a_record_that_is_too_large_is_not_read_in_part() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(MAX_RECORD).unwrap();
        let path = file.path().to_str().unwrap();
        assert!(load(path).is_some());
        file.as_file().set_len(MAX_RECORD + 1).unwrap();
        assert_eq!(load(path), None);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_not_waited_for() {
        assert_eq!(load("/dev/null"), None);
    }
}
