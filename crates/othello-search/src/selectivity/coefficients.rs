//! The form of the ProbCut fit: linear functions of discs, depths and mobility.

/// The coefficients of 1, the number of discs, the shallow depth and the deep depth. For the static evaluation, the
/// shallow depth is 1 if the deep depth is odd, otherwise 0.
pub(super) type Coefficients = [f64; 4];

/// The fitted distribution of a deep value minus a shallow value, in discs.
pub(super) struct Fit {
    /// The coefficients of the mean.
    pub(super) mean: Coefficients,
    /// The coefficients of the logarithm of the standard deviation for positions without legal moves.
    pub(super) ln_sigma: Coefficients,
    /// The change of that logarithm per legal move of either side.
    pub(super) ln_sigma_per_move: f64,
}
