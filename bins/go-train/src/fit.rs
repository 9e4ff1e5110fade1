//! Maximum-likelihood weights for the moves of games.

mod samples;

use std::collections::BTreeMap;

use go_search::{
    Weights,
    learn::{
        self, FEATURES, FeatureGroup, GROUPS, PLACES, PURPOSES, Shape, Shapes, Surroundings,
        TreeReader, WeighedMove, playout_answers,
    },
};

use crate::{
    mm::{Likelihood, Team},
    training_game::{TrainingGame, TrainingPosition, visit, visit_all},
};

use samples::{Samples, readable};

/// The settings of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FitOptions {
    /// The number of rounds, in each of which every group of weights is improved once.
    pub(crate) rounds: u32,
    /// The strength of the prior: each feature has this number of virtual wins and of virtual losses against a team of
    /// strength 1.
    pub(crate) prior: f32,
    /// The number of times that a pattern has to be among the moves to get a weight of its own.
    pub(crate) min_count: u32,
    /// The number of times that a shape has to be played to get a weight of its own.
    pub(crate) min_played: f32,
    /// Fits to one of `N` positions of each game; shapes are counted in all.
    pub(crate) every: usize,
    /// True to fit the groups of features, too, that games of self-play do not determine.
    pub(crate) all_groups: bool,
    /// The power to which the weights of moves in the tree are raised.
    pub(crate) power: f32,
    /// True to fit the weights of patterns in playouts, too.
    pub(crate) answers: bool,
    /// The power to which the weights of patterns in playouts are raised: playouts need a sharper policy than the best
    /// predictor of a search's moves.
    pub(crate) sharpness: f32,
    /// Holds out the first of every `N` consecutive games; `None` to fit to all games.
    pub(crate) held_out: Option<usize>,
}

impl FitOptions {
    /// Returns true if a game is held out, given its index among all games.
    fn holds_out(&self, game: usize) -> bool {
        self.held_out
            .is_some_and(|every| game.is_multiple_of(every))
    }
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            rounds: 40,
            prior: 2.0,
            min_count: 20,
            min_played: 8.0,
            every: 1,
            all_groups: false,
            power: 1.0,
            answers: false,
            sharpness: 3.0,
            held_out: None,
        }
    }
}

/// Fitted weights, and how well they predict the moves of the games.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// The weights. Patterns, shapes and features that the games do not have weigh 1. Fixed features, purposes, places
    /// and moves elsewhere have the built-in weights, and so have patterns of answers unless they are fitted.
    pub(crate) weights: Weights,
    /// The likelihood of the moves in the tree by the fitted priors.
    pub(crate) tree: Evaluation,
    /// The likelihood of answers in playouts, with all moves elsewhere as one answer, by fitted weights of patterns,
    /// purposes and places. [`weights`](Self::weights) has only those of patterns, sharpened.
    pub(crate) answers: Option<Evaluation>,
}

/// The likelihood of the moves of games by fitted weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evaluation {
    /// In the games used for the fit.
    pub(crate) fitted: Likelihood,
    /// In the games held out, if there are any.
    pub(crate) held_out: Option<Likelihood>,
}

/// Fits the weights to games.
pub(crate) fn fit(games: &[TrainingGame], options: &FitOptions) -> anyhow::Result<Fit> {
    let mut weights = Weights::default();
    let tree = fit_tree(games, options, &mut weights)?;
    let answers = (options.answers).then(|| fit_answers(games, options, &mut weights));
    Ok(Fit {
        answers: answers.transpose()?,
        weights,
        tree,
    })
}

