//! Laws of the values of an analysis.

use othello_analysis::{Analysis, Bound, Discs, MoveValue, Position, Source};
use othello_core::{self as core, Empties, Move};

/// A law: whether it holds for a position and the next one.
type Law = fn(&Position, Option<&Position>) -> bool;

/// The laws of the values of a position.
const LAWS: [(&str, Law); 9] = [
    ("each legal move has one value", has_every_move),
    ("the moves are sorted by score", is_in_order),
    (
        "a position has the value of its best move",
        has_value_of_best_move,
    ),
    (
        "the played move has the value of the next position",
        has_value_of_next,
    ),
    (
        "no loss is negative, and that of the first move is 0",
        loses_nothing_at_best,
    ),
    ("a line begins with its move and is legal", has_legal_lines),
    (
        "an exact value is the score at the end of its line",
        has_exact_lines,
    ),
    (
        "moves that are images of each other have the same score",
        has_equal_images,
    ),
    (
        "a finished game has the score on the board and no move",
        ends_with_score,
    ),
];

/// Returns the laws that an analysis breaks, with the indices of the positions; those without a value break none.
pub(crate) fn broken(analysis: &Analysis) -> Vec<(usize, &'static str)> {
    let positions = analysis.positions();
    let mut broken = Vec::new();
    for (ply, position) in positions.iter().enumerate() {
        if position.value().is_some() {
            let holds = |law: &Law| law(position, positions.get(ply + 1));
            let laws = LAWS.iter().filter(|(_, law)| !holds(law));
            broken.extend(laws.map(|&(name, _)| (ply, name)));
        }
    }
    broken
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
