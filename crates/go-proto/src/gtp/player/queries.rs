//! Questions about the game that need no search, in the words of GNU Go's manual and of KGS.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use boardgame_session::gtp::player::{
    Done,
    commands::{arguments, color, done, printed, told, vertex},
};
use go_core::{Color, PointSet, sgf::Record};

use super::{
    super::{Command, Player},
    GoGame,
};

/// `is_legal`: 1 if the move is legal, 0 if not.
pub(super) fn is_legal(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [color_word, vertex_word] = arguments(command)?;
    let mv = vertex(player, vertex_word)?;
    let position = player.game().position_of(color(color_word)?);
    told(u8::from(position.check(mv).is_ok()).to_string())
}

/// `all_legal`: the points where a colour may play.
pub(super) fn all_legal(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [color_word] = arguments(command)?;
    let position = player.game().position_of(color(color_word)?);
    told(position.legal_points().collect::<PointSet>().to_string())
}

/// `list_stones`: the stones of a colour.
pub(super) fn list_stones(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [color_word] = arguments(command)?;
    let listed = color(color_word)?;
    let stones = player.game().game.position().board().stones();
    let of_color = stones.filter(|&(_, color)| color == listed);
    told(
        of_color
            .map(|(point, _)| point)
            .collect::<PointSet>()
            .to_string(),
    )
}

/// `captures`: the number of stones that a colour has captured.
pub(super) fn captures(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [color_word] = arguments(command)?;
    let captures = player.game().game.position().board().captures();
    told(captures[color(color_word)?].to_string())
}

/// `move_history`: the moves, the last one first, one a line.
pub(super) fn move_history(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    let word = |color| match color {
        Color::Black => "black",
        Color::White => "white",
    };
    let moves = player.game().game.moves().iter().rev();
    let lines: Vec<String> = moves
        .map(|&(color, mv)| format!("{} {mv}", word(color)))
        .collect();
    told(lines.join("\n"))
}

/// `printsgf`: the game with its moves, as the answer or into a file.
pub(super) fn printsgf(player: &mut Player, command: &Command) -> Done<GoGame> {
    let record = Record::new(player.game().game.clone()).to_string();
    printed(player, command, &record)
}

/// `clear_cache`: later answers do not build on earlier ones.
pub(super) fn clear_cache(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    player.game_mut().forget();
    done()
}
