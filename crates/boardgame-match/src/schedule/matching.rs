//! Perfect matchings in general graphs.

use std::collections::VecDeque;

/// A perfect matching of a graph whose edges can be removed as long as a perfect matching remains.
///
/// A matching is extended along alternating paths between unmatched vertices. J. Edmonds, "Paths, trees, and
/// flowers", Canadian Journal of Mathematics 17 (1965).
pub(super) struct Matching {
    /// The symmetric adjacency matrix: true if two vertices may be matched.
    allowed: Vec<Vec<bool>>,
    mates: Vec<Option<usize>>,
}

impl Matching {
    /// Returns a perfect matching of a graph, or `None` if it has none.
    pub(super) fn new(allowed: Vec<Vec<bool>>) -> Option<Self> {
        let count = allowed.len();
        let mut matching = Self {
            allowed,
            mates: vec![None; count],
        };
        (0..count)
            .all(|one| matching.mates[one].is_some() || matching.augment(one))
            .then_some(matching)
    }

    /// Removes the edges of a vertex but for those to keep, unless no perfect matching would remain; returns
    /// whether they are removed.
    pub(super) fn narrow(&mut self, one: usize, keep: impl Fn(usize) -> bool) -> bool {
        let removed: Vec<usize> = self.neighbours(one).filter(|&other| !keep(other)).collect();
        self.set(one, &removed, false);
        let Some(mate) = self.mates[one].filter(|&mate| !keep(mate)) else {
            return true;
        };
        let mates = self.mates.clone();
        (self.mates[one], self.mates[mate]) = (None, None);
        if !self.augment(one) {
            self.mates = mates;
            self.set(one, &removed, true);
            return false;
        }
        true
    }

    /// Keeps the edges of a vertex whose key is at most the least that allows a perfect matching.
    pub(super) fn minimize<K: Ord>(&mut self, one: usize, key: impl Fn(usize) -> K) {
        let mut keys: Vec<K> = self.neighbours(one).map(&key).collect();
        keys.sort();
        keys.dedup();
        // With the greatest key, all edges are kept.
        keys.into_iter()
            .any(|limit| self.narrow(one, |other| key(other) <= limit));
    }

    fn neighbours(&self, one: usize) -> impl Iterator<Item = usize> {
        let allowed = self.allowed[one].iter().enumerate();
        allowed
            .filter(|&(_, &allowed)| allowed)
            .map(|(other, _)| other)
    }

    fn set(&mut self, one: usize, others: &[usize], allowed: bool) {
        for &other in others {
            self.allowed[one][other] = allowed;
            self.allowed[other][one] = allowed;
        }
    }

    /// Extends the matching by an unmatched vertex if that is possible.
    fn augment(&mut self, root: usize) -> bool {
        let search = Search::new(&self.allowed, &self.mates, root);
        let Some((mut end, parents)) = search.path() else {
            return false;
        };
        // Every second edge of the path from the end to the root becomes a pair.
        while let Some(parent) = parents[end] {
            let next = self.mates[parent];
            self.mates[end] = Some(parent);
            self.mates[parent] = Some(end);
            let Some(next) = next else { break };
            end = next;
        }
        true
    }
}

/// A breadth-first search for an alternating path from `root` to another vertex without a mate.
struct Search<'a> {
    allowed: &'a [Vec<bool>],
    mates: &'a [Option<usize>],
    root: usize,
    /// The vertex from which an odd vertex was reached; within a blossom, from which any vertex can be.
    parents: Vec<Option<usize>>,
    /// The vertex that an odd cycle, a blossom, is contracted to.
    bases: Vec<usize>,
    /// The even vertices, from which the search goes on.
    even: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> Search<'a> {
    fn new(allowed: &'a [Vec<bool>], mates: &'a [Option<usize>], root: usize) -> Self {
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
            for (other, &allowed) in self.allowed[one].iter().enumerate() {
                let known = self.bases[one] == self.bases[other] || self.mates[one] == Some(other);
                if !allowed || known {
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

    fn allowed(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<bool>> {
        let mut allowed = vec![vec![false; count]; count];
        for &(one, other) in edges {
            if one != other {
                allowed[one][other] = true;
                allowed[other][one] = true;
            }
        }
        allowed
    }

    fn is_perfect(count: usize, edges: &[(usize, usize)]) -> bool {
        Matching::new(allowed(count, edges)).is_some()
    }

    /// Tries all pairings.
    fn brute_force(allowed: &[Vec<bool>], left: &[usize]) -> bool {
        let Some((&first, rest)) = left.split_first() else {
            return true;
        };
        rest.iter().any(|other| {
            let left: Vec<_> = rest.iter().copied().filter(|one| one != other).collect();
            allowed[first][*other] && brute_force(allowed, &left)
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
        assert!(is_perfect(8, &edges));
        assert!(!is_perfect(8, &edges[..8]));
        // Three triangles, each connected to one vertex by a bridge.
        let mut edges = vec![(0, 1), (0, 4), (0, 7)];
        for tip in [1, 4, 7] {
            edges.extend([(tip, tip + 1), (tip + 1, tip + 2), (tip, tip + 2)]);
        }
        assert!(!is_perfect(10, &edges));
        edges.push((3, 6));
        assert!(is_perfect(10, &edges));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Also while edges are removed: of each vertex in turn those to vertices of a higher number, as far as
        /// that is possible.
        #[test]
        fn agrees_with_trying_everything(
            half in 1_usize..=5,
            edges in proptest::collection::vec((0_usize..10, 0_usize..10), 0..32),
        ) {
            let count = 2 * half;
            let edges: Vec<_> = edges.iter().map(|&(a, b)| (a % count, b % count)).collect();
            let mut left = allowed(count, &edges);
            let all: Vec<_> = (0..count).collect();
            let matching = Matching::new(left.clone());
            prop_assert_eq!(matching.is_some(), brute_force(&left, &all));
            let Some(mut matching) = matching else {
                return Ok(());
            };
            for one in 0..count {
                let limit = (0..count).find(|&limit| {
                    let mut fewer = left.clone();
                    fewer[one][limit + 1..].fill(false);
                    for row in &mut fewer[limit + 1..] {
                        row[one] = false;
                    }
                    let perfect = brute_force(&fewer, &all);
                    if perfect {
                        left = fewer;
                    }
                    perfect
                });
                matching.minimize(one, |other| other);
                prop_assert!(limit.is_some());
                prop_assert_eq!(&matching.allowed, &left);
            }
            for (one, allowed) in left.iter().enumerate() {
                let mate = matching.mates[one].unwrap();
                prop_assert!(allowed[mate] && matching.mates[mate] == Some(one));
            }
        }
    }
}
