//! Made by `othello-train calibrate` from 10000 searches with weights of CRC-32 773ced33.

use super::coefficients::{Coefficients, Fit};

/// Of searches that end in the midgame, by shallower ones.
pub(super) const MIDGAME: Fit = Fit {
    mean: [-0.428446, -0.000803, 0.041794, 0.035656],
    ln_sigma: [0.192555, 0.019352, -0.150621, 0.071573],
};

/// The mean of searches that end in the midgame, by the evaluation: 1 for the shallow depth where
/// the deep one is odd.
pub(super) const STATIC_MIDGAME: Coefficients = [0.097648, 0.006700, -0.426865, 0.021936];

/// Of searches to the end of the game, by shallower ones.
pub(super) const END: Fit = Fit {
    mean: [1.652540, -0.042342, 0.028918, 0.000000],
    ln_sigma: [1.622425, 0.002885, -0.074340, 0.000000],
};

/// The mean of searches to the end of the game, by the evaluation: likewise.
pub(super) const STATIC_END: Coefficients = [2.537463, -0.054606, 0.767715, 0.000000];
