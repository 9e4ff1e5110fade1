//! The input of a model.

use othello_search::eval::{INPUTS, RowMap, head_of};

use crate::record::Sample;

/// The features of a sample: its rows, the number of discs, and the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Features {
    /// The rows that are summed: of each pattern instance and each mobility table.
    pub(crate) rows: [u32; INPUTS],
    /// The score to predict, in discs.
    pub(crate) score: f32,
    /// The index of the head for the number of discs.
    pub(crate) head: u32,
}

impl Sample {
    /// The index of the head for the number of discs.
    pub(crate) fn head(&self) -> u32 {
        let discs = 64 - self.position.empties().count();
        head_of(discs) as u32
    }
}

impl Features {
    /// The features of a sample.
    #[inline]
    pub(crate) fn of(map: &RowMap, sample: &Sample) -> Self {
        Self {
            rows: map.rows(sample.position),
            score: sample.score,
            head: sample.head(),
        }
    }
}
