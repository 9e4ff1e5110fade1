//! Perft in batches: positions of one ply side by side in the lanes of a vector.
//!
//! Moves wait in one queue for each ply until a batch is full; a batch is then played at once, and
//! the moves of the positions that come out wait in the next ply's queue. So the lanes are full
//! whatever the numbers of moves, and only the very last batches have idle ones. The order in
//! which positions are met is of no account to a count.

#![allow(clippy::large_stack_arrays)] // There may be no allocator, and a perft has one cascade.

use super::walk;
use crate::{Backend, Bitboard, Position};

/// The number of plies that are played in batches.
const PLIES: u32 = 4;

/// The largest number of lanes of any back end.
pub(crate) const MAX_LANES: usize = 8;

/// Room for an incomplete batch, for all that one batch can add, and for whole vectors at the end.
const CAPACITY: usize = MAX_LANES + 64 * MAX_LANES + 64;

/// Moves that are flipped without a look whether there are as many.
const GROUP: usize = 4;

/// What a back end does for several positions side by side.
pub(crate) trait Lanes: Backend {
    /// The number of positions in a batch.
    const LANES: usize;

    /// The discs that a legal move flips, and its square, direction by direction; `square` is 0 to
    /// 63, or 64 for no move.
    fn flips_by_direction(self, own: BothWays, opponent: BothWays, square: usize) -> Directions;

    /// Plays the moves of a batch that starts at `at`.
    fn play_batch(self, queue: &Queue, at: usize) -> Batch;

    /// Plays the moves of a batch that starts at `at`, and adds the legal moves that each leads
    /// to, or one where there are none, to `totals`.
    fn count_batch(self, queue: &Queue, at: usize, totals: &mut Totals);
}

/// The flips of one move by direction, in the back end's own order and form.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Directions(pub(crate) [u64; 8]);

/// Sums in lanes.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Totals(pub(crate) [u64; MAX_LANES]);

/// A set of squares as it is, and on the board turned by 180°.
pub(crate) type BothWays = [u64; 2];

/// The positions after the moves of a batch, each seen from the side to move, and their moves.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Batch {
    pub(crate) own: [BothWays; MAX_LANES],
    pub(crate) opponent: [BothWays; MAX_LANES],
    pub(crate) moves: [u64; MAX_LANES],
}

impl Batch {
    /// A batch of one position.
    fn single(position: Position, moves: Bitboard) -> Self {
        let both_ways = |discs: Bitboard| [discs.0, discs.0.reverse_bits()];
        let mut batch = Self::default();
        batch.own[0] = both_ways(position.own());
        batch.opponent[0] = both_ways(position.opponent());
        batch.moves[0] = moves.0;
        batch
    }
}

/// Moves of one ply that wait to be played, each with the position that it is played in.
#[repr(align(64))]
pub(crate) struct Queue {
    pub(crate) flips: [Directions; CAPACITY],
    pub(crate) own: [u64; CAPACITY],
    pub(crate) opponent: [u64; CAPACITY],
    len: usize,
}

impl Queue {
    const EMPTY: Self = Self {
        flips: [Directions([0; 8]); CAPACITY],
        own: [0; CAPACITY],
        opponent: [0; CAPACITY],
        len: 0,
    };

    /// Adds the moves of the first `count` positions, which have at least one each, to a queue
    /// of less than a batch.
    #[inline(always)]
    fn add<L: Lanes>(&mut self, lanes: L, batch: &Batch, count: usize) {
        for lane in 0..count {
            let (own, opponent) = (batch.own[lane], batch.opponent[lane]);
            let count = batch.moves[lane].count_ones() as usize;
            self.fill_discs(own[0], opponent[0], count);
            let mut moves = batch.moves[lane];
            // In groups, the last one partly beyond the moves: its end is less often mispredicted
            // than that of a loop over single moves.
            for group in self.flips[self.len..][..64].as_chunks_mut::<GROUP>().0 {
                for slot in group {
                    let square = moves.trailing_zeros() as usize;
                    *slot = lanes.flips_by_direction(own, opponent, square);
                    moves &= moves.wrapping_sub(1);
                }
                if moves == 0 {
                    break;
                }
            }
            self.len += count;
        }
    }

