//! Simulated matches.

use rand::{Rng, RngExt, distr::Distribution};

use super::score_of_elo;

/// A model of opening pairs between two engines whose Elo difference is known, for simulations.
///
/// An opening favours one colour by a number of Elo, so the first engine is favoured in one game of
/// the pair and hindered in the other; given that, the two games are independent. The games of a
/// pair are therefore negatively correlated, as in real matches from unbalanced openings.
///
/// ```
/// # use boardgame_match::stats::{PairModel, Pentanomial};
/// use rand::{SeedableRng, distr::Distribution};
///
/// let model = PairModel::new(30.0).draws(0.05).opening_bias(120.0);
/// let rng = rand_pcg::Pcg64::seed_from_u64(7);
/// let pairs: Pentanomial = model.sample_iter(rng).take(1000).collect();
/// assert!(pairs.elo().contains(30.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairModel {
    elo: f64,
    draws: f64,
    bias: f64,
    shares: [f64; 5],
}

impl PairModel {
    /// Returns the model of a first engine that is `elo` stronger, without draws and with balanced openings.
    #[must_use]
    pub fn new(elo: f64) -> Self {
        let model = Self {
            elo,
            draws: 0.0,
            bias: 0.0,
            shares: [0.0; 5],
        };
        model.solved()
    }

    /// The same with this share of draws, up to ½, in a balanced game; in others it is smaller in
    /// proportion to s (1 − s) for the mean score s.
    #[must_use]
    pub fn draws(self, draws: f64) -> Self {
        Self { draws, ..self }.solved()
    }

    /// Returns the same model with openings that are worth `bias` Elo to one colour.
    #[must_use]
    pub fn opening_bias(self, bias: f64) -> Self {
        Self { bias, ..self }.solved()
    }

    /// The chances that a pair gives the first engine 0, 1, 2, 3 or 4 half points.
    #[must_use]
    pub const fn shares(&self) -> [f64; 5] {
        self.shares
    }

    /// Finds the strength that gives the wanted mean score, which the bias would else draw
    /// towards ½, and with it the shares.
    fn solved(self) -> Self {
        let wanted = score_of_elo(self.elo);
        let mean = |strength: f64| {
            let games = [strength + self.bias, strength - self.bias];
            games.map(score_of_elo).iter().sum::<f64>() / 2.0
        };
        // So far out the game against the bias alone gives the wanted score.
        let reach = self.elo.abs() + self.bias.abs();
        let (mut low, mut high) = (-reach, reach);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if mean(middle) < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        let [first, second] = [low + self.bias, low - self.bias].map(|elo| self.game(elo));
        let mut shares = [0.0; 5];
        for (i, a) in first.iter().enumerate() {
            for (j, b) in second.iter().enumerate() {
                shares[i + j] += a * b;
            }
        }
        Self { shares, ..self }
    }

    /// The chances of a loss, a draw and a win.
    fn game(&self, elo: f64) -> [f64; 3] {
        let score = score_of_elo(elo);
        let draw = 4.0 * self.draws * score * (1.0 - score);
        let win = score - draw / 2.0;
        [1.0 - win - draw, draw, win]
    }
}

/// The half points of the first engine in a pair.
impl Distribution<u32> for PairModel {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u32 {
        let mut left: f64 = rng.random();
        let passed = self.shares[..4].iter().take_while(|&&share| {
            left -= share;
            left >= 0.0
        });
        passed.count() as u32
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    use super::*;
    use crate::stats::Pentanomial;

    #[test]
    fn balanced_openings_without_draws_are_two_independent_games() {
        let shares = PairModel::new(0.0).shares();
        for (share, expected) in shares.iter().zip([0.25, 0.0, 0.5, 0.0, 0.25]) {
            assert!((share - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn draws_fade_as_the_mean_score_nears_its_ends() {
        for elo in [0.0, -100.0, 300.0] {
            let score = score_of_elo(elo);
            let draw = 0.3 * (4.0 * score * (1.0 - score));
            let (win, loss) = (score - draw / 2.0, 1.0 - score - draw / 2.0);
            let expected = [
                loss * loss,
                2.0 * loss * draw,
                2.0 * loss * win + draw * draw,
                2.0 * draw * win,
                win * win,
            ];
            let shares = PairModel::new(elo).draws(0.3).shares();
            for (share, expected) in shares.iter().zip(expected) {
                assert!((share - expected).abs() < 1e-12, "{elo}: {shares:?}");
            }
        }
    }

    #[test]
    fn bias_makes_the_games_of_a_pair_cancel() {
        let split = |bias| PairModel::new(0.0).opening_bias(bias).shares()[2];
        assert!(split(0.0) < split(100.0) && split(100.0) < split(400.0));
        assert!(split(2000.0) > 0.99);
    }

    #[test]
    fn the_mean_score_is_that_of_the_elo() {
        for (elo, draws, bias) in [
            (0.0, 0.0, 0.0),
            (800.0, 0.0, 0.0),
            (30.0, 0.05, 120.0),
            (-250.0, 0.5, 400.0),
        ] {
            let shares = PairModel::new(elo).draws(draws).opening_bias(bias).shares();
            let mean: f64 = (0..5).map(|i| shares[i] * i as f64 / 4.0).sum();
            assert!(
                (mean - score_of_elo(elo)).abs() < 1e-9,
                "{elo} {draws} {bias}"
            );
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn pairs_come_by_their_shares() {
        let model = PairModel::new(50.0).draws(0.1).opening_bias(100.0);
        let rng = Pcg64::seed_from_u64(1);
        let pairs: Pentanomial = model.sample_iter(rng).take(100_000).collect();
        for (count, share) in pairs.counts().into_iter().zip(model.shares()) {
            let deviation = (share * (1.0 - share) * 1e5).sqrt();
            assert!(
                (count as f64 - share * 1e5).abs() < 4.0 * deviation,
                "{pairs:?}"
            );
        }
    }
}
