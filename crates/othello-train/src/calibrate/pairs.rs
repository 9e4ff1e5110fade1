//! Shallow searches beside deep ones.

use super::Observation;

/// What a shallow search said, and by how much it was wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The discs on the board.
    pub discs: u32,
    /// The depth of the shallow search.
    pub shallow: u32,
    /// The depth of the deep one; of a search to the end, the empty squares.
    pub deep: u32,
    /// The deep value less the shallow one, in discs.
    pub difference: f64,
}

/// All pairs of the observations, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pairs {
    /// Of two depths short of the end.
    pub midgame: Vec<Pair>,
    /// Of a depth and the end.
    pub end: Vec<Pair>,
}

/// The shallow depth for a deep one: near a half of it, of the same parity (Edax's choice).
///
/// # Examples
///
/// ```
/// use othello_train::calibrate::shallow_depth;
///
/// assert_eq!([3, 4, 8, 9, 12, 14, 15].map(shallow_depth), [1, 2, 4, 5, 6, 6, 7]);
/// ```
pub const fn shallow_depth(deep: u32) -> u32 {
    deep / 4 * 2 + deep % 2
}

/// The least deep search that is of use.
const LEAST_DEEP: u32 = 3;

impl Pairs {
    /// The pairs of these observations: of equal parity, and not far from the shallow depth
    /// that goes with the deep one.
    pub fn of(observations: &[Observation]) -> Self {
        let mut pairs = Self::default();
        for observation in observations {
            pairs.add(observation);
        }
        pairs
    }

    fn add(&mut self, observation: &Observation) {
        let Observation {
            position,
            values,
            exact,
        } = observation;
        let empties = position.empties().count();
        let value = |depth: u32| f64::from(values[depth as usize].discs());
        let pair = |shallow, deep, deep_value: f64| Pair {
            discs: 64 - empties,
            shallow,
            deep,
            difference: deep_value - value(shallow),
        };
        let searched = values.len() as u32 - 1;
        for deep in LEAST_DEEP..=searched {
            let with = near(deep).filter(|&shallow| shallow <= deep - 2);
            let pairs = with.map(|shallow| pair(shallow, deep, value(deep)));
            self.midgame.extend(pairs);
        }
        if let Some(score) = exact {
            let discs = f64::from(score.discs());
            let depths = (1..=searched).filter(|shallow| shallow % 2 == empties % 2);
            self.end
                .extend(depths.map(|shallow| pair(shallow, empties, discs)));
        }
    }
}

/// The shallow depths that pairs are made of, so that the fit can tell the two depths apart.
fn near(deep: u32) -> impl Iterator<Item = u32> {
    let middle = shallow_depth(deep);
    [middle.saturating_sub(2), middle, middle + 2]
        .into_iter()
        .filter(move |&shallow| shallow > 0 && shallow % 2 == deep % 2)
}

#[cfg(test)]
mod tests {
    use othello_core::{Position, Score};
    use othello_search::Evaluation;

    use super::*;

    fn observation(depth: i32, exact: Option<Score>) -> Observation {
        let values = (0..=depth).map(|depth| Evaluation::from_units(depth * Evaluation::DISC));
        Observation {
            position: Position::START,
            values: values.collect(),
            exact,
        }
    }

    #[test]
    fn pairs_are_of_equal_parity_and_near_the_middle() {
        let pairs = Pairs::of(&[observation(8, None)]);
        let depths = |pair: &Pair| (pair.deep, pair.shallow);
        let depths: Vec<_> = pairs.midgame.iter().map(depths).collect();
        let expected = [
            (3, 1),
            (4, 2),
            (5, 1),
            (5, 3),
            (6, 2),
            (6, 4),
            (7, 1),
            (7, 3),
            (7, 5),
            (8, 2),
            (8, 4),
            (8, 6),
        ];
        assert_eq!(depths, expected);
        for pair in &pairs.midgame {
            let expected = Pair {
                discs: 4,
                difference: f64::from(pair.deep - pair.shallow),
                ..*pair
            };
            assert_eq!(*pair, expected);
        }
        assert_eq!(pairs.end, []);
    }

    #[test]
    fn the_end_is_as_deep_as_there_are_empty_squares() {
        let score = Score::new(-6).unwrap();
        let pairs = Pairs::of(&[observation(5, Some(score))]);
        let pair = |shallow| Pair {
            discs: 4,
            shallow,
            deep: 60,
            difference: -6.0 - f64::from(shallow),
        };
        assert_eq!(pairs.end, [2, 4].map(pair));
    }
}
