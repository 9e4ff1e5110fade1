//! Made by `othello-train calibrate` from 10000 searches with weights of CRC-32 d7fd5cc7.

use super::coefficients::{Coefficients, Fit};

/// The deep value minus the shallow one, for deep searches that end in the midgame.
pub(super) const MIDGAME: Fit = Fit {
    mean: [-0.255129, 0.002000, -0.039717, 0.061073],
    ln_sigma: [0.108125, 0.020365, -0.151982, 0.075623],
};

/// The mean of the deep value minus the static evaluation, for deep searches that end in the midgame. The
/// shallow depth is 1 if the deep one is odd, else 0.
pub(super) const STATIC_MIDGAME: Coefficients = [0.399314, -0.010638, -0.009085, 0.085805];

/// The exact score minus the shallow value.
pub(super) const END: Fit = Fit {
    mean: [2.951154, -0.061513, -0.011599, 0.000000],
    ln_sigma: [1.453622, 0.005666, -0.070492, 0.000000],
};

/// The mean of the exact score minus the static evaluation, with the same shallow depth.
pub(super) const STATIC_END: Coefficients = [2.927431, -0.066809, 1.328166, 0.000000];
