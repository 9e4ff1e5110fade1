//! The growth of a book: best-first expansion of its leaves, after Lincke, "Strategies for the automatic construction
//! of opening books" (2001).

use std::{cmp::Reverse, collections::BTreeSet};

use othello_core::{Bitboard, Position};

use super::{Book, Entry, Leaf, moves_out, next, playable};
use crate::{Discs, Effort, Settings, Source};

/// The limits and preferences of a book's growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The number of positions to stop at.
    pub positions: usize,
    /// The most that a move of a line may lose.
    pub loss: Discs,
    /// The most that the moves of a line may lose, of both sides together.
    pub path: Discs,
    /// The loss that weighs as much as a ply in the choice of what to expand next.
    pub ply: Discs,
}

impl Growth {
    /// Returns the cost of a line that loses some discs, to a position or to a move of it, in hundredths of a disc.
    pub(super) fn cost(&self, position: Position, loss: Discs) -> i32 {
        let plies = 60 - position.empties().count().min(60) as i32;
        loss.hundredths() + plies * self.ply.hundredths()
    }
}

/// A question to the search: the best of some moves of a canonical position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position.
    pub position: Position,
    /// The moves that lead out of the book, at least one.
    pub moves: Bitboard,
}

/// A canonical position with its best move out of the book, or `None` if all moves stay in it.
pub type Answer = (Position, Option<Leaf>);

/// A step of the work on a book: [`Book::grow`] takes what is known with the answers to the questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The answers that need no search.
    pub known: Vec<Answer>,
    /// The questions to the search.
    pub questions: Vec<Question>,
}

impl Round {
    /// Returns `true` if nothing is left to do.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.questions.is_empty()
    }
}

impl Book {
    /// Returns the next round of a book's construction. It is empty if nothing is left to expand within the limits.
    ///
    /// A round depends on the book alone, so a book grows the same way on any number of threads.
    pub fn round(&self, growth: &Growth) -> Round {
        let room = growth.positions.saturating_sub(self.len());
        let start = Position::START.canonical().0;
        let new: BTreeSet<Position> = if self.graph.contains(&start) {
            let size = room.min((self.len() / 64).max(1));
            self.best_leaves(growth, size)
        } else {
            (room > 0).then_some(start).into_iter().collect()
        };
        self.round_of(&new, |_| None)
    }

    /// Returns the next round in which some positions, in any orientation, come into the book; empty if all are in it.
    /// Those with the fewest empty squares come first: then no position is searched for moves that lead to another.
    pub fn learn(&self, positions: &[Position]) -> Round {
        let playable = positions.iter().filter_map(|&it| playable(it));
        let new = self.nearest_to_the_end(playable.map(|(position, _)| position));
        self.round_of(&new, |_| None)
    }

    /// Returns the next round in which the positions of a book with the same weights come into this one; empty if all
    /// are in it with the better evidence.
    ///
    /// The moves out of either book keep their values, the better evidence of both, unless they lead into the union:
    /// then the position is searched again.
    pub fn merge(&self, from: &Self) -> Round {
        let new = self.nearest_to_the_end(from.graph.iter().map(|(position, _)| position));
        let known = |position| from.graph.get(&position)?.leaf;
        if !new.is_empty() {
            return self.round_of(&new, known);
        }
        let better = |(position, entry): (Position, Entry)| {
            let leaf = known(position)
                .filter(|leaf| Some(leaf.source) > entry.leaf.map(|own| own.source))?;
            let out = moves_out(position, |next| self.graph.contains(next));
            out.contains(leaf.square).then_some((position, Some(leaf)))
        };
        Round {
            known: self.graph.iter().filter_map(better).collect(),
            questions: Vec::new(),
        }
    }

    /// Returns the questions about the moves out of the book whose evidence is weaker than that of a search, those of
    /// the positions with the most empty squares first.
    pub fn weaker_than(&self, settings: Settings) -> Vec<Question> {
        let weaker = |(position, entry): (Position, Entry)| {
            let least = match settings.effort(position) {
                Effort::Depth(depth) => Source::Depth {
                    depth,
                    confidence: 0,
                },
                Effort::Exact => Source::Exact,
            };
            (entry.leaf?.source < least).then(|| Question {
                position,
                moves: moves_out(position, |next| self.graph.contains(next)),
            })
        };
        let mut questions: Vec<_> = self.entries().filter_map(weaker).collect();
        questions.sort_by_key(|question| Reverse(question.position.empties().count()));
        questions
    }

    /// Returns the positions that are not in the book and nearest to the end of the game, a 64th of the book's size.
    fn nearest_to_the_end(&self, positions: impl Iterator<Item = Position>) -> BTreeSet<Position> {
        let new = positions.filter(|position| !self.graph.contains(position));
        let new: BTreeSet<_> = new
            .map(|position| (position.empties().count(), position))
            .collect();
        let size = (self.len() / 64).max(64);
        new.into_iter()
            .take(size)
            .map(|(_, position)| position)
            .collect()
    }

    /// Returns the round in which positions come into the book: it asks for their best moves out of the book, and for
    /// those of the positions whose best move out of the book then leads to one of them, unless they are known.
    fn round_of(
        &self,
        new: &BTreeSet<Position>,
        known: impl Fn(Position) -> Option<Leaf>,
    ) -> Round {
        let contains = |next: &Position| new.contains(next) || self.graph.contains(next);
        let leads_in = |(position, entry): (Position, Entry)| {
            let (next, _) = next(position, entry.leaf?.square)?;
            new.contains(&next).then_some(position)
        };
        let parents: BTreeSet<Position> = self.graph.iter().filter_map(leads_in).collect();
        let mut round = Round::default();
        for position in new.iter().copied().chain(parents) {
            let moves = moves_out(position, contains);
            let leaf = known(position).filter(|leaf| moves.contains(leaf.square));
            if moves.is_empty() || leaf.is_some() {
                round.known.push((position, leaf));
            } else {
                round.questions.push(Question { position, moves });
            }
        }
        round
    }

    /// Adds what a round knows and the answers to its questions, and carries the values back.
    pub fn grow(&mut self, answers: impl IntoIterator<Item = Answer>) {
        let value = Discs::ZERO;
        let entry = |(position, leaf)| (position, Entry { value, leaf });
        self.graph.extend(answers.into_iter().map(entry));
        self.graph.back_up();
    }

    /// Returns the positions after the leaves that lose least and lie nearest to the start.
    fn best_leaves(&self, growth: &Growth, size: usize) -> BTreeSet<Position> {
        let mut leaves = Vec::new();
        for (position, entry, path) in self.losses_from_start(growth) {
            let Some(leaf) = entry.leaf.filter(|leaf| leaf.source != Source::Exact) else {
                continue;
            };
            let loss = entry.value - leaf.score;
            if loss > growth.loss || path + loss > growth.path {
                continue;
            }
            if let Some((next, _)) = next(position, leaf.square) {
                leaves.push((growth.cost(position, path + loss), next));
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
    pub(super) fn losses_from_start(
        &self,
        growth: &Growth,
    ) -> impl Iterator<Item = (Position, Entry, Discs)> + '_ {
        let start = Position::START.canonical().0;
        self.graph.losses_from(start, growth.loss)
    }
}
