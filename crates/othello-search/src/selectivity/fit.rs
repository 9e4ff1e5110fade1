//! Made by `othello-train calibrate` from 10000 searches with the weights `6.weights`.

use super::margin::Fit;

/// Of searches that end in the midgame, by shallower ones.
pub(super) const MIDGAME: Fit = Fit {
    mean: [-0.390466, 0.000431, 0.059139, 0.010605],
    ln_sigma: [0.405397, 0.015706, -0.159674, 0.075036],
};

/// Of searches that end in the midgame, by the evaluation: 1 for the shallow depth where
/// the deep one is odd.
pub(super) const STATIC_MIDGAME: Fit = Fit {
    mean: [0.292966, -0.001272, 0.051610, 0.008082],
    ln_sigma: [0.875391, 0.010191, 0.011679, 0.031863],
};

/// Of searches to the end of the game, by shallower ones.
pub(super) const END: Fit = Fit {
    mean: [1.579356, -0.043392, 0.034731, 0.000000],
    ln_sigma: [1.997560, -0.002475, -0.077270, 0.000000],
};

/// Of searches to the end of the game, by the evaluation: likewise.
pub(super) const STATIC_END: Fit = Fit {
    mean: [0.361316, -0.012626, 0.677807, 0.000000],
    ln_sigma: [1.172881, 0.013491, -0.047267, 0.000000],
};
