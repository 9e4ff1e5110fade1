//! Weights that make the moves of games likeliest.

use std::{collections::BTreeMap, fmt::Write as _, iter, num::NonZeroU64, ops::Range};

use go_core::{Move, Point, Position};
use go_search::{
    Weights,
    learn::{
        self, FEATURES, GROUPS, PLACES, PURPOSES, Shape, Shapes, Surroundings, TreeReader,
        WeighedMove, playout_answers,
    },
};

use crate::{Competitions, GameRecord, Improvement, Likelihood, Recipe, Team};

/// The settings of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// The number of rounds, in each of which every group of weights is improved once.
    pub rounds: u32,
    /// The number of competitions that every feature has won, and lost, against a team of strength 1 beforehand.
    pub prior: f32,
    /// The number of times that a pattern has to be among the moves to get a weight of its own.
    pub min_count: u32,
    /// The number of times that a shape has to be played to be told from the smaller shapes in it.
    pub min_played: f32,
    /// The power to which the weights of patterns in playouts are raised: a playout has to be more decided than what
    /// predicts the moves of a search best.
    pub sharpness: f32,
    /// Every game whose number is a multiple of this is left out of the fit, which is judged by these games then.
    pub held_out: Option<NonZeroU64>,
}

impl FitOptions {
    fn holds_out(&self, game: &GameRecord) -> bool {
        let held_out = self.held_out;
        held_out.is_some_and(|every| game.game.is_multiple_of(every.get()))
    }
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            rounds: 40,
            prior: 2.0,
            min_count: 20,
            min_played: 8.0,
            sharpness: 3.0,
            held_out: None,
        }
    }
}

/// A fit: the text of the weights, and how likely they make the moves of the games.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The text, as [`go_search::Weights`] reads it.
    pub weights: String,
    /// How likely the moves in the tree are.
    pub tree: Judged,
    /// How likely the answers in playouts are, a move elsewhere being one answer.
    pub playouts: Judged,
}

/// How likely weights make the moves of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// In the games that the weights are fitted to.
    pub fitted: Likelihood,
    /// In the games held out, if there are any.
    pub held_out: Option<Likelihood>,
}

/// Fits the weights to games.
///
/// # Panics
///
/// If a game has an illegal move; [`read_games`](crate::read_games) refuses these.
pub fn fit(games: &[(Recipe, Vec<GameRecord>)], options: &FitOptions) -> Fit {
    let mut shapes = Shapes::default();
    for shape in frequent_shapes(games, options) {
        let added = shapes.insert(&shape, 1.0);
        debug_assert!(added.is_ok(), "smaller shapes come first");
    }
    let mut reader = TreeReader::new(shapes);
    let (mut tree, mut playouts) = (Samples::new(FEATURES), Samples::new(PURPOSES + PLACES));
    visit(games, |game, situation| {
        let held_out = options.holds_out(game);
        let moves = tree_moves(&situation, &mut reader, &mut tree);
        tree.add(moves, held_out);
        if let Some(answers) = answers(&situation, &mut playouts) {
            playouts.add(answers, held_out);
        }
    });
    let tree_fit = tree.fit(&features_at_start(), &learned_groups(), options);
    let elsewhere = ELSEWHERE..ELSEWHERE + 1;
    let groups = [0..PURPOSES, PURPOSES..PURPOSES + PLACES, elsewhere];
    let playout_fit = playouts.fit(&[], &groups, options);
    Fit {
        weights: text(&tree_fit, reader.shapes(), &playout_fit, options),
        tree: tree_fit.judged,
        playouts: playout_fit.judged,
    }
}

/// Returns the groups of features in the tree whose weights are fitted.
fn learned_groups() -> Vec<Range<usize>> {
    let groups = GROUPS.iter().cloned();
    groups
        .filter(|group| !learn::BY_HAND.contains(group))
        .collect()
}

/// Returns the weights of features in the tree from which a fit starts: the built-in ones of those that are set by
/// hand, which they keep, and 1.
fn features_at_start() -> [f32; FEATURES] {
    let mut weights = [1.0; FEATURES];
    let built_in = learn::built_in_features();
    for group in learn::BY_HAND {
        weights[group.clone()].copy_from_slice(&built_in[group]);
    }
    weights
}

