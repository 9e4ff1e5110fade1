//! The sequential probability ratio test, which decides when a match may stop.

use std::iter::zip;

use serde::{Deserialize, Serialize};

use super::{Outcomes, score_of_elo};

/// The hypotheses of a sequential probability ratio test, and its error rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SprtSettings {
    /// The Elo difference (logistic) under the hypothesis H0, for example no progress.
    pub elo0: f64,
    /// The Elo difference (logistic) under the hypothesis H1, for example enough progress.
    pub elo1: f64,
    /// The chance of accepting H1 where H0 is true, from 0 to 1.
    pub alpha: f64,
    /// The chance of accepting H0 where H1 is true, from 0 to 1.
    pub beta: f64,
}

impl Default for SprtSettings {
    /// 0 against 5 Elo, 5 % of errors on either side.
    fn default() -> Self {
        Self {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
        }
    }
}

/// The error of settings that define no test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages name the fields.
pub enum SprtError {
    /// The hypotheses are out of order or out of range.
    #[error("expected elo0 below elo1, both between -2000 and 2000, not {elo0} and {elo1}")]
    Hypotheses { elo0: f64, elo1: f64 },
    /// An error rate is out of range, or their sum is too large for a test.
    #[error("expected alpha and beta above 0 and together below 1, not {alpha} and {beta}")]
    ErrorRates {
        /// The chance of accepting H1 where H0 is true.
        alpha: f64,
        /// The chance of accepting H0 where H1 is true.
        beta: f64,
    },
}

/// The state of a sequential probability ratio test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The test is undecided: play on.
    Continue,
    /// The difference is `elo0` rather than `elo1`: stop.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`: stop.
    AcceptH1,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtState {
    /// The log-likelihood ratio: the natural logarithm of the likelihood of H1 divided by the likelihood of H0.
    pub llr: f64,
    /// At or below this ratio H0 is accepted.
    pub lower: f64,
    /// At or above this ratio H1 is accepted.
    pub upper: f64,
    /// The decision.
    pub verdict: Verdict,
}

/// The generalized sequential probability ratio test (GSPRT) of an Elo difference.
///
/// Test after any pair, and stop at the first verdict other than [`Verdict::Continue`]: the error
/// rates hold for matches that stop there.
///
/// The result of a unit is multinomial with unknown chances. Under a hypothesis, which fixes the
/// mean score at s, the likeliest chances are pᵢ / (1 + θ (aᵢ − s)) for the observed shares pᵢ of
/// the scores aᵢ, where θ solves Σ pᵢ (aᵢ − s) / (1 + θ (aᵢ − s)) = 0. The log-likelihood ratio is
/// compared with Wald's bounds ln(β / (1 − α)) and ln((1 − β) / α).
///
/// Source: Michel Van den Bergh, "Comparing the approximations for the generalized log
/// likelihood ratio of a multinomial distribution", proposition 1.1; the same as in fishtest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    scores: [f64; 2],
    lower: f64,
    upper: f64,
}

impl Sprt {
    /// Creates a test of these hypotheses.
    ///
    /// # Errors
    ///
    /// When the settings define no test: see [`SprtError`].
    pub fn new(settings: SprtSettings) -> Result<Self, SprtError> {
        let SprtSettings {
            elo0,
            elo1,
            alpha,
            beta,
        } = settings;
        if !(-2000.0 < elo0 && elo0 < elo1 && elo1 < 2000.0) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::ErrorRates { alpha, beta });
        }
        Ok(Self {
            scores: [elo0, elo1].map(score_of_elo),
            lower: (beta / (1.0 - alpha)).ln(),
            upper: ((1.0 - beta) / alpha).ln(),
        })
    }

    /// Returns the state of the test after the games so far.
    pub fn test<const N: usize>(&self, outcomes: &Outcomes<N>) -> SprtState {
        let llr = self.llr(outcomes);
        let verdict = match llr {
            llr if llr <= self.lower => Verdict::AcceptH0,
            llr if llr >= self.upper => Verdict::AcceptH1,
            _ => Verdict::Continue,
        };
        SprtState {
            llr,
            lower: self.lower,
            upper: self.upper,
            verdict,
        }
    }

    fn llr<const N: usize>(&self, outcomes: &Outcomes<N>) -> f64 {
        let counts = outcomes.regularized();
        let [h0, h1] = self.scores.map(|score| {
            let distances = std::array::from_fn(|i| Outcomes::<N>::unit_score(i) - score);
            let theta = constraint_multiplier(&counts, &distances);
            distances.map(|distance| 1.0 + theta * distance)
        });
        // The observed shares themselves cancel out of the ratio.
        (0..N).map(|i| counts[i] * (h0[i] / h1[i]).ln()).sum()
    }
}

