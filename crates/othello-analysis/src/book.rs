//! The opening book: a graph of positions whose values agree.

pub mod edax;
pub mod egaroucid;
mod file;
mod foreign;
mod graph;
mod grow;
mod import;
mod lines;
pub mod list;
mod prune;
mod values;

use othello_core::{Bitboard, Position, Square, Symmetry};
use othello_engine::book::{next, playable, successors};
use othello_search::{Limits, Searcher, StopHandle};
use serde::{Deserialize, Serialize};

use crate::{Discs, Effort, Settings, Source, images::distinct_moves};

use self::graph::Graph;

pub use foreign::FormatError;
pub use grow::{Answer, Growth, Question, Round};
pub use import::{Import, Imported};
pub use lines::{BookLine, line_from_start, turned_to_f5};
pub use othello_engine::book::BookError;

/// The best move that leads out of the book from a position, in the orientation of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leaf {
    /// The move.
    pub square: Square,
    /// Its value from the side to move.
    pub score: Discs,
    /// The evidence for the value.
    pub source: Source,
}

impl Leaf {
    fn turned(self, symmetry: Symmetry) -> Self {
        let square = symmetry.square(self.square);
        Self { square, ..self }
    }
}

/// The value of a position and its best move out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value of the best move from the side to move, in the book or out of it.
    pub value: Discs,
    /// The best move that leads out of the book, or `None` if none is known, as when all moves stay in it.
    pub leaf: Option<Leaf>,
}

/// A move of a position in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub square: Square,
    /// Its value from the side to move.
    pub value: Discs,
    /// The evidence for the value of a move that leads out of the book; `None` if it stays in the book.
    pub source: Option<Source>,
}

/// An opening book: canonical positions of a side that has a move, with the values of their best moves.
///
/// No two values contradict each other: a position has the value of its best move, and a move has the value of the
/// position to which it leads, by whichever moves that is reached.
#[derive(Clone, Debug)]
pub struct Book {
    /// The checksum of the weights that evaluated the leaves.
    weights: u32,
    graph: Graph,
}

impl PartialEq for Book {
    fn eq(&self, other: &Self) -> bool {
        self.weights == other.weights && self.entries().eq(other.entries())
    }
}

impl Eq for Book {}

impl Book {
    /// The checksum in place of that of weights in a book with values of other programs.
    pub const FOREIGN: u32 = 0;

    /// Creates a book without positions, for values found with the weights of a checksum.
    pub fn new(weights: u32) -> Self {
        Self {
            weights,
            graph: Graph::default(),
        }
    }

    /// Returns the checksum of the weights that evaluated the leaves, or [`FOREIGN`](Self::FOREIGN).
    pub const fn weights(&self) -> u32 {
        self.weights
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Returns `true` if the book has no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the positions in ascending order, each canonical, with what is known of them.
    pub fn entries(&self) -> impl Iterator<Item = (Position, Entry)> + '_ {
        let mut entries: Vec<_> = self.graph.iter().collect();
        entries.sort_unstable_by_key(|&(position, _)| position);
        entries.into_iter()
    }

    /// Returns what is known of a position in any orientation.
    pub fn get(&self, position: Position) -> Option<Entry> {
        let (canonical, symmetry) = position.canonical();
        let entry = self.graph.get(&canonical)?;
        let leaf = entry.leaf.map(|leaf| leaf.turned(symmetry.inverse()));
        Some(Entry { leaf, ..entry })
    }

    /// Returns the known moves of a position in any orientation, best first: all that stay in the book, and the best
    /// that leads out of it. Of moves that are images of each other it has one.
    pub fn moves(&self, position: Position) -> Vec<BookMove> {
        let stays = self.stays(position).map(|(square, _, value)| BookMove {
            square,
            value,
            source: None,
        });
        let leaf = self.get(position).and_then(|entry| entry.leaf);
        let leaves = leaf.map(|leaf| BookMove {
            square: leaf.square,
            value: leaf.score,
            source: Some(leaf.source),
        });
        let mut moves: Vec<_> = stays.chain(leaves).collect();
        moves.sort_by_key(|mv| (-mv.value, mv.source.is_some(), mv.square));
        moves
    }

    /// Returns the value of a move that stays in the book, from the side that plays it.
    fn value_after(&self, position: Position, square: Square) -> Option<Discs> {
        let (next, passes) = next(position, square)?;
        let value = self.graph.get(&next)?.value;
        Some(if passes { value } else { -value })
    }

    /// Returns the moves that stay in the book, each with the position to which it leads and its value from the side
    /// that plays it.
    fn stays(&self, position: Position) -> impl Iterator<Item = (Square, Position, Discs)> + '_ {
        let successors = successors(position).into_iter();
        successors.filter_map(|(square, next, passes)| {
            let value = self.graph.get(&next)?.value;
            Some((square, next, if passes { value } else { -value }))
        })
    }

    /// Returns the value of a position by its moves: the best of its leaf and of the moves that stay in the book.
    fn value_of(&self, position: Position, leaf: Option<Leaf>) -> Option<Discs> {
        let stays = self.stays(position).map(|(_, _, value)| value);
        stays.chain(leaf.map(|leaf| leaf.score)).max()
    }

    /// Returns the fault of an entry, if it contradicts another one or the rules.
    fn fault(&self, position: Position, entry: &Entry) -> Option<&'static str> {
        if position.canonical().0 != position {
            return Some("expected the least of the eight images of the position");
        }
        if position.legal_moves().is_empty() {
            return Some("expected a side to move that has a move");
        }
        let out = moves_out(position, |next| self.graph.contains(next));
        if entry.leaf.is_some_and(|leaf| !out.contains(leaf.square)) {
            return Some("expected a legal move that leads out of the book");
        }
        let value = self.value_of(position, entry.leaf);
        (value != Some(entry.value)).then_some("expected the value of the best move")
    }
}

/// Returns the moves that lead to no position of a set, one of those that are images of each other.
fn moves_out(position: Position, contains: impl Fn(&Position) -> bool) -> Bitboard {
    let leads_out =
        |&square: &Square| next(position, square).is_none_or(|(next, _)| !contains(&next));
    distinct_moves(position)
        .into_iter()
        .filter(leads_out)
        .collect()
}

/// Searches for the best of some moves; the table is cleared first, so that the answer depends on nothing else.
/// Returns `None` if the search was stopped or there are no moves.
pub fn search_leaf(
    searcher: &mut Searcher,
    stop: &StopHandle,
    settings: Settings,
    question: &Question,
) -> Option<Leaf> {
    searcher.clear();
    let depth = match settings.effort(question.position) {
        Effort::Depth(depth) => depth,
        Effort::Exact => question.position.empties().count(),
    };
    let limits = Limits {
        moves: Some(question.moves),
        stop: Some(stop.clone()),
        ..Limits::depth(depth)
    };
    let report = searcher.search(question.position, &limits);
    let square = report.best.filter(|_| !stop.is_stopped())?;
    Some(Leaf {
        square,
        score: report.score.into(),
        source: Source::of_report(&report),
    })
}
