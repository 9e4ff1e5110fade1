//! Who sits at a game.

use std::{fmt, future::pending, io};

use othello_net::{Connection, DriveOptions, Thinker, ThinkingThread, drive};
use othello_proto::session::PlayerSession;

use crate::{
    fault::Fault,
    link::{Link, LinkOptions, Tied},
    program::{CommandLine, ProgramOptions},
};

/// The bytes that a pipe to a player in this process holds.
const IN_PROCESS_BUFFER: usize = 16 * 1024;

/// A seat of a game, with the name it goes by.
#[derive(Debug)]
pub struct Seat {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Program(CommandLine, ProgramOptions),
    Link(Link, Option<Tied<Option<Fault>>>),
    House(House),
}

/// A thinker that is not at work yet.
pub(crate) struct House(pub(crate) Box<dyn FnOnce() -> io::Result<ThinkingThread> + Send>);

impl fmt::Debug for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("House")
    }
}

impl Seat {
    /// A child program, started by the game.
    pub fn program(name: impl Into<String>, line: CommandLine, options: ProgramOptions) -> Self {
        Self {
            name: name.into(),
            kind: Kind::Program(line, options),
        }
    }

    /// A peer at the other end of a stream.
    pub fn link(name: impl Into<String>, link: Link) -> Self {
        Self {
            name: name.into(),
            kind: Kind::Link(link, None),
        }
    }

    /// A player that lives in this process and speaks the format, as a person does or an engine
    /// that plays someone else's program.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn player(
        name: impl Into<String>,
        session: impl PlayerSession + Send + 'static,
        thinker: impl Thinker,
    ) -> Self {
        let (host, player) = tokio::io::duplex(IN_PROCESS_BUFFER);
        let connection = Connection::from_stream(player);
        let player = tokio::spawn(async move {
            let options = DriveOptions::default();
            let driven = drive(session, connection, thinker, pending(), &options).await;
            let reason = driven.err()?.to_string();
            Some(Fault::PlayerFailed { reason })
        });
        let link = Link::of(host, LinkOptions::default());
        Self {
            name: name.into(),
            kind: Kind::Link(link, Some(Tied(player))),
        }
    }

    /// The host's own player, for sessions that ask for one with
    /// [`HostAction::Think`](othello_proto::session::HostAction::Think).
    pub fn house(name: impl Into<String>, thinker: impl Thinker) -> Self {
        let start = move || ThinkingThread::start(thinker);
        Self {
            name: name.into(),
            kind: Kind::House(House(Box::new(start))),
        }
    }

    /// The name it goes by in reports.
    pub fn name(&self) -> &str {
        &self.name
    }
}
