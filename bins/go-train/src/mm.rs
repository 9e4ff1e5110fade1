//! Fitting of weights by minorization–maximization.
//!
//! The choice of a move is a competition of teams: a move's strength is the product of the weights of its features, and
//! the chance that it is chosen is its share of the sum over all moves (R. Coulom, Computing Elo Ratings of Move
//! Patterns in the Game of Go, 2007).

use anyhow::Context as _;

/// A move in a competition: its features, at most one of each group, and the share of choices that went to it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Team {
    /// The features, as places in the table of weights.
    pub(crate) features: Vec<u16>,
    /// The share of choices, 0 to 1. The shares of a competition sum to 1, or to less if something else was also
    /// chosen.
    pub(crate) chosen: f32,
}

/// The likelihood of the choices in competitions, by some weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likelihood {
    /// The number of competitions.
    pub(crate) competitions: usize,
    /// The mean natural logarithm of the chance of the choice.
    pub(crate) mean_log: f64,
    /// The share of competitions in which the strongest team was chosen most, 0 to 1.
    pub top1_accuracy: f64,
}

/// Competitions, with their teams stored in a few large arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Competitions {
    features: Vec<u16>,
    /// The end of each team's features.
    team_ends: Vec<u32>,
    chosen: Vec<f32>,
    /// The end of each competition's teams.
    ends: Vec<u32>,
}

impl Competitions {
    /// Adds a competition. One with fewer than two teams is left out.
    pub(crate) fn add(&mut self, teams: impl IntoIterator<Item = Team>) -> anyhow::Result<()> {
        let before = self.team_ends.len();
        for team in teams {
            self.features.extend(&team.features);
            self.team_ends.push(end(self.features.len())?);
            self.chosen.push(team.chosen);
        }
        if self.team_ends.len() < before + 2 {
            self.team_ends.truncate(before);
            self.chosen.truncate(before);
            self.features
                .truncate(self.team_ends.last().map_or(0, |&end| end as usize));
        } else {
            self.ends.push(end(self.team_ends.len())?);
        }
        Ok(())
    }

    /// Returns the number of competitions.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn teams(&self, competition: usize) -> std::ops::Range<usize> {
        let begin = competition.checked_sub(1).map_or(0, |it| self.ends[it]);
        begin as usize..self.ends[competition] as usize
    }

    fn features(&self, team: usize) -> &[u16] {
        let begin = team.checked_sub(1).map_or(0, |it| self.team_ends[it]);
        &self.features[begin as usize..self.team_ends[team] as usize]
    }

    fn strength(&self, team: usize, weights: &[f32]) -> f32 {
        self.features(team)
            .iter()
            .map(|&feature| weights[usize::from(feature)])
            .product()
    }

    /// Returns the likelihood of the choices by the weights.
    pub(crate) fn likelihood(&self, weights: &[f32]) -> Likelihood {
        let (mut logarithms, mut hits) = (0.0, 0);
        for competition in 0..self.len() {
            let teams = self.teams(competition);
            let strengths: Vec<f32> = teams
                .clone()
                .map(|team| self.strength(team, weights))
                .collect();
            let total: f32 = strengths.iter().sum();
            for (team, strength) in teams.clone().zip(&strengths) {
                let chosen = self.chosen[team];
                if chosen > 0.0 {
                    logarithms += f64::from(chosen) * f64::from(strength / total).ln();
                }
            }
            let strongest = largest(strengths.iter().copied());
            let favourite = largest(teams.map(|team| self.chosen[team]));
            hits += u32::from(strongest == favourite);
        }
        let count = self.len().max(1) as f64;
        Likelihood {
            competitions: self.len(),
            mean_log: logarithms / count,
            top1_accuracy: f64::from(hits) / count,
        }
    }
}

/// Returns the length of a list as an end offset.
fn end(length: usize) -> anyhow::Result<u32> {
    u32::try_from(length)
        .context("expected fewer than 2^32 features of all moves together; fit fewer games")
}

