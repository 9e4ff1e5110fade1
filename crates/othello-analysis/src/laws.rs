//! Laws of the values of an analysis, checked through its public interface.

use std::fmt;

use othello_core::{self as core, Empties, Move};

use crate::{Analysis, Bound, Discs, MoveValue, Position, Source};

/// A law that the values of an analysis break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The index of the position.
    pub ply: usize,
    /// The law.
    pub law: Law,
}

/// A law of the values of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Law {
    /// Each legal move has one value.
    EveryMove,
    /// The moves are sorted by score.
    Order,
    /// The value of a position is that of its best move, and not a bound.
    BestMove,
    /// The value of the played move is that of the next position, seen from the other side.
    PlayedMove,
    /// A loss is never negative, and that of the first move is 0.
    Loss,
    /// A line begins with its move and is legal.
    Line,
    /// An exact value is the score at the end of its line.
    ExactLine,
    /// Moves that are images of each other have the same score.
    Symmetry,
    /// The value of a finished game is the score on the board, and no move is left.
    End,
}

/// Returns the laws that an analysis breaks: none, if the analysis and the search are right.
///
/// Positions without a value break no law.
pub fn contradictions(analysis: &Analysis) -> Vec<Contradiction> {
    let positions = analysis.positions();
    let of_position = |ply: usize| {
        let broken = broken_laws(&positions[ply], positions.get(ply + 1));
        broken.map(move |law| Contradiction { ply, law })
    };
    (0..positions.len()).flat_map(of_position).collect()
}

fn broken_laws(position: &Position, next: Option<&Position>) -> impl Iterator<Item = Law> {
    type Check = fn(&Position, Option<&Position>) -> bool;
    let laws: [(Law, Check); 9] = [
        (Law::EveryMove, has_every_move),
        (Law::Order, is_in_order),
        (Law::BestMove, has_value_of_best_move),
        (Law::PlayedMove, has_value_of_next),
        (Law::Loss, loses_nothing_at_best),
        (Law::Line, has_legal_lines),
        (Law::ExactLine, has_exact_lines),
        (Law::Symmetry, has_equal_images),
        (Law::End, ends_with_score),
    ];
    let is_known = position.value().is_some();
    let checked = laws.into_iter().filter(move |_| is_known);
    let broken = checked.filter(move |(_, holds)| !holds(position, next));
    broken.map(|(law, _)| law).collect::<Vec<_>>().into_iter()
}

fn has_every_move(position: &Position, _: Option<&Position>) -> bool {
    let board = position.board();
    let mut legal: Vec<Move> = board.legal_moves().into_iter().map(Move::Place).collect();
    legal.extend(board.must_pass().then_some(Move::Pass));
    let has = |mv: &Move| {
        position
            .moves()
            .iter()
            .filter(|value| value.mv == *mv)
            .count()
            == 1
    };
    legal.len() == position.moves().len() && legal.iter().all(has)
}

fn is_in_order(position: &Position, _: Option<&Position>) -> bool {
    position.moves().is_sorted_by_key(|value| -value.score)
}

fn has_value_of_best_move(position: &Position, _: Option<&Position>) -> bool {
    let best = position.moves().first();
    best.is_none_or(|best| {
        best.bound == Bound::Exact && position.value().map(|value| value.score) == Some(best.score)
    })
}

fn has_value_of_next(position: &Position, next: Option<&Position>) -> bool {
    let mut moves = position.moves().iter();
    let played = moves.find(|value| Some(value.mv) == position.played());
    let value = next.and_then(Position::value);
    match (played, value) {
        (Some(played), Some(value)) => played.score == -value.score && played.bound == Bound::Exact,
        (played, _) => played.is_none(),
    }
}

fn loses_nothing_at_best(position: &Position, _: Option<&Position>) -> bool {
    let loss = |value: &MoveValue| position.loss(value);
    let losses: Option<Vec<Discs>> = position.moves().iter().map(loss).collect();
    losses.is_some_and(|losses| {
        losses.iter().all(|&loss| loss >= Discs::ZERO)
            && losses.first().is_none_or(|&loss| loss == Discs::ZERO)
    })
}

fn has_legal_lines(position: &Position, _: Option<&Position>) -> bool {
    position
        .moves()
        .iter()
        .all(|value| value.line.first() == Some(&value.mv) && end(position, value).is_some())
}

fn has_exact_lines(position: &Position, _: Option<&Position>) -> bool {
    let is_exact =
        |value: &&MoveValue| value.bound == Bound::Exact && value.source == Source::Exact;
    position.moves().iter().filter(is_exact).all(|value| {
        end(position, value).is_some_and(|(end, own)| {
            let score = Discs::from(end.score(Empties::ToWinner));
            end.is_over() && value.score == if own { score } else { -score }
        })
    })
}

fn has_equal_images(position: &Position, _: Option<&Position>) -> bool {
    let child = |value: &MoveValue| {
        let mut child = position.board();
        child.play(value.mv).ok()?;
        Some(child.position().canonical().0)
    };
    let moves = position.moves();
    moves.iter().all(|value| {
        let mut images = moves.iter().filter(|other| child(other) == child(value));
        images.all(|image| image.score == value.score)
    })
}

fn ends_with_score(position: &Position, _: Option<&Position>) -> bool {
    let board = position.board();
    let score = Discs::from(board.position().score(Empties::ToWinner));
    let value = position.value();
    let tells = value.is_some_and(|value| value.source == Source::Over && value.score == score);
    !board.is_over() || tells && position.moves().is_empty()
}

/// Returns the position at the end of a move's line, and whether the side that makes the move is to move there; `None`
/// if a move is illegal.
fn end(position: &Position, value: &MoveValue) -> Option<(core::Position, bool)> {
    let start = position.board();
    let mut end = start;
    value.line.iter().try_for_each(|&mv| end.play(mv)).ok()?;
    Some((end.position(), end.side_to_move() == start.side_to_move()))
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {}: broken: {:?}", self.ply, self.law)
    }
}
