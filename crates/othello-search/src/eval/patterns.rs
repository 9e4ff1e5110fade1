//! The patterns: groups of squares used by the evaluation, and the encoding of their contents.
//!
//! Inference, the file of weights and training all use this table.
//!
//! A *shape* is a list of squares; its images under the symmetries of the board are its *instances*. The contents of an
//! instance are encoded as a number in balanced ternary, its *index*: one digit per square, +1 for an own disc, −1 for
//! an opponent's, 0 for an empty square, with the first square as the least significant digit. Changing sides negates
//! every index.
//!
//! All instances of a shape share weights. Where a symmetry maps an instance onto itself, two indices that are each
//! other's reflection share weights too. A *cell* is an index of a shape, and a *row* is the set of weights of one or
//! two cells. Memory is laid out by cells, for a look-up in one step; files and training use rows.

use othello_core::{Bitboard, Square, Symmetry};

/// The number of instances, and so of indices per position.
pub(super) const INSTANCES: usize = 46;

/// The total number of cells.
pub(super) const CELLS: usize = first_cells()[SHAPES.len()];

/// The total number of pattern rows.
pub(super) const PATTERN_ROWS: usize = first_rows()[SHAPES.len()];

/// The maximum number of squares of a shape.
const MAX_SQUARES: usize = 10;

/// A group of squares in one orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// The squares, least significant digit first.
    pub(super) squares: &'static [Square],
}

const fn shape(squares: &'static [Square]) -> Shape {
    Shape { squares }
}

/// The shapes, in the order in which cells and rows are numbered.
#[rustfmt::skip]
#[allow(clippy::enum_glob_use)] // Squares are to be read as on a board.
pub(super) const SHAPES: [Shape; 12] = {
    use Square::*;
    [
        shape(&[A1, B1, A2, B2, C1, A3, C2, B3, C3]),      // corner 3x3
        shape(&[A1, B1, C1, D1, A2, B2, C2, A3, B3, A4]),  // triangle
        shape(&[B2, C2, D2, B3, C3, D3, B4, C4, D4]),      // block
        shape(&[B2, A1, B1, C1, D1, E1, F1, G1, H1, G2]),  // edge with X-squares
        shape(&[A1, C1, D1, C2, D2, E2, F2, E1, F1, H1]),  // edge with block
        shape(&[A2, B2, C2, D2, E2, F2, G2, H2]),          // row 2
        shape(&[A3, B3, C3, D3, E3, F3, G3, H3]),          // row 3
        shape(&[A4, B4, C4, D4, E4, F4, G4, H4]),          // row 4
        shape(&[A1, B2, C3, D4, E5, F6, G7, H8]),          // diagonal of 8
        shape(&[B1, C2, D3, E4, F5, G6, H7]),              // diagonal of 7
        shape(&[C1, D2, E3, F4, G5, H6]),                  // diagonal of 6
        shape(&[D1, E2, F3, G4, H5, E1, F2, G3, H4]),      // diagonals of 5 and 4
    ]
};

impl Shape {
    pub(super) const fn cells(&self) -> usize {
        3usize.pow(self.squares.len() as u32)
    }

    /// The number of rows: one for each cell that is its own reflection, one for each pair of the other cells.
    const fn rows(&self) -> usize {
        let reflection = self.reflection();
        let mut cycles = 0;
        let mut at = 0;
        while at < self.squares.len() {
            cycles += (at <= reflection[at]) as u32;
            at += 1;
        }
        usize::midpoint(self.cells(), 3usize.pow(cycles))
    }

