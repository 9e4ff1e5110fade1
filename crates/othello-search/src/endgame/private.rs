//! A small table for each thread, near the leaves, where the shared one is too far away.

use othello_core::{Backend, Position, Square};

use crate::table::hash;

/// Bounds in discs of positions met before; the newest replaces what was there.
pub(crate) struct PrivateTable {
    entries: Box<[Entry; 1 << BITS]>,
}

/// What the private table knows of a position; aligned so that none lies in two cache lines.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Entry {
    position: Position,
    pub(super) lower: i8,
    pub(super) upper: i8,
    pub(super) best: Option<Square>,
}

/// 4096 entries of 32 bytes: what a core's second-level cache holds with room to spare for all else.
const BITS: u32 = 12;

const EMPTY: Entry = Entry {
    position: Position::new_unchecked(othello_core::Bitboard(0), othello_core::Bitboard(0)),
    lower: -64,
    upper: 64,
    best: None,
};

impl PrivateTable {
    pub(crate) fn new() -> Self {
        Self {
            entries: vec![EMPTY; 1 << BITS]
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
    (hash(position) >> (u64::BITS - BITS)) as usize
}
