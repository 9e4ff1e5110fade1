//! GoGui's commands beyond the specification, and those of its menu.

use alloc::{format, string::String, vec::Vec};
use core::fmt::Write as _;

use boardgame_session::gtp::player::{
    Done, Failure,
    commands::{arguments, color, done, pairs, told, vertex},
};
use go_core::{ByColor, Color, Move, PointSet};

use super::{
    super::{Command, Player},
    GoGame, analysis, life,
};

/// The commands that GoGui puts into its menu: type, label, command.
pub(super) const ANALYZE_COMMANDS: &str = "\
gfx/Last Search/gogui-last_search
pspairs/Priors/gogui-priors
dboard/Owners/gogui-owner_map
plist/Dead Stones/final_status_list dead
plist/Stones in Seki/final_status_list seki
plist/Living Stones/final_status_list alive
pstring/Suggest Move/reg_genmove %m
string/Final Score/final_score
string/Show Board/showboard";

/// The maximum number of moves that are drawn.
const MAX_MOVES: usize = 20;

/// The maximum number of moves of the best line that are drawn.
const MAX_LINE: usize = 10;

/// `gogui-last_search`: the last search as graphics: owners, shares of playouts, the best line and its value.
pub(super) fn last_search(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    let Some((position, analysis)) = &player.game().searched else {
        return told("TEXT nothing is searched yet");
    };
    let mut text = String::new();
    for row in analysis::rows(position.board().size()) {
        text += "INFLUENCE";
        for point in row {
            let _ = write!(
                text,
                " {point} {:.2}",
                analysis.ownership.balance(point) + 0.0
            );
        }
        text += "\n";
    }
    let candidates = &analysis.candidates;
    let playouts: u32 = candidates.iter().map(|it| it.visits).sum();
    let others = candidates.iter().skip(1).filter(|it| it.mv != Move::Pass);
    let others = others.take(MAX_MOVES);
    let others: Vec<String> = others
        .map(|it| {
            format!(
                " {} {:.0}%",
                it.mv,
                100.0 * it.visits as f32 / playouts as f32
            )
        })
        .collect();
    if !others.is_empty() {
        let _ = writeln!(text, "LABEL{}", others.concat());
    }
    let Some(best) = candidates.first() else {
        return told(text + "TEXT no move is searched");
    };
    let mut side = position.side_to_move();
    text += "VAR";
    for mv in best.line.iter().take(MAX_LINE) {
        let letter = if side == Color::Black { 'b' } else { 'w' };
        let _ = write!(text, " {letter} {mv}");
        side = !side;
    }
    let (side, mv, percent) = (position.side_to_move(), best.mv, 100.0 * best.win_rate);
    let margin = best.margin;
    let _ = write!(
        text,
        "\nTEXT {side} {mv}: {percent:.1} %, {margin:+.1}, {playouts} playouts"
    );
    told(text)
}

/// `gogui-priors`: the moves of the last search with their priors in percent.
pub(super) fn priors(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    let candidates = (player.game().searched.iter()).flat_map(|(_, it)| &it.candidates);
    let points = candidates.filter(|it| it.mv != Move::Pass);
    let words = points.map(|it| format!("{} {:.0}", it.mv, 100.0 * it.prior));
    told(words.take(MAX_MOVES).collect::<Vec<_>>().join(" "))
}

/// `gogui-owner_map`: the owners of points in random playouts, 1 for Black to -1.
pub(super) fn owner_map(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    let board = player.game().game.position().board();
    let owners = life::owners(board);
    let rows = analysis::rows(board.size()).map(|row| {
        let words = row.map(|point| format!("{:.2}", owners.balance(point) + 0.0));
        words.collect::<Vec<_>>().join(" ")
    });
    told(rows.collect::<Vec<_>>().join("\n"))
}

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
        self.start(setup.with_first(side));
        Ok(())
    }
}
