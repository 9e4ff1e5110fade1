//! The moves of a position with few empties, as arrays for vector instructions.
//!
//! The first move is found without a branch on the keys. Keys have 16 bits because some CPUs have an instruction for
//! the minimum of eight such numbers.

use othello_core::{Backend, Bitboard, Position, Square};

use crate::{
    bits::{count_rows, sum_of_bytes},
    ordering::square_worth,
    private::SOLVER_EMPTIES,
    stability::stable_at_corners,
    threads::SplitMove,
};

/// The weight in 12-bit keys of each move left to the opponent; corners count twice.
const MOBILITY: u64 = 64;
/// The weight subtracted for each disc on a corner or next to an own corner disc.
const CORNER_STABILITY: u64 = 16;
const _: () = assert!(MOBILITY.is_multiple_of(CORNER_STABILITY));
/// The weight subtracted for a move into a quadrant with an odd number of empties.
const PARITY: i32 = 8;
/// The offset that sorts all other moves after the table's move.
const NOT_IN_TABLE: i32 = 2048;
/// An upper bound on the amount subtracted from a key.
const MAX_MERIT: i32 = 128;
/// The number of positions whose legal moves are computed at once.
const LANES: usize = 8;
/// The capacity, in whole batches.
const ROOM: usize = (SOLVER_EMPTIES as usize).next_multiple_of(LANES);
/// The number of low bits of a key that hold the move's index.
const PLACE_BITS: u32 = ROOM.ilog2();
const _: () = assert!(ROOM == 1 << PLACE_BITS, "an index fits below the key");
const _: () = {
    // A child has one empty square less than its parent; corners count twice.
    let mobility = MOBILITY as i32 * (SOLVER_EMPTIES as i32 - 1 + 4);
    let beyond = 1 << (u16::BITS - PLACE_BITS);
    assert!(
        NOT_IN_TABLE + MAX_MERIT + mobility < beyond - 1,
        "a key has room and differs from TAKEN"
    );
};
/// A value above every key.
const TAKEN: u16 = u16::MAX;

/// Moves and the positions after them, taken out best first.
#[repr(align(64))]
pub(super) struct Children {
    own: [Bitboard; ROOM],
    opponent: [Bitboard; ROOM],
    /// The opponent's legal moves.
    moves: [Bitboard; ROOM],
    /// Sort keys, smallest first, with the move's index in the low bits so that no two are equal.
    keys: [u16; ROOM],
    squares: [Square; ROOM],
}

/// A move taken out of the list.
pub(super) struct Child {
    pub(super) square: Square,
    /// The position after the move.
    pub(super) position: Position,
    /// The opponent's legal moves in that position.
    pub(super) moves: Bitboard,
}

impl Children {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            own: [Bitboard::EMPTY; ROOM],
            opponent: [Bitboard::EMPTY; ROOM],
            moves: [Bitboard::EMPTY; ROOM],
            keys: [TAKEN; ROOM],
            squares: [Square::A1; ROOM],
        }
    }

    /// Sets the move at an index and the position after it; moves are in board order. `odd` holds the quadrants with an
    /// odd number of empties.
    #[inline(always)]
    pub(super) fn set(&mut self, place: usize, square: Square, child: Position, odd: u64) {
        let place = place % ROOM;
        self.own[place] = child.own();
        self.opponent[place] = child.opponent();
        self.squares[place] = square;
        let merit = square_worth(square) / 2 + PARITY * (odd >> square.index() & 1) as i32;
        let key = (NOT_IN_TABLE + MAX_MERIT - merit) as u16;
        self.keys[place] = key << PLACE_BITS | place as u16;
    }

    /// The positions after the first `count` moves.
    #[inline(always)]
    pub(super) fn positions(&self, count: usize) -> impl Iterator<Item = Position> {
        let discs = self.own.iter().zip(&self.opponent).take(count);
        discs.map(|(own, opponent)| Position::new_unchecked(*own, *opponent))
    }

    /// Computes the opponent's moves and adds them to the keys of the first `count` moves.
    #[inline(always)]
    pub(super) fn rank<B: Backend>(&mut self, backend: B, count: usize) {
        let own = self.own.as_chunks::<LANES>().0;
        let opponent = self.opponent.as_chunks::<LANES>().0;
        let moves = self.moves.as_chunks_mut::<LANES>().0;
        let keys = self.keys.as_chunks_mut::<LANES>().0;
        for batch in 0..count.div_ceil(LANES).min(own.len()) {
            moves[batch] = backend.legal_moves_of_eight(&own[batch], &opponent[batch]);
            let mut weights = [0; LANES];
            for lane in 0..LANES {
                weights[lane] = weight(moves[batch][lane], opponent[batch][lane]);
            }
            // Lanes without a move have zero weight, so the key stays unchanged.
            for (key, weight) in keys[batch].iter_mut().zip(weights) {
                *key = key.wrapping_add((weight << PLACE_BITS) as u16);
            }
        }
    }

    /// Moves the move at an index ahead of all others, once they are ranked.
    #[inline(always)]
    pub(super) fn prefer(&mut self, place: usize) {
        let place = place % ROOM;
        self.keys[place] = place as u16;
    }

    /// Takes all remaining moves, best first, if there are at least two.
    pub(super) fn take_several(&mut self) -> Option<Vec<SplitMove>> {
        let left = self.keys.iter().filter(|key| **key != TAKEN).count();
        let next = || {
            self.next_best().map(|best| SplitMove {
                square: best.square,
                child: best.position,
                estimate: None,
            })
        };
        (left > 1).then(|| std::iter::from_fn(next).collect())
    }

    /// Takes the child with the smallest key.
    #[inline(always)]
    pub(super) fn next_best(&mut self) -> Option<Child> {
        let best = self.keys.iter().copied().fold(TAKEN, u16::min);
        if best == TAKEN {
            return None;
        }
        let place = usize::from(best) % ROOM;
        self.keys[place] = TAKEN;
        Some(Child {
            square: self.squares[place],
            position: Position::new_unchecked(self.own[place], self.opponent[place]),
            moves: self.moves[place],
        })
    }
}

