//! The difference between the scores of odd and even depths.
//!
//! A network that slightly overestimates the side to move makes search scores swing with the depth: at even depths the
//! leaves have the same side to move as the root, at odd depths the other one. The mean over many positions measures
//! the excess, and the biases of the heads compensate for it.

use std::ops::RangeInclusive;

use othello_core::Position;
use othello_search::{
    Limits, Searcher,
    eval::{FIRST_HEAD, HEADS, Model},
};

use crate::openings::openings;

/// The depths whose scores are compared.
pub(crate) const PARITY_DEPTHS: RangeInclusive<u32> = 8..=11;

/// The numbers of discs of the searched positions.
const DISCS: [u32; 9] = [12, 16, 20, 24, 28, 32, 36, 40, 44];

/// The depth of the searches that continue the games.
const PLAYING_DEPTH: u32 = 6;

/// The number of candidates for each opening of a game.
const CANDIDATES: usize = 8;

/// The distance in discs at which a mean no longer counts for a head; its weight falls with the distance.
const REACH: f32 = 4.0;

/// The mean scores of positions with some number of discs, from the side to move, by depth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParityScores {
    /// The number of discs.
    pub(crate) discs: u32,
    /// The number of positions.
    pub(crate) positions: usize,
    /// The mean scores in discs at each of [`PARITY_DEPTHS`].
    pub(crate) means: Vec<f32>,
}

impl ParityScores {
    /// Returns the difference between the largest and the smallest mean.
    pub(crate) fn spread(&self) -> f32 {
        let largest = self.means.iter().copied().fold(f32::MIN, f32::max);
        let smallest = self.means.iter().copied().fold(f32::MAX, f32::min);
        largest - smallest
    }
}

/// Searches positions of well-played games and returns their mean scores by the number of discs.
///
/// The games start at up to `count` balanced positions after eight moves and continue by searches of a few plies.
pub(crate) fn parity_scores(searcher: &mut Searcher, count: usize) -> Vec<ParityScores> {
    let mut positions = balanced(searcher, count);
    DISCS
        .into_iter()
        .map(|discs| {
            positions.retain_mut(|position| {
                play_on(searcher, position, discs);
                !position.is_over()
            });
            let mean = |depth| mean_score(searcher, &positions, depth);
            ParityScores {
                discs,
                positions: positions.len(),
                means: PARITY_DEPTHS.map(mean).collect(),
            }
        })
        .collect()
}

/// Lowers the biases of a model's heads so that odd and even depths have the same mean scores.
pub(crate) fn remove_parity(model: &mut Model, scores: &[ParityScores]) {
    for (head, excess) in model.heads.iter_mut().zip(excesses(scores)) {
        head.bias -= excess;
    }
}

/// Returns the number of discs by which each head overestimates the side to move.
fn excesses(scores: &[ParityScores]) -> [f32; HEADS] {
    let measured: Vec<(f32, f32)> = scores.iter().flat_map(excesses_at_leaves).collect();
    std::array::from_fn(|head| {
        let discs = (FIRST_HEAD + head as u32) as f32;
        let first = measured.iter().map(|it| it.0).fold(f32::MAX, f32::min);
        weighted_mean(&measured, discs.max(first))
    })
}

/// Iterates over numbers of discs between the leaves of two depths, with the excess there. For an excess *b*, the
/// score of an even depth is higher by 2*b* than that of an odd one.
fn excesses_at_leaves(scores: &ParityScores) -> impl Iterator<Item = (f32, f32)> {
    let pairs = PARITY_DEPTHS.zip(scores.means.windows(2));
    pairs.map(|(depth, means)| {
        let swing = if depth.is_multiple_of(2) {
            means[0] - means[1]
        } else {
            means[1] - means[0]
        };
        ((scores.discs + depth) as f32 + 0.5, swing / 2.0)
    })
}

/// Returns the weighted mean of measurements near a number of discs, 0 if there are none.
fn weighted_mean(measured: &[(f32, f32)], discs: f32) -> f32 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for &(place, excess) in measured {
        let weight = (1.0 - (place - discs).abs() / REACH).max(0.0);
        sum += weight * excess;
        weights += weight;
    }
    if weights > 0.0 { sum / weights } else { 0.0 }
}

/// Returns the most balanced positions after eight moves, from samples spread over all of them.
fn balanced(searcher: &mut Searcher, count: usize) -> Vec<Position> {
    let mut all = openings(8);
    all.retain(|position| position.empties().count() == 52);
    let step = (all.len() / (CANDIDATES * count.max(1))).max(1);
    let mut candidates: Vec<(f32, Position)> = (all.into_iter().step_by(step))
        .map(|position| (score(searcher, position, PLAYING_DEPTH).abs(), position))
        .collect();
    candidates.sort_by(|one, other| one.0.total_cmp(&other.0));
    candidates.truncate(count);
    candidates.into_iter().map(|it| it.1).collect()
}

/// Plays on until there are this many discs and a move, or the game is over.
fn play_on(searcher: &mut Searcher, position: &mut Position, discs: u32) {
    while !position.is_over() {
        if position.must_pass() {
            *position = position.passed();
        } else if 64 - position.empties().count() >= discs {
            return;
        } else {
            searcher.clear();
            let report = searcher.search(*position, &Limits::depth(PLAYING_DEPTH));
            *position = position.play_unchecked(report.best.expect("a legal move"));
        }
    }
}

fn mean_score(searcher: &mut Searcher, positions: &[Position], depth: u32) -> f32 {
    let scores = positions.iter().map(|&it| score(searcher, it, depth));
    scores.sum::<f32>() / positions.len().max(1) as f32
}

/// Returns the score of a search from an empty table in discs.
fn score(searcher: &mut Searcher, position: Position, depth: u32) -> f32 {
    searcher.clear();
    let report = searcher.search(position, &Limits::depth(depth));
    report.score.discs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_excess_is_half_the_swing_at_the_leaves() {
        // Even depths are higher by one disc.
        let scores = |discs| ParityScores {
            discs,
            positions: 1,
            means: vec![1.5, 0.5, 1.5, 0.5],
        };
        let tenths = |discs: f32| (discs * 10.0).round() as i32;
        assert_eq!(tenths(scores(12).spread()), 10);
        let excesses = excesses(&[scores(12), scores(16)]);
        let at = |discs: u32| tenths(excesses[(discs - FIRST_HEAD) as usize]);
        assert_eq!([4, 12, 20, 28].map(at), [5; 4]);
        assert_eq!([33, 63].map(at), [0; 2]);
        let mut model = Model::default();
        remove_parity(&mut model, &[scores(12)]);
        assert_eq!(tenths(model.heads[0].bias), -5);
    }

    #[test]
    fn positions_are_balanced_and_have_the_discs() {
        let mut searcher = Searcher::new(othello_search::Options {
            hash_mib: 1,
            ..Default::default()
        });
        let mut positions = balanced(&mut searcher, 3);
        assert_eq!(positions.len(), 3);
        for position in &mut positions {
            play_on(&mut searcher, position, 20);
            assert_eq!(64 - position.empties().count(), 20);
        }
    }
}
