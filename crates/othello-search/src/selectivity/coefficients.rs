//! The form of the fit of ProbCut: linear functions of discs and depths.

/// The coefficients of a linear function of one, the discs on the board, the shallow depth (of the evaluation,
/// whether the deep depth is odd) and the deep depth.
pub(super) type Coefficients = [f64; 4];

/// The difference of a deep and a shallow value in discs: its mean, and the logarithm of its standard
/// deviation.
pub(super) struct Fit {
    pub(super) mean: Coefficients,
    pub(super) ln_sigma: Coefficients,
}
