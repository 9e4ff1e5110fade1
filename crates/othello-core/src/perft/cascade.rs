//! Perft in batches: positions of the same ply fill the lanes of vectors.
//!
//! Each ply has a queue of moves. When a queue holds a full batch, the whole batch is played at once, and the moves of
//! the resulting positions are added to the next ply's queue. All lanes are thus used regardless of the number of moves
//! of each position. Moves left in the queues at the end are played one by one. The order of visits does not affect the
//! count.

#![allow(clippy::large_stack_arrays)] // The crate has no allocator, and there is one cascade per perft.

use super::{
    rows::{self, Row, Rows},
    walk::{one_by_one, walk},
};
use crate::{Backend, Bitboard, Position};

/// The number of last plies played in batches.
const PLIES: u32 = 4;

/// The maximum number of lanes of any back end.
pub(crate) const MAX_LANES: usize = 64;

/// The space reserved for the moves of one position, a multiple of [`GROUP`].
const MAX_MOVES: usize = 72;

/// The capacity of a queue: an incomplete batch plus the moves of one more position.
const CAPACITY: usize = MAX_LANES + MAX_MOVES;

/// The number of moves queued between two checks for the end of the list.
const GROUP: usize = 12;

/// A back end that processes many positions in the lanes of vectors.
pub(crate) trait Lanes: Backend {
    /// One row of [`Self::LANES`] boards.
    type Row: Row;

    /// The number of positions in a batch.
    const LANES: usize;

    /// Loads a vector of whole boards.
    fn load(self, boards: &[u64]) -> Self::Row;

    /// Adds the bytes to the totals.
    fn add_to(self, totals: &mut Totals, bytes: Self::Row);
}

/// Leaf counts, one in each 64-bit lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Totals(pub(crate) [u64; 8]);

/// The positions after the moves of a batch, as the side to move sees them, with their legal moves.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Batch {
    own: [u64; MAX_LANES],
    opponent: [u64; MAX_LANES],
    moves: [u64; MAX_LANES],
}

impl Batch {
    const EMPTY: Self = Self {
        own: [0; MAX_LANES],
        opponent: [0; MAX_LANES],
        moves: [0; MAX_LANES],
    };

    /// A batch of one position.
    fn single(position: Position, moves: Bitboard) -> Self {
        let mut batch = Self::EMPTY;
        batch.own[0] = position.own().0;
        batch.opponent[0] = position.opponent().0;
        batch.moves[0] = moves.0;
        batch
    }
}

/// The queued moves of one ply, each with the position to play it in.
#[repr(align(64))]
struct Queue {
    own: [u64; CAPACITY],
    opponent: [u64; CAPACITY],
    /// The position's remaining moves; the lowest bit is the queued move.
    moves: [u64; CAPACITY],
    len: usize,
}

impl Queue {
    const EMPTY: Self = Self {
        own: [0; CAPACITY],
        opponent: [0; CAPACITY],
        moves: [0; CAPACITY],
        len: 0,
    };

    /// Adds the moves of a position to a queue that holds less than a batch.
    #[inline(always)]
    fn add(&mut self, own: u64, opponent: u64, moves: u64) {
        let at = self.len;
        assert!(at < MAX_LANES, "less than a batch");
        let count = moves.count_ones() as usize;
        fill(&mut self.own[at..][..MAX_MOVES], own, count);
        fill(&mut self.opponent[at..][..MAX_MOVES], opponent, count);
        let mut rest = moves;
        // The last group may extend beyond the moves: the end of this loop is mispredicted less often than the end of a
        // loop over single moves.
        for group in self.moves[at..][..MAX_MOVES].as_chunks_mut::<GROUP>().0 {
            for slot in group {
                *slot = rest;
                rest &= rest.wrapping_sub(1);
            }
            if rest == 0 {
                break;
            }
        }
        self.len = at + count;
    }

    /// Removes a batch of moves from the queue and plays them. Returns the own and the opponent's discs after each
    /// move.
    #[inline(always)]
    fn play<L: Lanes>(&mut self, lanes: L) -> [Rows<L::Row>; 2] {
        self.len -= L::LANES;
        let at = self.len;
        assert!(at <= MAX_MOVES, "a full batch");
        let mut squares = [0; MAX_LANES];
        for (square, moves) in squares.iter_mut().zip(&self.moves[at..]).take(L::LANES) {
            *square = moves & moves.wrapping_neg();
        }
        let own = to_rows(lanes, &self.own[at..][..L::LANES]);
        let opponent = to_rows(lanes, &self.opponent[at..][..L::LANES]);
        let square = to_rows(lanes, &squares[..L::LANES]);
        rows::play(&own, &opponent, &square)
    }
}

/// Splits boards into rows: transposes the bytes of 16 boards within each 16 bytes of the vectors.
#[inline(always)]
fn to_rows<L: Lanes>(lanes: L, boards: &[u64]) -> Rows<L::Row> {
    let mut rows = [lanes.load(boards); 8];
    for (row, boards) in rows.iter_mut().zip(boards.chunks_exact(L::LANES / 8)) {
        *row = lanes.load(boards).pair_bytes();
    }
    let [a, b, c, d, e, f, g, h] = rows;
    let [ab0, ab4] = a.interleave::<2>(b);
    let [cd0, cd4] = c.interleave::<2>(d);
    let [ef0, ef4] = e.interleave::<2>(f);
    let [gh0, gh4] = g.interleave::<2>(h);
    let [ad0, ad2] = ab0.interleave::<4>(cd0);
    let [ad4, ad6] = ab4.interleave::<4>(cd4);
    let [eh0, eh2] = ef0.interleave::<4>(gh0);
    let [eh4, eh6] = ef4.interleave::<4>(gh4);
    let [row0, row1] = ad0.interleave::<8>(eh0);
    let [row2, row3] = ad2.interleave::<8>(eh2);
    let [row4, row5] = ad4.interleave::<8>(eh4);
    let [row6, row7] = ad6.interleave::<8>(eh6);
    [row0, row1, row2, row3, row4, row5, row6, row7]
}

