//! The growth of a book: best-first expansion of its leaves, after Lincke, "Strategies for the automatic construction
//! of opening books" (2001).

use std::collections::{BTreeMap, BTreeSet};

use othello_core::{Bitboard, Position};

use super::{Book, Entry, Leaf, moves_out, next};
use crate::{Discs, Source, images::distinct_moves};

/// The limits and preferences of a book's growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The number of positions to stop at.
    pub positions: usize,
    /// The most that a move of a line may lose.
    pub loss: Discs,
    /// The most that the moves of a line may lose, of both sides together.
    pub path: Discs,
    /// The loss that weighs as much as a move in the choice of what to expand next.
    pub ply: Discs,
}

/// A question to the search: the best of some moves of a canonical position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position.
    pub position: Position,
    /// The moves that lead out of the book; none if all moves stay in it.
    pub moves: Bitboard,
}

impl Book {
    /// Returns the questions of the next round: of positions that come into the book, and of those whose best move out
    /// of the book then leads to one of them. None if nothing is left to expand within the limits.
    ///
    /// A round depends on the book alone, so a book grows the same way on any number of threads.
    pub fn round(&self, growth: &Growth) -> Vec<Question> {
        let room = growth.positions.saturating_sub(self.len());
        let start = Position::START.canonical().0;
        let new: BTreeSet<Position> = if self.entries.contains_key(&start) {
            let size = room.min((self.len() / 64).max(1));
            self.best_leaves(growth, size)
        } else {
            (room > 0).then_some(start).into_iter().collect()
        };
        let contains = |next: &Position| new.contains(next) || self.entries.contains_key(next);
        let leads_in = |(&position, entry): (&Position, &Entry)| {
            let (next, _) = next(position, entry.leaf?.square)?;
            new.contains(&next).then_some(position)
        };
        let parents = self.entries.iter().filter_map(leads_in);
        let positions = new.iter().copied().chain(parents);
        positions
            .map(|position| Question {
                position,
                moves: moves_out(position, contains),
            })
            .collect()
    }

    /// Adds the answers to all questions of a round, and carries the values back.
    pub fn grow(&mut self, answers: impl IntoIterator<Item = (Position, Option<Leaf>)>) {
        for (position, leaf) in answers {
            let value = Discs::ZERO;
            self.entries.insert(position, Entry { value, leaf });
        }
        self.back_up();
    }

    /// Returns the positions after the leaves that lose least and lie nearest to the start.
    fn best_leaves(&self, growth: &Growth, size: usize) -> BTreeSet<Position> {
        let mut leaves = Vec::new();
        for (position, path) in self.losses_from_start(growth) {
            let entry = self.entries[&position];
            let Some(leaf) = entry.leaf.filter(|leaf| leaf.source != Source::Exact) else {
                continue;
            };
            let loss = entry.value - leaf.score;
            let Some((next, _)) = next(position, leaf.square) else {
                continue;
            };
            if loss <= growth.loss && path + loss <= growth.path {
                let plies = 60 - position.empties().count().min(60) as i32;
                let cost = (path + loss).hundredths() + plies * growth.ply.hundredths();
                leaves.push((cost, next));
            }
        }
        leaves.sort_unstable();
        let mut new = BTreeSet::new();
        for (_, next) in leaves {
            if new.len() < size {
                new.insert(next);
            }
        }
        new
    }

    /// Returns the least that the moves from the start to each position lose, for those reached within the limits.
    fn losses_from_start(&self, growth: &Growth) -> BTreeMap<Position, Discs> {
        let mut order: Vec<Position> = self.entries.keys().copied().collect();
        order.sort_by_key(|position| std::cmp::Reverse(position.empties().count()));
        let mut losses = BTreeMap::from([(Position::START.canonical().0, Discs::ZERO)]);
        for position in order {
            let Some(&path) = losses.get(&position) else {
                continue;
            };
            for square in distinct_moves(position) {
                let Some(value) = self.value_after(position, square) else {
                    continue;
                };
                let loss = self.entries[&position].value - value;
                let Some((next, _)) = next(position, square).filter(|_| loss <= growth.loss) else {
                    continue;
                };
                let known = losses
                    .entry(next)
                    .or_insert(Discs::whole(i32::from(i16::MAX)));
                *known = (*known).min(path + loss);
            }
        }
        losses
    }
}
