//! The judge's final decision on a game.

use boardgame_match::{GameReport, Outcome};
use boardgame_session::{Cause, Verdict};
use go_core::Position;

use crate::Judgement;

/// The judge's final decision on a game that the programs have ended: a judgement that counts, or an incomplete
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The judgement.
    pub judgement: Judgement,
    /// True if too much is unresolved for it to count.
    pub is_incomplete: bool,
}

impl Ruling {
    /// Returns the ruling that a judgement counts.
    pub const fn counted(judgement: Judgement) -> Self {
        Self {
            judgement,
            is_incomplete: false,
        }
    }

    /// Returns the outcome of the game by this ruling, whatever its earlier score; unscored if it is incomplete.
    pub fn outcome(&self, report: &GameReport<Position>) -> Outcome {
        if self.is_incomplete {
            return Outcome::Unscored;
        }
        let cause = report.outcome.verdict().map(|verdict| &verdict.cause);
        let margin = self.judgement.margin;
        Outcome::Decided(match cause {
            Some(Cause::MaxMoves) => Verdict::stopped(margin),
            _ => Verdict::played(margin),
        })
    }

    /// Returns the outcome in a sentence.
    pub fn sentence(&self, report: &GameReport<Position>) -> String {
        if self.is_incomplete {
            "no result: the judge calls the game incomplete, too much is unresolved".into()
        } else {
            self.outcome(report).to_string()
        }
    }
}
