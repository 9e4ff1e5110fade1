//! The meaning of a request: the board, and the listed moves that the rules allow.

use alloc::{format, vec::Vec};

use othello_core::{Bitboard, Board, Color, Square};

use super::Request;
use crate::session::Note;

/// The meaning of a request.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    /// The board, with the side to move.
    pub(super) board: Board,
    /// The listed moves that are legal on it.
    pub(super) moves: Bitboard,
    /// The first listed move: the answer when the rules allow none of them.
    pub(super) first: Option<Square>,
    /// The notes that it calls for.
    pub(super) notes: Vec<Note>,
}

impl Ask {
    /// Interprets `request`. The list of moves is the authority.
    pub(super) fn new(request: &Request) -> Self {
        let listed = request.listed();
        let mut notes = Vec::new();
        let side = match request.side {
            // Nothing is asked, so the side does not matter.
            side if listed.is_empty() => side.unwrap_or_else(|| by_parity(request)),
            Some(named) => check_side(request, named, &mut notes),
            None => infer_side(request, &mut notes),
        };
        let board = request.board(side);
        Self {
            board,
            moves: listed & board.legal_moves(),
            first: request.moves.first().copied(),
            notes,
        }
    }
}

/// Returns the side that the request names, unless only the other one has legal moves on the list.
fn check_side(request: &Request, named: Color, notes: &mut Vec<Note>) -> Color {
    let listed = request.listed();
    if listed == request.board(named).legal_moves() {
        return named;
    }
    let other = !named;
    let side = if matches(request, named) == 0 && matches(request, other) > 0 {
        other
    } else {
        named
    };
    let text = format!(
        "the list is not {named}'s legal moves; read as {side}'s: {}",
        request.board(side)
    );
    notes.push(Note::fault(text));
    side
}

/// Returns the side whose legal moves are exactly the list: by the discs' parity if both fit; if
/// neither fits, the side that matches more of the list.
fn infer_side(request: &Request, notes: &mut Vec<Note>) -> Color {
    let listed = request.listed();
    let fits = |color| request.board(color).legal_moves() == listed;
    let parity = by_parity(request);
    match (fits(Color::Black), fits(Color::White)) {
        (true, false) => Color::Black,
        (false, true) => Color::White,
        (true, true) => {
            let text = format!("both colours fit the list; {parity} by parity of the discs");
            notes.push(Note::info(text));
            parity
        }
        (false, false) => {
            let side = if matches(request, !parity) > matches(request, parity) {
                !parity
            } else {
                parity
            };
            let text = format!(
                "the list is neither colour's legal moves; read as {side}'s: {}",
                request.board(side)
            );
            notes.push(Note::fault(text));
            side
        }
    }
}

/// Counts the listed moves that `color` may play.
fn matches(request: &Request, color: Color) -> u32 {
    (request.listed() & request.board(color).legal_moves()).count()
}

/// Black moves on an even number of discs, as long as nobody has passed.
fn by_parity(request: &Request) -> Color {
    if request.discs.empties().count().is_multiple_of(2) {
        Color::Black
    } else {
        Color::White
    }
}
