//! The form of the fit of ProbCut: linear functions of discs, depths and mobility.

/// The coefficients of a linear function of one, the discs on the board, the shallow depth (of the evaluation,
/// whether the deep depth is odd) and the deep depth.
pub(super) type Coefficients = [f64; 4];

/// The difference of a deep and a shallow value in discs.
pub(super) struct Fit {
    /// The coefficients of the mean.
    pub(super) mean: Coefficients,
    /// The coefficients of the logarithm of the standard deviation where neither side has a legal move.
    pub(super) ln_sigma: Coefficients,
    /// The change of that logarithm for each legal move of either side.
    pub(super) ln_sigma_per_move: f64,
}