/// Weights that are improved step by step, with the strengths of all teams.
#[derive(Clone, Debug)]
pub(crate) struct Fitter<'a> {
    competitions: &'a Competitions,
    /// The number of virtual wins, and of virtual losses, that each feature starts with against a team of strength 1.
    prior: f32,
    weights: Vec<f32>,
    groups: Vec<Group>,
    /// By feature, the sum of its teams' shares of choices, plus `prior`.
    wins: Vec<f64>,
    strengths: Vec<f32>,
    /// By competition, the sum of the strengths of its teams.
    totals: Vec<f64>,
}

/// A group of features; each team has at most one of them.
#[derive(Clone, Debug, Default)]
struct Group {
    features: Vec<u16>,
    /// The teams that have one, in ascending order.
    teams: Vec<u32>,
    /// The feature of each of these teams.
    of_teams: Vec<u16>,
}

impl Group {
    /// Iterates over the teams with their features and competition numbers; `ends` are the ends of the competitions.
    fn members<'a>(&'a self, ends: &'a [u32]) -> impl Iterator<Item = Member> + 'a {
        let mut competition = 0;
        self.teams
            .iter()
            .zip(&self.of_teams)
            .map(move |(&team, &feature)| {
                while ends[competition] <= team {
                    competition += 1;
                }
                Member {
                    team: team as usize,
                    competition,
                    feature: usize::from(feature),
                }
            })
    }
}

/// A team of a [`Group`].
#[derive(Clone, Copy, Debug)]
struct Member {
    team: usize,
    competition: usize,
    feature: usize,
}

impl<'a> Fitter<'a> {
    /// Starts with some weights, one for each feature. `group_of` has the group of each feature, `None` for one with a
    /// fixed weight.
    pub(crate) fn new(
        competitions: &'a Competitions,
        weights: Vec<f32>,
        group_of: &[Option<u8>],
        prior: f32,
    ) -> Self {
        let groups = group_of.iter().flatten().map(|&it| usize::from(it) + 1);
        let mut groups = vec![Group::default(); groups.max().unwrap_or(0)];
        for (feature, group) in (0..).zip(group_of) {
            if let Some(group) = group {
                groups[usize::from(*group)].features.push(feature);
            }
        }
        let mut wins = vec![f64::from(prior); weights.len()];
        for (team, &chosen) in competitions.chosen.iter().enumerate() {
            for &feature in competitions.features(team) {
                wins[usize::from(feature)] += f64::from(chosen);
                if let Some(group) = group_of[usize::from(feature)] {
                    let group = &mut groups[usize::from(group)];
                    group.teams.push(team as u32);
                    group.of_teams.push(feature);
                }
            }
        }
        Self {
            competitions,
            prior,
            weights,
            groups,
            wins,
            strengths: Vec::new(),
            totals: Vec::new(),
        }
    }

    /// Improves the weights of all groups, one after another.
    pub(crate) fn improve(&mut self) {
        // Strengths are updated by factors, whose errors would accumulate.
        let teams = 0..self.competitions.team_ends.len();
        self.strengths = teams
            .map(|team| self.competitions.strength(team, &self.weights))
            .collect();
        let competitions = 0..self.competitions.len();
        self.totals = competitions
            .map(|it| {
                let strengths = self.strengths[self.competitions.teams(it)].iter();
                strengths.copied().map(f64::from).sum()
            })
            .collect();
        for group in 0..self.groups.len() {
            self.improve_group(group);
        }
    }

    /// Improves the weights of one group, with the others held fixed. Sums are `f64`: in `f32`, small terms would be
    /// lost among millions of teams.
    fn improve_group(&mut self, group: usize) {
        let group = &self.groups[group];
        let ends = &self.competitions.ends;
        let mut shares = vec![0.0_f64; self.weights.len()];
        for member in group.members(ends) {
            let strength = f64::from(self.strengths[member.team]);
            shares[member.feature] += strength / self.totals[member.competition];
        }
        // The factor by which each weight grows.
        let mut factors = vec![1.0; self.weights.len()];
        for feature in group.features.iter().copied().map(usize::from) {
            let weight = f64::from(self.weights[feature]);
            let share = shares[feature] / weight + 2.0 * f64::from(self.prior) / (1.0 + weight);
            let improved = (self.wins[feature] / share) as f32;
            factors[feature] = improved / self.weights[feature];
            self.weights[feature] = improved;
        }
        for member in group.members(ends) {
            let strength = &mut self.strengths[member.team];
            let before = *strength;
            *strength *= factors[member.feature];
            self.totals[member.competition] += f64::from(*strength) - f64::from(before);
        }
    }

