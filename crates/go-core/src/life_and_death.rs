//! Dead stones and seki.

use boardgame_core::Color;

use crate::{Board, Ownership, Point, PointSet, unconditionally_alive};

/// The life-and-death status of the stones of a finished game, which the rules leave to the players.
///
/// Stones in neither set are alive and count as independently alive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LifeAndDeath {
    /// The dead stones of both colours, which are removed before counting.
    pub dead: PointSet,
    /// The stones of both colours that live in seki. Their eyes are not territory; only territory scoring uses this
    /// set.
    pub seki: PointSet,
}

/// The maximum mean balance, towards either side, of a chain that may be in seki.
const MAX_SEKI_BALANCE: f32 = 0.5;

impl LifeAndDeath {
    /// Proposes dead stones and seki from the ownership of points in random playouts.
    ///
    /// A chain is proposed as dead if its points belong to the opponent more often than not, unless it is
    /// unconditionally alive. Two chains of different colours are proposed as seki if both are unsettled and share
    /// liberties, each of which would leave either side in atari if it filled it; so are unsettled chains that share an
    /// eye with them.
    /// The proposal is only as good as random play; people, or an engine with reading, should have the final say.
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
        let mut status = Self {
            dead: PointSet::new(),
            seki: with_partners(board, ownership, seki(board, ownership)),
        };
        for color in Color::ALL {
            let alive = unconditionally_alive(board, color);
            let stones = board.stones().filter(|&(_, stone)| stone == color);
            for (point, _) in stones {
                let is_open = !alive.contains(point) && !status.seki.contains(point);
                if is_open && chain_balance(board, ownership, point) < 0.0 {
                    status.dead.insert(point);
                }
            }
        }
        status
    }
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

/// Returns the stones proposed as seki.
fn seki(board: &Board, ownership: &Ownership) -> PointSet {
    let is_unsettled = |point| chain_balance(board, ownership, point).abs() <= MAX_SEKI_BALANCE;
    let mut stones = PointSet::new();
    for point in board.size().points().filter(|&point| board.is_empty(point)) {
        for black in board
            .neighbours(point)
            .filter(|&p| board.stone(p) == Some(Color::Black))
        {
            for white in board
                .neighbours(point)
                .filter(|&p| board.stone(p) == Some(Color::White))
            {
                if [black, white].into_iter().all(is_unsettled) && is_standoff(board, black, white)
                {
                    stones.extend(board.chain(black));
                    stones.extend(board.chain(white));
                }
            }
        }
    }
    stones
}

/// Returns stones in seki together with the unsettled chains that share an eye with them, which live by it too.
fn with_partners(board: &Board, ownership: &Ownership, mut seki: PointSet) -> PointSet {
    let is_unsettled = |point| chain_balance(board, ownership, point).abs() <= MAX_SEKI_BALANCE;
    let is_eye = |&point: &Point| {
        let mut neighbours = board
            .neighbours(point)
            .map(|neighbour| board.stone(neighbour));
        let owner = neighbours.next().flatten();
        owner.is_some() && neighbours.all(|stone| stone == owner)
    };
    let eyes: PointSet = board.empty_points().filter(is_eye).collect();
    loop {
        let before = seki;
        for eye in eyes.iter() {
            let is_shared = board
                .neighbours(eye)
                .any(|neighbour| seki.contains(neighbour));
            let partners = board
                .neighbours(eye)
                .filter(|&neighbour| is_unsettled(neighbour));
            for partner in partners.filter(|_| is_shared) {
                seki.extend(board.chain(partner));
            }
        }
        if seki == before {
            return seki;
        }
    }
}

/// Returns whether either side that fills any common liberty of two chains would put its own chain in atari, or cannot
/// fill it at all.
fn is_standoff(board: &Board, black: Point, white: Point) -> bool {
    let shared = board.liberties(black) & board.liberties(white);
    let is_lost = |color: Color, liberty: Point, chain: Point| {
        let mut filled = board.clone();
        !board.is_legal(color, liberty)
            || filled.play(color, liberty) == 0 && filled.atari(chain).is_some()
    };
    shared.iter().all(|liberty| {
        is_lost(Color::Black, liberty, black) && is_lost(Color::White, liberty, white)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use std::string::ToString;

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
    fn chains_that_share_an_eye_with_a_seki_are_in_seki() {
        let board = "...X.\n.....\n.....\n.O...\nO.O.X".parse().unwrap();
        // Without playouts everything is unsettled.
        let unsettled = Ownership::estimate(&board, 0, &mut Random::new(1));
        let seki = PointSet::from_iter(["A1".parse().unwrap()]);
        let with = with_partners(&board, &unsettled, seki);
        assert_eq!(with.to_string(), "A1 C1 B2");
    }

    #[test]
    fn a_common_liberty_that_either_side_can_fill_is_not_seki() {
        let check = |rows: &str, black: &str, white: &str| {
            let board = rows.parse().unwrap();
            is_standoff(&board, black.parse().unwrap(), white.parse().unwrap())
        };
        let seki = ". X . O .\nX X X O O\nO O O X X\nO . O X .\n. O O X X";
        assert!(check(seki, "B5", "D5"));
        // White's chain has another liberty at C3, so White may fill C5.
        let escape = ". X . O .\nX X X O O\nO O . O X\n. O O O X\nO . . X X";
        assert!(!check(escape, "B5", "D5"));
        // Either side may fill C3.
        assert!(!check(".....\n.....\n.X.O.\n.....\n.....", "B3", "D3"));
    }
}
