//! Who sits at a game.

use std::{fmt, io};

use boardgame_io::{CommandLine, Link, ProgramOptions};
use othello_net::{Thinker, ThinkingThread};
use othello_proto::session::PlayerSession;

use crate::resident::{Maker, Resident, Shared};

/// A seat of a game, with the name it goes by.
#[derive(Debug)]
pub struct Seat {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Program(CommandLine, ProgramOptions),
    Player(Maker),
    Link(Link),
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
            kind: Kind::Link(link),
        }
    }

    /// A player that lives in this process and speaks the format, as a person does or an engine
    /// that plays someone else's program. To the session it is a program like any other.
    ///
    /// It can be started once: formats with a process for each move want
    /// [`player_per_launch`](Self::player_per_launch).
    pub fn player(
        name: impl Into<String>,
        session: impl PlayerSession + Send + 'static,
        thinker: impl Thinker,
    ) -> Self {
        let mut parts = Some((session, thinker));
        let make = move || {
            let (session, thinker) = parts.take()?;
            Some(Resident::start(session, thinker))
        };
        Self {
            name: name.into(),
            kind: Kind::Player(Maker(Box::new(make))),
        }
    }

    /// A player that lives in this process and begins a new session whenever a program would be
    /// started; the thinker stays the same.
    pub fn player_per_launch<S: PlayerSession + Send + 'static>(
        name: impl Into<String>,
        mut session: impl FnMut() -> S + Send + 'static,
        thinker: impl Thinker,
    ) -> Self {
        let thinker = Shared::new(thinker);
        let make = move || Some(Resident::start(session(), thinker.clone()));
        Self {
            name: name.into(),
            kind: Kind::Player(Maker(Box::new(make))),
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
