//! Playing stones and what may be played.

use boardgame_core::Color;

use super::{Board, LibertySum, cell, pattern};
use crate::{IllegalReason, Point, point::neighbours, zobrist};

/// The rule for a stone that would leave its own chain without liberties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SuicideRule {
    /// The move is illegal.
    #[default]
    Forbidden,
    /// The move is legal and the chain is taken off the board.
    Allowed,
}

impl Board {
    /// Returns whether a side may place a stone on a point: the point is empty, no ko is retaken and
    /// the stone is no suicide.
    #[inline]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.is_empty(point) && self.ko != Some((color, point)) && !self.is_suicide(color, point)
    }

    /// Checks a stone by the rules that need no history.
    ///
    /// # Errors
    ///
    /// Returns the reason if the point is off the board or occupied, or the stone retakes a ko, or is
    /// suicide and the rule forbids that.
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
        if self.patterns[point.index()].has_empty_beside() {
            return false;
        }
        let cells = neighbours(point.index());
        let own = cell::stone(color);
        cells.iter().all(|&index| {
            let in_atari = self.liberties[self.chain[index] as usize]
                .single()
                .is_some();
            // An own chain with another liberty, or a chain that is captured, gives the stone one.
            self.cells[index] == cell::BORDER || (self.cells[index] == own) == in_atari
        })
    }

    /// Returns whether an empty point is surrounded by stones of one side that need not fill it: all
    /// points beside it have stones of that side, and at most one of those across, none at the edge, has
    /// a stone of the opponent.
    ///
    /// Such a point is an eye or soon connected. Playouts leave it alone, or they would never end.
    #[inline]
    pub fn is_eye_like(&self, color: Color, point: Point) -> bool {
        let pattern = self.pattern(point, color);
        pattern.is_surrounded() && pattern.has_eye_corners()
    }

    /// Returns whether a playout may place a stone on an empty point: it is legal and fills no eye.
    #[inline]
    pub fn is_playout_move(&self, color: Color, point: Point) -> bool {
        if !self.patterns[point.index()].has_empty_beside()
            && (self.is_eye_like(color, point) || self.is_suicide(color, point))
        {
            return false;
        }
        self.ko != Some((color, point))
    }

    /// Places a stone, takes the chains without liberties off the board, first the opponent's, and
    /// returns the number of the opponent's stones that are captured.
    ///
    /// The rules are not checked: suicide takes the own chain off the board, and a ko may be retaken.
    ///
    /// # Panics
    ///
    /// If the point is not empty.
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

    /// Puts a stone on an empty point as a chain of its own and takes the liberty from the chains
    /// around it.
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

    /// Returns the ko after a side captured one stone: a lone stone whose only liberty is where that
    /// stone was could be taken back.
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
    /// If the point is not empty.
    pub fn hash_after(&self, color: Color, point: Point) -> u64 {
        assert!(self.is_empty(point), "{point} is not empty");
        let mut hash = self.hash ^ zobrist::stone(color, point);
        if self.is_suicide(color, point) {
            hash ^= zobrist::stone(color, point);
            return self.hash_without_chains(color, point, hash, |_| true);
        }
        self.hash_without_chains(!color, point, hash, |beside| self.atari(beside).is_some())
    }

    /// Returns a hash without the stones of one colour's chains beside a point that `is_removed` names.
    fn hash_without_chains(
        &self,
        color: Color,
        point: Point,
        mut hash: u64,
        is_removed: impl Fn(Point) -> bool,
    ) -> u64 {
        let mut removed = [None; 4];
        for (place, beside) in self.neighbours(point).enumerate() {
            let chain = self.chain_id(beside);
            if self.stone(beside) != Some(color) || removed.contains(&chain) || !is_removed(beside)
            {
                continue;
            }
            removed[place] = chain;
            hash = self
                .chain(beside)
                .fold(hash, |hash, stone| hash ^ zobrist::stone(color, stone));
        }
        hash
    }
}