/// Returns the text of weights.
fn text(tree: &Fitted, shapes: &Shapes, playouts: &Fitted, options: &FitOptions) -> String {
    let mut text = String::new();
    write(&mut text, "feature", &tree.weights[..FEATURES]);
    write_patterns(&mut text, "pattern", tree, 1.0);
    for (place, (shape, _)) in shapes.iter().enumerate() {
        // A shape is around a move of the games, unless that fills an eye.
        let weight = tree.surroundings.get(&Surroundings::Shape(place));
        let _ = writeln!(
            text,
            "shape {shape} {:.3e}",
            readable(*weight.unwrap_or(&1.0))
        );
    }
    write_patterns(&mut text, "answer", playouts, options.sharpness);
    text
}

/// The largest number of shapes.
const MAX_SHAPES: usize = 50_000;

/// Returns the shapes around the moves of the fitted games that were played often enough, each move counting by its
/// share of the visits.
fn frequent_shapes(games: &[(Recipe, Vec<GameRecord>)], options: &FitOptions) -> Vec<Shape> {
    let reader = Shapes::default();
    let mut counts: BTreeMap<Shape, f32> = BTreeMap::new();
    visit(games, |game, situation| {
        if options.holds_out(game) {
            return;
        }
        let (board, color) = (
            situation.position.board(),
            situation.position.side_to_move(),
        );
        for &(point, share) in situation.shares {
            for shape in reader.around(board, color, point) {
                *counts.entry(shape).or_default() += share;
            }
        }
    });
    counts.retain(|_, count| *count >= options.min_played);
    let mut shapes: Vec<(Shape, f32)> = counts.into_iter().collect();
    // A shape is played at least as often as the larger ones in which it is, and comes before them.
    shapes.sort_by(|(one, often), (other, seldom)| {
        (seldom.total_cmp(often)).then(one.points().cmp(&other.points()))
    });
    shapes.truncate(MAX_SHAPES);
    shapes.into_iter().map(|(shape, _)| shape).collect()
}

/// The place of the weight of a move elsewhere, after those of purposes and places.
const ELSEWHERE: usize = PURPOSES + PLACES;

/// Competitions over features and surroundings, which get their places after the features as they come.
struct Samples {
    competitions: Competitions,
    /// Competitions that are not fitted to. Surroundings of these alone keep the weight of the smaller ones.
    held_out: Competitions,
    /// The place of the first surroundings.
    first: usize,
    surroundings: BTreeMap<Surroundings, Seen>,
}

/// The weights of [`Samples`].
struct Fitted {
    /// Those of features.
    weights: Vec<f32>,
    /// Those of patterns and shapes, each with what is inside it.
    surroundings: BTreeMap<Surroundings, f32>,
    judged: Judged,
}

/// A pattern or shape among the moves of the games.
struct Seen {
    place: u16,
    count: u32,
    /// The largest one inside it.
    smaller: Option<Surroundings>,
}

impl Samples {
    /// `features` is the number of other features; one more place is left free.
    fn new(features: usize) -> Self {
        Self {
            competitions: Competitions::default(),
            held_out: Competitions::default(),
            first: features + 1,
            surroundings: BTreeMap::new(),
        }
    }

    fn team(&mut self, mv: &WeighedMove, chosen: f32) -> Team {
        let mut features: Vec<u16> = mv.weights.iter().map(|&it| u16::from(it)).collect();
        let mut smaller = None;
        for &surroundings in &mv.surroundings {
            let fresh = Seen {
                place: u16::try_from(self.first + self.surroundings.len())
                    .expect("fewer than 65,536 features"),
                count: 0,
                smaller,
            };
            let seen = self.surroundings.entry(surroundings).or_insert(fresh);
            seen.count += 1;
            features.push(seen.place);
            smaller = Some(surroundings);
        }
        Team { features, chosen }
    }

    fn add(&mut self, teams: Vec<Team>, held_out: bool) {
        let competitions = if held_out {
            &mut self.held_out
        } else {
            &mut self.competitions
        };
        competitions.add(teams);
    }

