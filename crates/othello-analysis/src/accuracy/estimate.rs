//! Means over the moves of many games, with confidence intervals.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF as _, StudentsT};

use crate::{Discs, MISTAKE};

/// The confidence of the intervals.
const CONFIDENCE: f64 = 0.95;

/// The accuracy of a move that loses nothing.
const FULL: f64 = 10_000.0;

/// The sums over some moves of one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameSums {
    /// The number of moves.
    pub moves: u32,
    /// The sum of their losses.
    pub loss: Discs,
    /// The number of moves that lose nothing.
    pub best_moves: u32,
    /// The number of moves that lose [`MISTAKE`] or more.
    pub mistakes: u32,
    /// The sum of their accuracies, in hundredths of a percent: a move that loses nothing has 100 %, and each
    /// [`MISTAKE`] that it loses halves that.
    pub accuracy: u32,
}

impl FromIterator<Discs> for GameSums {
    /// Adds up the losses of moves.
    fn from_iter<I: IntoIterator<Item = Discs>>(losses: I) -> Self {
        let mut sums = Self::default();
        for loss in losses {
            sums.moves += 1;
            sums.loss = sums.loss + loss;
            sums.best_moves += u32::from(loss == Discs::ZERO);
            sums.mistakes += u32::from(loss >= MISTAKE);
            let halvings = loss.to_f64() / MISTAKE.to_f64();
            sums.accuracy += (FULL * (-halvings).exp2()).round() as u32;
        }
        sums
    }
}

/// The accuracy of moves over many games.
///
/// The means are taken over all moves, but the moves of one game count as one observation, since they are not
/// independent: the intervals are Student's for a ratio of two sums over games (Cochran, Sampling Techniques, 3rd
/// edition, 1977, section 6.4).
///
/// # Examples
///
/// ```
/// use othello_analysis::{Accuracy, Discs};
///
/// let mut accuracy = Accuracy::default();
/// for losses in [[0, 4], [0, 0], [2, 0]] {
///     accuracy.add(losses.into_iter().map(Discs::whole).collect());
/// }
/// let row = accuracy.row();
/// assert_eq!((row.games, row.moves), (3, 6));
/// assert_eq!(row.mean_loss.value, 1.0);
/// assert_eq!(row.best_moves.value, 4.0 / 6.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    games: u32,
    moves: f64,
    /// The sum of squared numbers of moves.
    moves_squared: f64,
    loss: Sums,
    best_moves: Sums,
    mistakes: Sums,
    kept: Sums,
}

/// Sums over games of a quantity of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    total: f64,
    squared: f64,
    /// The sum of the products with the numbers of moves.
    by_moves: f64,
}

/// The figures for the accuracy of moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The number of games.
    pub games: u32,
    /// The number of moves.
    pub moves: u64,
    /// The mean loss of a move in discs.
    pub mean_loss: Estimate,
    /// The share of moves that lose nothing, from 0 to 1.
    pub best_moves: Estimate,
    /// The share of moves that lose [`MISTAKE`] or more, from 0 to 1.
    pub mistakes: Estimate,
    /// The mean accuracy of a move, from 0 to 1; see [`GameSums::accuracy`].
    pub accuracy: Estimate,
}

/// An estimate with its confidence interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The interval, clipped to the possible values. `None` for a single game, or for games that are all alike, which
    /// do not show how games differ.
    pub interval: Option<[f64; 2]>,
}

impl Accuracy {
    /// Adds a game. One without moves does not count.
    pub fn add(&mut self, game: GameSums) {
        if game.moves == 0 {
            return;
        }
        let moves = f64::from(game.moves);
        self.games += 1;
        self.moves += moves;
        self.moves_squared += moves * moves;
        self.loss.add(game.loss.to_f64(), moves);
        self.best_moves.add(f64::from(game.best_moves), moves);
        self.mistakes.add(f64::from(game.mistakes), moves);
        self.kept.add(f64::from(game.accuracy) / FULL, moves);
    }

    /// The number of games.
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// The estimates.
    pub fn row(&self) -> Row {
        Row {
            games: self.games,
            moves: self.moves as u64,
            mean_loss: self.per_move(&self.loss, f64::INFINITY),
            best_moves: self.per_move(&self.best_moves, 1.0),
            mistakes: self.per_move(&self.mistakes, 1.0),
            accuracy: self.per_move(&self.kept, 1.0),
        }
    }