    /// Writes the discs of a position for each of its moves and, since whole vectors cost less,
    /// beyond.
    #[inline(always)]
    fn fill_discs(&mut self, own: u64, opponent: u64, moves: usize) {
        const USUAL: usize = 16;
        for (slots, discs) in [(&mut self.own, own), (&mut self.opponent, opponent)] {
            let (usual, rest) = slots[self.len..][..64].split_at_mut(USUAL);
            usual.fill(discs);
            if moves > USUAL {
                rest.fill(discs);
            }
        }
    }
}

/// Counts the ways to play `depth` plies, at least 1, from `position`.
pub(crate) fn perft<L: Lanes>(lanes: L, position: Position, depth: u32) -> u64 {
    if depth <= PLIES {
        return super::one_by_one(lanes, position, depth);
    }
    let mut cascade = Cascade {
        lanes,
        queues: [const { Queue::EMPTY }; PLIES as usize - 1],
        totals: Totals([0; MAX_LANES]),
    };
    let ended = walk(lanes, position, depth, PLIES, &mut |position| {
        cascade.add(position);
        0
    });
    ended + cascade.finish()
}

struct Cascade<L> {
    lanes: L,
    /// The moves that wait with 2, 3, … plies left before them, the last one counted.
    queues: [Queue; PLIES as usize - 1],
    totals: Totals,
}

impl<L: Lanes> Cascade<L> {
    /// Adds the ways to play on from a position with [`PLIES`] plies left.
    fn add(&mut self, position: Position) {
        let batch = Batch::single(position, self.lanes.legal_moves(position));
        self.expand(PLIES, batch, 1);
    }

    /// Plays what still waits and returns the total.
    fn finish(mut self) -> u64 {
        for plies in (3..=PLIES).rev() {
            let queue = &mut self.queues[plies as usize - 2];
            let rest = core::mem::take(&mut queue.len);
            let batch = self.lanes.play_batch(queue, 0);
            self.expand(plies - 1, batch, rest);
        }
        let rest = self.queues[0].len;
        let batch = self.lanes.play_batch(&self.queues[0], 0);
        let moves = batch.moves[..rest].iter();
        let last: u64 = moves
            .map(|moves| u64::from(moves.count_ones().max(1)))
            .sum();
        last + self.totals.0.iter().sum::<u64>()
    }

    /// Queues the moves of the first `count` positions, which have `plies` left, 2 at least, and
    /// plays them in full batches.
    fn expand(&mut self, plies: u32, mut batch: Batch, mut count: usize) {
        let lanes = self.lanes;
        lanes.vectorize(
            #[inline(always)]
            || {
                if batch.moves[..count].contains(&0) {
                    count = self.pass(plies, &mut batch, count);
                }
                let queue = &mut self.queues[plies as usize - 2];
                queue.add(lanes, &batch, count);
                while self.queues[plies as usize - 2].len >= L::LANES {
                    let queue = &mut self.queues[plies as usize - 2];
                    queue.len -= L::LANES;
                    if plies == 2 {
                        lanes.count_batch(queue, queue.len, &mut self.totals);
                    } else {
                        let batch = lanes.play_batch(queue, queue.len);
                        self.expand(plies - 1, batch, L::LANES);
                    }
                }
            },
        );
    }

    /// Takes the positions without a move out of a batch, and goes on from them after a pass.
    /// Returns the number of positions that remain.
    #[cold]
    fn pass(&mut self, plies: u32, batch: &mut Batch, count: usize) -> usize {
        let mut kept = 0;
        for lane in 0..count {
            if batch.moves[lane] != 0 {
                batch.moves[kept] = batch.moves[lane];
                batch.own[kept] = batch.own[lane];
                batch.opponent[kept] = batch.opponent[lane];
                kept += 1;
                continue;
            }
            let (own, opponent) = (batch.opponent[lane][0], batch.own[lane][0]);
            let passed = Position::new_unchecked(Bitboard(own), Bitboard(opponent));
            let moves = self.lanes.legal_moves(passed);
            if moves.is_empty() {
                self.totals.0[0] += 1;
            } else if plies == 2 {
                self.totals.0[0] += u64::from(moves.count());
            } else {
                self.expand(plies - 1, Batch::single(passed, moves), 1);
            }
        }
        kept
    }
}
