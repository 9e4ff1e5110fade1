//! A small table for each thread, for nodes near the leaves, where the shared one is too slow.

use std::marker::PhantomData;

use othello_core::{Backend, Position, Square};

use crate::{
    score::{Discs, Units},
    table::hash,
};

/// The maximum number of empty squares that `endgame::deep` searches, with its entries in this table.
pub(crate) const SOLVER_EMPTIES: u32 = 13;

/// Bounds of positions met before; the newest replaces what was there.
pub(crate) struct PrivateTable {
    entries: Box<[Slot; ENTRIES]>,
}

/// A kind of bound in the table; each type has its own entries.
pub(crate) trait Bound: Copy + Ord {
    /// Returns the place of the entry of a position.
    fn index(position: Position) -> usize;

    /// Converts from the number in an entry.
    fn from_entry(number: i16) -> Self;

    /// Converts to the number in an entry.
    fn to_entry(self) -> i16;
}

/// Bounds on exact values. Each number of empties has its own entries, so that what took long to find is
/// not lost to the many positions with fewer.
impl Bound for Discs {
    #[inline(always)]
    fn index(position: Position) -> usize {
        let empties = position.empties().count() as usize % NUMBERS_OF_EMPTIES;
        empties << SOLVED_BITS | place(position, SOLVED_BITS)
    }

    #[inline(always)]
    fn from_entry(number: i16) -> Self {
        Self::new(number.into())
    }

    #[inline(always)]
    fn to_entry(self) -> i16 {
        self.get() as i16
    }
}

/// Bounds on values of midgame searches of two plies.
impl Bound for Units {
    #[inline(always)]
    fn index(position: Position) -> usize {
        SOLVED + place(position, TWO_PLIES_BITS)
    }

    #[inline(always)]
    fn from_entry(number: i16) -> Self {
        Self::new(number.into())
    }

    #[inline(always)]
    fn to_entry(self) -> i16 {
        self.get() as i16
    }
}

/// An entry as it lies in memory, aligned so that none lies in two cache lines.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Slot {
    position: Position,
    lower: i16,
    upper: i16,
    best: Option<Square>,
}

/// The bounds and the best move that the table has for a position.
#[derive(Clone, Copy)]
pub(crate) struct Entry<T> {
    slot: Slot,
    bound: PhantomData<T>,
}

/// For each number of empties 1024 entries of 32 bytes, for all that the solver asks for 256 KiB: with
/// those of two plies 512 KiB, as much as the second level of many caches holds.
const SOLVED_BITS: u32 = 10;
/// The minimum number of empty squares of an entry of the solver.
const MIN_SOLVER_EMPTIES: u32 = 6;
/// The solver's entries are grouped by empties modulo this.
const NUMBERS_OF_EMPTIES: usize = 8;
const _: () = assert!(
    (SOLVER_EMPTIES - MIN_SOLVER_EMPTIES) < NUMBERS_OF_EMPTIES as u32,
    "no two numbers of empties share their entries"
);
/// 8192 entries, 256 KiB too.
const TWO_PLIES_BITS: u32 = 13;
const SOLVED: usize = NUMBERS_OF_EMPTIES << SOLVED_BITS;
const ENTRIES: usize = SOLVED + (1 << TWO_PLIES_BITS);

/// The slot of no position.
const EMPTY: Slot = Slot {
    position: Position::new_unchecked(othello_core::Bitboard(0), othello_core::Bitboard(0)),
    lower: i16::MIN,
    upper: i16::MAX,
    best: None,
};

impl<T: Bound> Entry<T> {
    /// Returns the upper bound on the value.
    #[inline(always)]
    pub(crate) fn upper(self) -> T {
        T::from_entry(self.slot.upper)
    }

    /// Returns the best move, if one is known.
    #[inline(always)]
    pub(crate) fn best(self) -> Option<Square> {
        self.slot.best
    }

    /// Returns the bound that shows on which side of `alpha` the value lies, if one does.
    #[inline(always)]
    pub(crate) fn settles(self, alpha: T) -> Option<T> {
        let (lower, upper) = (T::from_entry(self.slot.lower), self.upper());
        if lower > alpha {
            Some(lower)
        } else {
            (upper <= alpha).then_some(upper)
        }
    }
}

impl PrivateTable {
    /// Returns an empty table, or `None` if the system has no memory for it.
    pub(crate) fn new() -> Option<Self> {
        let mut entries = Vec::new();
        entries.try_reserve_exact(ENTRIES).ok()?;
        entries.resize(ENTRIES, EMPTY);
        let entries = entries.try_into();
        Some(Self {
            entries: entries.unwrap_or_else(|_| unreachable!("the vector has ENTRIES elements")),
        })
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Prefetches the entry of a position, ahead of [`probe`](Self::probe).
    #[inline(always)]
    pub(crate) fn prefetch<T: Bound, B: Backend>(&self, backend: B, position: Position) {
        backend.prefetch(&self.entries[T::index(position)]);
    }

    /// Returns the entry of `position`, without bounds if there is none.
    #[inline]
    pub(crate) fn probe<T: Bound>(&self, position: Position) -> Entry<T> {
        let slot = self.entries[T::index(position)];
        Entry {
            slot: if slot.position == position {
                slot
            } else {
                EMPTY
            },
            bound: PhantomData,
        }
    }

    /// Stores that the value is above `alpha` and at least `value`, or else at most `value`.
    #[inline]
    pub(crate) fn store<T: Bound>(
        &mut self,
        position: Position,
        alpha: T,
        value: T,
        best: Option<Square>,
    ) {
        let known = self.probe::<T>(position).slot;
        let bound = value.to_entry();
        self.entries[T::index(position)] = Slot {
            position,
            lower: if value > alpha {
                bound.max(known.lower)
            } else {
                known.lower
            },
            upper: if value > alpha {
                known.upper
            } else {
                bound.min(known.upper)
            },
            best: best.or(known.best),
        };
    }
}

/// Returns the high `bits` of a position's hash.
#[inline(always)]
fn place(position: Position, bits: u32) -> usize {
    (hash(position) >> (u64::BITS - bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_play;

    fn bounds_close_in<T: Bound>() {
        let bound = |number: i16| T::from_entry(number);
        let mut table = PrivateTable::new().unwrap();
        let position = random_play(1, 10);
        assert!(table.probe::<T>(position).settles(bound(-5000)).is_none());
        table.store(position, bound(1), bound(3), Some(Square::C4));
        table.store(position, bound(7), bound(5), None);
        let entry = table.probe::<T>(position);
        assert_eq!((entry.slot.lower, entry.slot.upper), (3, 5));
        assert_eq!(entry.best(), Some(Square::C4));
        let settled = [2, 3, 4, 5].map(|alpha| entry.settles(bound(alpha)).map(T::to_entry));
        assert_eq!(settled, [Some(3), None, None, Some(5)]);
    }

    #[test]
    fn bounds_close_in_and_the_best_move_stays() {
        bounds_close_in::<Discs>();
        bounds_close_in::<Units>();
    }

    #[test]
    fn what_is_solved_and_what_is_estimated_are_apart() {
        let mut table = PrivateTable::new().unwrap();
        let position = random_play(1, 10);
        let (one, three) = (Discs::new(1), Discs::new(3));
        table.store(position, one, three, None);
        assert_eq!(table.probe(position).settles(one), Some(three));
        assert_eq!(table.probe(position).settles(Units::ONE), None);
        table.clear();
        assert_eq!(table.probe(position).settles(one), None);
    }
}
