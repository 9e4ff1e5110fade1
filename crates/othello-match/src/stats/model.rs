//! Matches whose truth is known.

use super::{elo::ELO_PER_LOGIT, score_of_elo};

/// A model of opening pairs between two engines whose Elo difference is known, for simulations.
///
/// An opening favours one colour by so many Elo, so the first engine is favoured in one game of
/// the pair and hindered in the other; given that, the two games are independent. The games of a
/// pair are therefore negatively correlated, as in real matches from unbalanced openings.
///
/// ```
/// # use othello_match::stats::PairModel;
/// let model = PairModel::new(30.0).draws(0.05).opening_bias(120.0);
/// let mean: f64 = (0..5).map(|i| model.shares()[i] * i as f64 / 4.0).sum();
/// assert!((othello_match::stats::elo_of_score(mean) - 30.0).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairModel {
    elo: f64,
    draws: f64,
    bias: f64,
    shares: [f64; 5],
}

impl PairModel {
    /// The first engine is `elo` stronger; nothing is drawn, and the openings are balanced.
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

    /// The same with openings that are worth so many Elo to one colour.
    #[must_use]
    pub fn opening_bias(self, bias: f64) -> Self {
        Self { bias, ..self }.solved()
    }

    /// The chances that a pair gives the first engine 0, 1, 2, 3 or 4 half points.
    #[must_use]
    pub const fn shares(&self) -> [f64; 5] {
        self.shares
    }

    /// The half points of the first engine in the pair that a number, drawn uniformly from 0 to
    /// 1, stands for.
    pub fn half_points(&self, uniform: f64) -> u32 {
        let mut left = uniform;
        let above = self.shares[..4].iter().take_while(|&&share| {
            left -= share;
            left >= 0.0
        });
        above.count() as u32
    }

    /// Finds the strength that gives the wanted mean score, which the bias would else draw
    /// towards ½, and with it the shares.
    fn solved(self) -> Self {
        let wanted = score_of_elo(self.elo);
        let mean = |strength: f64| {
            let games = [strength + self.bias, strength - self.bias];
            games.map(score_of_elo).iter().sum::<f64>() / 2.0
        };
        let reach = self.elo.abs() + self.bias.abs() + ELO_PER_LOGIT;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balanced_openings_without_draws_are_two_independent_games() {
        let shares = PairModel::new(0.0).shares();
        for (share, expected) in shares.iter().zip([0.25, 0.0, 0.5, 0.0, 0.25]) {
            assert!((share - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn bias_makes_the_games_of_a_pair_cancel() {
        let split = |bias| PairModel::new(0.0).opening_bias(bias).shares()[2];
        assert!(split(0.0) < split(100.0) && split(100.0) < split(400.0));
        assert!(split(2000.0) > 0.99);
    }

    #[test]
    fn numbers_stand_for_pairs_by_their_shares() {
        let model = PairModel::new(0.0);
        let pairs = [0.0, 0.24, 0.26, 0.74, 0.76, 0.999].map(|u| model.half_points(u));
        assert_eq!(pairs, [0, 0, 2, 2, 4, 4]);
    }
}