/// The penalty of a move that leaves the opponent `moves`, minus a bonus for the mover's `discs` on corners.
/// Branch-free, so the compiler vectorizes it.
#[inline(always)]
fn weight(moves: Bitboard, discs: Bitboard) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const PER_MOVE: u64 = MOBILITY / CORNER_STABILITY;
    let corners = (moves & Bitboard::CORNERS).0;
    let mobility = count_rows(moves.0) + (corners & ONES) + (corners >> 7 & ONES);
    let stable = count_rows(stable_at_corners(discs.0));
    // Eight for each row, taken off again below, so that no byte falls below zero.
    let rows = PER_MOVE * mobility + 8 * ONES - stable;
    (CORNER_STABILITY * sum_of_bytes(rows)).wrapping_sub(CORNER_STABILITY * 64)
}

#[cfg(test)]
mod tests {
    use othello_core::{Tier, WithBackend};

    use super::*;
    use crate::{bits::odd_quadrants, ordering::weighted_mobility, testing::random_play};

    /// The squares in the order in which they are taken out, with the move at index `preferred` first.
    struct Order(Position, Option<usize>);

    impl WithBackend for Order {
        type Output = Vec<Square>;

        fn run<B: Backend>(self, backend: B) -> Vec<Square> {
            let moves = self.0.legal_moves();
            let odd = odd_quadrants(self.0.empties().0);
            let mut children = Children::new();
            for (place, square) in moves.iter().enumerate() {
                children.set(place, square, self.0.play_unchecked(square), odd);
            }
            children.rank(backend, moves.count() as usize);
            if let Some(place) = self.1 {
                children.prefer(place);
            }
            let taken = std::iter::from_fn(|| children.next_best());
            let taken = taken.inspect(|child| {
                assert_eq!(child.position, self.0.play_unchecked(child.square));
                assert_eq!(child.moves, child.position.legal_moves());
            });
            taken.map(|child| child.square).collect()
        }
    }

    #[test]
    fn moves_are_ordered_by_the_replies_they_leave() {
        for seed in 0..500 {
            let position = random_play(seed, SOLVER_EMPTIES);
            let odd = Bitboard(odd_quadrants(position.empties().0));
            let key = |square: &Square| {
                let child = position.play_unchecked(*square);
                let stable = stable_at_corners(child.opponent().0).count_ones() as i32;
                64 * weighted_mobility(child.legal_moves())
                    - 16 * stable
                    - 8 * i32::from(odd.contains(*square))
                    - square_worth(*square) / 2
            };
            let mut expected: Vec<Square> = position.legal_moves().iter().collect();
            expected.sort_by_key(key);
            for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
                assert_eq!(
                    tier.dispatch(Order(position, None)),
                    expected,
                    "{position:?}"
                );
            }
        }
    }

    #[test]
    fn the_preferred_move_comes_first() {
        for seed in 0..100 {
            let position = random_play(seed, SOLVER_EMPTIES);
            for (place, square) in position.legal_moves().iter().enumerate() {
                let order = Tier::best().dispatch(Order(position, Some(place)));
                assert_eq!(order[0], square, "{position:?}");
                assert_eq!(order.len(), position.legal_moves().count() as usize);
            }
        }
    }
}
