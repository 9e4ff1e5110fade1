//! A game with its history.

use alloc::vec::Vec;

use crate::{Board, Color, IllegalMove, Move};

/// A board with the moves that led to it.
///
/// # Examples
///
/// ```
/// use othello_core::{Board, Game, Square};
///
/// let mut game = Game::new(Board::START);
/// game.play(Square::F5)?;
/// game.play(Square::D6)?;
/// assert_eq!(game.to_string(), "f5d6");
/// game.undo();
/// assert_eq!(game.moves().len(), 1);
/// # Ok::<(), othello_core::IllegalMove>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Game {
    start: Board,
    board: Board,
    moves: Vec<Move>,
    /// The board before each move, in order.
    before: Vec<Board>,
}

impl Game {
    /// Creates a game that starts from `start`.
    pub const fn new(start: Board) -> Self {
        Self {
            start,
            board: start,
            moves: Vec::new(),
            before: Vec::new(),
        }
    }

    /// The starting board.
    pub const fn start(&self) -> Board {
        self.start
    }

    /// The current board.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The moves so far, including passes.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The last move, or `None` if there is none.
    pub fn last_move(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    /// Every board of the game in order: the start, then the board after each move.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_core::{Color, Game};
    ///
    /// let game: Game = "f5d6c3".parse()?;
    /// let discs = game.boards().map(|board| board.discs(Color::Black).count());
    /// assert_eq!(discs.collect::<Vec<_>>(), [2, 4, 3, 5]);
    /// # Ok::<(), othello_core::TranscriptError>(())
    /// ```
    pub fn boards(&self) -> impl DoubleEndedIterator<Item = Board> {
        self.before.iter().copied().chain([self.board])
    }

    /// The moves in order, each with the board before it.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = (Board, Move)> + ExactSizeIterator {
        self.before.iter().copied().zip(self.moves.iter().copied())
    }

    /// The side to move, even if it has no legal move.
    pub const fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// Returns `true` if neither side has a legal move.
    pub const fn is_over(&self) -> bool {
        self.board.is_over()
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal, and leaves the game unchanged.
    pub fn play(&mut self, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        let mv = mv.into();
        let before = self.board;
        self.board.play(mv)?;
        self.before.push(before);
        self.moves.push(mv);
        Ok(())
    }

    /// Plays a move of a game record: inserts a pass that the record omits before it, and ignores a pass after the end
    /// of the game.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal nevertheless, and leaves the game unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_core::{Color, Game, Move, Square};
    ///
    /// // Black has no move: the disc on a1 is White's.
    /// let mut game = Game::new(format!("-XOOOOOO{} X", "-".repeat(56)).parse()?);
    /// game.play_recorded(Square::A1)?;
    /// assert_eq!(game.moves(), [Move::Pass, Square::A1.into()]);
    /// game.play_recorded(Move::Pass)?;
    /// assert_eq!(game.moves().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_recorded(&mut self, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        match mv.into() {
            Move::Pass if self.is_over() => Ok(()),
            mv @ Move::Place(_) if self.board.must_pass() => {
                self.play(Move::Pass)?;
                self.play(mv).inspect_err(|_| {
                    self.undo();
                })
            }
            mv => self.play(mv),
        }
    }

    /// Plays one legal move for each number, which is an index into the legal moves, modulo their count; a pass, if it
    /// is the only move, takes a number too. Stops at the end of the game.
    ///
    /// # Examples
    ///
    /// A game from the bytes of a fuzzer or a generator of random numbers:
    ///
    /// ```
    /// let mut game = othello_core::Game::default();
    /// game.play_choices([2, 0, 100]);
    /// assert_eq!(game.to_string(), "f5f4c3");
    /// ```
    pub fn play_choices(&mut self, choices: impl IntoIterator<Item = u64>) {
        for choice in choices {
            let moves = self.board.legal_moves();
            let index = choice % u64::from(moves.count().max(1));
            let mv = moves.nth(index as u32).map_or(Move::Pass, Move::Place);
            if self.play(mv).is_err() {
                // Neither a move nor a pass is legal.
                break;
            }
        }
    }

    /// Undoes the last move and returns it, or returns `None` if there is none.
    pub fn undo(&mut self) -> Option<Move> {
        self.board = self.before.pop()?;
        self.moves.pop()
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Board::START)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    #[test]
    fn a_game_is_over_when_neither_side_can_move() {
        // The shortest possible game, a wipe-out.
        let mut game: Game = "e6f4e3f6g5d6e7f5".parse().unwrap();
        assert!(!game.is_over());
        game.play(Square::C5).unwrap();
        assert!(game.is_over());
    }

    #[test]
    fn an_illegal_move_leaves_the_game_unchanged() {
        let mut game = Game::default();
        game.play(Square::A1).unwrap_err();
        assert_eq!(game, Game::default());
    }
}
