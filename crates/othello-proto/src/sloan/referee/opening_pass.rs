//! The state of the opening pass.

use othello_core::{Board, Move};

use crate::session::Timestamp;

/// The state of the opening pass of [`OpeningPass::Auto`](super::OpeningPass::Auto).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// It is sent at a moment, unless the first move comes before.
    Due { at: Timestamp },
    /// It was sent, and the first move has not come.
    Sent,
    /// The first move came after the pass was sent, so the two may have crossed. The board is the one seen by a program
    /// that took the pass for the answer to its move; all its moves fit it.
    Doubtful(Board),
    /// It does not matter: it is not sent, or is known to have been understood.
    Settled,
}

impl Opening {
    /// Returns the state after a move of the side that moves first, which led to `board`.
    pub(super) fn after(self, mv: Move, board: Board) -> Self {
        match self {
            Self::Sent => Self::Doubtful(board.passed()),
            // Where the mistaken board goes on, the other side's answer does not fit it.
            Self::Doubtful(mistaken) => play(mistaken, mv)
                .filter(|board| board.is_over())
                .map_or(Self::Settled, Self::Doubtful),
            Self::Due { .. } | Self::Settled => Self::Settled,
        }
    }

    /// Returns the final board seen by a program that took the pass for an answer, if it sees one.
    pub(super) fn mistaken_end(self) -> Option<Board> {
        match self {
            Self::Doubtful(mistaken) if mistaken.is_over() => Some(mistaken),
            _ => None,
        }
    }

    /// Returns whether a program that took the pass for an answer may make this move. A program that sees
    /// the end of the game may do anything.
    pub(super) fn explains(self, mv: Move) -> bool {
        match self {
            Self::Doubtful(mistaken) => mistaken.is_over() || play(mistaken, mv).is_some(),
            _ => false,
        }
    }
}

fn play(mut board: Board, mv: Move) -> Option<Board> {
    board.play(mv).ok()?;
    Some(board)
}
