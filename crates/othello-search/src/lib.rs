//! An Othello engine: evaluation, principal variation search, endgame solver and time manager.
//!
//! A [`Searcher`] searches for the best move of a position within [`Limits`] and returns a
//! [`Report`]; [`allocate`] turns a game clock into a time budget. The crate prints nothing and
//! reads no environment variables, and all state lives in the searcher.
//!
//! ```
//! use std::time::Duration;
//!
//! use othello_core::Position;
//! use othello_search::{Clock, Limits, Options, Searcher, allocate};
//!
//! let mut searcher = Searcher::new(Options::default());
//! let clock = Clock { remaining: Some(Duration::from_secs(1)), ..Clock::default() };
//! let position = Position::START;
//! let budget = allocate(&clock, position.empties().count());
//! let report = searcher.search_observed(position, &Limits::time(budget), &mut |iteration| {
//!     assert!(iteration.depth >= 1);
//! });
//! let best = report.best.expect("the start has four moves");
//! assert!(position.legal_moves().contains(best));
//! ```

pub mod bench;
pub mod eval;

mod limits;
mod report;
mod score;
mod searcher;
mod stop;
mod time;

mod iteration_history;
mod outcome;
mod plan;
mod root;

mod control;
mod pool;
mod sharing;
mod threads;
mod worker;

mod endgame;
mod leaves;
mod midgame;
mod node_type;
mod ordering;
mod private;
mod probcut;
pub mod selectivity;
mod stability;
mod table;
mod zeroed;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod webassembly;

mod bits;
#[cfg(test)]
mod testing;

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use std::time::Instant;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use webassembly::Instant;

pub use limits::{Goal, Level, Limits};
pub use report::{Exactness, Line, Report};
pub use score::{Evaluation, Units};
pub use searcher::{Options, Searcher};
pub use stop::StopHandle;
pub use table::TableError;
pub use time::{Clock, TimeBudget, allocate};

/// The examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
