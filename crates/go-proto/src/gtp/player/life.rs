//! The life and death of stones, by reading and random playouts.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use boardgame_session::gtp::player::{
    Done, EngineGame as _, Failure,
    commands::{self, arguments, told},
};
use go_core::{Board, Color, LifeAndDeath, Ownership, PlayOut, Point, PointSet, Position, Random};

use super::{
    super::{Command, Player},
    GoGame,
};
use crate::session::Note;

/// The number of playouts of an estimate. Their seed is fixed: the same board has the same dead stones.
const PLAYOUTS: u32 = 2000;
const SEED: u64 = 1;

/// Returns which stones are dead or in seki. Only a finished game is played out where that is open: otherwise it would
/// take long.
pub(super) fn status(position: &Position, play_out: Option<PlayOut>) -> LifeAndDeath {
    let play_out = play_out.filter(|_| position.is_over());
    LifeAndDeath::decide(position, PLAYOUTS, SEED, play_out)
}

/// Returns the owners of points in random playouts.
pub(super) fn owners(board: &Board) -> Ownership {
    Ownership::estimate(board, PLAYOUTS, &mut Random::new(SEED))
}

/// The status of the stones of the last position queried: controllers ask several times.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptStatus(Option<(Position, LifeAndDeath)>);

impl KeptStatus {
    /// Returns the status of the stones of a position, which is computed only if another one's is kept.
    pub(super) fn of(
        &mut self,
        position: &Position,
        find: impl FnOnce(&Position) -> LifeAndDeath,
    ) -> LifeAndDeath {
        match &self.0 {
            Some((kept, status)) if kept == position => *status,
            _ => {
                let status = find(position);
                self.0 = Some((position.clone(), status));
                status
            }
        }
    }
}

/// `final_score`: the margin of the winner. Stones whose status is a guess are noted: the answer has no place for them.
pub(super) fn final_score(player: &mut Player, command: &Command) -> Done<GoGame> {
    let outcome = commands::final_score(player, command)?;
    let unsettled = player.game_mut().status().unsettled;
    if !unsettled.is_empty() {
        player.note(Note::info(format!("final_score: {unsettled} undecided")));
    }
    Ok(outcome)
}

/// `estimate_score`: the margin, and its bounds for White: each side's stones whose status is a guess live, or die.
pub(super) fn estimate_score(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    let game = player.game_mut();
    let status = game.status();
    let for_white = |status: &LifeAndDeath| 0.0 - game.margin_by(status).points();
    let margin = for_white(&status);
    let bounds = Color::ALL.map(|side| for_white(&decided_for(side, game.board(), &status)));
    let side = if margin < 0.0 { "B" } else { "W" };
    let upper = margin.max(bounds[0]).max(bounds[1]);
    let lower = margin.min(bounds[0]).min(bounds[1]);
    let points = margin.abs();
    told(format!(
        "{side}+{points:.1} (upper bound: {upper:.1}, lower: {lower:.1})"
    ))
}

/// Returns the status in which all guesses are decided for a side.
fn decided_for(side: Color, position: &Position, status: &LifeAndDeath) -> LifeAndDeath {
    let is_lost = |point: &Point| position.board().stone(*point) == Some(!side);
    let lost: PointSet = status.unsettled.iter().filter(is_lost).collect();
    LifeAndDeath {
        dead: (status.dead - status.unsettled) | lost,
        seki: status.seki - status.unsettled,
        unsettled: PointSet::new(),
    }
}

/// `final_status_list`: the stones of a status, a chain a line.
pub(super) fn final_status_list(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [word] = arguments(command)?;
    let status = player.game_mut().status();
    let board = player.game().game.position().board();
    let stones: PointSet = board.stones().map(|(point, _)| point).collect();
    let listed = match word.as_str() {
        "alive" => stones - status.dead - status.seki,
        "dead" => status.dead,
        "seki" => status.seki,
        "unsettled" => status.unsettled,
        _ => return Err(Failure::Syntax),
    };
    told(chains(board, listed))
}

/// Returns the names of points, one line for each chain.
fn chains(board: &Board, mut stones: PointSet) -> String {
    let mut lines = Vec::new();
    while let Some(first) = stones.iter().next() {
        let chain: PointSet = board.chain(first).collect();
        lines.push(chain.to_string());
        stones = stones - chain;
    }
    lines.join("\n")
}

/// Returns a liberty of a dead opposing chain that the side to move can fill without being in atari there, or `None`. A
/// chain with few liberties comes first.
pub(super) fn attack_on_dead_stones(position: &Position, dead: &PointSet) -> Option<Point> {
    let (board, color) = (position.board(), position.side_to_move());
    let mut chains: Vec<PointSet> = dead
        .iter()
        .filter(|&point| board.stone(point) == Some(!color))
        .map(|point| board.liberties(point))
        .collect();
    chains.sort_by_key(PointSet::len);
    let is_safe = |point: &Point| {
        let mut after = position.clone();
        after.play(*point).is_ok() && after.board().atari(*point).is_none()
    };
    chains.iter().flat_map(PointSet::iter).find(is_safe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_core::Move;

    #[test]
    fn a_status_is_found_once_for_a_position() {
        let found = |point: Point| LifeAndDeath {
            dead: [point].into_iter().collect(),
            ..LifeAndDeath::default()
        };
        let point: Point = "C3".parse().unwrap();
        let mut game = GoGame::default();
        let mut kept = KeptStatus::default();
        let first = kept.of(game.game.position(), |_| found(point));
        assert_eq!(first.dead.len(), 1);
        let again = kept.of(game.game.position(), |_| unreachable!("it is kept"));
        assert_eq!(again, first);
        game.game.play(point).unwrap();
        let next = kept.of(game.game.position(), |_| LifeAndDeath::default());
        assert_eq!(next, LifeAndDeath::default());
    }

    #[test]
    fn only_a_finished_game_is_played_out() {
        // An eye of three points: the side that plays in its middle decides the life of White's chain.
        let three = "7x7 black A7 G7 A6 G6 A5 B5 C5 D5 E5 F5 G5 white B7 F7 B6 C6 D6 E6 F6";
        let black_lives: PlayOut = |_, seed| {
            let end = "X.XXXXX\nXXXXXXX\nXXXXXXX\nXXXXXXX\nXXXXXXX\nXXXXXXX\nXXXXX.X";
            Ownership::estimate(&end.parse().unwrap(), 10, &mut Random::new(seed))
        };
        let mut game = GoGame::new(three.parse().unwrap()).with_play_out(black_lives);
        let open = "B6 C6 D6 E6 F6 B7 F7";
        assert_eq!(game.status().unsettled.to_string(), open);
        for _ in 0..2 {
            game.game.play(Move::Pass).unwrap();
        }
        assert_eq!(game.status().dead.to_string(), open);
    }
}
