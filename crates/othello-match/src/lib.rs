//! Matches between Othello engines of any protocol: engines and openings.
//!
//! Nothing here reads a command line or prints. A match is [engines](engine), [openings] and a
//! [schedule](boardgame_match::schedule). A [match](runner::Match) plays the games that its
//! [log](boardgame_match::log) lacks, and a [tally](boardgame_match::tally) has the results:
//!
//! ```
//! use std::{future, num::NonZeroUsize, sync::Arc, time::Duration};
//!
//! use boardgame_match::{
//!     EngineId,
//!     contest::Ending,
//!     engine::Patience,
//!     log::{EngineEntry, Header, Log},
//!     record::RecordFormat as _,
//!     schedule::{Form, Schedule},
//!     tally::Tally,
//! };
//! use othello_match::{
//!     engine::EngineSpec,
//!     openings::{Openings, Source},
//!     record::Othello,
//!     runner::{self, Match},
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
//!     seed: 1,
//!     observer: None,
//! };
//! runner::check(&contest.engines, &contest.openings)?;
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
//! let mut tally = Tally::new(2, Othello::FORFEIT);
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! let playing = contest.run(&mut log, &mut tally, None, |_, _| {}, future::pending());
//! assert_eq!(runtime.block_on(playing)?, Ending::Complete);
//! assert_eq!(tally.duel(EngineId(0), EngineId(1)).pairs.games(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod check;
pub mod engine;
pub mod engine_seat;
pub mod openings;
pub mod protocol;
pub mod record;
pub mod runner;