    /// Fits the weights of groups of features and those of the surroundings. The first weights are `start`, the others
    /// 1; what is in no group keeps its weight. The weight of a shape is what it adds to that of the smaller one inside
    /// it, so that a rare shape is weighed like the smaller one.
    fn fit(&self, start: &[f32], groups: &[Range<usize>], options: &FitOptions) -> Fitted {
        let end = self.first + self.surroundings.len();
        let mut weights = start.to_vec();
        weights.resize(end, 1.0);
        let group_of = self.groups(groups, end);
        let mut improvement =
            Improvement::new(&self.competitions, weights, &group_of, options.prior);
        for _ in 0..options.rounds {
            improvement.improve();
        }
        let mut weights = improvement.into_weights();
        for (key, seen) in &self.surroundings {
            if matches!(key, Surroundings::Pattern(_)) && seen.count < options.min_count {
                weights[usize::from(seen.place)] = 1.0;
            }
        }
        let surroundings = self.surroundings.keys();
        Fitted {
            surroundings: surroundings
                .map(|&key| (key, self.product(key, &weights)))
                .collect(),
            judged: Judged {
                fitted: self.competitions.likelihood(&weights),
                held_out: (!self.held_out.is_empty()).then(|| self.held_out.likelihood(&weights)),
            },
            weights,
        }
    }

