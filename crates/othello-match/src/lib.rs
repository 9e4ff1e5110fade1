//! Matches between Othello engines of any protocol: engines, openings, schedules, records and
//! statistics.
//!
//! Nothing here reads a command line or prints. A match is [engines](engine), [openings] and a
//! [schedule]; the [runner] plays what its [log] lacks, and a [tally] says what it came to:
//!
//! ```
//! use std::{future, num::NonZeroUsize, sync::Arc, time::Duration};
//!
//! use othello_match::{
//!     engine::EngineSpec,
//!     log::{EngineEntry, Header, Log},
//!     openings::{Openings, Source},
//!     player::Patience,
//!     record::{EngineId, Othello},
//!     runner::{self, Ending, Match},
//!     schedule::{Form, Schedule},
//!     tally::Tally,
//! };
//!
//! let engine = |text: &str, limit: &str| -> Result<_, Box<dyn std::error::Error>> {
//!     Ok(EngineSpec { limit: limit.parse()?, ..text.parse()? })
//! };
//! let contest = Match {
//!     engines: vec![engine("deep=own:hash=1", "depth:3")?, engine("shallow=own:hash=1", "depth:1")?],
//!     openings: Arc::new(Openings::load(&Source::Xot, 1)?),
//!     schedule: Schedule::new(Form::Pairs { pairs: 2 }, 2)?,
//!     concurrency: NonZeroUsize::MIN,
//!     tolerance: Duration::from_millis(100),
//!     patience: Patience::default(),
//!     sprt: None,
//! };
//! contest.check()?;
//!
//! let entry = |engine: &EngineSpec| EngineEntry {
//!     name: engine.name.clone(),
//!     spec: format!("{engine} limit={}", engine.limit),
//! };
//! let header = Header {
//!     engines: contest.engines.iter().map(entry).collect(),
//!     schedule: contest.schedule.form().family().into(),
//!     openings: contest.openings.fingerprint().into(),
//!     seed: 1,
//!     rules: "tolerance=100ms".into(),
//! };
//! let folder = tempfile::tempdir()?;
//! let (mut log, _) = Log::<Othello>::open(&folder.path().join("match.jsonl"), &header)?;
//!
//! let mut tally = Tally::new(2);
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! let playing = runner::run(&contest, &mut log, &mut tally, None, |_, _| {}, future::pending());
//! assert_eq!(runtime.block_on(playing)?, Ending::Complete);
//! assert_eq!(tally.duel(EngineId(0), EngineId(1)).pairs.games(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub use boardgame_match::stats;

pub mod calibrate;
pub mod contender;
pub mod engine;
pub mod fault;
pub mod game;
pub mod limit;
pub mod log;
pub mod openings;
pub mod player;
pub mod protocol;
pub mod record;
pub mod runner;
pub mod schedule;
pub mod standings;
pub mod tally;
