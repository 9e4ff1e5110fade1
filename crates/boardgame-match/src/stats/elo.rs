//! The logistic Elo scale.

/// Elo for each natural logarithm of the odds: 400 / ln 10.
pub(super) const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Normalized Elo for each standard deviation of a game: 800 / ln 10, so that it agrees with
/// logistic Elo between close engines that never draw and whose games are independent.
///
/// Source: Michel Van den Bergh, "Normalized Elo", which fishtest uses.
pub(super) const NORMALIZED_ELO: f64 = 2.0 * ELO_PER_LOGIT;

/// Returns the mean score of a game, from 0 to 1, of an engine that is `elo` stronger.
///
/// ```
/// # use boardgame_match::stats::score_of_elo;
/// assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

/// Returns the Elo difference for a mean score of a game.
///
/// Scores are clamped to the range from 0, which gives minus infinity, to 1, which gives infinity.
///
/// ```
/// # use boardgame_match::stats::elo_of_score;
/// assert_eq!(elo_of_score(0.5), 0.0);
/// assert!((elo_of_score(0.75) - 190.848).abs() < 1e-3);
/// assert_eq!(elo_of_score(1.0), f64::INFINITY);
/// ```
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    (score / (1.0 - score)).ln() * ELO_PER_LOGIT
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // What is compared so is exact.
mod tests {
    use super::*;

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-800.0, -3.5, 0.0, 1.0, 120.0, 799.0] {
            assert!(
                (elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9,
                "{elo}"
            );
        }
    }

    #[test]
    fn scores_out_of_range_are_infinite() {
        assert_eq!(elo_of_score(-0.1), f64::NEG_INFINITY);
        assert_eq!(elo_of_score(1.1), f64::INFINITY);
    }
}
