//! How the values of deep and shallow searches differ: the midgame as fitted to 3,132 searches with
//! the weights of generation 2, the others set by hand from the deviations seen there.

use super::margin::Fit;

/// Of searches that end in the midgame, by shallower ones.
pub(super) const MIDGAME: Fit = Fit {
    mean: [-0.619, 0.0120, -0.0170, 0.0438],
    ln_sigma: [0.449, 0.0179, -0.1925, 0.0999],
};

/// Of searches that end in the midgame, by the evaluation.
pub(super) const STATIC_MIDGAME: Fit = Fit {
    mean: [0.6, 0.0, 0.0, 0.0],
    ln_sigma: [1.06, 0.013, 0.0, 0.055],
};

/// Of searches to the end of the game, by shallower ones.
pub(super) const END: Fit = Fit {
    mean: [0.0, 0.0, 0.0, 0.0],
    ln_sigma: [1.97, 0.0, -0.073, 0.0],
};

/// Of searches to the end of the game, by the evaluation.
pub(super) const STATIC_END: Fit = Fit {
    mean: [0.0, 0.0, 1.8, 0.0],
    ln_sigma: [2.0, 0.0, 0.0, 0.0],
};