/// Joins rows into boards; the inverse of [`to_rows`].
#[inline(always)]
fn from_rows<R: Row>(rows: &Rows<R>, boards: &mut [u64; MAX_LANES]) {
    let [row0, row1, row2, row3, row4, row5, row6, row7] = *rows;
    let [ad01, eh01] = row0.interleave::<1>(row1);
    let [ad23, eh23] = row2.interleave::<1>(row3);
    let [ad45, eh45] = row4.interleave::<1>(row5);
    let [ad67, eh67] = row6.interleave::<1>(row7);
    let [ab03, cd03] = ad01.interleave::<2>(ad23);
    let [ab47, cd47] = ad45.interleave::<2>(ad67);
    let [ef03, gh03] = eh01.interleave::<2>(eh23);
    let [ef47, gh47] = eh45.interleave::<2>(eh67);
    let [a, b] = ab03.interleave::<4>(ab47);
    let [c, d] = cd03.interleave::<4>(cd47);
    let [e, f] = ef03.interleave::<4>(ef47);
    let [g, h] = gh03.interleave::<4>(gh47);
    let lanes = size_of::<R>() / 8;
    for (row, boards) in [a, b, c, d, e, f, g, h]
        .iter()
        .zip(boards.chunks_exact_mut(lanes))
    {
        row.store(boards);
    }
}

/// Writes the discs of a position once for each of its moves. Writes whole vectors for speed, so some slots beyond the
/// moves are overwritten too.
#[inline(always)]
fn fill(slots: &mut [u64], discs: u64, moves: usize) {
    /// A number of moves that few positions exceed.
    const COMMON: usize = 16;
    let (common, rest) = slots.split_at_mut(COMMON);
    common.fill(discs);
    if moves > COMMON {
        rest.fill(discs);
    }
}

/// Counts the leaves at `depth` plies (at least 1) from `position`.
pub(crate) fn perft<L: Lanes>(lanes: L, position: Position, depth: u32) -> u64 {
    if depth <= PLIES {
        return one_by_one(lanes, position, depth);
    }
    let mut queues = [const { Queue::EMPTY }; PLIES as usize - 1];
    let mut cascade = Cascade {
        lanes,
        totals: Totals([0; 8]),
    };
    let ended = walk(lanes, position, depth, PLIES, &mut |position| {
        let batch = Batch::single(position, lanes.legal_moves(position));
        cascade.expand(&mut queues, &batch, 1);
        0
    });
    ended + cascade.finish(&queues)
}

struct Cascade<L> {
    lanes: L,
    totals: Totals,
}

impl<L: Lanes> Cascade<L> {
    /// Queues the moves of the first `count` positions and plays them in full batches. Every ply except the last has a
    /// queue; the moves of the last ply are only counted.
    fn expand(&mut self, queues: &mut [Queue], batch: &Batch, count: usize) {
        let lanes = self.lanes;
        let Some((queue, later)) = queues.split_first_mut() else {
            return;
        };
        lanes.vectorize(
            #[inline(always)]
            || {
                for lane in 0..count.min(MAX_LANES) {
                    let (own, opponent) = (batch.own[lane], batch.opponent[lane]);
                    let moves = batch.moves[lane];
                    if moves == 0 {
                        self.pass(later, own, opponent);
                        continue;
                    }
                    queue.add(own, opponent, moves);
                    while queue.len >= L::LANES {
                        let [own, opponent] = queue.play(lanes);
                        let moves = rows::legal_moves(&own, &opponent);
                        if later.is_empty() {
                            lanes.add_to(&mut self.totals, rows::count_or_one(&moves));
                        } else {
                            let mut batch = Batch::EMPTY;
                            from_rows(&own, &mut batch.own);
                            from_rows(&opponent, &mut batch.opponent);
                            from_rows(&moves, &mut batch.moves);
                            self.expand(later, &batch, L::LANES);
                        }
                    }
                }
            },
        );
    }

    /// Continues after a pass in a position without legal moves, or counts the end of a game.
    #[cold]
    fn pass(&mut self, later: &mut [Queue], own: u64, opponent: u64) {
        let passed = Position::new_unchecked(Bitboard(opponent), Bitboard(own));
        let moves = self.lanes.legal_moves(passed);
        if moves.is_empty() {
            self.totals.0[0] += 1;
        } else if later.is_empty() {
            self.totals.0[0] += u64::from(moves.count());
        } else {
            self.expand(later, &Batch::single(passed, moves), 1);
        }
    }

    /// Plays the moves left in the queues one by one, and returns the total.
    fn finish(self, queues: &[Queue]) -> u64 {
        let mut total = self.totals.0.iter().sum();
        for (queue, plies) in queues.iter().zip((1..PLIES).rev()) {
            for at in 0..queue.len {
                let (own, opponent) = (Bitboard(queue.own[at]), Bitboard(queue.opponent[at]));
                let position = Position::new_unchecked(own, opponent);
                let square = Bitboard(queue.moves[at]).iter().next().expect("a move");
                let position = position.play_unchecked(square);
                total += one_by_one(self.lanes, position, plies);
            }
        }
        total
    }
}
