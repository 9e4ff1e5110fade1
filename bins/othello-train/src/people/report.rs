//! The share of held-out moves that are predicted.

use std::{collections::BTreeMap, fmt};

use othello_engine::human::Model;
use othello_search::{Limits, Searcher, eval::Network};

use super::{
    Choice, Part,
    fit::{Example, example, probabilities},
};

/// The depths of the searches with which the model is compared.
const DEPTHS: [u32; 4] = [1, 4, 8, 16];

/// The ratings at which the likelihood of moves is compared, in units of 400 Elo from the mean.
const RATINGS: [f32; 3] = [-1.0, 0.0, 1.0];

/// The predictions of some moves.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    moves: u32,
    /// The number of moves that the model predicts.
    model: u32,
    /// The sum of the logarithms of their probabilities.
    log: f64,
    /// The same with searches.
    searched: u32,
    searched_log: f64,
    of_depth: [u32; DEPTHS.len()],
    /// The moves of positions in the book, and those that are the majority's.
    in_book: u32,
    majority: u32,
    /// The sums of logarithms at each of the ratings.
    at_rating: [f64; RATINGS.len()],
}

/// A table of predictions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Predictions {
    rows: BTreeMap<(u8, String), Tally>,
}

impl Predictions {
    /// Adds a choice, which is searched if `compares`.
    pub(crate) fn add(
        &mut self,
        model: &Model,
        (network, searcher): (&Network, &mut Searcher),
        choice: &Choice,
        compares: bool,
    ) {
        let Some(example) = example(choice, &model.book, network) else {
            return;
        };
        let discs = 60 - choice.position.empties().count();
        let phase = 10 * (discs / 10);
        let part = match choice.part {
            Part::LastYears => "the last two years",
            _ => "players held out",
        };
        let band = 1500 + (choice.rating * 400.0) as i32;
        let bound = band.clamp(1200, 1799) / 200 * 200;
        let band = match bound {
            1200 => "rating below 1400".into(),
            1600 => "rating from 1600".into(),
            _ => format!("rating {bound} to {}", bound + 199),
        };
        let mut one = tally(model, &example);
        if let Some(moves) = model.book.moves(choice.position) {
            let majority = moves.iter().max_by_key(|mv| mv.1).map(|mv| mv.0);
            one.in_book = 1;
            one.majority = u32::from(majority == Some(choice.square));
        }
        if compares {
            compare(&mut one, model, searcher, choice, example);
        }
        for key in [
            (0, "all".into()),
            (1, part.into()),
            (2, format!("moves {} to {}", phase + 1, phase + 10)),
            (3, band),
        ] {
            self.rows.entry(key).or_default().add(&one);
        }
    }
}

fn tally(model: &Model, example: &Example) -> Tally {
    let shares = probabilities(model, example);
    let at_rating = RATINGS.map(|rating| {
        let example = Example {
            rating,
            features: example.features.clone(),
            ..*example
        };
        f64::from(probabilities(model, &example)[example.played].ln())
    });
    Tally {
        moves: 1,
        model: u32::from(best(&shares) == example.played),
        log: f64::from(shares[example.played].ln()),
        at_rating,
        ..Tally::default()
    }
}

/// Adds what searches predict.
fn compare(
    one: &mut Tally,
    model: &Model,
    searcher: &mut Searcher,
    choice: &Choice,
    mut example: Example,
) {
    one.of_depth = DEPTHS.map(|depth| {
        searcher.clear();
        let best = searcher.search(choice.position, &Limits::depth(depth)).best;
        u32::from(best == Some(choice.square))
    });
    example.search(searcher, choice);
    let shares = probabilities(model, &example);
    one.searched = u32::from(best(&shares) == example.played);
    one.searched_log = f64::from(shares[example.played].ln());
}

fn best(shares: &[f32]) -> usize {
    let best = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
    best.unwrap_or_default()
}

impl Tally {
    fn add(&mut self, one: &Self) {
        self.moves += one.moves;
        self.model += one.model;
        self.log += one.log;
        self.searched += one.searched;
        self.searched_log += one.searched_log;
        self.in_book += one.in_book;
        self.majority += one.majority;
        self.of_depth
            .iter_mut()
            .zip(one.of_depth)
            .for_each(|(sum, of)| *sum += of);
        self.at_rating
            .iter_mut()
            .zip(one.at_rating)
            .for_each(|(sum, of)| *sum += of);
    }
}

impl fmt::Display for Predictions {
    /// A row for all moves, each part, each phase and each band of ratings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            "moves", "model", "log", "searched", "log", "depth 1", "4", "8", "16", "in book",
            "majority", "as 1100", "1500", "1900",
        ];
        write!(f, "{:20}", "")?;
        names.iter().try_for_each(|name| write!(f, " {name:>8}"))?;
        for ((_, name), of) in &self.rows {
            let share = |hits: u32, moves: u32| 100.0 * f64::from(hits) / f64::from(moves.max(1));
            let of_moves = |hits| share(hits, of.moves);
            let mean = |sum: f64| sum / f64::from(of.moves.max(1));
            write!(
                f,
                "\n{name:20} {:8} {:8.2} {:8.4}",
                of.moves,
                of_moves(of.model),
                mean(of.log)
            )?;
            write!(
                f,
                " {:8.2} {:8.4}",
                of_moves(of.searched),
                mean(of.searched_log)
            )?;
            of.of_depth
                .iter()
                .try_for_each(|&hits| write!(f, " {:8.2}", of_moves(hits)))?;
            write!(
                f,
                " {:8} {:8.2}",
                of.in_book,
                share(of.majority, of.in_book)
            )?;
            of.at_rating
                .iter()
                .try_for_each(|&log| write!(f, " {:8.4}", mean(log)))?;
        }
        Ok(())
    }
}
