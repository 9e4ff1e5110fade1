//! Pairs of values of a position at two depths.

use othello_search::selectivity::{MIN_DEPTH, mobility, shallow_depth};

use super::Observation;

/// The error of a shallow search relative to a deep one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    /// The discs on the board.
    pub(crate) discs: u32,
    /// The depth of the shallow search. For the static evaluation, the parity of the deep depth, 0 or
    /// 1: which side moves last matters more than the depth.
    pub(crate) shallow: u32,
    /// The depth of the deep search; for a search to the end, the number of empty squares.
    pub(crate) deep: u32,
    /// The number of legal moves of both sides.
    pub(crate) mobility: u32,
    /// The deep value minus the shallow one, in discs.
    pub(crate) difference: f64,
}

/// The pairs of a list of observations, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pairs {
    /// Two depths, neither of which reaches the end.
    pub(crate) midgame: Vec<Pair>,
    /// A depth and the end.
    pub(crate) end: Vec<Pair>,
    /// The static evaluation and a depth that does not reach the end.
    pub(crate) static_midgame: Vec<Pair>,
    /// The static evaluation and the end.
    pub(crate) static_end: Vec<Pair>,
}

impl Pairs {
    /// Creates the pairs of observations: depths of equal parity, with the shallow depth close to
    /// ProbCut's for the deep one.
    pub(crate) fn of(observations: &[Observation]) -> Self {
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
        let mobility = mobility(*position);
        let value = |depth: u32| f64::from(values[depth as usize].discs());
        let of = |shallow, base, deep, deep_value: f64| Pair {
            discs: 64 - empties,
            shallow,
            deep,
            mobility,
            difference: deep_value - value(base),
        };
        let searched = |shallow, deep, value| of(shallow, shallow, deep, value);
        let evaluated = |deep, value| of(deep % 2, 0, deep, value);
        let deepest = values.len() as u32 - 1;
        for deep in MIN_DEPTH..=deepest {
            let middle = shallow_depth(deep);
            let depths = near(middle.saturating_sub(2), middle + 2, deep);
            let pairs = depths.filter(|&shallow| shallow <= deep - 2);
            let pairs = pairs.map(|shallow| searched(shallow, deep, value(deep)));
            self.midgame.extend(pairs);
            self.static_midgame.push(evaluated(deep, value(deep)));
        }
        if let Some(score) = exact {
            let discs = f64::from(score.discs());
            let middle = shallow_depth(empties);
            let depths = near(middle.saturating_sub(4), deepest.min(middle + 2), empties);
            let pairs = depths.map(|shallow| searched(shallow, empties, discs));
            self.end.extend(pairs);
            self.static_end.push(evaluated(empties, discs));
        }
    }
}

/// The shallow depths in a range that are paired with a deep one. Several are used, not only
/// ProbCut's, so that the fit can separate the effects of the two depths.
fn near(from: u32, to: u32, deep: u32) -> impl Iterator<Item = u32> {
    (from.max(1)..=to).filter(move |shallow| shallow % 2 == deep % 2)
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
    fn pairs_have_equal_parity_and_a_shallow_depth_near_that_of_probcut() {
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
                mobility: 8,
                difference: f64::from(pair.deep - pair.shallow),
                ..*pair
            };
            assert_eq!(*pair, expected);
        }
        assert_eq!((pairs.end, pairs.static_end), (Vec::new(), Vec::new()));
        let parity = |pair: &Pair| (pair.deep, pair.shallow, pair.difference as u32);
        let of: Vec<_> = pairs.static_midgame.iter().map(parity).collect();
        assert_eq!(of[..3], [(3, 1, 3), (4, 0, 4), (5, 1, 5)]);
    }

    #[test]
    fn the_depth_of_the_end_is_the_number_of_empty_squares() {
        let score = Score::new(-6).unwrap();
        let pairs = Pairs::of(&[observation(33, Some(score))]);
        let pair = |shallow: u32| Pair {
            discs: 4,
            shallow,
            deep: 60,
            mobility: 8,
            difference: -6.0 - f64::from(shallow),
        };
        assert_eq!(pairs.end, [26, 28, 30, 32].map(pair));
        let alone = Pair {
            difference: -6.0,
            ..pair(0)
        };
        assert_eq!(pairs.static_end, [alone]);
    }
}
