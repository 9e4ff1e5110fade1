//! A small table for each thread, for nodes near the leaves, where the shared table is too slow.

use std::marker::PhantomData;

use othello_core::{Backend, Position, Square};

use crate::{
    score::{Discs, Units},
    table::hash,
    zeroed::Zeroed,
};

/// The maximum number of empty squares that `endgame::deep` searches, with entries in this table.
pub(crate) const SOLVER_EMPTIES: u32 = 13;

/// Bounds of earlier positions; new entries always replace old ones.
pub(crate) struct PrivateTable {
    entries: Zeroed<Page>,
}

/// A kind of bound in the table; each kind has entries of its own.
pub(crate) trait Bound: Copy + Ord {
    /// The index of the entry of a position.
    fn index(position: Position) -> usize;

    /// Converts from the number in an entry.
    fn from_entry(number: i16) -> Self;

    /// Converts to the number in an entry.
    fn to_entry(self) -> i16;
}

/// Bounds on exact values. Each number of empties has entries of its own, so that expensive results are not replaced by
/// the many positions with fewer empties.
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

/// Bounds on values of midgame searches two plies deep.
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

/// An entry in memory, aligned so that it never crosses a cache line.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Slot {
    position: Position,
    lower: i16,
    upper: i16,
    best: Option<Square>,
}

/// The slots, at the start of a huge page: with small pages, a probe often misses the TLB.
#[repr(align(0x20_0000))]
struct Page([Slot; ENTRIES]);

/// The bounds and the best move stored for a position.
#[derive(Clone, Copy)]
pub(crate) struct Entry<T> {
    slot: Slot,
    bound: PhantomData<T>,
}

/// 1024 entries of 32 bytes per number of empties: 256 KiB for the solver and, with the two-ply entries, 512 KiB, the
/// size of many level-2 caches.
const SOLVED_BITS: u32 = 10;
/// The minimum number of empty squares of a solver entry.
const MIN_SOLVER_EMPTIES: u32 = 6;
/// Solver entries are grouped by the number of empties modulo this number.
const NUMBERS_OF_EMPTIES: usize = 8;
const _: () = assert!(
    (SOLVER_EMPTIES - MIN_SOLVER_EMPTIES) < NUMBERS_OF_EMPTIES as u32,
    "each number of empties has entries of its own"
);
/// 8192 entries, another 256 KiB.
const TWO_PLIES_BITS: u32 = 13;
const SOLVED: usize = NUMBERS_OF_EMPTIES << SOLVED_BITS;
const ENTRIES: usize = SOLVED + (1 << TWO_PLIES_BITS);

/// A slot without a position.
const EMPTY: Slot = Slot {
    position: Position::new_unchecked(othello_core::Bitboard(0), othello_core::Bitboard(0)),
    lower: i16::MIN,
    upper: i16::MAX,
    best: None,
};

impl<T: Bound> Entry<T> {
    /// The upper bound on the value.
    #[inline(always)]
    pub(crate) fn upper(self) -> T {
        T::from_entry(self.slot.upper)
    }

    /// The best move, if known.
    #[inline(always)]
    pub(crate) fn best(self) -> Option<Square> {
        self.slot.best
    }

    /// The bound that shows on which side of `alpha` the value lies, if there is one.
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
    /// Creates an empty table, or returns `None` if there is not enough memory.
    pub(crate) fn new() -> Option<Self> {
        // SAFETY: zero bits are a valid slot, with A1 as the best move, and nothing is dropped.
        let entries = unsafe { Zeroed::new(1) }?;
        let mut table = Self { entries };
        table.clear();
        Some(table)
    }

    pub(crate) fn clear(&mut self) {
        self.entries[0].0.fill(EMPTY);
    }

    /// Prefetches the entry of a position ahead of [`probe`](Self::probe).
    #[inline(always)]
    pub(crate) fn prefetch<T: Bound, B: Backend>(&self, backend: B, position: Position) {
        backend.prefetch(&self.entries[0].0[T::index(position)]);
    }

    /// The entry of `position`, without bounds if there is none.
    #[inline]
    pub(crate) fn probe<T: Bound>(&self, position: Position) -> Entry<T> {
        let slot = self.entries[0].0[T::index(position)];
        Entry {
            slot: if slot.position == position {
                slot
            } else {
                EMPTY
            },
            bound: PhantomData,
        }
    }

    /// Stores that the value is at least `value` if `value` is above `alpha`, or otherwise at most `value`.
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
        self.entries[0].0[T::index(position)] = Slot {
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

/// The high `bits` of a position's hash.
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
    fn bounds_narrow_and_the_best_move_stays() {
        bounds_close_in::<Discs>();
        bounds_close_in::<Units>();
    }

    #[test]
    fn solver_and_midgame_entries_are_separate() {
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
