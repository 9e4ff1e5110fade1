//! Checks of a program before a contest: the faults that would lose games are found, shown and explained.
//!
//! The program plays games against an opponent that plays at random or steers towards situations that programs often
//! get wrong, and games in which its input is written differently.

mod belief;
mod diagnosis;
mod opponent;
mod played;
mod player;
mod run;
mod situation;

use std::{
    fmt::{self, Display},
    time::Duration,
};

use boardgame_io::CommandLine;
use boardgame_match::limit::Limit;
use serde::Serialize;

use self::{run::Variation, situation::Situation};
use crate::{
    engine::{EngineSpec, Kind},
    protocol::Protocol,
};

/// The cases that are decided by a whole game with each colour.
const WHOLE_GAMES: [&str; 3] = ["start", "black", "white"];

/// The case of the longest move or game.
const TIME: &str = "time";

/// Returns the names of all cases.
pub fn names() -> impl Iterator<Item = &'static str> {
    let situations = Situation::ALL.map(Situation::name);
    let variations = Variation::ALL.map(Variation::name);
    let first = WHOLE_GAMES.into_iter().chain(situations);
    first.chain(variations).chain([TIME])
}

/// A check of a program.
#[derive(Clone, Debug)]
pub struct Check {
    /// The protocol that the program speaks.
    pub protocol: Protocol,
    /// Its command line.
    pub line: CommandLine,
    /// The limit of its time; by default that of the format.
    pub limit: Limit,
    /// The maximum number of games that are played for each situation.
    pub tries: u32,
    /// The time after which no more games are started to look for situations.
    pub time: Duration,
    /// The number that the opponent's moves depend on.
    pub seed: u64,
    /// The [names] of the cases to check; all if there is none. Whole games are always played.
    pub only: Vec<String>,
}

/// A case of a check and its result.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// A short name such as `pass-twice`.
    pub name: &'static str,
    /// The condition that is checked, in a few words.
    pub about: String,
    /// The result.
    #[serde(flatten)]
    pub result: CaseResult,
}

/// The result of a case.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum CaseResult {
    /// The program did well.
    Passed {
        /// A remark such as the longest time.
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// The program did well, but may not in a contest.
    Doubtful {
        /// The doubt.
        note: String,
    },
    /// The program lost a game by a fault.
    Failed(Box<Failure>),
    /// No game of the program came to the situation.
    NotReached {
        /// The number of games that were tried.
        games: u32,
    },
}

/// A game that a program lost by a fault.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The fault.
    pub fault: String,
    /// Its likely cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The program's colour.
    pub color: String,
    /// The moves of the game.
    pub moves: String,
    /// A diagram of the board at the fault; the illegal square or the last move is in parentheses.
    pub board: String,
    /// The square that the program chose, if it chose one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
    /// The legal moves.
    pub legal: Vec<String>,
    /// The last bytes that were sent and received.
    pub exchanges: Vec<ShownExchange>,
}

/// Bytes that were sent to the program or received from it.
#[derive(Clone, Debug, Serialize)]
pub struct ShownExchange {
    /// The time since the start of the game, in milliseconds.
    pub ms: u64,
    /// `sent`, `received`, `stderr`, or `closed` for the end of the program's input.
    pub stream: &'static str,
    /// The text, with control characters escaped.
    pub text: String,
}

impl Display for ShownExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.ms as f64 / 1000.0;
        write!(f, "{seconds:8.3} s  {:<8}  {}", self.stream, self.text)
    }
}

impl CaseResult {
    /// Returns whether the program failed.
    pub const fn is_failure(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

impl Check {
    /// Plays the games, and calls `observer` for each case once it is decided.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime with time and I/O enabled.
    pub async fn run(&self, mut observer: impl FnMut(&Case)) -> Vec<Case> {
        run::Run::new(self, &mut observer).all().await
    }

    /// Returns whether a case is to be checked.
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == name)
    }

    /// Returns the program as an engine of a match.
    pub fn spec(&self) -> EngineSpec {
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
}
