//! The commands that Go answers in its own way.

use alloc::string::ToString as _;

use boardgame_session::gtp::player::{
    Done, Failure,
    commands::{arguments, done, int, number, told},
};
use go_core::{Komi, Size};

use super::{
    super::{Command, Player},
    GoGame,
};

pub(super) fn boardsize(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [lines] = arguments(command)?;
    let size = u8::try_from(int(lines)?).ok().and_then(Size::new);
    let size = size.ok_or(Failure::UnacceptableSize)?;
    player.game_mut().resize(size);
    done()
}

pub(super) fn query_boardsize(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    told(player.game().game.setup().size().lines().to_string())
}

/// Sets the komi. A controller that set one that the engine rounds would not know the score.
pub(super) fn komi(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [komi] = arguments(command)?;
    let komi = Komi::exact(number(komi)?).ok_or(Failure::UnacceptableKomi)?;
    player.game_mut().game.set_komi(komi);
    done()
}

pub(super) fn get_komi(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    told(player.game().game.setup().komi().to_string())
}
