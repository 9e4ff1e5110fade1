//! Made by `othello-train calibrate` from 10000 searches with weights of CRC-32 376ea6fa.

use super::coefficients::{Coefficients, Fit};

/// The deep value minus the shallow one, for deep searches that end in the midgame.
pub(super) const MIDGAME: Fit = Fit {
    mean: [-0.163464, 0.001509, -0.022557, 0.040882],
    ln_sigma: [0.718618, 0.016673, -0.144677, 0.077066],
    ln_sigma_per_move: -0.025993,
};

/// The mean of the deep value minus the static evaluation, for deep searches that end in the midgame. The
/// shallow depth is 1 if the deep one is odd, else 0.
pub(super) const STATIC_MIDGAME: Coefficients = [0.686689, -0.015973, -0.057073, 0.059212];

/// The exact score minus the shallow value.
pub(super) const END: Fit = Fit {
    mean: [3.870376, -0.083943, 0.003497, 0.000000],
    ln_sigma: [2.404404, -0.008328, -0.073506, 0.000000],
    ln_sigma_per_move: -0.016124,
};

/// The mean of the exact score minus the static evaluation, with the same shallow depth.
pub(super) const STATIC_END: Coefficients = [4.630047, -0.106631, 1.300597, 0.000000];
