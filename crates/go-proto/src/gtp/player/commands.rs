//! The commands that Go answers in its own way.

use alloc::{format, string::ToString as _};

use boardgame_session::gtp::player::{
    Done, Failure,
    commands::{arguments, done, int, number, told},
};
use go_core::{Komi, Size, sgf::root_property};

use super::{
    super::{Command, Player},
    GoGame,
};
use crate::session::Note;

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
    let (komi, rounded) = read_komi(komi).ok_or(Failure::Syntax)?;
    if rounded.is_some() {
        return Err(Failure::UnacceptableKomi);
    }
    player.game_mut().game.set_komi(komi);
    done()
}

/// Parses any finite number as the nearest komi, with a note if that is another number.
pub(super) fn read_komi(word: &str) -> Option<(Komi, Option<Note>)> {
    let points = number(word).ok()?;
    let komi = Komi::nearest(points)?;
    let difference = 2.0 * points - f64::from(komi.half_points());
    let note = || Note::leniency("rounded-komi", format!("{word} read as {komi}"));
    Some((komi, (difference != 0.0).then(note)))
}

/// Returns a note on the komi of a record, if it is rounded.
pub(super) fn rounded_komi(text: &str) -> Option<Note> {
    read_komi(root_property(text, "KM")?.trim())?.1
}

pub(super) fn get_komi(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    told(player.game().game.setup().komi().to_string())
}
