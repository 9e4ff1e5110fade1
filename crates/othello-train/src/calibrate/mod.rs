//! How far a shallow search can be trusted about a deeper one: what ProbCut is fitted to.
//!
//! Positions of games held out are searched without selectivity, each from an empty table, and what
//! they were worth at every depth is kept as an [`Observation`]. From the observations a [`Fit`]
//! is made of the errors of shallow searches against deeper ones, and another against the exact
//! score of the end.
//!
//! The method is M. Buro's: "ProbCut: an effective selective extension of the alpha-beta
//! algorithm", 1995. That mean and deviation are functions of discs and both depths is Edax's way and that of
//! neural-reversi, which fits them by regression too.

mod fit;
mod log;
mod observation;
mod pairs;
mod report;

pub use fit::Fit;
pub use log::{ObservationError, ObservationLog, read_observations};
pub use observation::{Observation, Observations};
pub use pairs::{Pair, Pairs};
pub use report::{Calibration, source};
