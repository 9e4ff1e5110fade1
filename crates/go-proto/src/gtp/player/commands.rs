//! The commands that Go answers in its own way.

use alloc::string::ToString as _;

use boardgame_session::gtp::player::{
    Done, Failure,
    commands::{arguments, done, int, told},
};
use go_core::{Game, Komi, Rules, Size};

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

pub(super) fn komi(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [komi] = arguments(command)?;
    let komi: Komi = komi.parse().map_err(|_| Failure::Syntax)?;
    player.game_mut().game.set_komi(komi);
    done()
}

pub(super) fn get_komi(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    told(player.game().game.setup().komi().to_string())
}

/// Sets the rules of this game, if no move has been made, and of those that follow.
pub(super) fn kgs_rules(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [name] = arguments(command)?;
    let rules = match name.as_str() {
        "japanese" => Rules::JAPANESE,
        "chinese" => Rules::CHINESE,
        "aga" => Rules::AGA,
        "new_zealand" => Rules::NEW_ZEALAND,
        _ => return Err(Failure::Syntax),
    };
    let GoGame { game, rules: next } = player.game_mut();
    *next = rules;
    if game.moves().is_empty() {
        *game = Game::new(game.setup().clone().with_rules(rules));
    }
    done()
}
