//! Perfect matchings in general graphs.

use std::collections::VecDeque;

/// Returns true if a graph has a perfect matching; `allowed[one]` are the neighbours of `one`, symmetrically.
///
/// A matching is extended along alternating paths between unmatched vertices. J. Edmonds, "Paths, trees, and
/// flowers", Canadian Journal of Mathematics 17 (1965).
pub(super) fn is_perfect(allowed: &[Vec<usize>]) -> bool {
    let mut mates = vec![None; allowed.len()];
    (0..allowed.len()).all(|one| mates[one].is_some() || augment(allowed, &mut mates, one))
}

/// Extends the matching by an unmatched vertex if that is possible.
fn augment(allowed: &[Vec<usize>], mates: &mut [Option<usize>], root: usize) -> bool {
    let Some((mut end, parents)) = Search::new(allowed, mates, root).path() else {
        return false;
    };
    // Every second edge of the path from the end to the root becomes a pair.
    while let Some(parent) = parents[end] {
        let next = mates[parent];
        mates[end] = Some(parent);
        mates[parent] = Some(end);
        let Some(next) = next else { break };
        end = next;
    }
    true
}

/// A breadth-first search for an alternating path from `root` to another vertex without a mate.
struct Search<'a> {
    allowed: &'a [Vec<usize>],
    mates: &'a [Option<usize>],
    root: usize,
    /// The vertex from which an odd vertex was reached, and within a blossom each vertex can be.
    parents: Vec<Option<usize>>,
    /// The vertex that an odd cycle, a blossom, is contracted to.
    bases: Vec<usize>,
    /// The even vertices, from which the search goes on.
    even: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> Search<'a> {
    fn new(allowed: &'a [Vec<usize>], mates: &'a [Option<usize>], root: usize) -> Self {
        let count = allowed.len();
        let mut search = Self {
            allowed,
            mates,
            root,
            parents: vec![None; count],
            bases: (0..count).collect(),
            even: vec![false; count],
            queue: VecDeque::new(),
        };
        search.reach(root);
        search
    }

    /// Returns the end of an augmenting path and the parents that lead back to the root.
    fn path(mut self) -> Option<(usize, Vec<Option<usize>>)> {
        while let Some(one) = self.queue.pop_front() {
            for &other in &self.allowed[one] {
                if self.bases[one] == self.bases[other] || self.mates[one] == Some(other) {
                    continue;
                }
                if self.is_even(other) {
                    self.contract(one, other);
                } else if self.parents[other].is_none() {
                    self.parents[other] = Some(one);
                    match self.mates[other] {
                        None => return Some((other, self.parents)),
                        Some(mate) => self.reach(mate),
                    }
                }
            }
        }
        None
    }

    fn reach(&mut self, vertex: usize) {
        if !self.even[vertex] {
            self.even[vertex] = true;
            self.queue.push_back(vertex);
        }
    }

    fn is_even(&self, vertex: usize) -> bool {
        let reached = |mate: usize| self.parents[mate].is_some();
        vertex == self.root || self.mates[vertex].is_some_and(reached)
    }

    /// Contracts the odd cycle that an edge between two even vertices closes.
    fn contract(&mut self, one: usize, other: usize) {
        let base = self.common_base(one, other);
        let mut blossom = vec![false; self.bases.len()];
        self.mark(&mut blossom, one, base, other);
        self.mark(&mut blossom, other, base, one);
        for vertex in 0..self.bases.len() {
            if blossom[self.bases[vertex]] {
                self.bases[vertex] = base;
                self.reach(vertex);
            }
        }
    }

    /// Returns the even vertex before an even one, or `None` at the root.
    fn before(&self, even: usize) -> Option<usize> {
        self.parents[self.mates[even]?]
    }

    fn common_base(&self, one: usize, other: usize) -> usize {
        let bases = |from: usize| {
            let base = |vertex: usize| self.bases[vertex];
            std::iter::successors(Some(base(from)), move |&at| self.before(at).map(base))
        };
        let mut seen = vec![false; self.bases.len()];
        bases(one).for_each(|base| seen[base] = true);
        let common = bases(other).find(|&base| seen[base]);
        common.unwrap_or(self.root)
    }

    /// Marks the path from an even vertex down to the base, and reverses its parents.
    fn mark(&mut self, blossom: &mut [bool], from: usize, base: usize, mut child: usize) {
        let mut vertex = from;
        while self.bases[vertex] != base {
            let (Some(mate), Some(next)) = (self.mates[vertex], self.before(vertex)) else {
                break;
            };
            blossom[self.bases[vertex]] = true;
            blossom[self.bases[mate]] = true;
            self.parents[vertex] = Some(child);
            child = mate;
            vertex = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn allowed(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut allowed = vec![Vec::new(); count];
        for &(one, other) in edges {
            if one != other {
                allowed[one].push(other);
                allowed[other].push(one);
            }
        }
        allowed
    }

    /// Tries all pairings.
    fn brute_force(allowed: &[Vec<usize>], left: &[usize]) -> bool {
        let Some((&first, rest)) = left.split_first() else {
            return true;
        };
        rest.iter().any(|other| {
            let left: Vec<_> = rest.iter().copied().filter(|one| one != other).collect();
            allowed[first].contains(other) && brute_force(allowed, &left)
        })
    }

    #[test]
    fn blossoms_are_seen_through() {
        // Two triangles with a tail each, joined by their tips.
        let edges = [
            (0, 1),
            (1, 2),
            (2, 3),
            (1, 3),
            (3, 4),
            (4, 5),
            (5, 6),
            (4, 6),
            (6, 7),
        ];
        assert!(is_perfect(&allowed(8, &edges)));
        assert!(!is_perfect(&allowed(8, &edges[..8])));
        // Three triangles that hang on one vertex by a bridge each.
        let mut edges = vec![(0, 1), (0, 4), (0, 7)];
        for tip in [1, 4, 7] {
            edges.extend([(tip, tip + 1), (tip + 1, tip + 2), (tip, tip + 2)]);
        }
        assert!(!is_perfect(&allowed(10, &edges)));
        edges.push((3, 6));
        assert!(is_perfect(&allowed(10, &edges)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn agrees_with_trying_everything(
            half in 1_usize..=5,
            edges in proptest::collection::vec((0_usize..10, 0_usize..10), 0..24),
        ) {
            let count = 2 * half;
            let edges: Vec<_> = edges.iter().map(|&(a, b)| (a % count, b % count)).collect();
            let allowed = allowed(count, &edges);
            let all: Vec<_> = (0..count).collect();
            prop_assert_eq!(is_perfect(&allowed), brute_force(&allowed, &all));
        }
    }
}
