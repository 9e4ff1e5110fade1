//! Dead stones and seki.

mod part;
mod rows;
mod search;
mod standoff;

use alloc::vec::Vec;

use boardgame_core::Color;

use crate::{
    Board, Ownership, Point, PointSet, Position, Random, fill_dame, open_dame, region::Region,
    unconditionally_alive,
};
use part::Part;
use search::{End, played_out};
use standoff::standoff;

/// The life-and-death status of the stones of a finished game, which the rules leave to the players.
///
/// Stones that are neither dead nor in seki are alive and count as independently alive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LifeAndDeath {
    /// The dead stones of both colours, which are removed before counting.
    pub dead: PointSet,
    /// The stones of both colours that live in seki. Their eyes are not territory; only territory scoring uses this
    /// set.
    pub seki: PointSet,
    /// The stones whose status is a guess: it depends on who moves first, or neither reading nor playouts decide it.
    pub unsettled: PointSet,
}

/// A function that plays a position to its end, given a seed, and returns the ownership there.
pub type PlayOut = fn(&Position, u64) -> Ownership;

/// The maximum mean balance, towards either side, of a chain whose life playouts leave open: they decide it where more
/// than 75 % of them agree.
const MAX_UNSETTLED_BALANCE: f32 = 0.5;

/// The same for stones that further play decides.
const MAX_UNSETTLED_AFTER_PLAY: f32 = 0.8;

/// The minimum mean balances of chains that are taken to be alive while others are read out. The first is none: only
/// unconditionally alive chains bound what is read.
const ALIVE: [f32; 4] = [f32::INFINITY, 0.95, 0.8, MAX_UNSETTLED_BALANCE];

/// The maximum number of positions searched to find stand-offs in all parts of a board.
const MAX_STANDOFF_NODES: u32 = 4_000_000;

/// The maximum numbers of stones and liberties of a chain that is not taken to be alive although playouts say so, since
/// it may be [bait](is_bait).
const MAX_BAIT: usize = 6;
const MAX_BAIT_LIBERTIES: usize = 2;

impl LifeAndDeath {
    /// Decides the stones of a position by [reading](Self::propose) and a number of random playouts. If they leave
    /// something open, `play_out` plays the position on; chains that stay open are as [its end settles
    /// them](Self::settled_by), or else as the playouts have them.
    pub fn decide(
        position: &Position,
        playouts: u32,
        seed: u64,
        play_out: Option<PlayOut>,
    ) -> Self {
        let board = position.board();
        let ownership = Ownership::estimate(board, playouts, &mut Random::new(seed));
        let status = Self::propose(board, &ownership);
        let Some(play_out) = play_out.filter(|_| !status.is_resolved(position)) else {
            return status;
        };
        let after_play = play_out(position, seed);
        let played_out = Self::propose(board, &after_play);
        if played_out.is_resolved(position) {
            return played_out;
        }
        status.settled_by(board, &after_play)
    }

    /// Returns whether all stones are settled and all dame can be filled.
    fn is_resolved(&self, position: &Position) -> bool {
        if !self.unsettled.is_empty() {
            return false;
        }
        let filled = fill_dame(position.board(), self, position.side_to_move());
        open_dame(&filled.board, self).is_empty()
    }

    /// Proposes dead stones and seki by reading small parts of the board, and by the ownership of points in random
    /// playouts elsewhere.
    ///
    /// A part consists of connected points without living stones: first unconditionally alive ones, then those that
    /// belong to their side in most playouts too. It is played out with both sides first. Stones that are left in both
    /// cases are alive, or in seki if they share empty points with the other side that nobody fills; stones that are
    /// left in neither are dead. Ko threats do not exist: a bent four in the corner is alive and kills what is around
    /// it. Other chains are dead if their points belong to the opponent more often than not.
    ///
    /// Reading is exact where it reaches the end of all lines. Elsewhere it ends when three searches of growing depth
    /// agree, which may be wrong. Where that takes too long, or the searches agree on a seki, a search that asks only
    /// whether a side gains stones by moving first finds fights in which neither does: their stones are left.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::{Board, LifeAndDeath, Ownership, Random};
    ///
    /// let board: Board = "
    ///     . X . O .
    ///     . X . O .
    ///     . X . O O
    ///     . X X O X
    ///     . X . O .".parse()?;
    /// let ownership = Ownership::estimate(&board, 200, &mut Random::new(1));
    /// let status = LifeAndDeath::propose(&board, &ownership);
    /// assert_eq!(status.dead.to_string(), "E2");
    /// # Ok::<(), go_core::ParseBoardError>(())
    /// ```
    pub fn propose(board: &Board, ownership: &Ownership) -> Self {
        let mut reading = Reading::new(board);
        for min_balance in ALIVE {
            reading.read(ownership, min_balance);
        }
        reading.guess(ownership)
    }