    /// Returns the ratio of a sum to the number of moves, clipped to 0 to `max`.
    fn per_move(&self, sums: &Sums, max: f64) -> Estimate {
        let value = sums.total / self.moves.max(1.0);
        // The squared distances of the games' sums from those expected by their numbers of moves.
        let squares =
            sums.squared - 2.0 * value * sums.by_moves + value * value * self.moves_squared;
        // Anything less is a rounding error.
        let is_spread = squares > 1e-9 * sums.squared;
        let interval = (self.games > 1 && is_spread).then(|| {
            let games = f64::from(self.games);
            let error = (squares * games / (games - 1.0)).sqrt() / self.moves;
            let margin = student_quantile(games - 1.0) * error;
            [(value - margin).max(0.0), (value + margin).min(max)]
        });
        Estimate { value, interval }
    }
}

impl Sums {
    fn add(&mut self, quantity: f64, moves: f64) {
        self.total += quantity;
        self.squared += quantity * quantity;
        self.by_moves += quantity * moves;
    }
}

/// The half-width of an interval in standard errors, by the degrees of freedom.
fn student_quantile(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom)
        .expect("the degrees of freedom are positive")
        .inverse_cdf(f64::midpoint(1.0, CONFIDENCE))
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Sums of small whole numbers are exact.
mod tests {
    use rand::RngExt as _;
    use rand_pcg::Pcg64;

    use super::*;

    fn game(moves: u32, loss: i32) -> GameSums {
        GameSums {
            moves,
            loss: Discs::whole(loss),
            ..GameSums::default()
        }
    }

    fn mean_loss(games: &[GameSums]) -> Estimate {
        let mut accuracy = Accuracy::default();
        for &game in games {
            accuracy.add(game);
        }
        accuracy.row().mean_loss
    }

    #[test]
    fn losses_are_counted_as_best_moves_and_mistakes() {
        let losses = [0, 299, 300, 0, 1].map(Discs::from_hundredths);
        let expected = GameSums {
            moves: 5,
            loss: Discs::from_hundredths(600),
            best_moves: 2,
            mistakes: 1,
            // 100, 50.12, 50, 100 and 99.77 %.
            accuracy: 39_989,
        };
        assert_eq!(losses.into_iter().collect::<GameSums>(), expected);
    }

    /// With as many moves in each game it is the interval of a mean: 1, 2 and 6 discs in 10 moves have the mean 3 and
    /// the deviation √7, and the 97.5 % point of t for 2 degrees of freedom is 4.3027.
    #[test]
    fn games_of_equal_length_have_the_interval_of_a_mean() {
        let estimate = mean_loss(&[game(10, 1), game(10, 2), game(10, 6)]);
        assert!((estimate.value - 0.3).abs() < 1e-12);
        let [low, high] = estimate.interval.unwrap();
        let expected = 4.3027 * (7.0_f64 / 3.0).sqrt() / 10.0;
        assert!((high - 0.3 - expected).abs() < 1e-4);
        assert_eq!(low, 0.0);
    }

    #[test]
    fn games_that_do_not_tell_how_games_differ_have_no_interval() {
        assert_eq!(mean_loss(&[game(30, 15)]).interval, None);
        let alike = mean_loss(&[game(30, 15), game(20, 10), game(10, 5)]);
        assert_eq!((alike.value, alike.interval), (0.5, None));
        assert_eq!(mean_loss(&[game(0, 0)]).value, 0.0);
        let mut accuracy = Accuracy::default();
        accuracy.add(game(0, 0));
        assert_eq!(accuracy.games(), 0);
    }

    /// A player loses more in some games than in others, so the moves of a game depend on each other.
    #[test]
    fn intervals_have_the_mean_as_often_as_they_say() {
        let mut random = Pcg64::new(1, 2);
        let trials = 2000;
        let covered = (0..trials).filter(|_| {
            let mut accuracy = Accuracy::default();
            for _ in 0..20 {
                // From 0 to 2 discs a move, 1 on average.
                let level = random.random_range(0..=200);
                let moves = random.random_range(20..=30);
                let losses = (0..moves).map(|_| random.random_range(0..=2 * level));
                accuracy.add(losses.map(Discs::from_hundredths).collect());
            }
            let [low, high] = accuracy.row().mean_loss.interval.unwrap();
            (low..=high).contains(&1.0)
        });
        let share = covered.count() as f64 / f64::from(trials);
        assert!((0.93..0.97).contains(&share), "{share}");
    }
}
