//! A sample as models see it.

use othello_search::eval::{INSTANCES, RowMap};

use crate::record::Sample;

/// What a model knows of a sample: its patterns, the number of discs, and the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// The row of each instance.
    pub rows: [u32; INSTANCES],
    /// The final score in discs.
    pub score: f32,
    /// The place of the number of discs among [`Features::HEADS`].
    pub head: u32,
}

impl Features {
    /// How many numbers of discs there are, 4 to 63.
    pub const HEADS: usize = 60;
    /// The discs of the first.
    pub const LEAST_DISCS: usize = 4;

    /// The features of a sample.
    #[inline]
    pub fn of(map: &RowMap, sample: &Sample) -> Self {
        let discs = 64 - sample.position.empties().count();
        Self {
            rows: map.rows(sample.position),
            score: sample.score.discs() as f32,
            head: discs - Self::LEAST_DISCS as u32,
        }
    }
}
