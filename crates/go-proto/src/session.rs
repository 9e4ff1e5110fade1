//! The question of a Go session's tasks, and its answer.
//!
//! The player's side comes from `boardgame-session`, with the [`Question`] of Go.

mod question;

use alloc::string::String;

use boardgame_session::player;
use go_core::{Color, Point, Position};

pub use boardgame_session::{
    Note, NoteKind, Timestamp,
    player::{PlayerSession, Progress, TaskClock, TaskId, TimeMargin},
};
pub use question::{Analysis, Candidate, Choice, Goal, Question};

/// A timed request to choose a move.
pub type Task = player::Task<Question>;

/// The answer to a [`Task`].
pub type Decision = player::Decision<Question>;

/// An action of the driver of a Go player.
pub type Action = player::PlayerAction<Question>;

/// The end of a Go player's session.
pub type Ending = player::Ending<Question>;

pub(crate) use boardgame_session::player::PlayerFormat;

/// The common state of a Go player's session.
pub(crate) type CommonState<P = ()> = player::CommonState<Question, P>;

/// The answer to a task of a Go player's session that was open.
pub(crate) type AnsweredTask<P = ()> = player::AnsweredTask<Question, P>;

/// Returns the progress of a game after a number of moves. The board is its rows from the top, separated by
/// `/`.
pub(crate) fn progress(position: &Position, moves: usize, color: Option<Color>) -> Progress {
    Progress {
        color,
        move_number: moves + 1,
        board: rows(position),
    }
}

fn rows(position: &Position) -> String {
    let board = position.board();
    let lines = board.size().lines();
    let row = |row: u8| {
        let points = (0..lines).filter_map(move |column| Point::new(column, row));
        points.map(|point| match board.stone(point) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        })
    };
    let mut text = String::new();
    for number in (0..lines).rev() {
        if !text.is_empty() {
            text.push('/');
        }
        text.extend(row(number));
    }
    text
}
