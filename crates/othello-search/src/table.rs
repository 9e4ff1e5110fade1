//! The transposition table: results of earlier searches, shared by all threads.
//!
//! An entry holds the whole position, so a result is never mistaken for another position's. Its three words are written
//! without a lock; the two words of the position are masked with a mix of the third, so a torn entry (words of two
//! writers) matches no position. The masking is by Hyatt and Mann: "A lockless transposition table implementation for
//! parallel search", ICGA Journal 25(1), 2002.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use othello_core::{Backend, Position, Square};

use crate::{
    score::Units,
    selectivity::{Effort, Selectivity},
    zeroed::Zeroed,
};

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The lower bound on the value, as a number of [`Units`].
    pub(crate) lower: i16,
    /// The upper bound on the value, as a number of [`Units`].
    pub(crate) upper: i16,
    /// The best move and the previous best move. The midgame stores only moves whose values were above a bound.
    pub(crate) moves: [Option<Square>; 2],
    /// The effort of the search.
    pub(crate) effort: Effort,
}

impl Entry {
    /// The value or bound that settles a search of `effort` with a null window just above `alpha`, if there is one.
    #[inline(always)]
    pub(crate) fn settles(self, effort: Effort, alpha: Units) -> Option<Units> {
        if !self.effort.covers(effort) {
            return None;
        }
        let lower = Units::new(self.lower.into());
        let upper = Units::new(self.upper.into());
        if lower > alpha {
            Some(lower)
        } else if upper <= alpha {
            Some(upper)
        } else {
            None
        }
    }
}

/// The result of a search, to be stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) effort: Effort,
    pub(crate) alpha: Units,
    pub(crate) beta: Units,
    pub(crate) score: Units,
    pub(crate) best: Option<Square>,
}

/// The error of allocating a transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum TableError {
    /// The table would be larger than the memory of the machine.
    #[error(
        "expected a transposition table of at most {memory_mib} MiB, all the memory of this machine, found {mib} MiB"
    )]
    LargerThanMemory { mib: usize, memory_mib: usize },
    /// The system does not provide the memory.
    #[error("the system has no memory for a transposition table of {mib} MiB")]
    Allocation { mib: usize },
}

/// The memory in MiB of this machine or of the process's container, if the system reports it.
#[cfg(target_os = "linux")]
fn memory_mib() -> Option<usize> {
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|bytes| bytes.trim().parse::<u64>().ok());
    let machine = nix::sys::sysinfo::sysinfo().ok()?.ram_total();
    let bytes = container.map_or(machine, |bytes| bytes.min(machine));
    usize::try_from(bytes >> 20).ok()
}

#[cfg(not(target_os = "linux"))]
fn memory_mib() -> Option<usize> {
    None
}

/// A hash table of positions.
pub(crate) struct Table {
    buckets: Zeroed<Bucket>,
    generation: AtomicU8,
}

const SLOTS: usize = 2;

/// The shift of the generation in an entry's data, where it occupies the highest bits.
const GENERATION_SHIFT: u32 = 57;
/// The maximum generation, followed by 1; 0 marks an empty slot.
const MAX_GENERATION: u8 = 127;

/// A cache line: where the memory is slow, more slots would take a second access to it.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

/// An entry in memory; all zero if empty.
#[derive(Default)]
struct Slot {
    own: AtomicU64,
    opponent: AtomicU64,
    data: AtomicU64,
}

impl Table {
    /// Creates a table of at most `mib` MiB, but at least one bucket.
    ///
    /// # Errors
    ///
    /// Fails if there is not enough memory.
    pub(crate) fn new(mib: usize) -> Result<Self, TableError> {
        let memory_mib = memory_mib().unwrap_or(usize::MAX);
        if mib > memory_mib {
            return Err(TableError::LargerThanMemory { mib, memory_mib });
        }
        let count = (mib.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        // SAFETY: a bucket is made of atomic integers: zero bits are valid, and nothing is dropped.
        let buckets = unsafe { Zeroed::new(count) };
        Ok(Self {
            buckets: buckets.ok_or(TableError::Allocation { mib })?,
            generation: AtomicU8::new(1),
        })
    }

    /// Empties the table. Writes every page, so a new table takes less time.
    pub(crate) fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.own.store(0, Relaxed);
            slot.opponent.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        self.generation.store(1, Relaxed);
    }

