//! The question of an Othello session's tasks, and its answer.

use alloc::vec::Vec;
use core::fmt;

use boardgame_session::player;
use othello_core::{Bitboard, Board, Move, Score, Square};

use super::MoveError;

/// A request to choose a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The board, with the player to choose on the move.
    pub board: Board,
    /// The squares to choose from: not empty.
    pub moves: Bitboard,
    /// The effort requested.
    pub effort: Effort,
}

impl Question {
    /// Returns the question which of the legal moves is best.
    pub fn best_move(board: Board) -> Self {
        Self::best_of(board, board.legal_moves())
    }

    /// Returns the question which of `moves` is best.
    pub fn best_of(board: Board, moves: Bitboard) -> Self {
        Self {
            board,
            moves,
            effort: Effort::default(),
        }
    }

    /// Returns the first of the squares.
    pub fn first_square(&self) -> Square {
        self.moves.first().unwrap_or(Square::A1)
    }
}

impl player::Question for Question {
    type Answer = Choice;
    type MoveError = MoveError;

    /// Returns the first of the squares.
    fn fallback(&self) -> Choice {
        self.first_square().into()
    }

    fn admits(&self, choice: &Choice) -> bool {
        self.moves.contains(choice.square)
    }
}

/// The results to find within the clock; by default the best move, at the chooser's own depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The greatest midgame depth that the other side wants, in plies.
    pub depth: Option<u32>,
    /// The count of lines to find, best first; 0 counts as 1.
    pub lines: usize,
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The chosen square.
    pub square: Square,
    /// The chooser's view of the position, for formats that carry remarks.
    pub assessment: Option<Assessment>,
}

impl From<Square> for Choice {
    /// Returns the choice of a square without an assessment.
    fn from(square: Square) -> Self {
        Self {
            square,
            assessment: None,
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.square.fmt(f)
    }
}

/// The result of a search of a position, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// The expected result, in whole discs.
    pub score: Score,
    /// True when the score is proved.
    pub exact: bool,
    /// True when the move and its score come from an opening book, and nothing was searched.
    pub from_book: bool,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The positions searched.
    pub nodes: u64,
    /// The principal variation, beginning with the chosen move.
    pub variation: Vec<Move>,
    /// The lines after the best one, best first, when [`Effort::lines`] asked for more.
    pub others: Vec<Line>,
}

/// A line of play and its value, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The expected result, in whole discs.
    pub score: Score,
    /// The moves, at least one.
    pub variation: Vec<Move>,
}
