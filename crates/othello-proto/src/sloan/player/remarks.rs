//! A player's remarks on its moves.

use alloc::{format, string::String, vec::Vec};

use othello_core::{Board, Color, Square};

use super::Message;
use crate::session::Assessment;

/// The extent of the remarks on a move, which are comments before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comments {
    /// Nothing. Complaints and the readings of claims are still sent.
    #[default]
    None,
    /// The search's score, depth, nodes and principal variation.
    Eval,
    /// The same and the board after the move.
    Board,
}

/// Returns the remarks on a move that led to `board`.
pub(super) fn on_move(
    comments: Comments,
    assessment: Option<&Assessment>,
    board: Board,
) -> Vec<Message> {
    let eval = assessment.filter(|_| comments != Comments::None).map(eval);
    let board = (comments == Comments::Board).then(|| diagram(board));
    eval.into_iter()
        .chain(board)
        .map(Message::Comment)
        .collect()
}

fn eval(assessment: &Assessment) -> String {
    let kind = if assessment.exact { "exact" } else { "eval" };
    let (score, depth, nodes) = (assessment.score, assessment.depth, assessment.nodes);
    let variation: Vec<String> = (assessment.variation.iter())
        .map(|mv| format!("{mv}"))
        .collect();
    let line = variation.join(" ");
    if assessment.from_book {
        format!("book {score} line {line}")
    } else {
        format!("{kind} {score} depth {depth} nodes {nodes} line {line}")
    }
}

/// Returns the rows of the board, `X` for Black, `O` for White, `-` for an empty square.
fn diagram(board: Board) -> String {
    let mut text = String::from("board");
    for square in Square::ALL {
        if square.column() == 0 {
            text.push(' ');
        }
        text.push(board.disc(square).map_or('-', Color::disc));
    }
    text
}
