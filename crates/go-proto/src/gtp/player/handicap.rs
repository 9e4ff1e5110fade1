//! Handicap (section 4.1 of the specification).

use alloc::{string::ToString as _, vec::Vec};

use boardgame_session::gtp::player::{
    Done, Failure,
    commands::{arguments, done, int, told, vertex},
};
use go_core::{Game, Move, Point, Setup, SetupError};

use super::{
    super::{Command, Player},
    GoGame,
};

/// Places stones on the points of the specification, and lists these.
pub(super) fn fixed_handicap(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [stones] = arguments(command)?;
    let stones = int(stones)? as usize;
    let points = go_core::fixed_handicap(player.game().game.setup().size(), stones);
    let points: Vec<Point> = points.ok_or(Failure::InvalidHandicap)?.collect();
    place(player, &points)
}

/// Places the engine's choice of handicap stones: a fixed handicap, at most the number that the size of
/// the board has.
pub(super) fn place_free_handicap(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [stones] = arguments(command)?;
    let size = player.game().game.setup().size();
    let stones = (int(stones)? as usize).min(go_core::max_fixed_handicap(size));
    let points = go_core::fixed_handicap(size, stones);
    let points: Vec<Point> = points.ok_or(Failure::InvalidHandicap)?.collect();
    place(player, &points)
}

fn place(player: &mut Player, points: &[Point]) -> Done<GoGame> {
    player.game_mut().give_handicap(points)?;
    let names: Vec<_> = points.iter().map(Point::to_string).collect();
    told(names.join(" "))
}

/// Places stones where the controller wants them.
pub(super) fn set_free_handicap(player: &mut Player, command: &Command) -> Done<GoGame> {
    let point = |word: &str| match vertex(player, word) {
        Ok(Move::Place(point)) => Ok(point),
        _ => Err(Failure::BadVertexList),
    };
    let words = command.arguments.iter();
    let points: Vec<Point> = words.map(|word| point(word)).collect::<Result<_, _>>()?;
    player.game_mut().give_handicap(&points)?;
    done()
}

impl GoGame {
    /// Starts a game with these black stones and White to move.
    fn give_handicap(&mut self, points: &[Point]) -> Result<(), Failure> {
        if self.game.position().board().stone_count() > 0 {
            return Err(Failure::BoardNotEmpty);
        }
        let old = self.game.setup();
        let setup = Setup::new(old.size()).with_komi(old.komi());
        let setup = setup.with_rules(self.rules);
        let setup: Result<Setup, SetupError> = setup.with_handicap(points.iter().copied());
        self.game = Game::new(setup.map_err(|_| Failure::BadVertexList)?);
        Ok(())
    }
}
