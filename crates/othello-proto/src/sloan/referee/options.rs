//! How a referee runs a game.

use core::time::Duration;

use othello_core::Board;

use crate::sloan::{Dialect, GAME_TIME};

/// How a [`Referee`](super::Referee) runs a game.
#[derive(Clone, Debug)]
pub struct RefereeOptions {
    /// The board that the game begins on.
    pub start: Board,
    /// Whether the side that moves first is sent the other's pass once both are ready.
    pub opening_pass: bool,
    /// Whether `(play)` is sent before the colours.
    pub send_play: bool,
    /// What becomes of comments.
    pub comments: CommentRelay,
    /// The form in which a program is spoken to until it has said something itself.
    pub dialect: Dialect,
    /// Each side's time for the whole game, or `None` without limit.
    pub game_time: Option<Duration>,
    /// The time for both programs to get ready.
    pub ready_time: Duration,
    /// The time after the end of a game for claims and their answers.
    pub grace: Duration,
    /// The bytes that a program may write in a turn, its own or the other's.
    pub output_per_turn: usize,
}

impl Default for RefereeOptions {
    fn default() -> Self {
        Self {
            start: Board::START,
            opening_pass: true,
            send_play: false,
            comments: CommentRelay::Filter,
            dialect: Dialect::Expressions,
            game_time: Some(GAME_TIME),
            ready_time: Duration::from_mins(1),
            grace: Duration::from_secs(5),
            output_per_turn: 64 * 1024,
        }
    }
}

/// What becomes of the comments of the programs. Whoever watches is told them in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommentRelay {
    /// They are not passed on.
    #[default]
    Filter,
    /// They are passed on to the other program, made [`safe`](crate::sloan::safe).
    PassOn,
}
