//! The weights of moves in playouts.

use go_core::Pattern;

/// The weights of local answers in playouts; each is drawn in proportion to its weight, against
/// [`Policy::elsewhere`].
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    /// By the code of a pattern, the weight of a move on a point beside the last stone.
    pub(crate) patterns: Box<[f32]>,
    /// The weight of a capture of the last stone's chain, by its stones: 1, 2, 3 or more.
    pub(crate) capture: [f32; 3],
    /// The weight of a move that saves a chain from atari, by its stones: 1, 2, 3 or more.
    pub(crate) escape: [f32; 3],
    /// The weight of an atari on the last stone's chain.
    pub(crate) atari: f32,
    /// The weight of a move that gives a chain of two liberties more of them.
    pub(crate) extend: f32,
    /// The weight of the vital point of an eye space that the last stone bounds.
    pub(crate) nakade: f32,
    /// The weight of a move anywhere.
    pub(crate) elsewhere: f32,
    /// The number of own stones in atari from which on a move is avoided.
    pub(crate) max_self_atari: usize,
}

impl Default for Policy {
    /// Weights that were set by hand, with all patterns alike.
    fn default() -> Self {
        Self {
            patterns: vec![0.4; usize::from(Pattern::EMPTY.code()) + 1].into_boxed_slice(),
            capture: [10.0, 30.0, 60.0],
            escape: [10.0, 30.0, 60.0],
            atari: 2.0,
            extend: 2.0,
            nakade: 60.0,
            elsewhere: 4.0,
            max_self_atari: 2,
        }
    }
}

/// Returns the entry of a weight by stones: 1, 2, 3 or more.
pub(super) fn by_stones(weights: [f32; 3], stones: usize) -> f32 {
    weights[stones.clamp(1, 3) - 1]
}
