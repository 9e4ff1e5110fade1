//! The best lines of a book.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
};

use othello_core::{Position, Square, Symmetry};

use super::{Book, playable};
use crate::{Discs, Source};

/// A line of a book from a position to the first move that leads out of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLine {
    /// The moves, without passes.
    pub moves: Vec<Square>,
    /// The value of the last move, from the side to move in the position.
    pub value: Discs,
    /// The discs that its moves lose, those of both sides together.
    pub loss: Discs,
    /// The evidence for the value.
    pub source: Source,
}

/// A line that is followed: to a position, or with a source to its end.
struct Node {
    position: Position,
    moves: Vec<Square>,
    /// The value of the end, from the side to move at the start of the line.
    end: Option<(Discs, Source)>,
    /// True if the side to move is not that at the start of the line.
    is_turned: bool,
}

impl Book {
    /// Returns the lines from a position in any orientation in which both sides lose least, each to another last
    /// move, one after the other. Of several orders of moves to a position it follows the first.
    pub fn lines(&self, position: Position) -> impl Iterator<Item = BookLine> + '_ {
        let root = Node {
            position,
            moves: Vec::new(),
            end: None,
            is_turned: false,
        };
        let mut nodes = vec![Some(root)];
        let mut queue = BinaryHeap::from([Reverse((Discs::ZERO, 0))]);
        let mut known = BTreeSet::new();
        std::iter::from_fn(move || {
            while let Some(Reverse((loss, index))) = queue.pop() {
                let node = nodes[index].take()?;
                if let Some((value, source)) = node.end {
                    return Some(BookLine {
                        moves: node.moves,
                        value,
                        loss,
                        source,
                    });
                }
                if !known.insert(node.position.canonical().0) {
                    continue;
                }
                for (more, next) in self.follow(&node) {
                    queue.push(Reverse((loss + more, nodes.len())));
                    nodes.push(Some(next));
                }
            }
            None
        })
    }

    /// Returns the lines one move longer, each with the loss of the move.
    fn follow(&self, node: &Node) -> Vec<(Discs, Node)> {
        let moves = self.moves(node.position);
        let best = moves.first().map_or(Discs::ZERO, |mv| mv.value);
        let longer = moves.into_iter().map(|mv| {
            let after = node.position.play_unchecked(mv.square);
            let passes = playable(after).is_some_and(|(_, passes)| passes);
            let value = if node.is_turned { -mv.value } else { mv.value };
            let next = Node {
                position: if passes { after.passed() } else { after },
                moves: node.moves.iter().copied().chain([mv.square]).collect(),
                end: mv.source.map(|source| (value, source)),
                is_turned: node.is_turned == passes,
            };
            (best - mv.value, next)
        });
        longer.collect()
    }
}

/// Prints the moves of a line from the start, turned so that the first is f5, as people write it.
pub fn line_from_start(moves: &[Square]) -> String {
    let moves = turned_to_f5(moves).into_iter();
    moves.map(|square| square.to_string()).collect()
}

/// Turns squares, the first of which is a first move, so that it is f5.
pub fn turned_to_f5(squares: &[Square]) -> Vec<Square> {
    let turns = |symmetry: &Symmetry| {
        symmetry.position(Position::START) == Position::START
            && squares.first().map(|&first| symmetry.square(first)) == Some(Square::F5)
    };
    let symmetry = Symmetry::ALL.into_iter().find(turns).unwrap_or_default();
    squares
        .iter()
        .map(|&square| symmetry.square(square))
        .collect()
}
