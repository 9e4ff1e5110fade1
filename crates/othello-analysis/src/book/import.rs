//! The making of a book from what files of other programs say.

use std::collections::{BTreeMap, BTreeSet};

use othello_core::{Move, Position, Square};

use super::{Book, Entry, Leaf, next};
use crate::{Discs, Source, images::distinct_moves};

/// The statements of files of other programs on positions and moves.
#[derive(Clone, Debug, Default)]
pub struct Import {
    positions: BTreeMap<Position, Stated>,
}

/// The statements of files on a canonical position.
#[derive(Clone, Debug, Default)]
struct Stated {
    /// The value with the strongest evidence.
    value: Option<(Source, Discs)>,
    /// The moves with their values.
    moves: Vec<Leaf>,
}

/// A book made of files of other programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The book.
    pub book: Book,
    /// The number of values in the files that contradicted others, so that the book has other values.
    pub changed: usize,
    /// The most that a value changed.
    pub max_change: Discs,
    /// The number of moves that lead out of the book and are not in it, since each position has the best one alone.
    pub left_out: usize,
}

impl Import {
    /// Adds a position in any orientation with its value, if it is known, and the values of legal moves. A side
    /// without a move has no position of its own in a book: what is said of it is ignored.
    pub(super) fn add(
        &mut self,
        position: Position,
        value: Option<(Source, Discs)>,
        moves: impl IntoIterator<Item = Leaf>,
    ) {
        if position.must_pass() {
            return;
        }
        let (canonical, symmetry) = position.canonical();
        let stated = self.positions.entry(canonical).or_default();
        stated.value = stated.value.max(value);
        let moves = moves.into_iter().map(|leaf| leaf.turned(symmetry));
        stated.moves.extend(moves);
    }

    /// Makes the book: the positions with a known move, whose values are backed up from the best moves that lead out of
    /// them. A position with a value alone is no position of the book, but a move to it has that value.
    pub fn finish(&self) -> Imported {
        let kept = self.with_known_moves();
        let mut book = Book::new(Book::FOREIGN);
        let mut left_out = 0;
        let entries = kept.iter().map(|&position| {
            let mut leaves = self.leaves(position, &kept);
            // The first of the best.
            leaves.sort_by_key(|leaf| -leaf.score);
            left_out += leaves.len().saturating_sub(1);
            let leaf = leaves.first().copied();
            let value = Discs::ZERO;
            (position, Entry { value, leaf })
        });
        book.graph.extend(entries);
        book.graph.back_up();
        let changes = self.changes(&book);
        Imported {
            changed: changes.len(),
            max_change: changes.into_iter().max().unwrap_or_default(),
            book,
            left_out,
        }
    }

    /// Returns the positions of which a move is known, or the value after a move.
    fn with_known_moves(&self) -> BTreeSet<Position> {
        let mut order: Vec<_> = self.positions.iter().collect();
        order.sort_by_key(|(position, _)| position.empties().count());
        let mut kept = BTreeSet::new();
        for (&position, stated) in order {
            let is_known = |square| {
                let (next, _) = after(position, square);
                kept.contains(&next) || self.value(&next).is_some()
            };
            if !stated.moves.is_empty() || position.legal_moves().into_iter().any(is_known) {
                kept.insert(position);
            }
        }
        kept
    }

    fn value(&self, position: &Position) -> Option<(Source, Discs)> {
        self.positions.get(position)?.value
    }

    /// Returns the moves of a position that lead out of the book and have a value, each with the strongest evidence.
    fn leaves(&self, position: Position, kept: &BTreeSet<Position>) -> Vec<Leaf> {
        let image = |square| position.play_unchecked(square).canonical().0;
        let stated = self.positions[&position].moves.iter();
        let stated: Vec<_> = stated
            .map(|leaf| (image(leaf.square), (leaf.source, leaf.score)))
            .collect();
        let mut leaves = Vec::new();
        for square in distinct_moves(position) {
            let (next, passes) = after(position, square);
            if kept.contains(&next) {
                continue;
            }
            let own = image(square);
            let stated = stated.iter().filter(|(image, _)| *image == own);
            let stated = stated.map(|(_, value)| *value);
            let reached = self.value(&next).map(|(source, value)| {
                let score = if passes { value } else { -value };
                (source.before(Move::Place(square)), score)
            });
            leaves.extend(stated.chain(reached).max().map(|(source, score)| Leaf {
                square,
                score,
                source,
            }));
        }
        leaves
    }

    /// Returns the differences of the values in the files from those in the book.
    fn changes(&self, book: &Book) -> Vec<Discs> {
        let differences = self.positions.iter().flat_map(|(&position, stated)| {
            let entry = book.graph.get(&position);
            let value = stated.value.zip(entry);
            let value = value.map(|((_, value), entry)| entry.value - value);
            let moves = stated.moves.iter();
            let moves = moves.filter_map(move |leaf| {
                Some(book.value_after(position, leaf.square)? - leaf.score)
            });
            value.into_iter().chain(moves)
        });
        differences
            .filter(|&difference| difference != Discs::ZERO)
            .map(|difference| difference.max(-difference))
            .collect()
    }
}

/// Returns the canonical position after a move in which a side has a move or the game is over, and `true` if the other
/// side passes before it.
fn after(position: Position, square: Square) -> (Position, bool) {
    let over = || (position.play_unchecked(square).canonical().0, false);
    next(position, square).unwrap_or_else(over)
}
