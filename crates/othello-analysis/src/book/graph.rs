//! The positions of a book with the links between them, which stay as they are while the book grows.

use std::collections::HashMap;

use othello_core::Position;
use othello_engine::book::successors;

use super::{Entry, Leaf};
use crate::Discs;

/// The number of bits of a hash by which positions are looked for that may have a link to a new one.
const HASH_BITS: u32 = 22;

/// A position of the book with the moves that stay in it.
#[derive(Clone, Debug)]
struct Node {
    position: Position,
    entry: Entry,
    links: Vec<Link>,
}

/// A move that stays in the book: the node to which it leads, and whether the other side passes before that.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: u32,
    passes: bool,
}

/// Positions by their numbers, in the order in which they came into the book.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    numbers: HashMap<Position, u32>,
    /// The numbers of the nodes with each number of empty squares.
    levels: Vec<Vec<u32>>,
    /// Hashes of positions outside the book, each with the number of a node from which a move leads there.
    outside: Vec<(u32, u32)>,
}

impl Graph {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn get(&self, position: &Position) -> Option<Entry> {
        let number = *self.numbers.get(position)?;
        Some(self.nodes[number as usize].entry)
    }

    pub(super) fn contains(&self, position: &Position) -> bool {
        self.numbers.contains_key(position)
    }

    /// Returns the positions in the order in which they came into the book.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Position, Entry)> + '_ {
        self.nodes.iter().map(|node| (node.position, node.entry))
    }

    /// Adds positions with their entries, or replaces the entries of those that are known.
    pub(super) fn extend(&mut self, entries: impl IntoIterator<Item = (Position, Entry)>) {
        let first = self.nodes.len();
        for (position, entry) in entries {
            let new = self.nodes.len() as u32;
            let number = *self.numbers.entry(position).or_insert(new);
            if number < new {
                self.nodes[number as usize].entry = entry;
                continue;
            }
            self.nodes.push(Node {
                position,
                entry,
                links: Vec::new(),
            });
            let empties = position.empties().count() as usize;
            if self.levels.len() <= empties {
                self.levels.resize(empties + 1, Vec::new());
            }
            self.levels[empties].push(new);
        }
        self.link_from_first(first);
    }

    /// Links the nodes from a number on with each other and with those before.
    fn link_from_first(&mut self, first: usize) {
        let mut is_new = vec![false; 1 << HASH_BITS];
        for node in &self.nodes[first..] {
            is_new[hash(node.position) as usize] = true;
        }
        let mut parents: Vec<u32> = self
            .outside
            .iter()
            .filter(|(hash, _)| is_new[*hash as usize])
            .map(|&(_, number)| number)
            .collect();
        parents.sort_unstable();
        parents.dedup();
        for number in parents
            .into_iter()
            .chain(first as u32..self.nodes.len() as u32)
        {
            let node = &self.nodes[number as usize];
            let mut links = Vec::new();
            for (_, next, passes) in successors(node.position) {
                match self.numbers.get(&next) {
                    Some(&to) => links.push(Link { to, passes }),
                    None if number as usize >= first => self.outside.push((hash(next), number)),
                    None => {}
                }
            }
            self.nodes[number as usize].links = links;
        }
    }

    /// Returns the moves of a node that stay in the book: their nodes, and their values from the side that plays them.
    fn stays(&self, number: u32) -> impl Iterator<Item = (u32, Discs)> + '_ {
        let links = self.nodes[number as usize].links.iter();
        links.map(|&Link { to, passes }| {
            let value = self.nodes[to as usize].entry.value;
            (to, if passes { value } else { -value })
        })
    }

    /// Carries the values of leaves back to all positions.
    pub(super) fn back_up(&mut self) {
        for level in 0..self.levels.len() {
            for at in 0..self.levels[level].len() {
                let number = self.levels[level][at];
                let leaf = self.nodes[number as usize].entry.leaf;
                let stays = self.stays(number).map(|(_, value)| value);
                let value = stays.chain(leaf.map(|leaf: Leaf| leaf.score)).max();
                self.nodes[number as usize].entry.value = value.unwrap_or_default();
            }
        }
    }

    /// Returns each position within reach and its smallest path loss. No move of a path loses more than a maximum.
    pub(super) fn losses_from(
        &self,
        start: Position,
        max: Discs,
    ) -> impl Iterator<Item = (Position, Entry, Discs)> + '_ {
        let mut losses: Vec<Option<Discs>> = vec![None; self.nodes.len()];
        if let Some(&start) = self.numbers.get(&start) {
            losses[start as usize] = Some(Discs::ZERO);
        }
        for &number in self.levels.iter().rev().flatten() {
            let Some(path) = losses[number as usize] else {
                continue;
            };
            let best = self.nodes[number as usize].entry.value;
            for (to, value) in self.stays(number) {
                let loss = best - value;
                if loss <= max {
                    let known = losses[to as usize].get_or_insert(path + loss);
                    *known = (*known).min(path + loss);
                }
            }
        }
        let reached = self.iter().zip(losses);
        reached.filter_map(|((position, entry), loss)| Some((position, entry, loss?)))
    }
}

/// Returns a number of [`HASH_BITS`] for a position.
fn hash(position: Position) -> u32 {
    let mixed = position.own().0.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ position.opponent().0;
    (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (64 - HASH_BITS)) as u32
}
