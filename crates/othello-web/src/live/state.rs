//! A reader's view of the runs, and the events that change it.

use std::sync::Arc;

use boardgame_core::ByColor;
use othello_host::record::{GameRecord, Winner};
use serde::{Deserialize, Serialize};

use super::{MoveView, Standings};

/// A reader's view of all runs: a snapshot to which events are [applied](Self::apply).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The runs in the order in which they were added.
    pub runs: Vec<Run>,
}

/// A run: its games and standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The run without its games.
    #[serde(flatten)]
    pub info: RunInfo,
    /// The games in the order of their ids: all games in progress, and the newest finished ones.
    pub games: Vec<Arc<GameSummary>>,
    /// The standings, once there are any.
    pub standings: Option<Arc<Standings>>,
}

/// A run without its games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The id, from 1.
    pub id: u32,
    /// The name that people read.
    pub name: String,
    /// The kind of program that plays the games.
    pub kind: Kind,
    /// True while games may still start or be added.
    pub live: bool,
    /// The number of finished games.
    pub finished: u64,
    /// The number of games planned, if known.
    pub total: Option<u64>,
}

/// The kind of program that plays the games of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A match between engines.
    Match,
    /// A host of a wire format.
    Host,
    /// An LTH server.
    Lth,
}

/// A value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Sides<T> {
    pub black: T,
    pub white: T,
}

impl<T> From<ByColor<T>> for Sides<T> {
    fn from(ByColor { black, white }: ByColor<T>) -> Self {
        Self { black, white }
    }
}

/// The current state of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameSummary {
    /// The id in the run.
    pub id: u64,
    /// The name of Black.
    pub black: String,
    /// The name of White.
    pub white: String,
    /// The number of moves, including passes and the opening's.
    pub ply: usize,
    /// The last move, `pass` for a pass.
    pub last: Option<String>,
    /// The board: 64 squares of `X`, `O` and `-`, a1 to h8.
    pub squares: String,
    /// The side to move, `black` or `white`; `None` once the game is over.
    pub to_move: Option<String>,
    /// The discs of both sides.
    pub discs: Sides<u32>,
    /// The time that the next move of each side may take, in milliseconds; `None` without limit.
    pub clocks: Sides<Option<u64>>,
    /// The time when the clock of the side to move started, in milliseconds since 1970; `None` while it is stopped.
    pub since: Option<u64>,
    /// The last score expected by each side's own search, in discs from its own point of view.
    pub scores: Sides<Option<f32>>,
    /// The end of the game, once it is finished.
    pub end: Option<GameEnd>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEnd {
    /// The winner; `none` if the game was called off.
    pub winner: Winner,
    /// The reason why the game ended.
    pub cause: String,
}

impl GameEnd {
    /// Returns the end in a record.
    pub(crate) fn of(record: &GameRecord) -> Self {
        Self {
            winner: record.winner,
            cause: record.cause.clone(),
        }
    }

    /// Returns the end of a game without a result.
    pub fn called_off(cause: impl Into<String>) -> Self {
        Self {
            winner: Winner::None,
            cause: cause.into(),
        }
    }
}

/// A change of the runs, or all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// All runs, in place of the reader's earlier view.
    Snapshot {
        /// The time of this machine in milliseconds since 1970, for comparison with other times.
        now: u64,
        /// The runs.
        #[serde(flatten)]
        state: State,
    },
    /// A run was added, changed or ended.
    Run {
        /// The run.
        run: RunInfo,
    },
    /// A game started, or started over.
    Started {
        /// The id of the run.
        run: u32,
        /// The game.
        game: Arc<GameSummary>,
    },
    /// A move was made.
    Moved {
        /// The id of the run.
        run: u32,
        /// The move.
        #[serde(rename = "move")]
        mv: MoveView,
        /// The game after it.
        game: Arc<GameSummary>,
    },
    /// A game is over.
    Finished {
        /// The id of the run.
        run: u32,
        /// The game.
        game: Arc<GameSummary>,
        /// The number of finished games of the run.
        finished: u64,
        /// The ids of older games that are no longer listed.
        dropped: Vec<u64>,
    },
    /// The standings of a run have changed.
    Standings {
        /// The id of the run.
        run: u32,
        /// The standings.
        standings: Arc<Standings>,
    },
}

impl Event {
    /// Returns the name of the event in its JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Snapshot { .. } => "snapshot",
            Self::Run { .. } => "run",
            Self::Started { .. } => "started",
            Self::Moved { .. } => "moved",
            Self::Finished { .. } => "finished",
            Self::Standings { .. } => "standings",
        }
    }

    /// Returns the event as JSON.
    pub fn to_json(&self) -> String {
        // Every field can be written as JSON.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl State {
    /// Returns a run.
    pub fn run(&self, id: u32) -> Option<&Run> {
        self.runs.iter().find(|run| run.info.id == id)
    }

    /// Applies an event. An event of an unknown run changes nothing.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Snapshot { state, .. } => self.clone_from(state),
            Event::Run { run: info } => match self.run_mut(info.id) {
                Some(run) => run.info = info.clone(),
                None => self.runs.push(Run {
                    info: info.clone(),
                    games: Vec::new(),
                    standings: None,
                }),
            },
            Event::Started { run, game } | Event::Moved { run, game, .. } => {
                if let Some(run) = self.run_mut(*run) {
                    run.set_game(game);
                }
            }
            Event::Finished {
                run,
                game,
                finished,
                dropped,
            } => {
                if let Some(run) = self.run_mut(*run) {
                    run.set_game(game);
                    run.games.retain(|game| !dropped.contains(&game.id));
                    run.info.finished = *finished;
                }
            }
            Event::Standings { run, standings } => {
                if let Some(run) = self.run_mut(*run) {
                    run.standings = Some(Arc::clone(standings));
                }
            }
        }
    }

    fn run_mut(&mut self, id: u32) -> Option<&mut Run> {
        self.runs.iter_mut().find(|run| run.info.id == id)
    }
}

impl Run {
    /// Adds a game, or replaces it.
    fn set_game(&mut self, game: &Arc<GameSummary>) {
        match self.games.binary_search_by_key(&game.id, |game| game.id) {
            Ok(place) => self.games[place] = Arc::clone(game),
            Err(place) => self.games.insert(place, Arc::clone(game)),
        }
    }
}
