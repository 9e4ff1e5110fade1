//! GoGui's commands beyond the specification.

use boardgame_session::gtp::player::{
    Done, Failure,
    commands::{arguments, color, done, pairs, vertex},
};
use go_core::{ByColor, Color, Game, Move, PointSet};

use super::{
    super::{Command, Player},
    GoGame,
};

/// The commands that GoGui puts into its menu: type, label, command.
pub(super) const ANALYZE_COMMANDS: &str = "\
plist/Dead Stones/final_status_list dead
plist/Stones in Seki/final_status_list seki
plist/Living Stones/final_status_list alive
pstring/Suggest Move/reg_genmove %m
string/Final Score/final_score
string/Show Board/showboard";

/// Sets up exactly the stones given as pairs of a colour and a point.
pub(super) fn setup(player: &mut Player, command: &Command) -> Done<GoGame> {
    let mut stones: ByColor<PointSet> = ByColor::default();
    for (color_word, vertex_word) in pairs(command)? {
        let color = color(color_word)?;
        let Move::Place(point) = vertex(player, vertex_word)? else {
            return Err(Failure::Syntax);
        };
        stones[!color].remove(point);
        stones[color].insert(point);
    }
    let side = player.game().game.position().side_to_move();
    player.game_mut().set_up(stones, side)?;
    done()
}

/// Sets the side to move; the stones stay.
pub(super) fn setup_player(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [color_word] = arguments(command)?;
    let side = color(color_word)?;
    let board = player.game().game.position().board();
    let of = |side| board.stones().filter(move |&(_, color)| color == side);
    let stones = ByColor::new_with(|side| of(side).map(|(point, _)| point).collect());
    player.game_mut().set_up(stones, side)?;
    done()
}

impl GoGame {
    /// Starts a game with these stones on the board and this side to move.
    fn set_up(&mut self, stones: ByColor<PointSet>, side: Color) -> Result<(), Failure> {
        let setup = self.game.setup().clone().with_rules(self.rules);
        let setup = (setup.with_stones(stones)).map_err(|_| Failure::InvalidPosition)?;
        self.game = Game::new(setup.with_first(side));
        Ok(())
    }
}
