#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

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

pub use boardgame_core::ByColor;
pub use game::{GameView, MoveDetails, MoveView};
pub use log::{FollowError, LogRun};
pub use lth::LthRun;
pub use matches::MatchRun;
pub use runs::{Limits, LookupError, RunWriter, Runs};
pub use series::SeriesRun;
pub use standings::{Interval, Row, Standings};
pub use state::{Event, GameEnd, GameSummary, Kind, Run, RunInfo, Sides, State};
pub use subscription::{Subscription, coalesce};
