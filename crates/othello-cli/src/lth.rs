//! The LTH client: lines over TCP.

mod name;
mod server;

use std::{path::PathBuf, time::Duration};

use boardgame_cli::{Transport, any_duration, duration};
use clap::{Parser, ValueEnum};
use othello_core::Color;
use othello_net::{Address, Backoff, ParseAddressError};
use othello_proto::lth::{Id, LimitScope, Player, PlayerOptions};

use crate::{ExitCode, Options, Program, Remarks, environment};

use server::Server;

pub use name::NameError;

/// The program.
pub const PROGRAM: Program = Program {
    name: "othello-lth",
    log: environment::LOG,
    remarks: Remarks::Plain,
};

/// The document's testing port, where a client may choose its colour.
const DEFAULT_PORT: u16 = 9035;

const EXAMPLE: &str = "\
Example: a game as White on a server of our own
  $ othello host lth &
  $ othello-lth localhost:9035 --name 4711 --color white --log game.log
Competition: the first player connects to port 9051, the second to 9052
  $ othello-lth vm33.cs.lth.se:9051 --name-file id.txt";

/// Plays a game of Othello on an LTH course server over TCP.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM.name, version, long_version = environment::long_version(), after_help = environment::after_help(EXAMPLE, Transport::Network))]
pub struct Args {
    /// The server; the port is 9035 unless given
    #[arg(value_name = "HOST[:PORT]", value_parser = address)]
    pub server: Address,

    /// The id to play under; without it or a file, the variable `OTHELLO_NAME` holds it.
    #[arg(
        long,
        value_name = "ID",
        help = "The id to play under, 1 to 128 printable characters [env: OTHELLO_NAME]"
    )]
    pub name: Option<Id>,

    /// Read the id from the first line of this file
    #[arg(long, value_name = "FILE", conflicts_with = "name")]
    pub name_file: Option<PathBuf>,

    /// The colour to choose where the server asks [default: dark]
    #[arg(long, value_enum)]
    pub color: Option<Side>,

    /// The scope of the server's time limit
    #[arg(long, value_name = "SCOPE", value_enum, default_value_t = Scope::Game)]
    pub limit_per: Scope,

    /// Keep trying to connect for this long until the server greets; 0s tries once
    #[arg(long, value_name = "TIME", value_parser = any_duration, default_value = "10s")]
    pub retry: Duration,

    /// Give up on a server that is silent for this long
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30m")]
    pub silence: Duration,

    /// The options that all players share.
    #[command(flatten)]
    pub options: Options,
}

/// A colour, by the names that the server uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// Black: moves first
    Dark,
    /// White: moves second
    White,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::Dark => Self::Black,
            Side::White => Self::White,
        }
    }
}

/// The scope of a time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// All moves of a game together
    Game,
    /// Each move
    Move,
}

impl From<Scope> for LimitScope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Game => Self::Game,
            Scope::Move => Self::Move,
        }
    }
}

/// Plays one game.
pub fn run(args: Args) -> ExitCode {
    if let Err(code) = PROGRAM.prepare(args.options.log.as_deref()) {
        return code;
    }
    let id = match name::find(args.name, args.name_file.as_deref()) {
        Ok(id) => id,
        Err(error) => return PROGRAM.refuse(&error),
    };
    let session = Player::new(PlayerOptions {
        color: args.color.map(Color::from),
        scope: args.limit_per.into(),
        time_margin: args.options.time_margin(),
        ..PlayerOptions::new(id)
    });
    let server = Server {
        address: &args.server,
        backoff: Backoff {
            total: args.retry,
            ..Backoff::default()
        },
        silence: args.silence,
    };
    server.play(PROGRAM, &args.options, session)
}

fn address(text: &str) -> Result<Address, ParseAddressError> {
    Address::parse(text, DEFAULT_PORT)
}
