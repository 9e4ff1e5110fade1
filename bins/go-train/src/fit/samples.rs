//! Competitions over the features and surroundings of moves.

use std::{collections::BTreeMap, iter, ops::Range};

use go_core::Pattern;
use go_search::{
    Weights,
    learn::{Surroundings, WeighedMove},
};

use super::{Evaluation, FitOptions};
use crate::mm::{Competitions, Fitter, Team};

/// Competitions over features and surroundings. The weights of surroundings come after those of the features, in the
/// order in which they are seen.
pub(crate) struct Samples {
    competitions: Competitions,
    /// Competitions not used for the fit. Surroundings that occur only here have the weight of the smaller ones.
    held_out: Competitions,
    /// The number of features.
    features: usize,
    surroundings: BTreeMap<Surroundings, Seen>,
}

/// The weights of [`Samples`].
pub(crate) struct Fitted {
    /// The weights of features.
    pub(crate) weights: Vec<f32>,
    /// The weights of patterns and shapes, each including those inside it.
    pub(crate) surroundings: BTreeMap<Surroundings, f32>,
    pub(crate) evaluation: Evaluation,
}

impl Fitted {
    /// Iterates over the patterns that have a weight, with the weight to a power.
    pub(crate) fn patterns(&self, power: f32) -> impl Iterator<Item = (Pattern, f32)> {
        let weights = self.surroundings.iter();
        weights.filter_map(move |(&key, &weight)| match key {
            Surroundings::Pattern(code) => {
                Some((Pattern::from_code(code), readable(weight.powf(power))))
            }
            Surroundings::Shape(_) => None,
        })
    }
}

/// A pattern or shape among the moves of the games.
struct Seen {
    place: u16,
    /// The number of times that it was seen in games that are fitted to.
    count: u32,
    /// The largest one inside it.
    smaller: Option<Surroundings>,
}

impl Samples {
    /// Creates an empty set of competitions over a number of features.
    pub(crate) fn new(features: usize) -> Self {
        Self {
            competitions: Competitions::default(),
            held_out: Competitions::default(),
            features,
            surroundings: BTreeMap::new(),
        }
    }

    /// Returns the team of a move, and counts its surroundings as seen unless held out.
    pub(crate) fn team(&mut self, mv: &WeighedMove, chosen: f32, held_out: bool) -> Team {
        let mut features: Vec<u16> = mv.features.iter().map(|&it| u16::from(it)).collect();
        let mut smaller = None;
        for &surroundings in &mv.surroundings {
            let fresh = Seen {
                place: u16::try_from(self.features + self.surroundings.len())
                    .expect("fewer than 65,536 features"),
                count: 0,
                smaller,
            };
            let seen = self.surroundings.entry(surroundings).or_insert(fresh);
            seen.count += u32::from(!held_out);
            features.push(seen.place);
            smaller = Some(surroundings);
        }
        Team { features, chosen }
    }

    /// Adds the competition of a position.
    pub(crate) fn add(&mut self, teams: Vec<Team>, held_out: bool) -> anyhow::Result<()> {
        let competitions = if held_out {
            &mut self.held_out
        } else {
            &mut self.competitions
        };
        competitions.add(teams)
    }

    /// Fits the weights of groups of features and those of the surroundings. The initial weights are `start`, then 1;
    /// weights without a group do not change. The weight of a shape is a factor on that of the smaller one inside it,
    /// so a rare shape weighs about as much as the smaller one.
    pub(crate) fn fit(
        &self,
        start: &[f32],
        groups: &[Range<usize>],
        options: &FitOptions,
    ) -> Fitted {
        let end = self.features + self.surroundings.len();
        let mut weights = start.to_vec();
        weights.resize(end, 1.0);
        let group_of = self.groups(groups, end, options.min_count);
        let mut fitter = Fitter::new(&self.competitions, weights, &group_of, options.prior);
        for _ in 0..options.rounds {
            fitter.improve();
        }
        let weights = fitter.into_weights();
        let surroundings = self.surroundings.keys();
        Fitted {
            surroundings: surroundings
                .map(|&key| (key, self.product(key, &weights)))
                .collect(),
            evaluation: Evaluation {
                fitted: self.competitions.likelihood(&weights),
                held_out: (!self.held_out.is_empty()).then(|| self.held_out.likelihood(&weights)),
            },
            weights,
        }
    }

    /// Returns the group of each feature: a given one, or that of surroundings of its size. Patterns seen fewer than
    /// `min_count` times have none.
    fn groups(&self, groups: &[Range<usize>], end: usize, min_count: u32) -> Vec<Option<u8>> {
        let mut group_of = vec![None; end];
        for (number, group) in (0..).zip(groups) {
            group_of[group.clone()].fill(Some(number));
        }
        let is_rare = |key: &Surroundings, seen: &Seen| {
            matches!(key, Surroundings::Pattern(_)) && seen.count < min_count
        };
        for (&key, seen) in &self.surroundings {
            if is_rare(&key, seen) {
                continue;
            }
            group_of[usize::from(seen.place)] =
                Some((groups.len() + self.inside(key).count() - 1) as u8);
        }
        group_of
    }

    /// Iterates over surroundings and those inside them, the largest first.
    fn inside(&self, key: Surroundings) -> impl Iterator<Item = &Seen> {
        iter::successors(self.surroundings.get(&key), |seen| {
            seen.smaller
                .and_then(|smaller| self.surroundings.get(&smaller))
        })
    }

    /// Returns the product of the weights of surroundings and of those inside them.
    fn product(&self, key: Surroundings, weights: &[f32]) -> f32 {
        let weights = self
            .inside(key)
            .map(|seen| weights[usize::from(seen.place)]);
        weights.product()
    }
}

/// Returns the nearest weight that can be read back, to five digits.
pub(crate) fn readable(weight: f32) -> f32 {
    let weight = weight.clamp(*Weights::RANGE.start(), *Weights::RANGE.end());
    let rounded = format!("{weight:.4e}").parse();
    rounded.expect("a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_shape_weighs_like_the_smaller_one() {
        let mut samples = Samples::new(0);
        let mv = |surroundings: &[Surroundings]| WeighedMove {
            point: "A1".parse().unwrap(),
            surroundings: surroundings.to_vec(),
            features: Vec::new(),
        };
        let (one, other) = (Surroundings::Pattern(1), Surroundings::Pattern(2));
        for number in 0..200 {
            // In two of these the moves are in known shapes, too.
            let shape = (number < 2).then_some(Surroundings::Shape(0));
            let inside: Vec<_> = [one].into_iter().chain(shape).collect();
            let teams = [
                samples.team(&mv(&inside), 0.75, false),
                samples.team(&mv(&[other]), 0.25, false),
            ];
            samples.add(teams.to_vec(), false).unwrap();
        }
        let fitted = samples.fit(&[], &[], &FitOptions::default());
        let weight = |key| fitted.surroundings[&key];
        let ratio = weight(Surroundings::Shape(0)) / weight(one);
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
        assert!((weight(one) / weight(other) - 3.0).abs() < 0.2);
    }
}
