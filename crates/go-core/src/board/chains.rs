//! Chains: connected stones of one colour, with their common liberties.

use core::ops::{AddAssign, SubAssign};

use boardgame_core::Color;

use super::{Board, cell, pattern};
use crate::{Point, PointSet, Points, point::neighbours};

/// The liberties of a chain, as sums over all pairs of a stone and an adjacent empty point: the number of pairs, the
/// sum of the points' cells, and the sum of their squares.
///
/// The three sums share a word, so that a pair is added or removed in one operation. On the largest board there are at
/// most 2 * 25 * 24 = 1200 pairs, and cells are below 2^10: 11, 21 and 31 bits suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LibertySum(u64);

impl LibertySum {
    /// No liberties.
    pub(super) const NONE: Self = Self(0);

    const SUM_SHIFT: u32 = 12;
    const SQUARES_SHIFT: u32 = 33;

    /// Returns the sums of a single pair.
    #[inline(always)]
    pub(super) const fn of(index: usize) -> Self {
        let index = index as u64;
        Self(1 | index << Self::SUM_SHIFT | (index * index) << Self::SQUARES_SHIFT)
    }

    /// Returns the number of pairs.
    #[inline(always)]
    pub(super) const fn pairs(self) -> usize {
        (self.0 & ((1 << Self::SUM_SHIFT) - 1)) as usize
    }

    /// Returns the only liberty, or `None` if there are none or several.
    ///
    /// By the Cauchy-Schwarz inequality, the square of the sum is at most the number of pairs times the sum of squares,
    /// with equality only if all cells are the same.
    #[inline(always)]
    pub(super) const fn single(self) -> Option<usize> {
        let count = self.0 & ((1 << Self::SUM_SHIFT) - 1);
        let sum = self.0 >> Self::SUM_SHIFT & ((1 << (Self::SQUARES_SHIFT - Self::SUM_SHIFT)) - 1);
        let squares = self.0 >> Self::SQUARES_SHIFT;
        if count != 0 && count * squares == sum * sum {
            Some((sum / count) as usize)
        } else {
            None
        }
    }
}

impl AddAssign for LibertySum {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl SubAssign for LibertySum {
    // Entry 0 of a board's table subtracts pairs that were never added, hence the wrapping.
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

impl Board {
    /// Iterates over the stones of the chain on a point, starting with that stone; empty if the point has no stone.
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> {
        let first = point.index();
        let mut stone = self.stone(point).map(|_| first);
        core::iter::from_fn(move || {
            let current = stone?;
            let next = self.next[current] as usize;
            stone = (next != first).then_some(next);
            Some(Point::from_index(current))
        })
    }

    /// Returns the number of stones of the chain on a point, or 0 if the point has no stone.
    #[inline]
    pub const fn chain_len(&self, point: Point) -> usize {
        match self.chain[point.index()] {
            0 => 0,
            chain => self.lengths[chain as usize] as usize,
        }
    }

    /// Returns the stone that identifies the chain on a point: the same for all its stones, and different for every
    /// other chain of the board. `None` if the point has no stone.
    #[inline]
    pub const fn chain_id(&self, point: Point) -> Option<Point> {
        match self.chain[point.index()] {
            0 => None,
            chain => Some(Point::from_index(chain as usize)),
        }
    }

    /// Returns the liberties of the chain on a point; empty if the point has no stone.
    ///
    /// Takes time proportional to the number of stones.
    pub fn liberties(&self, point: Point) -> PointSet {
        let neighbours = self.chain(point).flat_map(|stone| self.neighbours(stone));
        neighbours.filter(|&point| self.is_empty(point)).collect()
    }

    /// Returns up to `N` different liberties of the chain on a point: all of them if it has fewer than `N`. Empty if
    /// the point has no stone.
    ///
    /// Stops as soon as `N` are found, which is early for a chain with many liberties.
    #[inline]
    pub fn some_liberties<const N: usize>(&self, point: Point) -> Points<N> {
        let mut found = Points::NONE;
        for stone in self.chain(point) {
            for neighbour in neighbours(stone.index()) {
                if self.cells[neighbour] == cell::EMPTY
                    && found.insert(Point::from_index(neighbour))
                    && found.len() == N
                {
                    return found;
                }
            }
        }
        found
    }

