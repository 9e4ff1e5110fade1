//! Checks of a program before a contest: the situations of Othello and the misunderstandings of its rules.

mod diagnosis;
mod lth_server;
mod opponent;
mod situation;

use boardgame_io::CommandLine;
use boardgame_match::{
    GameSpec,
    check::{self, Finished, Loss},
    limit::Limit,
};
use othello_core::{Board, Color};

pub use self::lth_server::ServerCheck;
use self::{
    diagnosis::Replay,
    opponent::{Opponent, Replies},
    situation::Situation,
};
use crate::{
    engine::{EngineSpec, Kind},
    protocol::Protocol,
};

/// Returns the names of all cases.
pub fn names() -> impl Iterator<Item = &'static str> {
    check::names(Situation::ALL.map(Situation::name), [])
}

/// A program that is checked.
#[derive(Clone, Debug)]
pub struct Subject {
    protocol: Protocol,
    line: CommandLine,
    limit: Limit,
    replies: Replies,
}

impl Subject {
    /// Returns a program that speaks a protocol. The default limit is that of the protocol.
    pub fn new(protocol: Protocol, line: CommandLine, limit: Limit) -> Self {
        Self {
            protocol,
            line,
            limit,
            replies: Replies::default(),
        }
    }
}

impl check::Subject for Subject {
    type Engine = EngineSpec;
    type Opponent = Opponent;

    fn engine(&self) -> EngineSpec {
        EngineSpec {
            name: self.line.to_string(),
            kind: Kind::Program {
                protocol: self.protocol,
                line: self.line.clone(),
                setup: Vec::new(),
            },
            limit: self.limit,
        }
    }

    fn situations(&self) -> Vec<check::Situation> {
        let situation = |it: Situation| check::Situation {
            name: it.name(),
            about: it.in_words(),
        };
        Situation::ALL.map(situation).to_vec()
    }

    fn game(&self, _: Option<&str>, _: Color) -> GameSpec<Board> {
        GameSpec::new(Board::START)
    }

    fn opponent(&self, goal: Option<&str>, seed: u64) -> Opponent {
        let named = |goal| Situation::ALL.into_iter().find(|it| it.name() == goal);
        Opponent::new(goal.and_then(named), self.replies.clone(), seed)
    }

    fn met(&self, game: &Finished) -> Vec<&'static str> {
        let replay = Replay::new(self.protocol, game);
        let met = Situation::ALL
            .into_iter()
            .filter(|&it| replay.tracker.has(it));
        met.map(Situation::name).collect()
    }

    fn loss(&self, game: &Finished) -> Loss {
        Replay::new(self.protocol, game).loss()
    }
}
