//! Counts of results, and the strength that they show.

use super::{
    Estimate,
    elo::NORMALIZED_ELO,
    elo_of_score,
    estimate::{CONFIDENCE, normal_cdf},
};

/// Counts of units of play by the half points of the first engine, from 0 to N − 1.
///
/// Units are statistically independent: a unit is a pair of games of one opening, in which both
/// engines play both colours ([`Pentanomial`]), or a single game ([`Trinomial`]). Means and
/// variances are of the score of a unit for each of its games, from 0 to 1.
///
/// All estimates are seen from the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcomes<const N: usize> {
    counts: [u64; N],
}

/// Opening pairs by the points of the first engine: 0, ½, 1, 1½, 2.
///
/// Pairs are used because the two games of an opening are not independent: an opening that favours
/// one colour hinders the other. Their observed variance is used, so the interval is right whatever
/// the openings.
pub type Pentanomial = Outcomes<5>;

/// Single games by the points of the first engine: 0, ½, 1.
///
/// For games without a partner; for games of pairs the interval would be wrong.
pub type Trinomial = Outcomes<3>;

impl<const N: usize> Default for Outcomes<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> FromIterator<u32> for Outcomes<N> {
    fn from_iter<I: IntoIterator<Item = u32>>(half_points: I) -> Self {
        let mut outcomes = Self::new();
        half_points.into_iter().for_each(|unit| outcomes.add(unit));
        outcomes
    }
}

impl<const N: usize> Outcomes<N> {
    /// The games of a unit.
    const GAMES: u64 = {
        assert!(N == 3 || N == 5, "single games or pairs");
        N as u64 / 2
    };

    /// Returns counts of no units.
    #[must_use]
    pub const fn new() -> Self {
        Self { counts: [0; N] }
    }

    /// Returns counts of units that gave 0, 1, 2 … half points.
    #[must_use]
    pub const fn from_counts(counts: [u64; N]) -> Self {
        Self { counts }
    }

    /// Counts one more unit.
    ///
    /// # Panics
    ///
    /// If a unit cannot give that number of half points.
    pub fn add(&mut self, half_points: u32) {
        let most = N - 1;
        assert!(
            half_points as usize <= most,
            "0 to {most} half points, not {half_points}"
        );
        self.counts[half_points as usize] += 1;
    }

    /// Returns the numbers of units that gave 0, 1, 2 … half points.
    pub const fn counts(&self) -> [u64; N] {
        self.counts
    }

    /// Returns the number of units.
    pub fn units(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.units() * Self::GAMES
    }

    /// Returns the points of the first engine: 1 for each win, ½ for each draw.
    pub fn points(&self) -> f64 {
        self.mean_of(|score| score) * self.games() as f64
    }

