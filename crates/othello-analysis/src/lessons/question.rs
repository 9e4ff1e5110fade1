//! A question for the best move of a position, and the judgement of an answer.

use othello_core::{Board, Move, Square};
use serde::Serialize;

use super::reasons;
use crate::{Bound, Discs, MISTAKE, MoveReport, MoveValue, PositionValue, Source};

/// The loss, in discs, below which an estimate counts as good as the best.
const GOOD: Discs = Discs::whole(1);

/// The maximum number of good answers to a question.
const MAX_GOOD: usize = 2;

/// A position in which the best move is to be found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Question {
    /// The board.
    pub board: Board,
    /// All legal moves with their values, best first.
    pub moves: Vec<MoveReport>,
    /// The most that a good move may lose; without it none, or less than [`GOOD`] by an estimate.
    #[serde(skip)]
    margin: Option<Discs>,
}

/// The judgement of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Square,
    /// True if it is one of the good moves.
    pub good: bool,
    /// Its loss against the best move, a lower bound if only a bound of its value is known.
    pub loss: Discs,
    /// The relation of the score to the value.
    pub bound: Bound,
    /// The value of the best move.
    pub value: PositionValue,
    /// The line of best play after the answer, which refutes a bad one.
    pub line: Vec<Move>,
    /// The best line.
    pub best: Vec<Move>,
    /// The reasons why it is bad, each of which completes a sentence about it.
    pub reasons: Vec<String>,
}

impl Question {
    /// Creates a question from the values of all moves, best first.
    pub fn new(board: Board, moves: &[MoveValue]) -> Self {
        Self {
            board,
            moves: MoveReport::ranked(moves),
            margin: None,
        }
    }

    /// Counts all moves as good whose values are known and that lose at most a margin.
    #[must_use]
    pub const fn with_margin(mut self, margin: Discs) -> Self {
        self.margin = Some(margin);
        self
    }

    /// True if each move has a value, one or two are good, and another loses [`MISTAKE`] or more.
    pub fn is_sharp(&self) -> bool {
        let has_values = self.moves.iter().all(|mv| mv.bound == Bound::Exact);
        let has_mistake = self.moves.iter().any(|mv| mv.loss >= MISTAKE);
        has_values && has_mistake && (1..=MAX_GOOD).contains(&self.good().count())
    }

    /// Returns the good moves: those within the margin; without one those that lose nothing, or less than a disc by an
    /// estimate.
    pub fn good(&self) -> impl Iterator<Item = &MoveReport> {
        self.moves.iter().filter(|mv| self.is_good(mv))
    }

    /// Returns the loss of a move; `None` if it is not legal.
    pub fn loss(&self, square: Square) -> Option<Discs> {
        Some(self.report(square)?.loss)
    }

    /// Judges an answer; `None` if it is not legal.
    pub fn answer(&self, square: Square) -> Option<Answer> {
        let chosen = self.report(square)?;
        let best = self.moves.first()?;
        let good = self.is_good(chosen);
        let reasons = reasons(self.board.position(), &chosen.line, &best.line);
        Some(Answer {
            mv: square,
            good,
            loss: chosen.loss,
            bound: chosen.bound,
            value: best.value(),
            line: chosen.line.clone(),
            best: best.line.clone(),
            reasons: if good {
                Vec::new()
            } else {
                reasons.iter().map(ToString::to_string).collect()
            },
        })
    }

    fn report(&self, square: Square) -> Option<&MoveReport> {
        self.moves.iter().find(|mv| mv.mv == square.into())
    }

    fn is_good(&self, mv: &MoveReport) -> bool {
        match (self.margin, mv.source) {
            _ if mv.bound == Bound::AtMost => false,
            (Some(margin), _) => mv.loss <= margin,
            (None, Source::Depth { .. }) => mv.loss < GOOD,
            (None, Source::Exact | Source::Over) => mv.loss == Discs::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(scores: [i32; 4], source: Source) -> Question {
        let board = Board::START;
        let moves = board.legal_moves().into_iter().zip(scores);
        let mut moves: Vec<MoveValue> = moves
            .map(|(square, score)| MoveValue {
                mv: square.into(),
                score: Discs::from_hundredths(score),
                bound: Bound::Exact,
                source,
                line: vec![square.into()],
            })
            .collect();
        MoveValue::sort(&mut moves);
        Question::new(board, &moves)
    }

    #[test]
    fn a_question_has_one_or_two_good_answers_and_a_mistake() {
        let estimate = Source::Depth {
            depth: 16,
            confidence: 79,
        };
        for (scores, source, good) in [
            ([400, 0, 0, 0], Source::Exact, Some(1)),
            ([400, 350, 310, 0], estimate, None),
            ([400, 350, 300, 0], estimate, Some(2)),
            ([400, 400, 200, 0], Source::Exact, Some(2)),
            ([200, 0, 0, 0], Source::Exact, None),
            ([400, 400, 400, 0], Source::Exact, None),
        ] {
            let found = question(scores, source);
            let count = found.is_sharp().then(|| found.good().count());
            assert_eq!(count, good, "{scores:?}");
        }
    }

    #[test]
    fn an_answer_has_its_loss_and_only_a_bad_one_has_reasons() {
        let question = question([600, 0, 200, 0], Source::Exact);
        let right = question.answer(Square::D3).unwrap();
        assert!(right.good && right.reasons.is_empty());
        let wrong = question.answer(Square::F5).unwrap();
        assert!(!wrong.good && wrong.loss == Discs::whole(4));
        assert_eq!(wrong.best, [Square::D3.into()]);
        assert_eq!(question.answer(Square::A1), None);
        assert_eq!(question.loss(Square::C4), Some(Discs::whole(6)));
    }

    #[test]
    fn a_margin_decides_what_is_good_and_no_move_is_with_only_a_bound() {
        let mut question = question([400, 360, 340, 400], Source::Exact);
        question.moves[1].bound = Bound::AtMost;
        let good = |margin| {
            let question = question.clone().with_margin(Discs::from_hundredths(margin));
            question.good().count()
        };
        assert_eq!([0, 39, 40, 60].map(good), [1, 1, 2, 3]);
    }
}
