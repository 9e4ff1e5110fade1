//! Statistics of the games of a match: pure functions of counts and
//! numbers, with no game, clock or file in them.
//!
//! - [`Pentanomial`] counts opening pairs by their points and gives the Elo difference with its
//!   95 % interval, normalized Elo and the likelihood of superiority; [`Trinomial`] does the same
//!   for games without pairs.
//! - [`MeanMargin`] gathers the margins of the pairs, a more sensitive measure.
//! - [`Sprt`] decides after every pair whether the match may stop.
//! - [`ratings()`] makes a rating list of several engines.
//!
//! Formulas, sources and rejected alternatives: `docs/design/match-statistics.md`.
//!
//! ```
//! use boardgame_match::stats::{Pentanomial, Sprt, SprtSettings, Verdict};
//!
//! // The first engine won both games of 30 openings, and so on.
//! let pairs = Pentanomial::from_counts([10, 3, 40, 5, 30]);
//! assert_eq!(format!("{:+.0}", pairs.elo()), "+85 [+36, +137]");
//! assert!(pairs.los() > 0.999);
//!
//! let sprt = Sprt::new(SprtSettings { elo1: 40.0, ..SprtSettings::default() })?;
//! assert_eq!(sprt.test(&pairs).verdict, Verdict::AcceptH1);
//! # Ok::<(), boardgame_match::stats::SprtError>(())
//! ```

mod bradley_terry;
mod cholesky;
mod elo;
mod estimate;
mod margin;
mod outcomes;
mod ratings;
mod sprt;

pub use bradley_terry::Pairing;
pub use elo::{elo_of_score, score_of_elo};
pub use estimate::Estimate;
pub use margin::MeanMargin;
pub use outcomes::{Outcomes, Pentanomial, Trinomial};
pub use ratings::{Rating, RatingList, ratings};
pub use sprt::{Sprt, SprtError, SprtSettings, SprtState, Verdict};