    /// Starts a new search: entries of earlier ones stay valid, but are replaced first.
    pub(crate) fn age(&self) {
        let next = self.generation.load(Relaxed) % MAX_GENERATION + 1;
        self.generation.store(next, Relaxed);
    }

    /// Prefetches a position's bucket, ahead of [`probe`](Self::probe).
    #[inline(always)]
    pub(crate) fn prefetch<B: Backend>(&self, backend: B, position: Position) {
        backend.prefetch(self.bucket(position));
    }

    /// Returns the entry of `position`.
    #[inline(always)]
    pub(crate) fn probe(&self, position: Position) -> Option<Entry> {
        let slots = &self.bucket(position).0;
        slots
            .iter()
            .find_map(|slot| slot.load(position))
            .map(unpack)
    }

    /// Stores a result. Bounds of the same effort are merged; an entry of greater effort stays.
    #[inline(always)]
    pub(crate) fn store(&self, position: Position, found: &Found) {
        let slots = &self.bucket(position).0;
        let generation = self.generation.load(Relaxed);
        let mut victim = &slots[0];
        let mut lowest = u32::MAX;
        for slot in slots {
            if let Some(data) = slot.load(position) {
                slot.store(position, pack(found.merged_with(unpack(data)), generation));
                return;
            }
            let worth = worth(slot.data.load(Relaxed), generation);
            if worth < lowest {
                (victim, lowest) = (slot, worth);
            }
        }
        victim.store(position, pack(found.entry(), generation));
    }

    #[inline(always)]
    fn bucket(&self, position: Position) -> &Bucket {
        let hash = u128::from(hash(position));
        &self.buckets[((hash * self.buckets.len() as u128) >> 64) as usize]
    }
}

impl Slot {
    #[inline(always)]
    fn load(&self, position: Position) -> Option<u64> {
        let data = self.data.load(Relaxed);
        let mask = mask(data);
        let own = self.own.load(Relaxed) ^ mask;
        let opponent = self.opponent.load(Relaxed) ^ mask.rotate_left(32);
        let matches = own == position.own().0 && opponent == position.opponent().0;
        (matches && data != 0).then_some(data)
    }

    #[inline(always)]
    fn store(&self, position: Position, data: u64) {
        let mask = mask(data);
        self.own.store(position.own().0 ^ mask, Relaxed);
        self.opponent
            .store(position.opponent().0 ^ mask.rotate_left(32), Relaxed);
        self.data.store(data, Relaxed);
    }
}

impl Found {
    fn entry(&self) -> Entry {
        Entry {
            lower: if self.score > self.alpha {
                self.score.get() as i16
            } else {
                i16::MIN
            },
            upper: if self.score < self.beta {
                self.score.get() as i16
            } else {
                i16::MAX
            },
            moves: [self.best, None],
            effort: self.effort,
        }
    }

    fn merged_with(&self, old: Entry) -> Entry {
        // ProbCut searches a position less deeply before it is searched in full; the result of an earlier full search
        // is worth more.
        if old.effort.covers(self.effort) && old.effort != self.effort {
            let moves = match old.moves {
                [None, None] => [self.best, None],
                moves => moves,
            };
            return Entry { moves, ..old };
        }
        let mut entry = self.entry();
        entry.moves = match self.best {
            None => old.moves,
            best if best == old.moves[0] => old.moves,
            best => [best, old.moves[0]],
        };
        // Bounds of the same effort from searches of different trees may contradict each other.
        let lower = entry.lower.max(old.lower);
        let upper = entry.upper.min(old.upper);
        if entry.effort == old.effort && lower <= upper {
            (entry.lower, entry.upper) = (lower, upper);
        }
        entry
    }
}

