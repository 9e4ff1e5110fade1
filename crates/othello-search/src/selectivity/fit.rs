//! Made by `othello-train calibrate` from 10000 searches with the weights `5.weights`.

use super::margin::Fit;

/// Of searches that end in the midgame, by shallower ones.
pub(super) const MIDGAME: Fit = Fit {
    mean: [-0.429869, 0.000102, 0.074887, 0.004946],
    ln_sigma: [0.458362, 0.014913, -0.158270, 0.076979],
};

/// Of searches that end in the midgame, by the evaluation: 1 for the shallow depth where
/// the deep one is odd.
pub(super) const STATIC_MIDGAME: Fit = Fit {
    mean: [0.033855, 0.002236, -0.007943, -0.004565],
    ln_sigma: [0.883697, 0.011145, 0.016982, 0.033284],
};

/// Of searches to the end of the game, by shallower ones.
pub(super) const END: Fit = Fit {
    mean: [5.612149, -0.124767, 0.040459, 0.000000],
    ln_sigma: [2.183955, -0.006781, -0.076851, 0.000000],
};

/// Of searches to the end of the game, by the evaluation: likewise.
pub(super) const STATIC_END: Fit = Fit {
    mean: [3.355234, -0.076542, 0.864389, 0.000000],
    ln_sigma: [1.986042, -0.003613, 0.027473, 0.000000],
};
