//! Symmetric moves, called images: they lead to the same position up to symmetry.

use othello_core::{Bitboard, Position, Square, Symmetry};

use crate::MoveValue;

/// Returns the legal moves of a position, one of each class of moves that are images of each other: the first square
/// from a1 on.
///
/// # Examples
///
/// ```
/// use othello_analysis::distinct_moves;
/// use othello_core::{Position, Square};
///
/// let first: Vec<Square> = distinct_moves(Position::START).into_iter().collect();
/// assert_eq!(first, [Square::D3]);
/// ```
pub fn distinct_moves(position: Position) -> Bitboard {
    distinct_from(position, Vec::new())
}

/// Returns the moves for a timed search: [`distinct_moves`], or all legal ones if only one is distinct, since such a
/// search ends at once without a choice.
pub fn moves_to_compare(position: Position) -> Bitboard {
    let distinct = distinct_moves(position);
    if distinct.count() > 1 {
        distinct
    } else {
        position.legal_moves()
    }
}

/// Returns [`distinct_moves`] without the class of a legal move.
pub(crate) fn distinct_moves_except(position: Position, except: Square) -> Bitboard {
    distinct_from(position, vec![next(position, except).0])
}

/// Returns one move to each position that is not yet known.
fn distinct_from(position: Position, mut known: Vec<Position>) -> Bitboard {
    let mut leads_elsewhere = |square: &Square| {
        let (next, _) = next(position, *square);
        let is_new = !known.contains(&next);
        if is_new {
            known.push(next);
        }
        is_new
    };
    let legal = position.legal_moves().into_iter();
    legal.filter(|square| leads_elsewhere(square)).collect()
}

/// Adds the values of the moves that are images of others.
pub(crate) fn add_images(position: Position, moves: &mut Vec<MoveValue>) {
    for square in position.legal_moves() {
        if moves.iter().any(|known| known.mv == square.into()) {
            continue;
        }
        let (reached, symmetry) = next(position, square);
        let image = moves.iter().find_map(|known| {
            let (known_next, known_symmetry) = next(position, known.mv.square()?);
            let turned = known.turned(known_symmetry.then(symmetry.inverse()));
            (known_next == reached).then_some(turned)
        });
        if let Some(mut image) = image {
            image.mv = square.into();
            image.line[0] = square.into();
            moves.push(image);
        }
    }
}

/// Returns the canonical form of the position after a legal move, and the symmetry that turns the position to it.
fn next(position: Position, square: Square) -> (Position, Symmetry) {
    position.play_unchecked(square).canonical()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Discs, Source};
    use othello_core::{Board, Move};

    #[test]
    fn moves_to_the_same_position_are_images_also_without_a_symmetry() {
        let board = "-----------X------XXO----XOOO-----OOO--------------------------- O";
        let board: Board = board.parse().unwrap();
        let position = board.position();
        let distinct = distinct_moves(position);
        let square = |name: &str| name.parse::<Square>().unwrap();
        assert!(distinct.contains(square("c2")) && !distinct.contains(square("b3")));
        let value = |square: Square| MoveValue {
            mv: square.into(),
            score: Discs::whole(2),
            bound: Bound::Exact,
            source: Source::Exact,
            line: {
                let after = position.play_unchecked(square);
                let reply = after.legal_moves().into_iter().next().map(Move::Place);
                [Move::Place(square)].into_iter().chain(reply).collect()
            },
        };
        let mut moves: Vec<MoveValue> = distinct.into_iter().map(value).collect();
        add_images(position, &mut moves);
        assert_eq!(moves.len() as u32, position.legal_moves().count());
        for value in &moves {
            let mut end = position;
            let played = value.line.iter().try_for_each(|&mv| end.play(mv));
            assert!(played.is_ok(), "{value:?}");
        }
    }
}
