//! The commands of the specification that Othello answers in its own way.

use boardgame_session::gtp::player::{
    Done, Failure,
    commands::{arguments, done, int, number},
};

use super::{
    super::{Command, Player},
    OthelloGame,
};

pub(super) fn boardsize(_: &mut Player, command: &Command) -> Done<OthelloGame> {
    let [size] = arguments(command)?;
    match int(size)? {
        8 => done(),
        _ => Err(Failure::UnacceptableSize),
    }
}

/// Othello has no komi: any finite number is accepted, as the specification demands, without effect.
pub(super) fn komi(_: &mut Player, command: &Command) -> Done<OthelloGame> {
    let [komi] = arguments(command)?;
    number(komi)?;
    done()
}
