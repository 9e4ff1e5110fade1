//! Moves that are images of each other, on boards that look the same from several sides.

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
    let symmetries = symmetries(position);
    let is_first = |square: &Square| images(&symmetries, *square).all(|image| image >= *square);
    let legal = position.legal_moves().into_iter();
    legal.filter(is_first).collect()
}

/// Returns [`distinct_moves`] without the class that a move belongs to.
pub(crate) fn distinct_moves_except(position: Position, except: Square) -> Bitboard {
    let symmetries = symmetries(position);
    let is_other = |square: &Square| images(&symmetries, *square).all(|image| image != except);
    let distinct = distinct_moves(position).into_iter();
    distinct.filter(is_other).collect()
}

/// Adds the values of the moves that are images of others.
pub(crate) fn add_images(position: Position, moves: &mut Vec<MoveValue>) {
    for symmetry in symmetries(position) {
        for index in 0..moves.len() {
            let image = moves[index].turned(symmetry);
            if moves.iter().all(|known| known.mv != image.mv) {
                moves.push(image);
            }
        }
    }
}

/// The squares that the symmetries turn a square to.
fn images(symmetries: &[Symmetry], square: Square) -> impl Iterator<Item = Square> {
    symmetries
        .iter()
        .map(move |symmetry| symmetry.square(square))
}

/// The symmetries that leave a position as it is.
fn symmetries(position: Position) -> Vec<Symmetry> {
    let leaves = |symmetry: &Symmetry| symmetry.position(position) == position;
    Symmetry::ALL.into_iter().filter(leaves).collect()
}
