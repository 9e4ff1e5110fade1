//! The hand-made evaluation: features of each side, and what they are worth as the board fills.

use othello_core::{Backend, Bitboard, Position};

use crate::{bits::neighbours, score::DISC, stability::stable_opponent};

/// The squares around each empty corner that are dangerous to hold.
const CORNER_REGIONS: [(u64, u64, u64); 4] = {
    let regions = [(0, 9), (7, 14), (56, 49), (63, 54)];
    let mut table = [(0, 0, 0); 4];
    let mut at = 0;
    while at < 4 {
        let (corner, x_square) = regions[at];
        let corner = 1u64 << corner;
        let x_square = 1u64 << x_square;
        table[at] = (corner, x_square, neighbours(corner) & !x_square);
        at += 1;
    }
    table
};

/// What one side has on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    /// The number of legal moves, were it this side's turn.
    pub(crate) mobility: i32,
    /// The number of empty squares next to the other side's discs: moves that may arise.
    pub(crate) potential: i32,
    /// Corners held.
    pub(crate) corners: i32,
    /// Corners that could be taken at once.
    pub(crate) corner_moves: i32,
    /// X-squares held beside an empty corner.
    pub(crate) x_squares: i32,
    /// C-squares held beside an empty corner.
    pub(crate) c_squares: i32,
    /// Discs that can never be flipped, a lower bound.
    pub(crate) stable: i32,
}

impl Features {
    /// The features of the side to move.
    #[inline(always)]
    pub(crate) fn of<B: Backend>(backend: B, position: Position) -> Self {
        let own = position.own().0;
        let empties = position.empties().0;
        let moves = backend.legal_moves(position);
        let (mut x_squares, mut c_squares) = (0, 0);
        for (corner, x_square, c_pair) in CORNER_REGIONS {
            if empties & corner != 0 {
                x_squares |= own & x_square;
                c_squares |= own & c_pair;
            }
        }
        let count = |set: u64| set.count_ones() as i32;
        Self {
            mobility: count(moves.0),
            potential: count(neighbours(position.opponent().0) & empties),
            corners: count(own & Bitboard::CORNERS.0),
            corner_moves: count(moves.0 & Bitboard::CORNERS.0),
            x_squares: count(x_squares),
            c_squares: count(c_squares),
            stable: count(stable_opponent(backend, position.passed())),
        }
    }
}

/// A weight in units of a disc that goes in a straight line from an empty to a full board.
struct Weight {
    empty: i32,
    full: i32,
}

impl Weight {
    const fn discs(empty: f32, full: f32) -> Self {
        Self {
            empty: (empty * DISC as f32) as i32,
            full: (full * DISC as f32) as i32,
        }
    }

    const fn at(&self, empties: i32) -> i32 {
        (self.empty * empties + self.full * (64 - empties)) / 64
    }
}

/// For shares of a whole, so at most this many discs.
const MOBILITY: Weight = Weight::discs(16.0, 16.0);
const POTENTIAL: Weight = Weight::discs(16.0, 4.0);
/// For each one more than the other side has.
const CORNERS: Weight = Weight::discs(7.0, 2.0);
const CORNER_MOVES: Weight = Weight::discs(3.0, 3.0);
const X_SQUARES: Weight = Weight::discs(-5.0, -1.0);
const C_SQUARES: Weight = Weight::discs(-1.5, -0.3);
const STABLE: Weight = Weight::discs(1.0, 1.0);

/// What the features are worth to the first side; the other side's balance is its negative.
#[inline(always)]
pub(super) fn balance(own: &Features, other: &Features, empties: i32) -> i32 {
    let share = |weight: Weight, own: i32, other: i32| {
        weight.at(empties) * (own - other) / (own + other + 2)
    };
    let lead = |weight: Weight, own: i32, other: i32| weight.at(empties) * (own - other);
    share(MOBILITY, own.mobility, other.mobility)
        + share(POTENTIAL, own.potential, other.potential)
        + lead(CORNERS, own.corners, other.corners)
        + lead(CORNER_MOVES, own.corner_moves, other.corner_moves)
        + lead(X_SQUARES, own.x_squares, other.x_squares)
        + lead(C_SQUARES, own.c_squares, other.c_squares)
        + lead(STABLE, own.stable, other.stable)
}

/// What the move is worth: the side that will move last has the better of it.
#[inline(always)]
pub(super) fn tempo(empties: i32) -> i32 {
    if empties % 2 == 0 {
        -DISC / 2
    } else {
        DISC * 3 / 2
    }
}
