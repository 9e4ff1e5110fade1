//! A small table for each thread, near the leaves, where the shared one is too far away.

use othello_core::{Backend, Position, Square};

use crate::table::hash;

/// The maximum number of empty squares that `endgame::deep` searches, with its entries in this table.
pub(crate) const SOLVER_EMPTIES: u32 = 13;

/// Bounds of positions met before; the newest replaces what was there.
pub(crate) struct PrivateTable {
    entries: Box<[Entry; ENTRIES]>,
}

/// What a bound is of.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// The solution, in discs. Each number of empties has its own entries, so that what took long
    /// to find is not lost to the many positions with fewer.
    Solved,
    /// A midgame search of two plies, in units.
    TwoPlies,
}

/// What the private table knows of a position; aligned so that none lies in two cache lines.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Entry {
    position: Position,
    lower: i16,
    pub(crate) upper: i16,
    pub(crate) best: Option<Square>,
}

/// For each number of empties 1024 entries of 32 bytes, for all that the solver asks for 256 KiB: with
/// those of two plies 512 KiB, as much as the second level of many caches holds.
const SOLVED_BITS: u32 = 10;
/// The fewest empties that the solver asks for.
const MIN_SOLVER_EMPTIES: u32 = 6;
/// One for each number of empties up to the solver's most, by the remainder.
const NUMBERS_OF_EMPTIES: usize = 8;
const _: () = assert!(
    (SOLVER_EMPTIES - MIN_SOLVER_EMPTIES) < NUMBERS_OF_EMPTIES as u32,
    "no two numbers of empties share their entries"
);
/// 8192 entries, 256 KiB too.
const TWO_PLIES_BITS: u32 = 13;
const SOLVED: usize = NUMBERS_OF_EMPTIES << SOLVED_BITS;
const ENTRIES: usize = SOLVED + (1 << TWO_PLIES_BITS);

/// Of a position that nothing is known of.
const EMPTY: Entry = Entry {
    position: Position::new_unchecked(othello_core::Bitboard(0), othello_core::Bitboard(0)),
    lower: i16::MIN,
    upper: i16::MAX,
    best: None,
};

impl Entry {
    /// The bound that shows on which side of `alpha` the value lies, if one does.
    #[inline(always)]
    pub(crate) fn settles(self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha {
            Some(lower)
        } else {
            (upper <= alpha).then_some(upper)
        }
    }
}

impl PrivateTable {
    pub(crate) fn new() -> Self {
        Self {
            entries: vec![EMPTY; ENTRIES]
                .try_into()
                .unwrap_or_else(|_| unreachable!("so many were asked for")),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Asks for the memory of a position's entry, ahead of [`probe`](Self::probe).
    #[inline(always)]
    pub(crate) fn prefetch<B: Backend>(&self, backend: B, part: Part, position: Position) {
        backend.prefetch(&self.entries[index(part, position)]);
    }

    /// What is known of `position`.
    #[inline]
    pub(crate) fn probe(&self, part: Part, position: Position) -> Entry {
        let entry = self.entries[index(part, position)];
        if entry.position == position {
            entry
        } else {
            EMPTY
        }
    }

    /// Stores that the value is above `alpha` and at least `value`, or else at most `value`.
    #[inline]
    pub(crate) fn store(
        &mut self,
        part: Part,
        position: Position,
        alpha: i32,
        value: i32,
        best: Option<Square>,
    ) {
        let known = self.probe(part, position);
        let bound = value as i16;
        self.entries[index(part, position)] = Entry {
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

#[inline(always)]
fn index(part: Part, position: Position) -> usize {
    let place = |bits| (hash(position) >> (u64::BITS - bits)) as usize;
    match part {
        Part::Solved => {
            let empties = position.empties().count() as usize % NUMBERS_OF_EMPTIES;
            empties << SOLVED_BITS | place(SOLVED_BITS)
        }
        Part::TwoPlies => SOLVED + place(TWO_PLIES_BITS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_play;

    #[test]
    fn bounds_close_in_and_the_best_move_stays() {
        for part in [Part::Solved, Part::TwoPlies] {
            let mut table = PrivateTable::new();
            let position = random_play(1, 10);
            assert_eq!(table.probe(part, position).settles(-5000), None);
            table.store(part, position, 1, 3, Some(Square::C4));
            table.store(part, position, 7, 5, None);
            let entry = table.probe(part, position);
            assert_eq!((entry.lower, entry.upper), (3, 5));
            assert_eq!(entry.best, Some(Square::C4));
            let settled = [2, 3, 4, 5].map(|alpha| entry.settles(alpha));
            assert_eq!(settled, [Some(3), None, None, Some(5)]);
        }
    }

    #[test]
    fn what_is_solved_and_what_is_estimated_are_apart() {
        let mut table = PrivateTable::new();
        let position = random_play(1, 10);
        table.store(Part::Solved, position, 1, 3, None);
        assert_eq!(table.probe(Part::Solved, position).settles(1), Some(3));
        assert_eq!(table.probe(Part::TwoPlies, position).settles(1), None);
        table.clear();
        assert_eq!(table.probe(Part::Solved, position).settles(1), None);
    }
}