/// The number of halvings of the range of θ. The likelihood is flat there: an error of θ matters
/// only squared.
const HALVINGS: u32 = 40;

/// The root θ of Σ cᵢ dᵢ / (1 + θ dᵢ), given positive counts and distances of both signs, by
/// bisection: the sum falls from infinity to minus infinity between its outer poles.
fn constraint_multiplier<const N: usize>(counts: &[f64; N], distances: &[f64; N]) -> f64 {
    let (mut low, mut high) = (-1.0 / distances[N - 1], -1.0 / distances[0]);
    for _ in 0..HALVINGS {
        let theta = f64::midpoint(low, high);
        let terms = zip(counts, distances).map(|(count, d)| count * d / (1.0 + theta * d));
        if terms.sum::<f64>() > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Pentanomial, Trinomial};

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        let settings = SprtSettings {
            elo0,
            elo1,
            ..SprtSettings::default()
        };
        Sprt::new(settings).unwrap()
    }

    #[track_caller]
    fn check<const N: usize>(elo: [f64; 2], counts: [u64; N], published: f64, unit: f64) {
        let state = sprt(elo[0], elo[1]).test(&Outcomes::from_counts(counts));
        assert!(
            (state.llr - published).abs() <= 0.5001 * unit,
            "{}",
            state.llr
        );
    }

    /// The raw statistics of a test on montytest, which runs fishtest's code (test
    /// 69d3c8dc7c5b3724e29d2712), "Generalized Log Likelihood Ratio, Logistic (exact)".
    #[test]
    fn published_by_fishtest() {
        check([0.0, 2.716], [13, 37, 50, 25, 3], -0.53772, 2e-4);
    }

    /// The tests of fastchess, `app/tests/sprt_test.cpp`, "logistic".
    #[test]
    fn published_by_fastchess() {
        check([0.5, 2.5], [223, 9863, 21_279, 10_037, 246], -3.07, 0.01);
        check([0.0, 2.0], [871, 26_175, 55_983, 26_678, 821], -4.98, 0.01);
        check([0.5, 2.5], [21_184, 40_708, 21_404], -1.57, 0.01);
        check([0.0, 2.0], [57_030, 106_593, 57_433], -2.59, 0.01);
    }

    /// With only wins and losses the test is Wald's own for a coin, which has a closed form.
    #[test]
    fn a_coin_has_walds_ratio() {
        let (won, lost) = (70u64, 50u64);
        let state = sprt(0.0, 30.0).test(&Trinomial::from_counts([lost, 0, won]));
        let [s0, s1] = [0.0, 30.0].map(score_of_elo);
        let walds = won as f64 * (s1 / s0).ln() + lost as f64 * ((1.0 - s1) / (1.0 - s0)).ln();
        assert!((state.llr - walds).abs() < 1e-3, "{} {walds}", state.llr);
    }

    /// Wald's bounds for 5 % on either side, as every test on fishtest shows them.
    #[test]
    fn bounds_are_walds() {
        let state = sprt(0.0, 5.0).test(&Pentanomial::new());
        assert!((state.lower + 2.9444).abs() < 1e-4 && (state.upper - 2.9444).abs() < 1e-4);
        let uneven = SprtSettings {
            alpha: 0.01,
            beta: 0.2,
            ..SprtSettings::default()
        };
        let state = Sprt::new(uneven).unwrap().test(&Pentanomial::new());
        assert!((state.lower - (0.2f64 / 0.99).ln()).abs() < 1e-12);
        assert!((state.upper - 80f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn verdicts_follow_the_bounds() {
        let verdict = |counts| {
            sprt(0.0, 20.0)
                .test(&Pentanomial::from_counts(counts))
                .verdict
        };
        assert_eq!(verdict([0; 5]), Verdict::Continue);
        assert_eq!(verdict([0, 0, 0, 0, 3]), Verdict::Continue);
        assert_eq!(verdict([10, 20, 60, 20, 10]), Verdict::Continue);
        assert_eq!(verdict([50, 20, 60, 20, 90]), Verdict::AcceptH1);
        assert_eq!(verdict([90, 20, 60, 20, 50]), Verdict::AcceptH0);
        assert_eq!(verdict([0, 0, 0, 0, 100]), Verdict::AcceptH1);
        assert_eq!(verdict([100, 0, 0, 0, 0]), Verdict::AcceptH0);
    }

    /// A ratio on a bound is enough.
    #[test]
    fn bounds_belong_to_the_verdicts() {
        let pairs = Pentanomial::from_counts([3, 17, 41, 22, 8]);
        let plain = sprt(0.0, 20.0);
        let llr = plain.test(&pairs).llr;
        let (lower, upper) = (llr, llr);
        let verdict = |sprt: Sprt| sprt.test(&pairs).verdict;
        assert_eq!(verdict(Sprt { lower, ..plain }), Verdict::AcceptH0);
        assert_eq!(verdict(Sprt { upper, ..plain }), Verdict::AcceptH1);
    }

    /// Seen from the other side the hypotheses change places.
    #[test]
    fn the_ratio_is_antisymmetric() {
        let pairs = Pentanomial::from_counts([3, 17, 41, 22, 8]);
        let ours = sprt(-3.0, 10.0).test(&pairs).llr;
        let theirs = sprt(-10.0, 3.0).test(&pairs.reversed()).llr;
        assert!((ours + theirs).abs() < 1e-9, "{ours} {theirs}");
    }

    #[test]
    fn far_hypotheses_and_long_matches_stay_finite() {
        for counts in [
            [0, 0, 0, 0, 10_000_000],
            [1, 0, 0, 0, 0],
            [0, 1_000_000, 0, 0, 0],
        ] {
            let llr = sprt(-1999.0, 1999.0)
                .test(&Pentanomial::from_counts(counts))
                .llr;
            assert!(llr.is_finite() && llr != 0.0, "{counts:?}: {llr}");
        }
    }

    #[test]
    fn settings_that_are_no_test_are_errors() {
        let error = |settings| Sprt::new(settings).unwrap_err().to_string();
        let default = SprtSettings::default();
        let elo1 = 0.0;
        assert_eq!(
            error(SprtSettings { elo1, ..default }),
            "expected elo0 below elo1, both between -2000 and 2000, not 0 and 0"
        );
        let alpha = 0.95;
        assert_eq!(
            error(SprtSettings { alpha, ..default }),
            "expected alpha and beta above 0 and together below 1, not 0.95 and 0.05"
        );
        for elo1 in [f64::NAN, f64::INFINITY, -1.0, 2000.0] {
            assert!(
                Sprt::new(SprtSettings { elo1, ..default }).is_err(),
                "{elo1}"
            );
        }
        for elo0 in [f64::NAN, -2000.0, 5.0] {
            assert!(
                Sprt::new(SprtSettings { elo0, ..default }).is_err(),
                "{elo0}"
            );
        }
        for alpha in [f64::NAN, 0.0, -0.1, 1.0] {
            assert!(
                Sprt::new(SprtSettings { alpha, ..default }).is_err(),
                "{alpha}"
            );
        }
        for beta in [f64::NAN, 0.0, -0.1, 1.0] {
            assert!(
                Sprt::new(SprtSettings { beta, ..default }).is_err(),
                "{beta}"
            );
        }
    }
}