    /// Returns the statuses with unsettled stones settled by the ownership after further play, where more than 90 % of
    /// it agrees.
    #[must_use]
    pub fn settled_by(&self, board: &Board, ownership: &Ownership) -> Self {
        let mut status = *self;
        for point in self.unsettled.iter() {
            let balance = chain_balance(board, ownership, point);
            if balance.abs() <= MAX_UNSETTLED_AFTER_PLAY {
                continue;
            }
            let stone = PointSet::from_iter([point]);
            (status.dead, status.seki) = (status.dead - stone, status.seki - stone);
            status.unsettled = status.unsettled - stone;
            if balance < 0.0 {
                status.dead.insert(point);
            }
        }
        status
    }
}

/// The statuses that are known while more are being read out.
struct Reading<'a> {
    board: &'a Board,
    /// The stones that are alive and not in seki.
    alive: PointSet,
    status: LifeAndDeath,
    /// The parts that need no further attempt.
    tried: Vec<PointSet>,
    /// The number of positions that may still be searched to find stand-offs.
    nodes_left: u32,
}

impl<'a> Reading<'a> {
    fn new(board: &'a Board) -> Self {
        let alive = Color::ALL.map(|color| unconditionally_alive(board, color));
        Self {
            board,
            alive: alive[0] | alive[1],
            status: LifeAndDeath::default(),
            tried: Vec::new(),
            nodes_left: MAX_STANDOFF_NODES,
        }
    }

    fn known(&self) -> PointSet {
        let LifeAndDeath {
            dead,
            seki,
            unsettled,
        } = self.status;
        self.alive | dead | seki | unsettled
    }

    /// Reads out the small parts between chains that are known to be alive or have at least this mean balance.
    fn read(&mut self, ownership: &Ownership, min_balance: f32) {
        let (board, known) = (self.board, self.known());
        let is_strong = |&point: &Point| {
            !known.contains(point)
                && !is_bait(board, point)
                && chain_balance(board, ownership, point) >= min_balance
        };
        let stones = || board.stones().map(|(point, _)| point);
        let walls = self.alive | stones().filter(is_strong).collect();
        let open = stones().collect::<PointSet>() - known;
        for region in Region::all(board, &walls) {
            if (region.points & open).is_empty() || self.tried.contains(&region.points) {
                continue;
            }
            let ends = Part::new(board, &region.points).and_then(|part| {
                let ends = played_out(&part);
                let ends = ends.or_else(|| standoff(&part, &mut self.nodes_left))?;
                Some((part, ends))
            });
            if let Some((part, ends)) = ends {
                self.add(&part, region.points & open, &ends);
            }
            self.tried.push(region.points);
        }
    }

    /// Adds the statuses of stones in a part that was played out with each side first.
    fn add(&mut self, part: &Part, stones: PointSet, ends: &[End; 2]) {
        for point in stones.iter() {
            let Some(color) = self.board.stone(point) else {
                continue;
            };
            let ends = ends.each_ref();
            let is_left = ends.map(|end| part.has_stone(&end.stones, color, point));
            let in_seki = ends.map(|end| part.has_stone(&end.seki, color, point));
            if is_left == [true, true] && !ends.iter().all(|end| end.is_whole) {
                continue;
            }
            let set = match (is_left, in_seki) {
                ([false, false], _) => &mut self.status.dead,
                ([true, true], [true, true]) => &mut self.status.seki,
                ([true, true], [false, false]) => &mut self.alive,
                _ => &mut self.status.unsettled,
            };
            set.insert(point);
        }
    }

