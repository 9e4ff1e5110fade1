//! Games of Othello for watching, while they are played and afterwards. A *run* is a match, a host's series of games,
//! an LTH server, or the log of one of them.
//!
//! - `Runs` has the runs of a process with their games, within `Limits`. It is cheap to clone; writers and readers do not
//!   wait for each other.
//! - `Subscription` is a snapshot of all runs followed by the events since. A reader that falls behind gets a new
//!   snapshot in place of the events that it missed, so that its queue stays bounded.
//! - `State` is a reader's view: a snapshot to which events are applied. It consists of JSON objects, as do events.
//! - `MatchRun`, `SeriesRun` and `LthRun` write the events of observers in `boardgame-match` and `othello-host`.
//! - `LogRun` writes the games of a match's log or of a file of game records, and follows the file while it grows.
//!
//! ```rust
//! use boardgame_core::ByColor;
//! use othello_core::{Game, Square};
//! use othello_web::live::{Kind, MoveDetails, Runs, State};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let runs = Runs::default();
//! let run = runs.add(Kind::Match, "a against b", None);
//! run.start(1, ByColor { black: "a", white: "b" }, &Game::default(), ByColor::default());
//!
//! let mut subscription = runs.subscribe();
//! let mut state = State::default();
//! state.apply(&*subscription.next().await); // the snapshot
//! run.play(1, Square::F5, MoveDetails::default(), ByColor::default());
//! state.apply(&*subscription.next().await); // the move
//! assert_eq!(state, runs.state());
//! assert_eq!(state.runs[0].games[0].last.as_deref(), Some("f5"));
//! # }
//! ```

mod game;
mod log;
mod lth;
mod matches;
mod runs;
mod series;
mod standings;
mod state;
mod subscription;
mod throttle;
mod watched;

pub use boardgame_core::ByColor;
pub use game::{GameView, MoveDetails, MoveView};
pub use log::{FollowError, LogRun};
pub use lth::LthRun;
pub use matches::{MatchRun, logged_game};
pub use runs::{Limits, LookupError, RunWriter, Runs};
pub use series::SeriesRun;
pub use standings::{Interval, Row, Standings};
pub use state::{Event, GameEnd, GameSummary, Kind, Run, RunInfo, Sides, State};
pub use subscription::{Subscription, coalesce};