/// Hashes a position; the high bits select the bucket.
#[inline(always)]
pub(crate) fn hash(position: Position) -> u64 {
    let own = position.own().0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let opponent = position.opponent().0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    (own ^ opponent.rotate_left(29) ^ (own >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The mask of the position's words.
#[inline(always)]
fn mask(data: u64) -> u64 {
    let spread = data.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    spread ^ (spread >> 29)
}

/// The replacement priority of an entry, lowest first; 0 if the slot is empty.
#[inline(always)]
fn worth(data: u64, generation: u8) -> u32 {
    let depth = (data >> 48 & 0x3f) as u32;
    let current = (data >> GENERATION_SHIFT) as u8 == generation;
    match (data, current) {
        (0, _) => 0,
        (_, false) => 1 + depth,
        (_, true) => 101 + depth,
    }
}

fn pack(entry: Entry, generation: u8) -> u64 {
    let square = |mv: Option<Square>| mv.map_or(64, |square| u64::from(square.index()));
    u64::from(entry.lower as u16)
        | u64::from(entry.upper as u16) << 16
        | square(entry.moves[0]) << 32
        | square(entry.moves[1]) << 40
        | u64::from(entry.effort.depth & 0x3f) << 48
        | u64::from(entry.effort.selectivity.index()) << 54
        | u64::from(generation) << GENERATION_SHIFT
}

fn unpack(data: u64) -> Entry {
    let square = |shift: u32| Square::from_index((data >> shift) as u8);
    Entry {
        lower: data as u16 as i16,
        upper: (data >> 16) as u16 as i16,
        moves: [square(32), square(40)],
        effort: Effort {
            depth: (data >> 48) as u32 & 0x3f,
            selectivity: Selectivity::from_index((data >> 54) as u8 & 7),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_play;

    fn table(mib: usize) -> Table {
        Table::new(mib).expect("a small table fits into memory")
    }

    #[test]
    fn a_table_larger_than_memory_is_an_error() {
        for mib in [usize::MAX >> 20, usize::MAX] {
            let error = Table::new(mib)
                .err()
                .expect("no machine has that much memory");
            let message = error.to_string();
            assert!(message.contains(&format!("{mib} MiB")), "{message}");
            #[cfg(target_os = "linux")]
            assert!(matches!(error, TableError::LargerThanMemory { .. }));
        }
    }

    #[test]
    fn a_cleared_table_equals_a_new_one() {
        let table = table(0);
        let position = random_play(1, 40);
        table.age();
        table.store(position, &found(5, 0, 1, 1, None));
        table.clear();
        assert_eq!(table.probe(position), None);
        assert_eq!(table.generation.load(Relaxed), 1);
    }

    fn found(depth: u32, alpha: i32, beta: i32, score: i32, best: Option<Square>) -> Found {
        Found {
            effort: Effort::full(depth),
            alpha: Units::new(alpha),
            beta: Units::new(beta),
            score: Units::new(score),
            best,
        }
    }

    #[test]
    fn entries_round_trip_through_packing() {
        for lower in [i16::MIN, -8192, -1, 0, 8192, i16::MAX] {
            for moves in [
                [None, None],
                [Some(Square::A1), None],
                [Some(Square::H8), Some(Square::D3)],
            ] {
                let entry = Entry {
                    lower,
                    upper: -(lower.max(-i16::MAX)),
                    moves,
                    effort: Effort::new(60, Selectivity::FIRST),
                };
                assert_eq!(unpack(pack(entry, MAX_GENERATION)), entry);
            }
        }
    }

    #[test]
    fn only_stored_positions_are_found() {
        let table = table(1);
        let stored = |seed: u64| random_play(seed, 40);
        for seed in 0..500 {
            let score = seed as i32;
            table.store(stored(seed), &found(5, score - 1, score + 1, score, None));
        }
        for seed in 0..500 {
            let entry = table
                .probe(stored(seed))
                .expect("the table is nearly empty");
            assert_eq!(entry.lower, entry.upper);
            let same = (0..500)
                .filter(|other| stored(*other) == stored(seed))
                .max();
            assert_eq!(same, Some(entry.lower as u64));
            assert_eq!(table.probe(random_play(seed, 39)), None);
        }
    }

    #[test]
    fn bounds_of_equal_depth_narrow_and_those_of_less_depth_are_replaced() {
        let table = table(1);
        let position = Position::START;
        table.store(position, &found(5, 10, 11, 20, Some(Square::D3)));
        table.store(position, &found(5, 30, 31, 25, None));
        let entry = table.probe(position).unwrap();
        assert_eq!((entry.lower, entry.upper), (20, 25));
        assert_eq!(entry.moves, [Some(Square::D3), None]);
        table.store(position, &found(6, 0, 1, -7, Some(Square::C4)));
        let entry = table.probe(position).unwrap();
        assert_eq!((entry.lower, entry.upper), (i16::MIN, -7));
        assert_eq!(entry.moves, [Some(Square::C4), Some(Square::D3)]);
    }

    #[test]
    fn a_search_of_less_effort_does_not_replace_an_entry() {
        let table = table(1);
        let position = Position::START;
        table.store(position, &found(6, 0, 1, 9, Some(Square::D3)));
        let known = table.probe(position);
        table.store(position, &found(4, 20, 21, 7, Some(Square::C4)));
        assert_eq!(table.probe(position), known);
        let selective = Found {
            effort: Effort::new(6, Selectivity::FIRST),
            ..found(6, 20, 21, 7, Some(Square::C4))
        };
        table.store(position, &selective);
        assert_eq!(table.probe(position), known);
        // Deeper but more selective: neither covers the other, and the newer stays.
        let deeper = Found {
            effort: Effort::new(7, Selectivity::FIRST),
            ..selective
        };
        table.store(position, &deeper);
        let entry = table.probe(position).unwrap();
        assert_eq!((entry.upper, entry.effort), (7, deeper.effort));
    }

    #[test]
    fn a_missing_move_is_taken_from_a_search_of_less_effort() {
        let table = table(1);
        let position = Position::START;
        table.store(position, &found(6, 0, 1, -9, None));
        table.store(position, &found(4, 0, 1, 7, Some(Square::C4)));
        let entry = table.probe(position).unwrap();
        assert_eq!((entry.upper, entry.effort.depth), (-9, 6));
        assert_eq!(entry.moves, [Some(Square::C4), None]);
    }

    #[test]
    fn a_full_table_keeps_the_deep_entries_of_this_search() {
        let table = table(0);
        assert_eq!(table.buckets.len(), 1);
        let deep = Position::START;
        table.store(deep, &found(30, 0, 1, 5, None));
        let shallow = |seed: u64| random_play(seed, 50);
        for seed in 0..100 {
            table.store(shallow(seed), &found(2, 0, 1, 5, None));
        }
        assert!(table.probe(deep).is_some());
        table.age();
        for seed in 0..100 {
            table.store(shallow(seed + 100), &found(1, 0, 1, 5, None));
        }
        assert_eq!(table.probe(deep), None);
    }

    #[test]
    fn a_torn_entry_matches_no_position() {
        let table = table(0);
        let (first, second) = (Position::START, random_play(1, 30));
        table.store(first, &found(9, 0, 1, 5, None));
        let slot = &table.buckets[0].0[0];
        let torn = slot.data.load(Relaxed);
        table.store(first, &found(9, 0, 1, 7, None));
        slot.data.store(torn, Relaxed);
        assert_eq!(table.probe(first), None);
        assert_eq!(table.probe(second), None);
    }

    #[test]
    fn an_empty_table_does_not_match_the_empty_board() {
        let nothing =
            Position::new(othello_core::Bitboard::EMPTY, othello_core::Bitboard::EMPTY).unwrap();
        assert_eq!(table(0).probe(nothing), None);
    }
}
