//! The values of all moves of a position in a book, as an analysis has them.

use othello_core::{Board, Color, Game, Position};

use super::{Book, BookMove};
use crate::{Bound, Evaluator, MoveValue, Request, Source, images::add_images};

/// The evidence for values of other programs that tell none.
const UNKNOWN: Source = Source::Depth {
    depth: 0,
    confidence: 0,
};

impl Book {
    /// Returns the values of all legal moves of a position in any orientation, best first, or `None` if it is not in
    /// the book. A move that the book does not have is worth at most as much as the best one that leads out of it.
    pub fn values(&self, position: Position) -> Option<Vec<MoveValue>> {
        let entry = self.get(position)?;
        let moves = self.moves(position).into_iter();
        let mut values = moves.map(|mv| self.follow_best(position, mv)).collect();
        add_images(position, &mut values);
        let best_out = entry.leaf.map(|leaf| (leaf.score, leaf.source));
        let (score, source) = best_out.unwrap_or((entry.value, UNKNOWN));
        for square in position.legal_moves() {
            if values.iter().all(|known| known.mv != square.into()) {
                values.push(MoveValue {
                    mv: square.into(),
                    score,
                    bound: Bound::AtMost,
                    source,
                    line: vec![square.into()],
                });
            }
        }
        MoveValue::sort(&mut values);
        Some(values)
    }

    /// Returns the value of a move with the line of best play up to the move that leads out of the book. The evidence
    /// is the weakest for the moves that lead out of it along the line.
    fn follow_best(&self, position: Position, first: BookMove) -> MoveValue {
        let mut game = Game::new(Board::new(position, Color::Black));
        let mut weakest = first.source;
        let mut next = Some(first);
        while let Some(mv) = next {
            if game.play_recorded(mv.square).is_err() || mv.source.is_some() {
                break;
            }
            let board = game.board();
            let board = if board.must_pass() {
                board.passed()
            } else {
                board
            };
            let moves = self.moves(board.position());
            let out = moves.iter().find_map(|mv| mv.source);
            let played = game.moves().iter().rev();
            let out = out.map(|source| played.fold(source, |source, &mv| source.before(mv)));
            weakest = weakest.into_iter().chain(out).min();
            next = moves.first().copied();
        }
        MoveValue {
            mv: first.square.into(),
            score: first.value,
            bound: Bound::Exact,
            source: weakest.unwrap_or(UNKNOWN),
            line: game.moves().to_vec(),
        }
    }
}

/// Answers with the values of the book; a position that is not in it stops the analysis.
impl Evaluator for &Book {
    fn evaluate(&mut self, request: &Request) -> Option<Vec<MoveValue>> {
        self.values(request.position)
    }
}
