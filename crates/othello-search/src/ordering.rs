//! Move ordering.

use arrayvec::ArrayVec;
use othello_core::{Bitboard, Position, Square};

use crate::{score::Units, threads::SplitMove};

/// A legal move, the position after it, and its sort key.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) square: Square,
    /// The position after the move.
    pub(crate) child: Position,
    /// The estimate of that position, if the key uses it.
    pub(crate) estimate: Option<Units>,
    /// The sort key, largest first.
    pub(crate) key: Units,
}

/// An upper bound on the number of legal moves of any position, reachable or not.
const MAX_MOVES: usize = 64;

/// The moves of a position, taken out best first: the moves of the table, then the others by their keys. The keys are
/// computed only if the table's moves do not cause a cutoff.
pub(crate) struct Candidates {
    list: ArrayVec<Candidate, MAX_MOVES>,
    /// The moves of the transposition table that have not been tried yet.
    known: [Option<Square>; 2],
    has_keys: bool,
}

/// A value below every key.
const TAKEN: Units = Units::new(i32::MIN);
/// An offset added to the keys of candidates that were searched for the order; the magnitude of every other key is less
/// than half of it.
const AHEAD: Units = Units::new(1 << 24);
const HALF_AHEAD: Units = Units::new(AHEAD.get() / 2);

impl Candidates {
    /// Creates an empty list in which the `known` moves will come first.
    #[inline(always)]
    pub(crate) fn new(known: [Option<Square>; 2]) -> Self {
        Self {
            list: ArrayVec::new(),
            known,
            has_keys: false,
        }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, square: Square, child: Position) {
        self.list.push(Candidate {
            square,
            child,
            estimate: None,
            key: Units::ZERO,
        });
    }

    /// The positions that the moves lead to.
    #[inline(always)]
    pub(crate) fn children(&self) -> impl Iterator<Item = Position> {
        self.list.iter().map(|candidate| candidate.child)
    }

    /// Takes the best remaining candidate; `order` sets the keys of the remaining ones.
    #[inline(always)]
    pub(crate) fn next(&mut self, order: impl FnOnce(&mut Self)) -> Option<Candidate> {
        while let Some(square) = self.next_known() {
            let mut list = self.list.iter_mut();
            if let Some(candidate) = list.find(|candidate| candidate.square == square) {
                let taken = *candidate;
                candidate.key = TAKEN;
                return Some(taken);
            }
        }
        if !self.has_keys {
            self.has_keys = true;
            order(self);
        }
        self.next_best()
    }

    /// Calls `rank` for each remaining candidate to set its key.
    #[inline(always)]
    pub(crate) fn rank(&mut self, rank: impl FnMut(&mut Candidate)) {
        let list = self.list.iter_mut();
        list.filter(|candidate| candidate.key != TAKEN)
            .for_each(rank);
    }

    /// Calls `rank` for the best `count` of the remaining candidates, which then precede all others; among equal keys
    /// the last counts as best. Does nothing if only one candidate remains.
    #[inline(always)]
    pub(crate) fn rank_best(&mut self, count: usize, mut rank: impl FnMut(&mut Candidate)) {
        let left = self.left();
        if left < 2 {
            return;
        }
        for _ in 0..count.min(left) {
            let ranked_once = self.list.iter_mut().filter(|mv| mv.key < HALF_AHEAD);
            if let Some(best) = ranked_once.max_by_key(|candidate| candidate.key) {
                rank(best);
                best.key = best.key + AHEAD;
            }
        }
    }

    /// Takes all remaining moves, best first, if there are at least two.
    pub(crate) fn take_several(
        &mut self,
        mut order: impl FnMut(&mut Self),
    ) -> Option<Vec<SplitMove>> {
        let left = self.left();
        let next = || {
            self.next(&mut order).map(|best| SplitMove {
                square: best.square,
                child: best.child,
                estimate: best.estimate,
            })
        };
        (left > 1).then(|| std::iter::from_fn(next).collect())
    }

    #[inline(always)]
    fn left(&self) -> usize {
        let list = self.list.iter();
        list.filter(|candidate| candidate.key != TAKEN).count()
    }

    #[inline(always)]
    fn next_known(&mut self) -> Option<Square> {
        let first = self.known[0].take();
        first.or_else(|| self.known[1].take())
    }

    /// Takes the candidate with the largest key, the first of equal ones.
    #[inline(always)]
    fn next_best(&mut self) -> Option<Candidate> {
        // Packs key and index into one number, so that the maximum is found without a branch.
        let packed = |(at, candidate): (usize, &Candidate)| {
            i64::from(candidate.key.get()) << 8 | (MAX_MOVES - at) as i64
        };
        let candidates = self.list.iter().enumerate();
        let best = candidates.map(packed).fold(i64::MIN, i64::max);
        if best >> 8 <= i64::from(TAKEN.get()) {
            return None;
        }
        let chosen = &mut self.list[MAX_MOVES - (best & 0xff) as usize];
        let taken = *chosen;
        chosen.key = TAKEN;
        Some(taken)
    }
}

/// One point of [`square_worth`], in units.
const SQUARE_POINT: Units = Units::new(Units::DISC.get() / 16);
/// The penalty for each legal move left to the opponent.
const MOBILITY: Units = Units::DISC;