    /// Returns the statuses with those of the other chains by playouts.
    fn guess(self, ownership: &Ownership) -> LifeAndDeath {
        let mut status = self.status;
        let known = self.known() - status.unsettled;
        for (point, _) in self.board.stones() {
            if known.contains(point) {
                continue;
            }
            let balance = chain_balance(self.board, ownership, point);
            if balance < 0.0 {
                status.dead.insert(point);
            }
            if balance.abs() <= MAX_UNSETTLED_BALANCE {
                status.unsettled.insert(point);
            }
        }
        status
    }
}

/// Returns whether a chain may lie in an eye space of the other side, as bait or in a seki: it is small, and its few
/// liberties are all next to stones of the other side.
fn is_bait(board: &Board, point: Point) -> bool {
    let liberties = board.liberties(point);
    let color = board.stone(point);
    let is_other = |it: Point| board.stone(it).is_some_and(|other| Some(other) != color);
    let is_shared = |liberty: Point| board.neighbours(liberty).any(is_other);
    board.chain_len(point) <= MAX_BAIT
        && liberties.len() <= MAX_BAIT_LIBERTIES
        && liberties.iter().all(is_shared)
}

/// Returns the mean balance of a chain's points, from the point of view of the chain's side: -1 to 1.
fn chain_balance(board: &Board, ownership: &Ownership, point: Point) -> f32 {
    let sum: f32 = board
        .chain(point)
        .map(|stone| ownership.balance(stone))
        .sum();
    let for_black = sum / board.chain_len(point) as f32;
    match board.stone(point) {
        Some(Color::White) => -for_black,
        _ => for_black,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use std::string::{String, ToString};

    fn propose(rows: &str) -> LifeAndDeath {
        let board = rows.parse().unwrap();
        let ownership = Ownership::estimate(&board, 400, &mut Random::new(1));
        LifeAndDeath::propose(&board, &ownership)
    }

    fn check(rows: &str, dead: &str, seki: &str) {
        let status = propose(rows);
        assert_eq!(
            (status.dead.to_string(), status.seki.to_string()),
            (dead.into(), seki.into())
        );
    }

    #[test]
    fn stones_in_enemy_territory_are_dead() {
        check(
            ". X . X O . O . .
             X X X X O O O . .
             . . . X O . . . .
             . O . X O . X . .
             . . . X O . . . .
             . . . X O . . . .
             . . . X O . . . .
             X X X X O O O O O
             . X . X O . O . .",
            "B6 G6",
            "",
        );
    }

    #[test]
    fn unconditionally_alive_stones_are_never_dead() {
        let board = ". X . X O\nX X X X O\nO O O O O\nO . O . O\nO O O O O"
            .parse()
            .unwrap();
        // Playouts that all end in White's favour.
        let end = "OOOOO\nOOOOO\nOOOOO\nOOOO.\nOOO.O".parse().unwrap();
        let ownership = Ownership::estimate(&end, 10, &mut Random::new(1));
        assert_eq!(ownership.counts("A5".parse().unwrap()).white, 10);
        assert!(LifeAndDeath::propose(&board, &ownership).dead.is_empty());
    }

    #[test]
    fn further_play_settles_what_is_open_where_it_agrees() {
        let board = "XX.OO\nXX.OO\nX...O\n.....\n.....".parse().unwrap();
        let set = |names: &str| {
            names
                .split(' ')
                .map(|name| name.parse::<Point>().unwrap())
                .collect()
        };
        let status = LifeAndDeath {
            dead: set("A5 B5"),
            seki: set("E5"),
            unsettled: set("A5 B5 D5 E5"),
        };
        let after = |end: &str, other: &str, others: u32| {
            let ends = [end, other].map(|rows| rows.parse::<Board>().unwrap());
            let mut ownership = Ownership::estimate(&ends[0], 20 - others, &mut Random::new(1));
            ownership.merge(&Ownership::estimate(&ends[1], others, &mut Random::new(1)));
            let LifeAndDeath {
                dead,
                seki,
                unsettled,
            } = status.settled_by(&board, &ownership);
            [dead, seki, unsettled].map(|set| set.to_string())
        };
        let (black, white) = (
            "X.XXX\nXXXXX\nXXXXX\nXXXXX\nXXX.X",
            "O.OOO\nOOOOO\nOOOOO\nOOOOO\nOOO.O",
        );
        let settled = ["D5 E5", "", ""].map(String::from);
        assert_eq!(after(black, white, 1), settled);
        let open = ["A5 B5", "E5", "A5 B5 D5 E5"].map(String::from);
        assert_eq!(after(black, white, 2), open);
    }

    #[test]
    fn chains_with_one_eye_each_and_a_common_liberty_are_in_seki() {
        check(
            ". X . O . O X
             X X X O O O X
             O O O X X X X
             . O O X . X .
             O . O X X X X
             O O O O X . X
             . O . O X X .",
            "",
            "A6 B6 C6 D6 E6 F6 B7 D7 F7",
        );
    }

    #[test]
    fn dame_that_must_be_answered_in_an_eye_space_keep_a_seki() {
        check(
            ". . O X . . . . .
             . . O X . . . . .
             . . O X X X X . .
             . . . O . . X . .
             O O O . O . X X X
             . . O O O X X O O
             X X X X X O O O .
             . X X O O O . O X
             X . X X X O X X .",
            "",
            "F1 G1 H1 D2 E2 F2 H2 J2 F3 G3 H3 H4 J4",
        );
    }

    #[test]
    fn an_eye_space_that_a_capture_leaves_too_small_is_dead() {
        // Two stones in a square of four.
        check(
            "O O O O O O .
             O X X X X O .
             O X . O X O .
             O X O . X O .
             O X X X X O .
             O O O O O O .
             . . . . . . .",
            "B3 C3 D3 E3 B4 E4 B5 E5 B6 C6 D6 E6",
            "",
        );
        // Two stones in four points along the edge.
        check(
            ". . . . . . . . .
             . O . . . O . . .
             . . . O . . O . .
             O O O O O O O O O
             X X X X X X X X X
             X X . . . . . . .
             O O X X . . X . .
             . O O O X . . X .
             X X . O X . . . .",
            "D1 B2 C2 D2 A3 B3",
            "",
        );
    }

    #[test]
    fn stones_in_an_eye_space_that_neither_side_can_capture_are_in_seki() {
        // Four stones whose capture leaves White a space of four around one point, in which Black plays.
        check(
            ". X X X . . .
             O O O X X X X
             . X O O O . X
             O X X . O . X
             O X O O O . X
             O O O X X X X
             . X X X . . .",
            "",
            "A2 B2 C2 A3 B3 C3 D3 E3 A4 B4 C4 E4 B5 C5 D5 E5 A6 B6 C6",
        );
    }

    #[test]
    fn stones_that_are_left_when_many_are_captured_may_be_dead_too() {
        check(
            ". O . O O O O O O
             O O O O O O O O O
             X X X X . X X X O
             X X X X O X . X O
             O O O O O X X X O
             . . . . O O O O O
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .",
            "F5 G5 H5 A6 B6 C6 D6 F6 H6 A7 B7 C7 D7 F7 G7 H7",
            "",
        );
    }

    #[test]
    fn a_bent_four_in_the_corner_kills() {
        let rows = "
            . . . X O . X X X
            . . . X O O O O .
            . . . X X X X O O
            . . . . . . X X X
            X X X X X X X X X
            O O O O O O O O O
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .";
        check(rows, "H7 J7 E8 F8 G8 H8 E9", "");
    }

    #[test]
    fn stones_that_fill_an_eye_space_but_for_two_liberties_are_in_seki() {
        check(
            ". X . X X X .
             . X X X O O O
             . . X . O . X
             . . X . O O X
             . . X . O . X
             . . X X O O O
             . . . X X X .",
            "",
            "E2 F2 G2 E3 G3 E4 F4 G4 E5 G5 E6 F6 G6",
        );
    }
}
