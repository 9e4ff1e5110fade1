//! A sample as models see it.

use othello_search::eval::{INSTANCES, RowMap, head_of};

use crate::record::Sample;

/// What a model knows of a sample: its patterns, the number of discs, and the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// The row of each instance.
    pub rows: [u32; INSTANCES],
    /// What is to be predicted: the score in discs.
    pub score: f32,
    /// The place of the number of discs among the heads.
    pub head: u32,
}

impl Sample {
    /// The place of its number of discs among the heads.
    pub(crate) fn head(&self) -> u32 {
        let discs = 64 - self.position.empties().count();
        head_of(discs) as u32
    }
}

impl Features {
    /// The features of a sample.
    #[inline]
    pub fn of(map: &RowMap, sample: &Sample) -> Self {
        Self {
            rows: map.rows(sample.position),
            score: sample.score,
            head: sample.head(),
        }
    }
}