    /// Returns the same counts for the second engine.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut counts = self.counts;
        counts.reverse();
        Self { counts }
    }

    /// Returns the mean score of a game, from 0 to 1; ½ without games.
    pub fn mean(&self) -> f64 {
        if self.units() == 0 {
            return 0.5;
        }
        self.mean_of(|score| score)
    }

    /// The variance of the score of a unit, which lies between 0 and 1, around its mean.
    /// It is divided by the number of units, as everywhere in this field.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.mean_of(|score| (score - mean).powi(2))
    }

    /// Returns the mean score of a game and its interval, from 0 to 1.
    ///
    /// The interval is the normal one, mean ± 1.96 √(variance / units), cut to the possible
    /// scores. While all units are alike, which says nothing about their variance, it covers the mean
    /// of every distribution that gives this outcome with probability 0.025^(1 / units) or more:
    /// the bound of Clopper and Pearson (1934).
    pub fn score(&self) -> Estimate {
        let (units, mean) = (self.units() as f64, self.mean());
        if self.is_uniform() {
            let others = 1.0 - ((1.0 - CONFIDENCE) / 2.0).powf(1.0 / units.max(f64::MIN_POSITIVE));
            return Estimate {
                value: mean,
                low: mean * (1.0 - others),
                high: mean + (1.0 - mean) * others,
            };
        }
        let estimate = Estimate::normal(mean, self.standard_error());
        estimate.map(|score| score.clamp(0.0, 1.0))
    }

    /// Returns the logistic Elo difference: 400 log₁₀(s / (1 − s)) for the mean score s and both
    /// ends of [its interval](Self::score); infinite if only one side made points.
    ///
    /// Sources: fishtest's `stat_util.get_elo`, and the same in cutechess and fastchess.
    pub fn elo(&self) -> Estimate {
        self.score().map(elo_of_score)
    }

    /// Returns the normalized Elo difference: the mean score's distance from ½ in standard
    /// deviations of a game, times 800 / ln 10.
    ///
    /// Equal differences in normalized Elo take the same number of games to detect, whatever the
    /// share of draws. If all units are alike, their standard deviation is unknown, so the interval
    /// is infinite.
    ///
    /// Source: Michel Van den Bergh, "Normalized Elo"; as in fastchess, the interval
    /// treats the standard deviation as exact.
    pub fn normalized_elo(&self) -> Estimate {
        let above = self.mean() - 0.5;
        if self.is_uniform() {
            let value = match above {
                0.0 => 0.0,
                above => f64::INFINITY.copysign(above),
            };
            return Estimate {
                value,
                ..Estimate::UNKNOWN
            };
        }
        let deviation = (Self::GAMES as f64 * self.variance()).sqrt();
        let estimate = Estimate::normal(above, self.standard_error());
        estimate.map(|above| above / deviation * NORMALIZED_ELO)
    }

    /// Returns the likelihood of superiority, from 0 to 1: the confidence that the first engine is
    /// stronger.
    ///
    /// Φ((mean − ½) / √(variance / units)), as in fishtest. While all units are alike, it is the
    /// chance that the first engine wins more than half of the decided units, all chances being
    /// equally likely before the match: 1 − ½^(units + 1) if it won them all.
    pub fn los(&self) -> f64 {
        let above = self.mean() - 0.5;
        if !self.is_uniform() {
            return normal_cdf(above / self.standard_error());
        }
        let against = 0.5f64.powf(self.units() as f64 + 1.0);
        match above {
            a if a > 0.0 => 1.0 - against,
            a if a < 0.0 => against,
            _ => 0.5,
        }
    }

    /// The counts with 0.001 units in place of 0, as in fishtest's `LLRcalc.regularize`: no outcome
    /// is impossible.
    pub(super) fn regularized(&self) -> [f64; N] {
        self.counts.map(|count| (count as f64).max(1e-3))
    }

    /// The score a game of a unit that gave `half_points`.
    pub(super) fn unit_score(half_points: usize) -> f64 {
        half_points as f64 / (N - 1) as f64
    }

    fn is_uniform(&self) -> bool {
        self.counts.iter().filter(|&&count| count > 0).count() <= 1
    }

    fn standard_error(&self) -> f64 {
        (self.variance() / self.units() as f64).sqrt()
    }

    /// The mean of a function of a unit's score, 0 without units.
    fn mean_of(&self, f: impl Fn(f64) -> f64) -> f64 {
        let sum: f64 = (self.counts.iter().enumerate())
            .map(|(half_points, &count)| count as f64 * f(Self::unit_score(half_points)))
            .sum();
        sum / self.units().max(1) as f64
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // What is compared so is exact.
mod tests {
    use super::*;

    /// Asserts that a number rounds to the published one, with `decimals` places.
    #[track_caller]
    fn assert_rounds_to(number: f64, published: f64, decimals: i32) {
        let unit = 10f64.powi(-decimals);
        assert!(
            (number - published).abs() <= 0.5001 * unit,
            "{number}, not {published}"
        );
    }

    #[track_caller]
    fn check<const N: usize>(
        outcomes: &Outcomes<N>,
        elo: (f64, f64),
        normalized: (f64, f64),
        los_percent: f64,
    ) {
        assert_rounds_to(outcomes.elo().value, elo.0, 2);
        assert_rounds_to(outcomes.elo().half_width(), elo.1, 2);
        assert_rounds_to(outcomes.normalized_elo().value, normalized.0, 2);
        assert_rounds_to(outcomes.normalized_elo().half_width(), normalized.1, 2);
        assert_rounds_to(outcomes.los() * 100.0, los_percent, 2);
    }

    /// The tests of fastchess, `app/tests/elo_test.cpp`, `EloPentanomial` and `EloWDL`.
    #[test]
    fn published_by_fastchess() {
        let pairs = Pentanomial::from_counts([34, 54, 63, 64, 75]);
        check(&pairs, (55.58, 27.65), (57.94, 28.28), 100.0);
        let pairs = Pentanomial::from_counts([332, 433, 498, 333, 334]);
        check(&pairs, (-8.64, 10.33), (-9.17, 10.96), 5.05);
        let pairs = Pentanomial::from_counts([7895, 8757, 5685, 568, 9999]);
        check(&pairs, (-21.04, 2.95), (-19.01, 2.65), 0.0);
        let games = Trinomial::from_counts([96, 111, 136]);
        check(&games, (40.70, 30.43), (49.77, 36.77), 99.60);
    }

    /// A match that fastchess printed: "Elo: 5.53 +/- 14.79, nElo: 10.17 +/- 27.17, LOS: 76.85 %,
    /// Games: 628, Points: 319.0, Ptnml(0-2): [3, 75, 149, 83, 4]" (ijccrl.com, "SPRT test of
    /// revolution 1.0.1 dev").
    #[test]
    fn printed_by_fastchess() {
        let pairs = Pentanomial::from_counts([3, 75, 149, 83, 4]);
        check(&pairs, (5.53, 14.79), (10.17, 27.17), 76.85);
        assert_eq!((pairs.units(), pairs.games()), (314, 628));
        assert!((pairs.points() - 319.0).abs() < 1e-9);
    }

    /// The raw statistics of a test on montytest, which runs fishtest's code (test
    /// 69d3c8dc7c5b3724e29d2712): expected value, variance, normalized Elo.
    #[test]
    fn published_by_fishtest() {
        let pairs = Pentanomial::from_counts([13, 37, 50, 25, 3]);
        assert_rounds_to(pairs.mean(), 0.4375, 5);
        assert_rounds_to(pairs.variance(), 0.05762, 5);
        assert_rounds_to(pairs.normalized_elo().value, -63.97, 2);
    }

    /// Matches that cutechess printed, as wins, losses, draws, Elo, margin and LOS: "3225 - 3068 -
    /// 3707 … 5.5 +/- 5.4, LOS: 97.6 %" (ijccrl.com) and so on. cutechess approximates the normal
    /// quantile, and computes the LOS from decided games only.
    #[test]
    fn printed_by_cutechess() {
        let printed = [
            ([3225, 3068, 3707], 5.5, 5.4, 97.6),
            ([5383, 5132, 4808], 5.7, 4.6, 99.3),
            ([162, 201, 87], -30.2, 28.9, 2.0),
            ([63, 17, 26], 161.5, 62.3, 100.0),
        ];
        for ([won, lost, drawn], elo, margin, los_percent) in printed {
            let games = Trinomial::from_counts([lost, drawn, won]);
            assert_rounds_to(games.elo().value, elo, 1);
            let ratio = games.elo().half_width() / margin;
            assert!((ratio - 1.0).abs() < 0.01, "{} {margin}", games.elo());
            assert_rounds_to(games.los() * 100.0, los_percent, 1);
        }
    }

    #[test]
    fn no_games_say_nothing() {
        let none = Pentanomial::new();
        assert_eq!(none.elo(), Estimate::UNKNOWN);
        assert_eq!(none.normalized_elo(), Estimate::UNKNOWN);
        assert_eq!((none.los(), none.mean(), none.points()), (0.5, 0.5, 0.0));
    }

    /// The bound of Clopper and Pearson for 10 of 10: 0.6915 (any table of exact limits).
    #[test]
    fn only_wins_are_infinite_with_a_finite_bound() {
        let wins = Pentanomial::from_counts([0, 0, 0, 0, 10]);
        assert_rounds_to(wins.score().low, 0.6915, 4);
        assert_eq!(wins.elo().value, f64::INFINITY);
        assert_eq!(wins.elo().high, f64::INFINITY);
        assert_rounds_to(wins.elo().low, elo_of_score(0.6915), 0);
        assert_eq!(wins.los(), 1.0 - 0.5f64.powi(11));
        assert_eq!(wins.reversed().los(), 0.5f64.powi(11));
        assert_eq!(wins.normalized_elo().value, f64::INFINITY);
        let losses = wins.reversed().normalized_elo();
        assert_eq!(losses.value, f64::NEG_INFINITY);
        let more = Pentanomial::from_counts([0, 0, 0, 0, 100]);
        assert!(more.elo().low > wins.elo().low);
    }

    #[test]
    fn a_single_pair_proves_nothing() {
        for half_points in 0..=4 {
            let pair: Pentanomial = [half_points].into_iter().collect();
            assert!(
                pair.elo().low < -500.0 && pair.elo().high > 500.0,
                "{}",
                pair.elo()
            );
            assert!((0.25..=0.75).contains(&pair.los()));
            assert!(!pair.normalized_elo().value.is_nan());
        }
    }

    #[test]
    fn all_pairs_drawn_is_an_even_match() {
        let drawn = Pentanomial::from_counts([0, 0, 1000, 0, 0]);
        let elo = drawn.elo();
        assert_eq!(elo.value, 0.0);
        assert!((elo.low + elo.high).abs() < 1e-9 && elo.high < 2.0, "{elo}");
        assert_eq!(drawn.los(), 0.5);
        assert_eq!(drawn.normalized_elo().value, 0.0);
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let pairs = Pentanomial::from_counts([3, 7, 20, 11, 9]);
        let (ours, theirs) = (pairs.elo(), pairs.reversed().elo());
        assert!((ours.value + theirs.value).abs() < 1e-9);
        assert!((ours.low + theirs.high).abs() < 1e-9);
        assert!((pairs.los() + pairs.reversed().los() - 1.0).abs() < 1e-9);
    }

    /// The same games counted singly have another variance, hence pairs.
    #[test]
    fn pairs_that_cancel_have_narrow_intervals() {
        let pairs = Pentanomial::from_counts([1, 0, 98, 0, 1]);
        let games = Trinomial::from_counts([100, 0, 100]);
        assert_eq!(pairs.mean(), games.mean());
        assert!(pairs.elo().half_width() < games.elo().half_width() / 4.0);
    }

    #[test]
    #[should_panic(expected = "0 to 4 half points, not 5")]
    fn a_pair_has_four_half_points() {
        Pentanomial::new().add(5);
    }
}
