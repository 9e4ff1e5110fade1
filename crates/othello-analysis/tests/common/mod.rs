//! Analyses with given numbers.

use othello_analysis::{Analysis, Bound, Discs, MoveValue, Settings, Source, Stored};
use othello_core::{Game, Square};

/// A game that ends with a full board, with two passes.
pub(crate) const WHOLE: &str = "f5d6c3f3f4d3c4g6f6e6c5c6d7d8e7g5e3d2g4h3f7b5h5g3b4b6c8b8c7e8f8g8h4h6e2d1c1a3a6a5e1f2g7c2a4h8\
                         a2b7f1b3b1b2h7--a7a8a1--g1g2h2h1";

/// Returns an analysis with the given losses at some plies, and no loss at others; the loss of a move without an
/// alternative is ignored. An unfinished game ends with the value 0.
pub(crate) fn with_losses(game: &Game, losses: &[(usize, Discs)]) -> Analysis {
    let settings = Settings {
        depth: 2,
        exact_from: 0,
    };
    let mut analysis = Analysis::new(game);
    while let Some(job) = analysis.next_job(&settings) {
        let next = analysis.positions().get(job.ply + 1);
        let next = next.and_then(othello_analysis::Position::value);
        let played = next.map_or(Discs::ZERO, |next| -next.score);
        let loss = losses.iter().find(|(ply, _)| *ply == job.ply);
        let loss = loss.map_or(Discs::ZERO, |&(_, loss)| loss);
        let value = |square: Square| MoveValue {
            mv: square.into(),
            score: played + loss,
            bound: Bound::Exact,
            source: Source::Depth {
                depth: 2,
                confidence: 100,
            },
            line: vec![square.into()],
        };
        let found = Stored {
            effort: job.request.effort,
            moves: job.request.moves.into_iter().map(value).collect(),
        };
        analysis.record(&job, found);
    }
    analysis
}
