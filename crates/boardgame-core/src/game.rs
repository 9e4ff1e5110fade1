//! The rules of a game as a trait.

use core::{
    error::Error,
    fmt::{Debug, Display},
    str::FromStr,
};

use crate::{Color, Margin};

/// Rules of a game of two players who move in turn: a position that moves are played on.
///
/// The trait is as wide as conducting, recording and rating games needs. It knows no squares and no
/// lists of moves: a search or a protocol works with the type of its own game.
pub trait Game: Clone + Send + Sync + 'static {
    /// A move. A pass is one.
    type Move: Copy
        + Debug
        + Eq
        + Display
        + FromStr<Err: Error + Send + Sync + 'static>
        + Send
        + Sync
        + 'static;

    /// All that is agreed before the first move, such as Othello's starting board, or Go's board size,
    /// komi, ko rule and handicap. The text is what records keep.
    type Setup: Clone
        + Debug
        + Eq
        + Display
        + FromStr<Err: Error + Send + Sync + 'static>
        + Send
        + Sync
        + 'static;

    /// A move that the rules forbid; says which and why.
    type IllegalMove: Error + Clone + Send + Sync + 'static;

    /// The name of the game in records, such as `othello`.
    const NAME: &'static str;

    /// Returns the position before the first move.
    fn new(setup: &Self::Setup) -> Self;

    /// Returns the side to move.
    fn side_to_move(&self) -> Color;

    /// Returns the only legal move where the rules leave no choice and none has to be asked for, such
    /// as the pass of Othello. In Go there is none.
    fn forced_move(&self) -> Option<Self::Move>;

    /// Plays a move of the side to move.
    ///
    /// # Errors
    ///
    /// When the move is illegal; the position stays as it is.
    fn play(&mut self, mv: Self::Move) -> Result<(), Self::IllegalMove>;

    /// Returns whether the game goes on, and otherwise its result.
    fn status(&self) -> Status;
}

/// The status of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The game goes on.
    Playing,
    /// The game is over and the rules give its result.
    Scored(Margin),
    /// The game is over and its result needs a judgement that the rules leave to the players, such as
    /// which stones are dead after two passes in Go.
    Unscored,
}

impl Status {
    /// Returns whether no move follows.
    pub const fn is_over(self) -> bool {
        !matches!(self, Self::Playing)
    }
}
