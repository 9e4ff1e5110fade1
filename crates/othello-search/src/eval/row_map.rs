//! The mapping from cells to rows, which training uses.

use othello_core::Position;

use super::{
    INPUTS,
    indices::Indices,
    mobility,
    patterns::{ALL_INSTANCES, CELLS, INSTANCES, PATTERN_ROWS, SHAPES},
};

/// The row of each cell.
///
/// Rows are numbered by their lowest cells; the mobility rows follow.
///
/// # Examples
///
/// ```
/// use othello_core::Position;
/// use othello_search::eval::{ROWS, RowMap};
///
/// let map = RowMap::new();
/// let rows = map.rows(Position::START);
/// assert!(rows.iter().all(|row| *row < ROWS as u32));
/// ```
#[derive(Clone, Debug)]
pub struct RowMap(Vec<u32>);

impl RowMap {
    /// Computes the row of each cell.
    pub fn new() -> Self {
        let mut rows = Vec::with_capacity(CELLS);
        let mut next = 0;
        for shape in &SHAPES {
            let first = rows.len();
            for (cell, reflection) in shape.reflections().enumerate() {
                if reflection < cell {
                    rows.push(rows[first + reflection]);
                } else {
                    rows.push(next);
                    next += 1;
                }
            }
        }
        Self(rows)
    }

    /// The row of a cell.
    ///
    /// # Panics
    ///
    /// Panics if `cell` is not below [`CELLS`].
    #[inline]
    fn row(&self, cell: usize) -> u32 {
        self.0[cell]
    }

    /// The rows of a position, one for each instance and each mobility table; a row may occur more than once.
    #[inline]
    pub fn rows(&self, position: Position) -> [u32; INPUTS] {
        let indices = Indices::of(position);
        let mobility = mobility::rows(position.legal_moves());
        let mut rows = [0; INPUTS];
        for ((row, instance), index) in rows.iter_mut().zip(&ALL_INSTANCES).zip(indices.all()) {
            *row = self.row(instance.cell(*index));
        }
        for (row, mobility) in rows[INSTANCES..].iter_mut().zip(mobility) {
            *row = (PATTERN_ROWS + mobility) as u32;
        }
        rows
    }

    /// The row of each cell, in the order of the cells.
    #[cfg(test)]
    pub(super) fn all(&self) -> &[u32] {
        &self.0
    }
}

impl Default for RowMap {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::ROWS,
        testing::{orientations, random_play, scattered},
    };

    fn sorted_rows(map: &RowMap, position: Position) -> [u32; INPUTS] {
        let mut rows = map.rows(position);
        rows.sort_unstable();
        rows
    }

    #[test]
    fn the_number_of_rows_is_as_documented() {
        assert_eq!(CELLS, 265_356);
        assert_eq!([PATTERN_ROWS, ROWS], [134_352, 134_676]);
        let map = RowMap::new();
        assert_eq!(map.all().len(), CELLS);
        let mut cells = vec![0; PATTERN_ROWS];
        for row in map.all() {
            cells[*row as usize] += 1;
        }
        assert!(cells.iter().all(|count| (1..=2).contains(count)));
    }

    #[test]
    fn all_orientations_have_the_same_rows() {
        let map = RowMap::new();
        for seed in 0..200 {
            for position in [random_play(seed, seed as u32 % 60), scattered(seed, 20)] {
                let rows = orientations(position).map(|position| sorted_rows(&map, position));
                assert_eq!(rows, [rows[0]; 8], "{position:?}");
            }
        }
    }

    #[test]
    fn different_positions_have_different_rows() {
        let map = RowMap::new();
        let position = random_play(1, 30);
        let rows = sorted_rows(&map, position);
        for square in position.own() {
            let other = Position::new_unchecked(
                position.own().without(square),
                position.opponent().with(square),
            );
            assert_ne!(sorted_rows(&map, other), rows, "{square}");
        }
    }
}