    /// Returns the weights.
    pub(crate) fn into_weights(self) -> Vec<f32> {
        self.weights
    }
}

fn largest(values: impl Iterator<Item = f32>) -> Option<usize> {
    let by_value = |one: &(usize, f32), other: &(usize, f32)| one.1.total_cmp(&other.1);
    values.enumerate().max_by(by_value).map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(features: &[u16], chosen: f32) -> Team {
        Team {
            features: features.into(),
            chosen,
        }
    }

    /// Returns the weights after many steps from 1.
    fn improved(competitions: &Competitions, group_of: &[Option<u8>], prior: f32) -> Vec<f32> {
        let start = vec![1.0; group_of.len()];
        let mut fitter = Fitter::new(competitions, start, group_of, prior);
        for _ in 0..1000 {
            fitter.improve();
        }
        fitter.into_weights()
    }

    #[test]
    fn weights_become_the_odds() {
        let mut competitions = Competitions::default();
        for _ in 0..100 {
            competitions
                .add([team(&[0], 0.75), team(&[1], 0.25)])
                .unwrap();
        }
        let weights = improved(&competitions, &[Some(0), Some(0)], 0.01);
        assert!((weights[0] / weights[1] - 3.0).abs() < 0.01, "{weights:?}");
        let likelihood = competitions.likelihood(&weights);
        let entropy = 0.75_f64 * 0.75_f64.ln() + 0.25 * 0.25_f64.ln();
        assert!((likelihood.mean_log - entropy).abs() < 1e-3);
        assert!((likelihood.top1_accuracy - 1.0).abs() < 1e-9);
    }

    #[test]
    fn features_are_counted_to_the_last_that_can_be() {
        assert_eq!(end(u32::MAX as usize).unwrap(), u32::MAX);
        end(u32::MAX as usize + 1).unwrap_err();
    }

    #[test]
    fn groups_multiply() {
        // Group one is features 0 and 1, group two 2 and 3; the odds are products.
        let mut competitions = Competitions::default();
        let strength = |one: u16, two: u16| f32::from(1 + one * 3) * f32::from(1 + two);
        let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let total: f32 = pairs.iter().map(|&(one, two)| strength(one, two)).sum();
        for _ in 0..50 {
            competitions
                .add(pairs.map(|(one, two)| team(&[one, 2 + two], strength(one, two) / total)))
                .unwrap();
        }
        let weights = improved(&competitions, &[Some(0), Some(0), Some(1), Some(1)], 0.001);
        assert!((weights[1] / weights[0] - 4.0).abs() < 0.02, "{weights:?}");
        assert!((weights[3] / weights[2] - 2.0).abs() < 0.02, "{weights:?}");
    }

    #[test]
    fn a_feature_of_no_group_keeps_its_weight() {
        let mut competitions = Competitions::default();
        for _ in 0..100 {
            competitions
                .add([team(&[0, 1], 0.75), team(&[], 0.25)])
                .unwrap();
        }
        let start = vec![6.0, 1.0];
        let mut fitter = Fitter::new(&competitions, start, &[None, Some(0)], 0.01);
        for _ in 0..1000 {
            fitter.improve();
        }
        let weights = fitter.into_weights();
        assert_eq!(weights[0].to_bits(), 6.0_f32.to_bits());
        assert!((weights[1] - 0.5).abs() < 0.01, "{weights:?}");
    }

    #[test]
    fn the_prior_bounds_the_weight_of_a_rare_feature() {
        let mut competitions = Competitions::default();
        competitions.add([team(&[0], 1.0), team(&[], 0.0)]).unwrap();
        competitions.add([team(&[], 1.0)]).unwrap();
        assert_eq!(competitions.len(), 1);
        let weights = improved(&competitions, &[Some(0)], 1.0);
        // Two wins and one loss.
        assert!((weights[0] - 2.0).abs() < 1e-3, "{weights:?}");
    }
}
