//! The margins of ProbCut: the distance from a bound at which a shallow value implies a deep one.

use super::{
    Effort, LEVELS, STATIC_DEPTH, Selectivity,
    coefficients::{Coefficients, Fit},
    fit, shallow_depth,
};
use crate::score::Units;

/// The distribution of a deep value around the shallow one, in units.
#[derive(Clone, Copy)]
struct Spread {
    mean: i16,
    /// The standard deviation for positions without legal moves.
    sigma: i16,
}

/// The margin of a prediction: the expected difference and the allowed error.
#[derive(Clone, Copy)]
pub(crate) struct Margin {
    /// The mean of the deep value minus the shallow one.
    pub(crate) mean: Units,
    /// The distance from the mean that the selectivity allows.
    pub(crate) error: Units,
}

const SQUARES: usize = 64;

/// A table by disc count, then by deep depth.
type ByDiscsAndDepth<T> = [[T; SQUARES]; SQUARES];

/// The factor of the standard deviation by the number of legal moves of both sides, in units of 1 / [`ONE`]; the last
/// entry also covers higher numbers.
type ByMobility = [i32; SQUARES];
/// The factor 1.
const ONE: i32 = 1 << 12;

static MIDGAME: ByDiscsAndDepth<Spread> = spreads(&fit::MIDGAME);
static END: ByDiscsAndDepth<Spread> = spreads(&fit::END);
static MIDGAME_FACTORS: ByMobility = factors(&fit::MIDGAME);
static END_FACTORS: ByMobility = factors(&fit::END);
static STATIC_MIDGAME: ByDiscsAndDepth<i16> = means(&fit::STATIC_MIDGAME);
static STATIC_END: ByDiscsAndDepth<i16> = means(&fit::STATIC_END);

/// The mean of a value of this depth minus the static evaluation.
pub(crate) fn mean_over_static(discs: u32, depth: u32, to_the_end: bool) -> Units {
    let table = if to_the_end {
        &STATIC_END
    } else {
        &STATIC_MIDGAME
    };
    Units::new(table[discs as usize][depth as usize].into())
}

/// The margin of a shallow search for a search of this effort, where both sides together have `mobility` legal moves.
pub(crate) fn searched(discs: u32, effort: Effort, to_the_end: bool, mobility: u32) -> Margin {
    let (table, factors) = if to_the_end {
        (&END, &END_FACTORS)
    } else {
        (&MIDGAME, &MIDGAME_FACTORS)
    };
    let Effort { depth, selectivity } = effort;
    let spread = table[discs as usize][depth as usize];
    let (level, _) = LEVELS[usize::from(selectivity.index())];
    Margin {
        mean: Units::new(i32::from(spread.mean)),
        error: Units::new(spread.sigma_with(mobility, factors) * level / 10),
    }
}

/// The margin of the static evaluation for a search of [`STATIC_DEPTH`], where both sides together have `mobility`
/// legal moves: one standard deviation at the first level of selectivity, and in proportion at the others.
pub(crate) fn by_evaluation(discs: u32, selectivity: Selectivity, mobility: u32) -> Margin {
    let spread = MIDGAME[discs as usize][STATIC_DEPTH as usize];
    let (level, _) = LEVELS[usize::from(selectivity.index())];
    Margin {
        mean: mean_over_static(discs, STATIC_DEPTH, false),
        error: Units::new(spread.sigma_with(mobility, &MIDGAME_FACTORS) * level / LEVELS[0].0),
    }
}

impl Spread {
    /// The standard deviation where both sides together have `mobility` legal moves.
    fn sigma_with(self, mobility: u32, factors: &ByMobility) -> i32 {
        let mobility = (mobility as usize).min(SQUARES - 1);
        i32::from(self.sigma) * factors[mobility] / ONE
    }
}

const fn spreads(fit: &Fit) -> ByDiscsAndDepth<Spread> {
    let mut table = [[Spread { mean: 0, sigma: 0 }; SQUARES]; SQUARES];
    let mut discs = 0;
    while discs < SQUARES {
        let mut deep = STATIC_DEPTH as usize;
        while deep < SQUARES {
            let shallow = shallow_depth(deep as u32);
            let terms = [1.0, discs as f64, shallow as f64, deep as f64];
            table[discs][deep] = Spread {
                mean: units(dot(&fit.mean, &terms)),
                sigma: units(exp(dot(&fit.ln_sigma, &terms))),
            };
            deep += 1;
        }
        discs += 1;
    }
    table
}

const fn factors(fit: &Fit) -> ByMobility {
    let mut table = [ONE; SQUARES];
    let mut moves = 0;
    while moves < SQUARES {
        let factor = exp(fit.ln_sigma_per_move * moves as f64);
        table[moves] = (ONE as f64 * factor) as i32;
        moves += 1;
    }
    table
}

const fn means(mean: &Coefficients) -> ByDiscsAndDepth<i16> {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut discs = 0;
    while discs < SQUARES {
        let mut deep = STATIC_DEPTH as usize;
        while deep < SQUARES {
            let terms = [1.0, discs as f64, (deep % 2) as f64, deep as f64];
            table[discs][deep] = units(dot(mean, &terms));
            deep += 1;
        }
        discs += 1;
    }
    table
}

const fn units(discs: f64) -> i16 {
    let max = 64.0;
    let discs = if discs > max {
        max
    } else if discs < -max {
        -max
    } else {
        discs
    };
    (discs * Units::DISC.get() as f64) as i16
}

const fn dot(a: &Coefficients, b: &Coefficients) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// The exponential function for constant evaluation: a power series of the argument halved until it is small, then
/// squared as many times.
const fn exp(x: f64) -> f64 {
    let halvings = 10;
    let small = x / (1 << halvings) as f64;
    let mut power = 1.0 + small * (1.0 + small / 2.0 * (1.0 + small / 3.0 * (1.0 + small / 4.0)));
    let mut squared = 0;
    while squared < halvings {
        power *= power;
        squared += 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_agrees_with_the_library() {
        for x in [-3.0, -0.5, 0.0, 0.1, 1.0, 2.5, 4.0] {
            assert!((exp(x) / f64::exp(x) - 1.0).abs() < 1e-9, "{x}");
        }
    }

    #[test]
    fn more_legal_moves_make_the_margin_smaller() {
        for (fit, to_the_end, depth) in [(&fit::MIDGAME, false, 12), (&fit::END, true, 30)] {
            let effort = Effort::new(depth, Selectivity::FIRST);
            let margin = |mobility| searched(34, effort, to_the_end, mobility).error;
            let error = |mobility| f64::from(margin(mobility).get());
            for mobility in 0..63 {
                let ratio = error(mobility) / error(0);
                let expected = f64::exp(fit.ln_sigma_per_move * f64::from(mobility));
                assert!(
                    (ratio - expected).abs() < 0.01,
                    "{mobility}: {ratio}, {expected}"
                );
                assert!(error(mobility + 1) < error(mobility), "{mobility}");
            }
            // Higher numbers use the last entry.
            assert_eq!(margin(100), margin(63));
        }
    }

    #[test]
    fn shallow_depths_have_the_parity_of_deep_ones_and_are_less() {
        for deep in STATIC_DEPTH..64 {
            let shallow = shallow_depth(deep);
            assert!(shallow < deep && shallow % 2 == deep % 2, "{deep}");
        }
    }
}