/// Fits the weights of features, patterns and shapes in the tree.
fn fit_tree(
    games: &[TrainingGame],
    options: &FitOptions,
    weights: &mut Weights,
) -> anyhow::Result<Evaluation> {
    let mut shapes = Shapes::default();
    for shape in frequent_shapes(games, options) {
        insert(&mut shapes, &shape, 1.0);
    }
    let mut reader = TreeReader::new(shapes);
    let mut samples = Samples::new(FEATURES);
    visit(games, options.every, |game, position| {
        let held_out = options.holds_out(game);
        let teams = tree_moves(&position, &mut reader, &mut samples, held_out);
        samples.add(teams, held_out)
    })?;
    let groups: Vec<FeatureGroup> = (GROUPS.into_iter())
        .filter(|group| options.all_groups || !group.is_fixed())
        .collect();
    let places: Vec<_> = groups.iter().map(|group| group.places()).collect();
    let fitted = samples.fit(&features_at_start(&groups), &places, options);
    let power = |weight: f32| readable(weight.powf(options.power));
    let mut shapes = Shapes::default();
    for (index, (shape, _)) in reader.shapes().iter().enumerate() {
        // A shape is around a move of the games, unless that fills an eye.
        let weight = fitted.surroundings.get(&Surroundings::Shape(index));
        insert(&mut shapes, shape, power(*weight.unwrap_or(&1.0)));
    }
    let mut features = learn::built_in_features();
    for index in places.into_iter().flatten() {
        features[index] = power(fitted.weights[index]);
    }
    weights.set_priors(features, fitted.patterns(options.power), shapes);
    Ok(fitted.evaluation)
}

/// Adds a shape after the smaller ones in it.
fn insert(shapes: &mut Shapes, shape: &Shape, weight: f32) {
    let inserted = shapes.insert(shape, weight);
    inserted.expect("smaller shapes come first");
}

/// Fits the weights of patterns of answers in playouts, together with those of purposes and places.
fn fit_answers(
    games: &[TrainingGame],
    options: &FitOptions,
    weights: &mut Weights,
) -> anyhow::Result<Evaluation> {
    // The weight of a move elsewhere follows those of purposes and places.
    let elsewhere = PURPOSES + PLACES;
    let mut samples = Samples::new(elsewhere + 1);
    visit(games, options.every, |game, position| {
        let held_out = options.holds_out(game);
        match answers(&position, &mut samples, elsewhere, held_out) {
            Some(teams) => samples.add(teams, held_out),
            None => Ok(()),
        }
    })?;
    let groups = [0..PURPOSES, PURPOSES..elsewhere, elsewhere..elsewhere + 1];
    let fitted = samples.fit(&[1.0; PURPOSES + PLACES + 1], &groups, options);
    weights.set_answers(fitted.patterns(options.sharpness));
    Ok(fitted.evaluation)
}

/// Returns the initial weights of features in the tree: 1 for those of fitted groups, otherwise the built-in ones.
fn features_at_start(fitted: &[FeatureGroup]) -> [f32; FEATURES] {
    let mut weights = learn::built_in_features();
    for group in fitted {
        weights[group.places()].fill(1.0);
    }
    weights
}

/// The maximum number of shapes.
const MAX_SHAPES: usize = 50_000;

/// Returns the shapes in the fitted games that were played often enough; a move counts by its share of the visits.
fn frequent_shapes(games: &[TrainingGame], options: &FitOptions) -> Vec<Shape> {
    let reader = Shapes::default();
    let mut counts: BTreeMap<Shape, f32> = BTreeMap::new();
    visit_all(games, |game, training| {
        let TrainingPosition {
            position, shares, ..
        } = training;
        if options.holds_out(game) {
            return;
        }
        let (board, color) = (position.board(), position.side_to_move());
        for &(point, share) in shares {
            for shape in reader.around(board, color, point) {
                *counts.entry(shape).or_default() += share;
            }
        }
    });
    counts.retain(|_, count| *count >= options.min_played);
    let mut shapes: Vec<(Shape, f32)> = counts.into_iter().collect();
    // A shape is played at least as often as larger ones that contain it, and comes before them.
    shapes.sort_by(|(one, often), (other, seldom)| {
        (seldom.total_cmp(often)).then(one.points().cmp(&other.points()))
    });
    shapes.truncate(MAX_SHAPES);
    shapes.into_iter().map(|(shape, _)| shape).collect()
}

