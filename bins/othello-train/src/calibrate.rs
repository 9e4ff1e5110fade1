//! Calibration of ProbCut: the errors of shallow searches relative to deep ones.
//!
//! Positions of held-out games are searched without selectivity, each from an empty table, and their
//! values at every depth are stored as an [`Observation`]. From the observations, [`Fit`]s are made
//! of the errors of shallow searches relative to deeper ones and to exact scores.
//!
//! The method follows M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995. As in
//! Edax and neural-reversi, mean and deviation are functions of the number of discs and both depths, and as in
//! neural-reversi they are fitted by regression. Here the deviation also depends on the number of legal moves.

mod fit;
mod observation;
mod pairs;
mod report;
mod searches;

pub(crate) use fit::Fit;
pub(crate) use observation::{Observation, Observations};
pub(crate) use pairs::{Pair, Pairs};
pub(crate) use report::{Calibration, source};
pub(crate) use searches::{read_observations, search_parts, search_work};
