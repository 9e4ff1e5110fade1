//! The rating of a person who solves puzzles, by Glicko (Glickman, "Parameter estimation in large dynamic paired
//! comparison experiments", Applied Statistics 48, 1999).

use std::f64::consts::{LN_10, PI};

use serde::{Deserialize, Serialize};

/// The least deviation, with which a rating still follows a person who improves.
const MIN_DEVIATION: f64 = 50.0;

/// A rating with its deviation.
///
/// # Examples
///
/// ```
/// use othello_analysis::Skill;
///
/// let puzzle = Skill { rating: 1600.0, deviation: 100.0 };
/// let mut person = Skill::default();
/// person.update(&[(puzzle, true)]);
/// assert!(person.rating > 1600.0 && person.deviation < 350.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// The rating: 400 more are ten times the odds.
    pub rating: f64,
    /// The standard deviation of the rating.
    pub deviation: f64,
}

impl Default for Skill {
    /// An unknown person.
    fn default() -> Self {
        Self {
            rating: 1500.0,
            deviation: 350.0,
        }
    }
}

impl Skill {
    /// Takes puzzles and whether they were solved into account.
    pub fn update(&mut self, results: &[(Self, bool)]) {
        const Q: f64 = LN_10 / 400.0;
        let (mut information, mut surplus) = (0.0, 0.0);
        for (puzzle, is_solved) in results {
            let weight = 1.0 / (1.0 + 3.0 * (Q * puzzle.deviation / PI).powi(2)).sqrt();
            let difference = Q * weight * (self.rating - puzzle.rating);
            let expected = 1.0 / (1.0 + (-difference).exp());
            information += (Q * weight).powi(2) * expected * (1.0 - expected);
            surplus += weight * (f64::from(u8::from(*is_solved)) - expected);
        }
        let precision = self.deviation.powi(-2) + information;
        self.rating += Q / precision * surplus;
        self.deviation = precision.powf(-0.5).max(MIN_DEVIATION);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_example_comes_out() {
        let mut skill = Skill {
            rating: 1500.0,
            deviation: 200.0,
        };
        let results = [
            (1400.0, 30.0, true),
            (1550.0, 100.0, false),
            (1700.0, 300.0, false),
        ];
        let results = results.map(|(rating, deviation, won)| (Skill { rating, deviation }, won));
        skill.update(&results);
        assert!((skill.rating - 1464.0).abs() < 0.5, "{skill:?}");
        assert!((skill.deviation - 151.4).abs() < 0.1, "{skill:?}");
    }
}