    /// The permutation of the squares by the symmetry that maps the shape onto itself, or the identity if there is
    /// none. Entries are indices into the list of squares.
    const fn reflection(&self) -> [usize; MAX_SQUARES] {
        const IDENTITY: [usize; MAX_SQUARES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        let mut found = IDENTITY;
        let mut at = 0;
        while at < Symmetry::ALL.len() {
            if let Some(places) = self.places_under(Symmetry::ALL[at])
                && !same(&places, &IDENTITY)
            {
                assert!(
                    same(&found, &IDENTITY) || same(&found, &places),
                    "a row has at most two cells"
                );
                found = places;
            }
            at += 1;
        }
        found
    }

    /// The permutation of the squares under a symmetry, as indices; `None` if a square leaves the shape.
    const fn places_under(&self, symmetry: Symmetry) -> Option<[usize; MAX_SQUARES]> {
        let mut places = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        let mut from = 0;
        while from < self.squares.len() {
            let image = symmetry.square(self.squares[from]).index();
            let mut to = 0;
            while self.squares[to].index() != image {
                to += 1;
                if to == self.squares.len() {
                    return None;
                }
            }
            places[from] = to;
            from += 1;
        }
        Some(places)
    }

    /// The reflection of each cell in order, relative to the shape's first cell.
    pub(super) fn reflections(&self) -> Reflections {
        let mut steps = [0; MAX_SQUARES];
        for (step, place) in steps.iter_mut().zip(self.reflection()) {
            *step = 3usize.pow(place as u32);
        }
        Reflections {
            digits: [0; MAX_SQUARES],
            steps,
            next: 0,
            left: self.cells(),
            places: self.squares.len(),
        }
    }
}

const fn same(left: &[usize; MAX_SQUARES], right: &[usize; MAX_SQUARES]) -> bool {
    let mut at = 0;
    while at < MAX_SQUARES && left[at] == right[at] {
        at += 1;
    }
    at == MAX_SQUARES
}

/// An iterator over the reflections of a shape's cells that updates them incrementally, fast enough for start-up.
pub(super) struct Reflections {
    /// The digits of the cell, 0 to 2.
    digits: [u8; MAX_SQUARES],
    /// The increment of the reflection when a digit increases by one.
    steps: [usize; MAX_SQUARES],
    next: usize,
    left: usize,
    places: usize,
}

impl Iterator for Reflections {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let reflection = self.next;
        for (digit, step) in self.digits.iter_mut().zip(self.steps).take(self.places) {
            if *digit < 2 {
                *digit += 1;
                self.next += step;
                break;
            }
            *digit = 0;
            self.next -= 2 * step;
        }
        Some(reflection)
    }
}

/// The first cell of each shape, followed by the total.
pub(super) const fn first_cells() -> [usize; SHAPES.len() + 1] {
    let mut first = [0; SHAPES.len() + 1];
    let mut at = 0;
    while at < SHAPES.len() {
        first[at + 1] = first[at] + SHAPES[at].cells();
        at += 1;
    }
    first
}

/// The first row of each shape, followed by the total.
const fn first_rows() -> [usize; SHAPES.len() + 1] {
    let mut first = [0; SHAPES.len() + 1];
    let mut at = 0;
    while at < SHAPES.len() {
        first[at + 1] = first[at] + SHAPES[at].rows();
        at += 1;
    }
    first
}

/// A shape in one orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instance {
    /// The index of the shape in [`SHAPES`].
    pub(super) shape: usize,
    /// The symmetry that maps the shape to this instance.
    pub(super) symmetry: Symmetry,
    /// The cell of index 0.
    origin: usize,
}

impl Instance {
    /// The squares, least significant digit first.
    #[cfg(test)]
    pub(super) fn squares(&self) -> impl Iterator<Item = Square> {
        let squares = SHAPES[self.shape].squares.iter();
        squares.map(|square| self.symmetry.square(*square))
    }

    /// The cell of an index, below [`CELLS`].
    #[inline(always)]
    pub(super) const fn cell(&self, index: i16) -> usize {
        self.origin.wrapping_add_signed(index as isize)
    }
}

/// All instances, in the order of their shapes and, within a shape, of [`Symmetry::ALL`].
pub(super) const ALL_INSTANCES: [Instance; INSTANCES] = {
    let mut list = [Instance {
        shape: 0,
        symmetry: Symmetry::Identity,
        origin: 0,
    }; INSTANCES];
    let mut count = 0;
    let mut shape = 0;
    while shape < SHAPES.len() {
        let mut images = [0; Symmetry::ALL.len()];
        let mut at = 0;
        while at < Symmetry::ALL.len() {
            let symmetry = Symmetry::ALL[at];
            images[at] = symmetry.bitboard(set(SHAPES[shape].squares)).0;
            if first_place(&images, images[at]) == at {
                list[count] = Instance {
                    shape,
                    symmetry,
                    origin: first_cells()[shape] + SHAPES[shape].cells() / 2,
                };
                count += 1;
            }
            at += 1;
        }
        shape += 1;
    }
    assert!(count == INSTANCES);
    list
};

const fn set(squares: &[Square]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut at = 0;
    while at < squares.len() {
        set = set.with(squares[at]);
        at += 1;
    }
    set
}

const fn first_place(list: &[u64], wanted: u64) -> usize {
    let mut at = 0;
    while list[at] != wanted {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_instances_of_a_shape_are_listed_once() {
        let counts = SHAPES.map(|shape| {
            let of_shape = |instance: &&Instance| SHAPES[instance.shape] == shape;
            ALL_INSTANCES.iter().filter(of_shape).count()
        });
        assert_eq!(counts, [4, 4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4]);
        let mut sets: Vec<u64> = ALL_INSTANCES
            .iter()
            .map(|instance| instance.squares().collect::<Bitboard>().0)
            .collect();
        sets.sort_unstable();
        sets.dedup();
        assert_eq!(sets.len(), INSTANCES);
    }
}
