//! Checks of a program before a contest: the faults that would lose games are found, shown and explained.
//!
//! The program plays games against an opponent that plays at random or steers towards situations that programs often
//! get wrong, and games in which its input is written differently. A [`Subject`] knows the game.

mod finished;
mod player;
mod run;

use std::{
    fmt::{self, Display},
    future::{self, Future},
    time::Duration,
};

use boardgame_core::Color;
use boardgame_io::ProgramLimits;
use serde::Serialize;

use crate::{
    GameSpec, LocalPlayer,
    engine::{Engine, Rules},
};

pub use finished::{Finished, shown_exchanges};

/// The cases that are decided by a whole game with each colour.
const WHOLE_GAMES: [&str; 3] = ["start", "black", "white"];

/// The case of the longest move or game.
const TIME: &str = "time";

/// Returns the names of all cases, given those of the situations and the other cases of a [`Subject`].
pub fn names<'a>(
    situations: impl IntoIterator<Item = &'a str>,
    others: impl IntoIterator<Item = &'a str>,
) -> impl Iterator<Item = &'a str> {
    let first = WHOLE_GAMES.into_iter().chain(situations);
    let then = run::Variation::ALL.map(run::Variation::name);
    first.chain(then).chain(others).chain([TIME])
}

/// A program to be checked, with the rules of its game.
pub trait Subject: Send + Sync {
    /// The program as an engine of a match.
    type Engine: Engine;
    /// The opponent.
    type Opponent: LocalPlayer<Rules<Self::Engine>> + Clone + Sync;

    /// Returns the program.
    fn engine(&self) -> Self::Engine;

    /// Returns the situations that are looked for, in order.
    fn situations(&self) -> Vec<Situation>;

    /// Returns the game in which a situation is looked for, or any game, given the program's colour.
    fn game(&self, goal: Option<&str>, color: Color) -> GameSpec<Rules<Self::Engine>>;

    /// Returns the opponent that steers towards a situation, or plays at random.
    fn opponent(&self, goal: Option<&str>, seed: u64) -> Self::Opponent;

    /// Returns the situations that a game came to, by name.
    fn met(&self, game: &Finished) -> Vec<&'static str>;

    /// Returns the view of the game that the program lost.
    fn loss(&self, game: &Finished) -> Loss;

    /// Checks the wanted cases of the game that are no situations.
    fn others(
        &self,
        wants: impl Fn(&str) -> bool + Send,
        limits: ProgramLimits,
    ) -> impl Future<Output = Vec<Case>> {
        let _ = (wants, limits);
        future::ready(Vec::new())
    }
}

/// A situation that a program may meet in a game.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// The name of its case.
    pub name: &'static str,
    /// The condition in a few words.
    pub about: &'static str,
}

/// A lost game as the rules of the game show it.
#[derive(Clone, Debug)]
pub struct Loss {
    /// The name of the case that the fault belongs to; the colour's own by default.
    pub case: Option<&'static str>,
    /// The likely cause of the fault.
    pub cause: Option<String>,
    /// The heading of the rule.
    pub rule: Option<Rule>,
    /// The position.
    pub scene: Scene,
}

/// A check of a program.
#[derive(Clone, Debug)]
pub struct Check<S> {
    /// The program.
    pub subject: S,
    /// The limits of its process.
    pub limits: ProgramLimits,
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

/// A fault of the program.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The fault.
    pub fault: String,
    /// Its likely cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The heading of the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// The program's colour, or another name of its side.
    pub color: String,
    /// The position.
    #[serde(flatten)]
    pub scene: Scene,
    /// The last bytes that were sent and received.
    pub exchanges: Vec<ShownExchange>,
}

/// A position in which a program made a fault.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Scene {
    /// The moves of the game.
    pub moves: String,
    /// A diagram of the board; the illegal move or the last one is marked.
    pub board: String,
    /// The square or point that the program chose, if it chose one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
    /// The legal moves; none if they would be too many to show.
    pub legal: Vec<String>,
}

/// A heading of a page of `docs/protocols/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The title of the page.
    pub title: &'static str,
    /// The name of its file without `.md`.
    pub page: &'static str,
    /// The heading.
    pub heading: &'static str,
}

impl Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let anchor = self.heading.to_lowercase().replace(' ', "-");
        let Self {
            title,
            page,
            heading,
        } = self;
        write!(f, "{title}: {heading} (docs/protocols/{page}.md#{anchor})")
    }
}

impl Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
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

impl<S: Subject> Check<S> {
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
}
