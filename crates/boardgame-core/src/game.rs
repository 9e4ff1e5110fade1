//! A trait for the rules of a game.

use core::{
    error::Error,
    fmt::{Debug, Display},
    str::FromStr,
};

use crate::{Color, Margin};

/// The rules of a game of two players who alternate: a position on which moves are played.
///
/// The trait has only the methods needed to conduct, record and rate games. It has no squares and no lists of moves:
/// searches and protocols use the types of their own game.
pub trait Game: Clone + Send + Sync + 'static {
    /// A move, possibly a pass.
    type Move: Copy
        + Debug
        + Eq
        + Display
        + FromStr<Err: Error + Send + Sync + 'static>
        + Send
        + Sync
        + 'static;

    /// Everything agreed before the first move, such as Othello's starting board, or Go's board size, komi, ko rule and
    /// handicap. Records keep its text form.
    type Setup: Clone
        + Debug
        + Eq
        + Display
        + FromStr<Err: Error + Send + Sync + 'static>
        + Send
        + Sync
        + 'static;

    /// The error of an illegal move, with the move and the reason.
    type IllegalMove: Error + Clone + Send + Sync + 'static;

    /// The name of the game in records, such as `othello`.
    const NAME: &'static str;

    /// Returns the position before the first move.
    fn new(setup: &Self::Setup) -> Self;

    /// Returns the side to move.
    fn side_to_move(&self) -> Color;

    /// Returns the only legal move, if the rules leave no choice and the player need not be asked, such as Othello's
    /// pass. Go has none.
    fn forced_move(&self) -> Option<Self::Move>;

    /// Plays a move for the side to move.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal, and leaves the position unchanged.
    fn play(&mut self, mv: Self::Move) -> Result<(), Self::IllegalMove>;

    /// Returns whether the game goes on, or its result.
    fn status(&self) -> Status;
}

/// The status of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The game goes on.
    Playing,
    /// The game is over, with a result by the rules.
    Scored(Margin),
    /// The game is over, but its result depends on a judgement that the rules leave to the players, such as which
    /// stones are dead in Go.
    Unscored,
}

impl Status {
    /// Returns `true` if the game is over.
    pub const fn is_over(self) -> bool {
        !matches!(self, Self::Playing)
    }
}
