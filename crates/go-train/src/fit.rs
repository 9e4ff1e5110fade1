//! Weights that make the moves of games likeliest.

use std::{collections::BTreeMap, fmt::Write as _, iter, ops::Range};

use go_core::{Move, Point, Position};
use go_search::learn::{FEATURES, PLACES, PURPOSES, WeighedMove, playout_answers, tree_moves};

use crate::{Competitions, GameRecord, Recipe, Team};

/// The settings of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// The number of rounds, in each of which every group of weights is improved once.
    pub rounds: u32,
    /// The number of competitions that every feature has won, and lost, against a team of strength 1 beforehand.
    pub prior: f32,
    /// The number of times that a pattern has to be among the moves to get a weight of its own.
    pub min_count: u32,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            rounds: 40,
            prior: 2.0,
            min_count: 20,
        }
    }
}

/// A fit: the text of the weights, and how likely they make the moves of the games.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The text, as [`go_search::Weights`] reads it.
    pub weights: String,
    /// The number of positions.
    pub positions: usize,
    /// The mean logarithm of the shares of the moves in the tree, and the share of positions in which the most visited
    /// move has the largest prior.
    pub tree: (f64, f64),
    /// The same for answers in playouts, a move elsewhere being one answer.
    pub playouts: (f64, f64),
}

/// Fits the weights to games.
pub fn fit(games: &[(Recipe, Vec<GameRecord>)], options: &FitOptions) -> Fit {
    let (mut tree, mut playouts) = (Samples::new(FEATURES), Samples::new(PURPOSES + PLACES));
    for (recipe, games) in games {
        for game in games {
            add_game(recipe, game, &mut tree, &mut playouts);
        }
    }
    let (tree_weights, tree_patterns, tree_rate) = tree.fit(&tree_groups(), options);
    let elsewhere = ELSEWHERE..ELSEWHERE + 1;
    let groups = [0..PURPOSES, PURPOSES..PURPOSES + PLACES, elsewhere];
    let (answer_weights, answer_patterns, answer_rate) = playouts.fit(&groups, options);
    let mut text = String::new();
    write(&mut text, "feature", &tree_weights[..FEATURES]);
    write_patterns(&mut text, "pattern", &tree_patterns);
    write(&mut text, "purpose", &answer_weights[..PURPOSES]);
    write(
        &mut text,
        "place",
        &answer_weights[PURPOSES..PURPOSES + PLACES],
    );
    write_patterns(&mut text, "answer", &answer_patterns);
    write(
        &mut text,
        "elsewhere",
        &answer_weights[ELSEWHERE..=ELSEWHERE],
    );
    Fit {
        weights: text,
        positions: tree.competitions.len(),
        tree: tree_rate,
        playouts: answer_rate,
    }
}

/// The place of the weight of a move elsewhere, after those of purposes and places.
const ELSEWHERE: usize = PURPOSES + PLACES;

/// Returns the features of the tree of which a move has at most one each.
fn tree_groups() -> [Range<usize>; 8] {
    go_search::learn::GROUPS
}

/// Competitions over features and patterns; patterns get their numbers after the features as they come.
struct Samples {
    competitions: Competitions,
    /// The place of the first pattern.
    first: usize,
    patterns: BTreeMap<u16, Seen>,
}

/// A pattern among the moves of the games.
struct Seen {
    place: u16,
    count: u32,
}

impl Samples {
    /// `features` is the number of other features; one more place is left free.
    fn new(features: usize) -> Self {
        Self {
            competitions: Competitions::default(),
            first: features + 1,
            patterns: BTreeMap::new(),
        }
    }

    fn team(&mut self, mv: &WeighedMove, chosen: f32) -> Team {
        let next = (self.first + self.patterns.len()) as u16;
        let fresh = Seen {
            place: next,
            count: 0,
        };
        let seen = self.patterns.entry(mv.pattern).or_insert(fresh);
        seen.count += 1;
        let mut features: Vec<u16> = mv.weights.iter().map(|&it| u16::from(it)).collect();
        features.push(seen.place);
        Team { features, chosen }
    }

