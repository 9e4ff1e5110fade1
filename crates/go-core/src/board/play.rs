//! Playing stones, and their legality.

use boardgame_core::Color;

use super::{Board, LibertySum, cell, pattern};
use crate::{IllegalReason, Point, point::neighbours, zobrist};

/// The rule for a stone that would leave its own chain without liberties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SuicideRule {
    /// The move is illegal.
    #[default]
    Forbidden,
    /// The move is legal and the chain is removed from the board.
    Allowed,
}

impl Board {
    /// Returns whether a side may place a stone on a point: the point is empty, and the stone neither retakes a ko nor
    /// is suicide.
    #[inline]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.is_empty(point) && self.ko != Some((color, point)) && !self.is_suicide(color, point)
    }

    /// Checks a stone by the rules that need no history.
    ///
    /// # Errors
    ///
    /// Fails if the point is off the board or occupied, if the stone retakes a ko, or if it is suicide and the rule
    /// forbids that.
    pub fn check(
        &self,
        color: Color,
        point: Point,
        suicide: SuicideRule,
    ) -> Result<(), IllegalReason> {
        if !self.size().contains(point) {
            Err(IllegalReason::OffBoard)
        } else if !self.is_empty(point) {
            Err(IllegalReason::Occupied)
        } else if self.ko == Some((color, point)) {
            Err(IllegalReason::Ko)
        } else if suicide == SuicideRule::Forbidden && self.is_suicide(color, point) {
            Err(IllegalReason::Suicide)
        } else {
            Ok(())
        }
    }

    /// Returns whether a stone on an empty point would have no liberty after its captures.
    #[inline]
    pub fn is_suicide(&self, color: Color, point: Point) -> bool {
        if self.patterns[point.index()].has_empty_neighbour() {
            return false;
        }
        let cells = neighbours(point.index());
        let own = cell::stone(color);
        cells.iter().all(|&index| {
            let in_atari = self.liberties[self.chain[index] as usize]
                .single()
                .is_some();
            // An own chain with another liberty, or the capture of a chain, gives the stone a liberty.
            self.cells[index] == cell::BORDER || (self.cells[index] == own) == in_atari
        })
    }

    /// Returns whether an empty point is surrounded by a side's stones so that the side need not fill it: all adjacent
    /// points have stones of that side, and the opponent has at most one stone on the diagonals, or none if the point
    /// is on the edge.
    ///
    /// Such a point is an eye or will be connected. Playouts do not fill it, because they would otherwise never end.
    #[inline]
    pub fn is_eye_like(&self, color: Color, point: Point) -> bool {
        let pattern = self.pattern(point, color);
        pattern.is_surrounded() && pattern.has_eye_corners()
    }

    /// Returns whether a playout may place a stone on an empty point: it is legal and does not fill an eye.
    #[inline]
    pub fn is_playout_move(&self, color: Color, point: Point) -> bool {
        if !self.patterns[point.index()].has_empty_neighbour()
            && (self.is_eye_like(color, point) || self.is_suicide(color, point))
        {
            return false;
        }
        self.ko != Some((color, point))
    }

    /// Places a stone, removes the chains without liberties, the opponent's first, and returns the number of the
    /// opponent's stones captured.
    ///
    /// Does not check the rules: suicide removes the own chain, and a ko may be retaken.
    ///
    /// # Panics
    ///
    /// Panics if the point is not empty.
    #[inline]
    pub fn play(&mut self, color: Color, point: Point) -> u32 {
        assert!(self.is_empty(point), "{point} is not empty");
        let (index, own) = (point.index(), cell::stone(color));
        self.put_stone(color, point);
        let opponent = cell::stone(!color);
        let mut captured = 0;
        for neighbour in neighbours(index) {
            let contents = self.cells[neighbour];
            let chain = self.chain[neighbour];
            if contents == own {
                if chain != self.chain[index] {
                    self.merge(index, neighbour);
                }
            } else if contents == opponent && self.liberties[chain as usize] == LibertySum::NONE {
                captured += self.remove_chain(neighbour);
            }
        }
        self.ko = None;
        self.captures[color] += captured;
        let chain = self.chain[index] as usize;
        if captured == 1 {
            self.ko = self.ko_after(color, chain);
        } else if self.liberties[chain] == LibertySum::NONE {
            self.captures[!color] += self.remove_chain(index);
        }
        captured
    }

    /// Puts a stone on an empty point as a chain of its own, and removes the point from the liberties of the adjacent
    /// chains.
    #[inline]
    fn put_stone(&mut self, color: Color, point: Point) {
        let index = point.index();
        self.remove_empty(index);
        self.cells[index] = cell::stone(color);
        self.change_patterns(index, pattern::EMPTY ^ u16::from(cell::stone(color)));
        self.hash ^= zobrist::stone(color, point);
        self.chain[index] = index as u16;
        self.next[index] = index as u16;
        self.lengths[index] = 1;
        let mut liberties = LibertySum::NONE;
        let liberty = LibertySum::of(index);
        for neighbour in neighbours(index) {
            self.liberties[self.chain[neighbour] as usize] -= liberty;
            if self.cells[neighbour] == cell::EMPTY {
                liberties += LibertySum::of(neighbour);
            }
        }
        self.liberties[index] = liberties;
    }

    /// Returns the ko after a side captured one stone: a lone stone whose only liberty is the captured stone's point
    /// could be recaptured.
    #[inline]
    fn ko_after(&self, color: Color, chain: usize) -> Option<(Color, Point)> {
        if self.lengths[chain] != 1 {
            return None;
        }
        let liberty = self.liberties[chain].single()?;
        Some((!color, Point::from_index(liberty)))
    }

    /// Returns the hash of the board after [`Board::play`], without playing.
    ///
    /// # Panics
    ///
    /// Panics if the point is not empty.
    pub fn hash_after(&self, color: Color, point: Point) -> u64 {
        assert!(self.is_empty(point), "{point} is not empty");
        let mut hash = self.hash ^ zobrist::stone(color, point);
        if self.is_suicide(color, point) {
            hash ^= zobrist::stone(color, point);
            return self.hash_without_chains(color, point, hash, |_| true);
        }
        self.hash_without_chains(!color, point, hash, |neighbour| {
            self.atari(neighbour).is_some()
        })
    }

    /// Removes from a hash the stones of one colour's chains adjacent to a point for which `is_removed` is true.
    fn hash_without_chains(
        &self,
        color: Color,
        point: Point,
        mut hash: u64,
        is_removed: impl Fn(Point) -> bool,
    ) -> u64 {
        let mut removed = [None; 4];
        for (place, neighbour) in self.neighbours(point).enumerate() {
            let chain = self.chain_id(neighbour);
            if self.stone(neighbour) != Some(color)
                || removed.contains(&chain)
                || !is_removed(neighbour)
            {
                continue;
            }
            removed[place] = chain;
            hash = self
                .chain(neighbour)
                .fold(hash, |hash, stone| hash ^ zobrist::stone(color, stone));
        }
        hash
    }
}
