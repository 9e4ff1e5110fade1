//! A small table for each thread, near the leaves, where the shared one is too far away.

use othello_core::{Backend, Position, Square};

use crate::table::hash;

/// Bounds in discs of positions met before; the newest replaces what was there.
///
/// Each number of empties has a part of its own, so that what took long to find is not lost to the
/// many positions with fewer.
pub(crate) struct PrivateTable {
    entries: Box<[Entry; PARTS << BITS]>,
}

/// What the private table knows of a position; aligned so that none lies in two cache lines.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Entry {
    position: Position,
    lower: i8,
    pub(super) upper: i8,
    pub(super) best: Option<Square>,
}

/// 2048 entries of 32 bytes for each number of empties: half of a second-level cache of 1 MiB in all.
const BITS: u32 = 11;
/// One for each number of empties from 6 to 13, by the remainder.
const PARTS: usize = 8;

const EMPTY: Entry = Entry {
    position: Position::new_unchecked(othello_core::Bitboard(0), othello_core::Bitboard(0)),
    lower: -64,
    upper: 64,
    best: None,
};

impl Entry {
    /// The bound that shows on which side of `alpha` the value lies, if one does.
    #[inline(always)]
    pub(super) fn settles(self, alpha: i32) -> Option<i32> {
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
            entries: vec![EMPTY; PARTS << BITS]
                .try_into()
                .unwrap_or_else(|_| unreachable!("so many were asked for")),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Asks for the memory of a position's entry, ahead of [`probe`](Self::probe).
    #[inline(always)]
    pub(super) fn prefetch<B: Backend>(&self, backend: B, position: Position) {
        backend.prefetch(&self.entries[index(position)]);
    }

    /// What is known of `position`; without an entry, that its value is a score.
    #[inline]
    pub(super) fn probe(&self, position: Position) -> Entry {
        let entry = self.entries[index(position)];
        if entry.position == position {
            entry
        } else {
            EMPTY
        }
    }

    /// Stores that the value is above `alpha` and at least `value`, or else at most `value`.
    #[inline]
    pub(super) fn store(
        &mut self,
        position: Position,
        alpha: i32,
        value: i32,
        best: Option<Square>,
    ) {
        let known = self.probe(position);
        let value8 = value as i8;
        self.entries[index(position)] = Entry {
            position,
            lower: if value > alpha {
                value8.max(known.lower)
            } else {
                known.lower
            },
            upper: if value > alpha {
                known.upper
            } else {
                value8.min(known.upper)
            },
            best: best.or(known.best),
        };
    }
}

#[inline]
fn index(position: Position) -> usize {
    let part = position.empties().count() as usize % PARTS;
    part << BITS | (hash(position) >> (u64::BITS - BITS)) as usize
}
