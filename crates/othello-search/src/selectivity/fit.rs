//! Made by `othello-train calibrate` from 10000 searches with weights of CRC-32 788a3679.

use super::coefficients::{Coefficients, Fit};

/// The deep value minus the shallow one, for deep searches that end in the midgame.
pub(super) const MIDGAME: Fit = Fit {
    mean: [-0.122833, -0.002051, -0.010783, 0.037231],
    ln_sigma: [0.055535, 0.020983, -0.146601, 0.077265],
};

/// The mean of the deep value minus the static evaluation, for deep searches that end in the midgame. The
/// shallow depth is 1 if the deep one is odd, else 0.
pub(super) const STATIC_MIDGAME: Coefficients = [0.992211, -0.014833, -0.041734, 0.037151];

/// The exact score minus the shallow value.
pub(super) const END: Fit = Fit {
    mean: [3.698711, -0.078058, -0.014106, 0.000000],
    ln_sigma: [1.745378, 0.001072, -0.081397, 0.000000],
};

/// The mean of the exact score minus the static evaluation, with the same shallow depth.
pub(super) const STATIC_END: Coefficients = [1.219243, -0.025852, 1.029325, 0.000000];