/// Returns the moves in the tree.
fn tree_moves(
    training: &TrainingPosition<'_>,
    reader: &mut TreeReader,
    samples: &mut Samples,
    held_out: bool,
) -> Vec<Team> {
    let moves = reader.moves(training.position);
    let team = |mv: &WeighedMove| samples.team(mv, training.share(mv.point), held_out);
    moves.iter().map(team).collect()
}

/// Returns the answers of playouts to the last stone, and a move elsewhere.
fn answers(
    training: &TrainingPosition<'_>,
    samples: &mut Samples,
    elsewhere: usize,
    held_out: bool,
) -> Option<Vec<Team>> {
    let answers = playout_answers(training.position)?;
    let mut teams: Vec<Team> = (answers.iter())
        .map(|answer| samples.team(answer, training.share(answer.point), held_out))
        .collect();
    let local: f32 = teams.iter().map(|team| team.chosen).sum();
    teams.push(Team {
        features: vec![elsewhere as u16],
        chosen: 1.0 - local,
    });
    Some(teams)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        self_play::{Recipe, self_play},
        training_game::of_self_play,
    };
    use go_search::{Options, Searcher};

    #[test]
    fn a_fit_makes_the_moves_likelier_and_reads_back() {
        let recipe = Recipe {
            seed: 1,
            lines: 7,
            playouts: 60,
            weights: 0,
        };
        let mut searcher = Searcher::new(Options::default());
        let games: Vec<_> = (0..4)
            .map(|game| of_self_play(&recipe, &self_play(&mut searcher, &recipe, game)))
            .collect();
        let rounds = |rounds| {
            let options = FitOptions {
                rounds,
                held_out: Some(4),
                answers: true,
                ..FitOptions::default()
            };
            fit(&games, &options).unwrap()
        };
        let (before, after) = (rounds(0), rounds(10));
        let logs = |evaluation: Evaluation| {
            let held_out = evaluation.held_out.expect("one of the games");
            [evaluation.fitted.mean_log, held_out.mean_log]
        };
        let answers = |fit: &Fit| fit.answers.expect("answers");
        for (before, after) in [
            (before.tree, after.tree),
            (answers(&before), answers(&after)),
        ] {
            let (before, after) = (logs(before), logs(after));
            assert!(
                after[0] > before[0] && after[1] > before[1],
                "{before:?} {after:?}"
            );
        }
        let text = after.weights.to_string();
        let weights: Weights = text.parse().unwrap();
        assert_eq!(weights.to_string(), text);
        let lines = |text: &str, name: &str| {
            let lines = text.lines().filter(|line| line.starts_with(name));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let built_in = Weights::default().to_string();
        for name in ["feature", "pattern", "answer"] {
            assert_ne!(lines(&text, name), lines(&built_in, name), "{name}");
        }
        assert_eq!(lines(&text, "purpose"), lines(&built_in, "purpose"));
        let near_or_far = |distances: std::ops::RangeInclusive<u8>| {
            let lines = (1..=6).flat_map(move |line| {
                (distances.clone()).map(move |distance| format!("line-{line}-distance-{distance}"))
            });
            lines
                .map(|name| format!("feature {name} "))
                .collect::<Vec<_>>()
        };
        let fixed = ["feature distance-", "feature corner-", "feature joseki"].map(str::to_owned);
        for fixed in fixed.into_iter().chain(near_or_far(2..=5)) {
            let found = lines(&text, &fixed);
            assert!(!found.is_empty(), "{fixed}");
            assert_eq!(found, lines(&built_in, &fixed), "{fixed}");
        }
        let fitted = near_or_far(1..=1);
        let differ = |name: &&String| lines(&text, name) != lines(&built_in, name);
        assert!(fitted.iter().any(|name| differ(&name)));
        let sharp = FitOptions {
            sharpness: 1000.0,
            answers: true,
            ..FitOptions::default()
        };
        let sharp = fit(&games, &sharp).unwrap().weights.to_string();
        assert!(sharp.parse::<Weights>().is_ok());
        let of_tree = fit(&games, &FitOptions::default()).unwrap();
        let text = of_tree.weights.to_string();
        assert_eq!(lines(&text, "answer"), lines(&built_in, "answer"));
        assert_eq!(of_tree.answers, None);
    }
}
