//! Pattern indices of a position: the contents of every pattern instance as numbers, updated move by move.

use othello_core::{Bitboard, Position, Square};

use super::patterns::{ALL_INSTANCES, INSTANCES, Instance, SHAPES};

/// The number of lanes: the instances, padded to whole vectors.
pub(super) const LANES: usize = 64;

/// A number for each index.
#[repr(C, align(64))]
struct Lanes([i16; LANES]);

/// The increment of each index for an own disc on each square; the entry after the last square is zero.
static STEPS: [Lanes; 65] = {
    let mut steps = [const { Lanes([0; LANES]) }; 65];
    let mut lane = 0;
    while lane < INSTANCES {
        let Instance {
            shape, symmetry, ..
        } = ALL_INSTANCES[lane];
        let squares = SHAPES[shape].squares;
        let mut place = 0;
        while place < squares.len() {
            let square = symmetry.square(squares[place]).index() as usize;
            steps[square].0[lane] = 3i16.pow(place as u32);
            place += 1;
        }
        lane += 1;
    }
    steps
};

/// The index of every instance, from the side to move.
///
/// Public only for benchmarks of the evaluation; training uses [`RowMap`](super::RowMap).
///
/// # Examples
///
/// ```
/// use othello_core::{Position, Square};
/// use othello_search::eval::Indices;
///
/// let position = Position::START;
/// let flipped = position.flips(Square::F5);
/// let next = Indices::of(position).after(Square::F5, flipped);
/// assert_eq!(next, Indices::of(position.after(Square::F5, flipped)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Indices([i16; LANES]);

impl Indices {
    /// The indices of an empty board.
    pub(super) const NONE: Self = Self([0; LANES]);

    /// Computes the indices of a position from scratch.
    #[inline]
    pub fn of(position: Position) -> Self {
        let mut indices = Self::NONE;
        for square in position.own() {
            indices.add(square, 1);
        }
        for square in position.opponent() {
            indices.add(square, -1);
        }
        indices
    }

    /// The indices after a disc on `square` that flips `flipped`, from the opponent's point of view. Unspecified if no
    /// move flips exactly these discs.
    #[must_use]
    #[inline(always)]
    pub fn after(&self, square: Square, flipped: Bitboard) -> Self {
        let mut indices = *self;
        indices.add(square, 1);
        let mut left = flipped.0;
        // Four at a time, padded with empty entries: the number of flips is hard to predict, but rarely exceeds four.
        loop {
            let steps: [&Lanes; 4] = std::array::from_fn(|_| {
                let steps = &STEPS[left.trailing_zeros() as usize];
                left &= left.wrapping_sub(1);
                steps
            });
            for (lane, index) in indices.0.iter_mut().enumerate() {
                let [a, b, c, d] = steps.map(|steps| steps.0[lane]);
                let sum = a.wrapping_add(b).wrapping_add(c.wrapping_add(d));
                *index = index.wrapping_add(sum.wrapping_add(sum));
            }
            if left == 0 {
                return indices.passed();
            }
        }
    }

    /// The indices of the same discs with the other side to move.
    #[must_use]
    #[inline(always)]
    pub fn passed(&self) -> Self {
        Self(self.0.map(i16::wrapping_neg))
    }

    /// The indices in the order of [`ALL_INSTANCES`].
    #[inline(always)]
    pub(super) fn all(&self) -> &[i16; INSTANCES] {
        match self.0.first_chunk() {
            Some(indices) => indices,
            None => unreachable!(),
        }
    }

    /// Adds (or with a negative count subtracts) a disc. Between two positions an index may leave its range and even
    /// wrap, but the final index is valid.
    #[inline(always)]
    fn add(&mut self, square: Square, times: i16) {
        let steps = &STEPS[usize::from(square.index())].0;
        for (index, step) in self.0.iter_mut().zip(steps) {
            *index = index.wrapping_add(step.wrapping_mul(times));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::patterns::first_cells,
        testing::{random_play, scattered},
    };

    #[test]
    fn indices_are_balanced_ternary_numbers() {
        for seed in 0..100 {
            let position = scattered(seed, 20);
            for (instance, index) in ALL_INSTANCES.iter().zip(Indices::of(position).all()) {
                let digit = |square| {
                    i32::from(position.own().contains(square))
                        - i32::from(position.opponent().contains(square))
                };
                let digits: Vec<i32> = instance.squares().map(digit).collect();
                let number = digits
                    .iter()
                    .rev()
                    .fold(0, |number, digit| 3 * number + digit);
                assert_eq!(i32::from(*index), number, "{instance:?} in {position:?}");
                let first = first_cells()[instance.shape];
                let cells = first..first + SHAPES[instance.shape].cells();
                assert!(cells.contains(&instance.cell(*index)));
            }
        }
    }

    #[test]
    fn a_pass_negates_every_index() {
        for seed in 0..100 {
            let position = scattered(seed, 20);
            let indices = Indices::of(position);
            let passed = Indices::of(position.passed());
            assert_eq!(indices.passed(), passed);
            assert_eq!(passed.all(), &indices.all().map(|index| -index));
        }
    }

    #[test]
    fn updated_indices_equal_those_from_scratch() {
        for seed in 0..200 {
            let position = random_play(seed, seed as u32 % 60);
            let indices = Indices::of(position);
            for square in position.legal_moves() {
                let flipped = position.flips(square);
                let child = position.after(square, flipped);
                assert_eq!(indices.after(square, flipped), Indices::of(child));
            }
        }
    }
}
