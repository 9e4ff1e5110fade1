//! The fit of the model of human play.

use std::{sync::mpsc::sync_channel, thread};

use othello_core::Square;
use othello_engine::human::{Book, Features, Model, MoveContext, Searched, evaluated, softmax};
use othello_search::{Limits, Searcher, eval::Network};

use super::{Choice, Part, People};
use crate::random::mix;

/// The passes over the positions that were searched.
const SEARCHED_EPOCHS: u32 = 10;

/// The settings of a fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    pub(crate) epochs: u32,
    pub(crate) rate: f32,
    /// The number of positions that are searched to learn the weights of searches.
    pub(crate) searched: usize,
}

/// The features of a choice's moves, with the number of the one that was played.
pub(crate) struct Example {
    pub(crate) features: Vec<Features>,
    pub(crate) played: usize,
    pub(crate) rating: f32,
}

/// Returns the features of a choice; those of the book count other games only if the choice is learned from.
pub(crate) fn example(choice: &Choice, book: &Book, network: &Network) -> Option<Example> {
    let position = choice.position;
    let moves = evaluated(network, position, position.legal_moves());
    let played = moves.iter().position(|mv| mv.0 == choice.square)?;
    let counts = book.moves(position);
    let own = u32::from(choice.part == Part::Fitted);
    let share = |square: Square| {
        let counts = counts.as_ref()?;
        let all = counts
            .iter()
            .map(|mv| mv.1)
            .sum::<u32>()
            .saturating_sub(own);
        let times = counts.iter().find(|mv| mv.0 == square).map_or(0, |mv| mv.1);
        Some((
            times.saturating_sub(own * u32::from(square == choice.square)),
            all,
        ))
    };
    let context = MoveContext {
        position,
        last: choice.last,
        moves: &moves,
    };
    Some(Example {
        features: context.features(&share),
        played,
        rating: choice.rating,
    })
}

impl Example {
    /// Adds what a search says of the moves.
    pub(crate) fn search(&mut self, searcher: &mut Searcher, choice: &Choice) {
        searcher.clear();
        let found = Searched::new(searcher, choice.position, &Limits::depth(8));
        for (features, square) in self.features.iter_mut().zip(choice.position.legal_moves()) {
            let losses = found.losses.iter().find(|of| of.0 == square);
            features.add_search(choice.position, losses.map_or([64.0; 3], |of| of.1));
        }
    }
}

/// Returns the probabilities of an example's moves.
pub(crate) fn probabilities(model: &Model, example: &Example) -> Vec<f32> {
    let logits = example
        .features
        .iter()
        .map(|features| model.logit(features, example.rating));
    softmax(logits.collect())
}

impl Fit {
    /// Fits a model by stochastic gradient descent with the steps of Adagrad, one choice after the other.
    pub(crate) fn run(&self, people: &People, network: &Network, searcher: &mut Searcher) -> Model {
        let mut model = self.without_searches(people, network);
        let choices = people.sample(self.searched, |part| part == Part::Fitted);
        let examples = choices.iter().filter_map(|choice| {
            let mut example = example(choice, &model.book, network)?;
            example.search(searcher, choice);
            Some(example)
        });
        let examples: Vec<Example> = examples.collect();
        let mut sums = Sums::new(&model);
        for epoch in 0..SEARCHED_EPOCHS {
            let rate = self.rate * (1.0 - epoch as f32 / SEARCHED_EPOCHS as f32);
            for example in &examples {
                sums.learn_searched(&mut model, example, rate);
            }
        }
        model
    }

    /// Fits all but the weights of searches.
    fn without_searches(&self, people: &People, network: &Network) -> Model {
        let mut model = Model::new(people.book());
        let book = model.book.clone();
        let mut sums = Sums::new(&model);
        let count = people.games.len();
        let (sender, receiver) = sync_channel(64);
        thread::scope(|scope| {
            scope.spawn(move || {
                for epoch in 0..self.epochs {
                    let mut order: Vec<usize> = (0..count).collect();
                    order.sort_by_key(|&game| mix(game as u64 + (u64::from(epoch) << 32)));
                    let total = order.len() * self.epochs as usize;
                    for (at, &game) in order.iter().enumerate() {
                        let done = (at + epoch as usize * order.len()) as f32 / total as f32;
                        let choices = people.choices(&people.games[game]);
                        let fitted = choices.iter().filter(|choice| choice.part == Part::Fitted);
                        let examples = fitted.filter_map(|choice| example(choice, &book, network));
                        if sender.send((examples.collect::<Vec<_>>(), done)).is_err() {
                            return;
                        }
                    }
                }
            });
            for (examples, done) in receiver {
                let rate = self.rate * (1.0 - done);
                for example in &examples {
                    sums.learn(&mut model, example, rate);
                }
            }
        });
        model
    }
}

/// The sums of squared gradients.
struct Sums {
    patterns: Vec<f32>,
    rated: Vec<[f32; 2]>,
    searched: Vec<[f32; 2]>,
    scale: f32,
}

impl Sums {
    /// Returns the sums that each weight starts with, 1, so that the first steps are small.
    fn new(model: &Model) -> Self {
        Self {
            patterns: vec![1.0; model.patterns.len()],
            rated: vec![[1.0; 2]; model.rated.len()],
            searched: vec![[1.0; 2]; model.searched.len()],
            scale: 1.0,
        }
    }

    fn learn(&mut self, model: &mut Model, example: &Example, rate: f32) {
        let shares = probabilities(model, example);
        for (at, (features, share)) in example.features.iter().zip(shares).enumerate() {
            let gradient = share - f32::from(u8::from(at == example.played));
            for &at in &features.patterns {
                let at = at as usize;
                step(
                    &mut model.patterns[at],
                    &mut self.patterns[at],
                    gradient,
                    rate,
                );
            }
            let weights = (&mut model.rated[..], &mut self.rated[..]);
            step_rated(weights, &features.rated, example.rating, gradient, rate);
        }
    }

    /// Learns only the weights of searches, and the factor of the others.
    fn learn_searched(&mut self, model: &mut Model, example: &Example, rate: f32) {
        let shares = probabilities(model, example);
        let mut of_scale = 0.0;
        for (at, (features, share)) in example.features.iter().zip(shares).enumerate() {
            let gradient = share - f32::from(u8::from(at == example.played));
            of_scale += gradient * model.plain_logit(features, example.rating);
            let weights = (&mut model.searched[..], &mut self.searched[..]);
            step_rated(weights, &features.searched, example.rating, gradient, rate);
        }
        step(&mut model.scale, &mut self.scale, of_scale, rate);
    }
}

fn step(weight: &mut f32, sum: &mut f32, gradient: f32, rate: f32) {
    *sum += gradient * gradient;
    *weight -= rate * gradient / sum.sqrt();
}

fn step_rated(
    (weights, sums): (&mut [[f32; 2]], &mut [[f32; 2]]),
    features: &[u32],
    rating: f32,
    gradient: f32,
    rate: f32,
) {
    for &at in features {
        let ([mean, slope], sums) = (&mut weights[at as usize], &mut sums[at as usize]);
        step(mean, &mut sums[0], gradient, rate);
        step(slope, &mut sums[1], gradient * rating, rate);
    }
}