    /// Returns a lower bound on the number of liberties of the chain on a point, in constant time; exact for one or two
    /// stones. 0 if the point has no stone.
    ///
    /// This is the number of pairs of a stone and a liberty, divided by the maximum number of stones that a chain of
    /// this length can have adjacent to one liberty. Those stones are connected around the liberty, which takes at
    /// least one more stone for two of them, two more for three, and three more for four.
    #[inline]
    pub const fn min_liberties(&self, point: Point) -> usize {
        let chain = self.chain[point.index()] as usize;
        if chain == 0 {
            return 0;
        }
        let pairs = self.liberties[chain].pairs();
        match self.lengths[chain] {
            ..=2 => pairs,
            3 | 4 => pairs.div_ceil(2),
            5 | 6 => pairs.div_ceil(3),
            _ => pairs.div_ceil(4),
        }
    }

    /// Returns the liberties of the chain on a point if it has 1 to `N` of them, otherwise `None`.
    #[inline]
    pub fn few_liberties<const N: usize>(&self, point: Point) -> Option<Points<N>> {
        if self.min_liberties(point) > N {
            return None;
        }
        let mut found = Points::NONE;
        for stone in self.chain(point) {
            for neighbour in self.empty_neighbours(stone) {
                if found.len() < N {
                    found.insert(neighbour);
                } else if !found.contains(&neighbour) {
                    return None;
                }
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// Returns the side with stones adjacent to a point, if only one side has any.
    #[inline]
    pub(crate) fn surrounding_color(&self, point: Point) -> Option<Color> {
        let pattern = self.pattern(point, Color::Black);
        match (
            pattern.has_own_neighbour(),
            pattern.has_opponent_neighbour(),
        ) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        }
    }

    /// Returns the last liberty of the chain on a point if it has exactly one, in constant time. `None` if the point
    /// has no stone.
    #[inline]
    pub fn atari(&self, point: Point) -> Option<Point> {
        match self.chain[point.index()] {
            0 => None,
            chain => self.liberties[chain as usize]
                .single()
                .map(Point::from_index),
        }
    }

    /// Merges the chain of a stone into another chain of the same colour; the shorter one is renamed.
    #[inline]
    pub(super) fn merge(&mut self, one: usize, other: usize) {
        let (one, other) = (self.chain[one] as usize, self.chain[other] as usize);
        let (long, short) = if self.lengths[one] >= self.lengths[other] {
            (one, other)
        } else {
            (other, one)
        };
        let mut stone = short;
        loop {
            self.chain[stone] = long as u16;
            stone = self.next[stone] as usize;
            if stone == short {
                break;
            }
        }
        self.next.swap(long, short);
        self.lengths[long] += self.lengths[short];
        let liberties = self.liberties[short];
        self.liberties[long] += liberties;
    }

    /// Removes the chain of a stone from the board, adds its points to the liberties of the adjacent chains, and
    /// returns the number of stones.
    pub(super) fn remove_chain(&mut self, stone: usize) -> u32 {
        let color = self.stone(Point::from_index(stone)).expect("a stone");
        let (first, mut stone, mut count) = (stone, stone, 0);
        loop {
            let next = self.next[stone] as usize;
            self.cells[stone] = cell::EMPTY;
            self.change_patterns(stone, pattern::EMPTY ^ u16::from(cell::stone(color)));
            self.chain[stone] = 0;
            self.hash ^= crate::zobrist::stone(color, Point::from_index(stone));
            self.add_empty(stone);
            let liberty = LibertySum::of(stone);
            for neighbour in neighbours(stone) {
                // This may also update the removed chain, whose entry is no longer read.
                self.liberties[self.chain[neighbour] as usize] += liberty;
            }
            count += 1;
            stone = next;
            if stone == first {
                return count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    fn point(name: &str) -> Point {
        name.parse().unwrap()
    }

    #[test]
    fn a_single_liberty_is_distinguished_from_several() {
        let sum = |cells: &[usize]| {
            let mut sum = LibertySum::NONE;
            for &cell in cells {
                sum += LibertySum::of(cell);
            }
            sum
        };
        assert_eq!(LibertySum::NONE.single(), None);
        assert_eq!(sum(&[675]).single(), Some(675));
        assert_eq!(sum(&[27; 4]).single(), Some(27));
        // The mean of these is a cell too.
        assert_eq!(sum(&[100, 102]).single(), None);
        assert_eq!(sum(&[100, 101, 102, 101]).single(), None);
        assert_eq!(sum(&[675; 1200]).single(), Some(675));
        let mut left = sum(&[40, 41, 40]);
        left -= LibertySum::of(41);
        assert_eq!(left.single(), Some(40));
    }

    #[test]
    fn an_empty_point_has_no_chain() {
        let board = Board::new(Size::NINE);
        let point = point("A1");
        assert_eq!((board.chain(point).count(), board.chain_len(point)), (0, 0));
        assert_eq!((board.chain_id(point), board.atari(point)), (None, None));
        assert!(board.liberties(point).is_empty());
    }
}