/// The key of a move by its square and the opponent's legal moves after it.
#[inline(always)]
pub(crate) fn by_mobility(square: Square, replies: Bitboard) -> Units {
    SQUARE_POINT * square_worth(square) - MOBILITY * weighted_mobility(replies)
}

/// The number of moves, with corners counted twice: a corner is nearly always a good move.
#[inline(always)]
pub(crate) fn weighted_mobility(moves: Bitboard) -> i32 {
    (moves.count() + (moves & Bitboard::CORNERS).count()) as i32
}

/// The value of a square, 0 to 18: highest next to the centre, lowest for X-squares.
#[inline(always)]
pub(crate) fn square_worth(square: Square) -> i32 {
    i32::from(SQUARE_WORTH[usize::from(square.index())])
}

/// The value of a square relative to X-squares, in quarters of a reply, for predicting from square and replies which
/// move a search to depth 6 chooses: the maximum-likelihood fit of a conditional logit to 1.6 M choices in games of
/// generation 7, with 14 to 45 empty squares. Sorting works best with a quarter of it: [`SQUARE_POINT`].
static SQUARE_WORTH: [u8; 64] =
    symmetric([[15, 0, 0, 0], [3, 0, 0, 0], [8, 12, 17, 0], [8, 14, 18, 11]]);

/// Expands the triangle a1, a4, d4 to all squares by symmetry; row 0 of `triangle` is the edge.
const fn symmetric(triangle: [[u8; 4]; 4]) -> [u8; 64] {
    let mut table = [0; 64];
    let mut at = 0;
    while at < 64 {
        let (column, row) = (at % 8, at / 8);
        let column = if column < 4 { column } else { 7 - column };
        let row = if row < 4 { row } else { 7 - row };
        table[at] = if column < row {
            triangle[row][column]
        } else {
            triangle[column][row]
        };
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first moves of a game: D3, C4, F5 and E6.
    fn first_moves(known: [Option<Square>; 2]) -> Candidates {
        let position = Position::START;
        let mut candidates = Candidates::new(known);
        for square in position.legal_moves() {
            candidates.push(square, position.play_unchecked(square));
        }
        candidates
    }

    #[test]
    fn known_moves_precede_sorted_moves() {
        let mut candidates = first_moves([Some(Square::E6), Some(Square::A1)]);
        let mut ranked = Vec::new();
        let mut taken = Vec::new();
        while let Some(candidate) = candidates.next(|list| {
            list.rank(|candidate| {
                ranked.push(candidate.square);
                candidate.key = Units::new(candidate.square.index().into());
            });
        }) {
            taken.push((candidate.square, ranked.len()));
            ranked.clear();
        }
        // A1 is not a move of this position.
        let expected = [
            (Square::E6, 0),
            (Square::F5, 3),
            (Square::C4, 0),
            (Square::D3, 0),
        ];
        assert_eq!(taken, expected);
    }

    #[test]
    fn several_are_taken_in_order_or_none() {
        let mut candidates = first_moves([Some(Square::D3), Some(Square::F5)]);
        let by_square = |list: &mut Candidates| {
            list.rank(|candidate| candidate.key = -Units::new(candidate.square.index().into()));
        };
        let first = candidates.next(by_square).map(|candidate| candidate.square);
        assert_eq!(first, Some(Square::D3));
        let rest = candidates.take_several(by_square).expect("three are left");
        let squares: Vec<_> = rest.iter().map(|mv| mv.square).collect();
        assert_eq!(squares, [Square::F5, Square::C4, Square::E6]);
        assert_eq!(candidates.take_several(by_square), None);
    }

    #[test]
    fn the_best_candidates_are_ranked_again_and_precede_the_others() {
        // D3, C4, F5 and E6 by their keys 40, 30, 20 and 10, with the second ranking reversed.
        let order = |count: usize, known: Option<Square>| {
            let mut candidates = first_moves([known, None]);
            let mut looked_at = 0;
            let mut squares = Vec::new();
            while let Some(candidate) = candidates.next(|list| {
                let mut key = 50;
                list.rank(|candidate| {
                    key -= 10;
                    candidate.key = Units::new(key);
                });
                list.rank_best(count, |candidate| {
                    looked_at += 1;
                    candidate.key = Units::new(-1_000_000) - candidate.key;
                });
            }) {
                squares.push(candidate.square);
            }
            (squares, looked_at)
        };
        let [d3, c4, f5, e6] = [Square::D3, Square::C4, Square::F5, Square::E6];
        assert_eq!(order(0, None), (vec![d3, c4, f5, e6], 0));
        assert_eq!(order(2, None), (vec![c4, d3, f5, e6], 2));
        assert_eq!(order(3, None), (vec![f5, c4, d3, e6], 3));
        assert_eq!(order(9, None), (vec![e6, f5, c4, d3], 4));
        assert_eq!(order(2, Some(d3)), (vec![d3, f5, c4, e6], 2));
        assert_eq!(order(9, Some(d3)), (vec![d3, e6, f5, c4], 3));
    }

    #[test]
    fn a_single_candidate_is_not_ranked_again() {
        let mut candidates = first_moves([None; 2]);
        candidates.list.truncate(1);
        let last = candidates.next(|list| list.rank_best(3, |_| panic!("the only candidate")));
        assert_eq!(last.map(|candidate| candidate.square), Some(Square::D3));
    }
}