    /// Returns the group of each feature: one of those given, or that of the surroundings of its size.
    fn groups(&self, groups: &[Range<usize>], end: usize) -> Vec<Option<u8>> {
        let mut group_of = vec![None; end];
        for (number, group) in (0..).zip(groups) {
            group_of[group.clone()].fill(Some(number));
        }
        for (&key, seen) in &self.surroundings {
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

/// A position of a game, with what was played.
struct Situation<'a> {
    position: &'a Position,
    /// The last two stones, the opponent's last.
    last: [Option<Point>; 2],
    /// The shares of the stones among the visits, never none.
    shares: &'a [(Point, f32)],
}

impl Situation<'_> {
    /// Returns the share of a stone.
    fn share(&self, point: Point) -> f32 {
        let share = self.shares.iter().find(|it| it.0 == point);
        share.map_or(0.0, |it| it.1)
    }
}

/// Visits the positions of games in which a stone was considered.
fn visit(games: &[(Recipe, Vec<GameRecord>)], mut see: impl FnMut(&GameRecord, Situation<'_>)) {
    for (recipe, games) in games {
        for game in games {
            visit_game(recipe, game, |situation| see(game, situation));
        }
    }
}

fn visit_game(recipe: &Recipe, game: &GameRecord, mut see: impl FnMut(Situation<'_>)) {
    let mut position = Position::new(&recipe.setup());
    let mut last: [Option<Point>; 2] = [None; 2];
    for played in &game.moves {
        let shares = shares(&played.1);
        if !shares.is_empty() {
            see(Situation {
                position: &position,
                last,
                shares: &shares,
            });
        }
        let mv: Move = played.0.parse().expect("a move");
        position.play(mv).expect("a legal move");
        last = [last[1], mv.point()];
    }
}

/// Returns the moves in the tree.
fn tree_moves(situation: &Situation<'_>, reader: &mut TreeReader, tree: &mut Samples) -> Vec<Team> {
    let position = situation.position;
    let moves = reader.moves(position.board(), position.side_to_move(), situation.last);
    let team = |mv: &WeighedMove| tree.team(mv, situation.share(mv.point));
    moves.iter().map(team).collect()
}

/// Returns the answers of playouts to the last stone, and a move elsewhere.
fn answers(situation: &Situation<'_>, playouts: &mut Samples) -> Option<Vec<Team>> {
    let [before, last] = situation.last;
    let position = situation.position;
    let answers = playout_answers(position.board(), position.side_to_move(), last?, before);
    let mut teams: Vec<Team> = (answers.iter())
        .map(|answer| playouts.team(answer, situation.share(answer.point)))
        .collect();
    let local: f32 = teams.iter().map(|team| team.chosen).sum();
    teams.push(Team {
        features: vec![ELSEWHERE as u16],
        chosen: 1.0 - local,
    });
    Some(teams)
}

/// Returns the shares of the stones among the visits. Where a search knows no better than its priors, they are about the
/// priors, which a fit then leaves as they were; powers of the visits would sharpen them again and again.
fn shares(visits: &[(String, u32)]) -> Vec<(Point, f32)> {
    let visited = visits.iter().filter(|(_, visits)| *visits > 0);
    let stones = visited.filter_map(|(name, visits)| {
        let mv: Move = name.parse().ok()?;
        Some((mv.point()?, *visits as f32))
    });
    let stones: Vec<(Point, f32)> = stones.collect();
    let total: f32 = stones.iter().map(|it| it.1).sum();
    let share = |(point, weight)| (point, weight / total);
    stones.into_iter().map(share).collect()
}

fn write(text: &mut String, name: &str, weights: &[f32]) {
    for (place, weight) in weights.iter().enumerate() {
        let _ = writeln!(text, "{name} {place} {:.4e}", readable(*weight));
    }
}

/// Returns a weight, or the nearest that weights are read with.
fn readable(weight: f32) -> f32 {
    weight.clamp(*Weights::RANGE.start(), *Weights::RANGE.end())
}

fn write_patterns(text: &mut String, name: &str, fitted: &Fitted, power: f32) {
    for (surroundings, weight) in &fitted.surroundings {
        if let Surroundings::Pattern(code) = surroundings
            && weight.to_bits() != 1.0_f32.to_bits()
        {
            let _ = writeln!(text, "{name} {code} {:.3e}", readable(weight.powf(power)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::self_play;
    use go_search::{Options, Searcher};

    #[test]
    fn a_rare_shape_weighs_like_the_smaller_one() {
        let mut samples = Samples::new(0);
        let mv = |surroundings: &[Surroundings]| WeighedMove {
            point: "A1".parse().unwrap(),
            surroundings: surroundings.to_vec(),
            weights: Vec::new(),
        };
        let (one, other) = (Surroundings::Pattern(1), Surroundings::Pattern(2));
        for number in 0..200 {
            // In two of these the moves are in known shapes, too.
            let shape = (number < 2).then_some(Surroundings::Shape(0));
            let inside: Vec<_> = [one].into_iter().chain(shape).collect();
            let teams = [
                samples.team(&mv(&inside), 0.75),
                samples.team(&mv(&[other]), 0.25),
            ];
            samples.competitions.add(teams);
        }
        let fitted = samples.fit(&[], &[], &FitOptions::default());
        let weight = |key| fitted.surroundings[&key];
        let ratio = weight(Surroundings::Shape(0)) / weight(one);
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
        assert!((weight(one) / weight(other) - 3.0).abs() < 0.2);
    }

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
            .map(|game| self_play(&mut searcher, &recipe, game))
            .collect();
        let games = [(recipe, games)];
        let rounds = |rounds| {
            let options = FitOptions {
                rounds,
                held_out: NonZeroU64::new(4),
                ..FitOptions::default()
            };
            fit(&games, &options)
        };
        let (before, after) = (rounds(0), rounds(10));
        let logs = |judged: Judged| {
            let held_out = judged.held_out.expect("one of the games");
            [judged.fitted.mean_log, held_out.mean_log]
        };
        for (before, after) in [(before.tree, after.tree), (before.playouts, after.playouts)] {
            let (before, after) = (logs(before), logs(after));
            assert!(
                after[0] > before[0] && after[1] > before[1],
                "{before:?} {after:?}"
            );
        }
        let weights: Weights = after.weights.parse().unwrap();
        assert!(!weights.to_string().is_empty());
        let sharp = FitOptions {
            sharpness: 1000.0,
            ..FitOptions::default()
        };
        let sharp: Result<Weights, _> = fit(&games, &sharp).weights.parse();
        assert!(sharp.is_ok(), "{:?}", sharp.err());
        for place in learn::BY_HAND.into_iter().flatten() {
            let built_in = learn::built_in_features()[place];
            let expected = format!("feature {place} {built_in:.4e}");
            assert!(
                after.weights.lines().any(|line| line == expected),
                "{expected}"
            );
        }
    }
}
