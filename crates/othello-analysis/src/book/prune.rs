//! Books cut to limits.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use othello_core::Position;

use super::{Book, Entry, Graph, Growth, Leaf};
use crate::Source;

impl Book {
    /// Drops the positions that no line from the start reaches within the limits, and then those that lie farthest
    /// from it by the weights of the growth, until the number of positions is as asked for.
    ///
    /// No value of the others changes: a move to a dropped position leads out of the book with the value that the
    /// position had, and with the weakest evidence for any move out of the book of the position or after it.
    pub fn prune(&mut self, growth: &Growth) {
        // Of equal costs the position before comes first, so that a line is kept from its start.
        let mut costs: Vec<_> = self
            .losses_from_start(growth)
            .filter(|(_, _, path)| *path <= growth.path)
            .map(|(position, _, path)| {
                let empties = Reverse(position.empties().count());
                (growth.cost(position, path), empties, position)
            })
            .collect();
        costs.sort_unstable();
        costs.truncate(growth.positions);
        let kept: BTreeSet<Position> = costs.into_iter().map(|(.., position)| position).collect();
        let evidence = self.evidence();
        let cut = |(position, entry): (Position, Entry)| {
            let leaf = self.leaf_without(position, entry.leaf, &kept, &evidence);
            (position, Entry { leaf, ..entry })
        };
        let entries = self
            .entries()
            .filter(|(position, _)| kept.contains(position));
        let entries: Vec<_> = entries.map(cut).collect();
        self.graph = Graph::default();
        self.graph.extend(entries);
    }

    /// Returns the best move of a position that leads to none of the kept positions.
    fn leaf_without(
        &self,
        position: Position,
        leaf: Option<Leaf>,
        kept: &BTreeSet<Position>,
        evidence: &BTreeMap<Position, Source>,
    ) -> Option<Leaf> {
        let stays = self.stays(position);
        let dropped = stays.filter(|(_, next, _)| !kept.contains(next));
        let dropped = dropped.filter_map(|(square, next, score)| {
            let source = evidence.get(&next)?.before(square.into());
            Some(Leaf {
                square,
                score,
                source,
            })
        });
        let leaves: Vec<Leaf> = leaf.into_iter().chain(dropped).collect();
        let source = leaves.iter().map(|leaf| leaf.source).min()?;
        // Of equals the last would be the best.
        let best = leaves.into_iter().rev().max_by_key(|leaf| leaf.score)?;
        Some(Leaf { source, ..best })
    }

    /// Returns the evidence for the value of each position: the weakest of the moves out of the book in and after it.
    fn evidence(&self) -> BTreeMap<Position, Source> {
        let mut evidence = BTreeMap::new();
        let mut order: Vec<_> = self.graph.iter().collect();
        order.sort_by_key(|(position, _)| position.empties().count());
        for (position, entry) in order {
            let after = self.stays(position).filter_map(|(square, next, _)| {
                let source: &Source = evidence.get(&next)?;
                Some(source.before(square.into()))
            });
            let leaf = entry.leaf.map(|leaf| leaf.source);
            if let Some(weakest) = after.chain(leaf).min() {
                evidence.insert(position, weakest);
            }
        }
        evidence
    }
}