    /// Returns the weights of the features, those of the patterns by code, and the rate.
    fn fit(
        &self,
        groups: &[Range<usize>],
        options: &FitOptions,
    ) -> (Vec<f32>, BTreeMap<u16, f32>, (f64, f64)) {
        let end = self.first + self.patterns.len();
        let mut weights = vec![1.0; end];
        for _ in 0..options.rounds {
            for group in groups.iter().cloned().chain(iter::once(self.first..end)) {
                self.competitions
                    .improve(&mut weights, group, options.prior);
            }
        }
        let frequent = self
            .patterns
            .iter()
            .filter(|(_, seen)| seen.count >= options.min_count);
        let patterns = frequent
            .map(|(&code, seen)| (code, weights[usize::from(seen.place)]))
            .collect();
        let rate = self.competitions.rate(&weights);
        (weights, patterns, rate)
    }
}

/// Adds the positions of a game.
fn add_game(recipe: &Recipe, game: &GameRecord, tree: &mut Samples, playouts: &mut Samples) {
    let mut position = Position::new(&recipe.setup());
    let mut last: [Option<Point>; 2] = [None; 2];
    for played in &game.moves {
        let shares = shares(&played.1);
        add_position(&position, last, &shares, tree, playouts);
        let Ok(mv) = played.0.parse::<Move>() else {
            return;
        };
        if position.play(mv).is_err() {
            return;
        }
        last = [last[1], mv.point()];
    }
}

fn add_position(
    position: &Position,
    last: [Option<Point>; 2],
    shares: &[(Point, f32)],
    tree: &mut Samples,
    playouts: &mut Samples,
) {
    if shares.is_empty() {
        return;
    }
    let (board, color) = (position.board(), position.side_to_move());
    let share = |point: Point| {
        shares
            .iter()
            .find(|it| it.0 == point)
            .map_or(0.0, |it| it.1)
    };
    let moves = tree_moves(board, color, last);
    let teams: Vec<Team> = moves
        .iter()
        .map(|mv| tree.team(mv, share(mv.point)))
        .collect();
    tree.competitions.add(teams);
    if let Some(last) = last[1] {
        let answers = playout_answers(board, color, last);
        let mut teams: Vec<Team> = (answers.iter())
            .map(|answer| playouts.team(answer, share(answer.point)))
            .collect();
        let local: f32 = teams.iter().map(|team| team.chosen).sum();
        teams.push(Team {
            features: vec![ELSEWHERE as u16],
            chosen: 1.0 - local,
        });
        playouts.competitions.add(teams);
    }
}

/// Returns the shares of the stones among the visits.
fn shares(visits: &[(String, u32)]) -> Vec<(Point, f32)> {
    let stones = visits.iter().filter_map(|(name, visits)| {
        let mv: Move = name.parse().ok()?;
        Some((mv.point()?, *visits as f32))
    });
    let stones: Vec<(Point, f32)> = stones.collect();
    let total: f32 = stones.iter().map(|it| it.1).sum();
    stones
        .into_iter()
        .map(|(point, visits)| (point, visits / total))
        .collect()
}

fn write(text: &mut String, name: &str, weights: &[f32]) {
    for (place, weight) in weights.iter().enumerate() {
        let _ = writeln!(text, "{name} {place} {weight:.4e}");
    }
}

fn write_patterns(text: &mut String, name: &str, patterns: &BTreeMap<u16, f32>) {
    for (code, weight) in patterns {
        let _ = writeln!(text, "{name} {code} {weight:.3e}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::self_play;
    use go_search::{Options, Searcher, Weights};

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
                ..FitOptions::default()
            };
            fit(&games, &options)
        };
        let (before, after) = (rounds(0), rounds(10));
        assert!(
            after.tree.0 > before.tree.0,
            "{} {}",
            after.tree.0,
            before.tree.0
        );
        assert!(after.playouts.0 > before.playouts.0);
        let weights: Weights = after.weights.parse().unwrap();
        assert!(!weights.to_string().is_empty());
    }
}
