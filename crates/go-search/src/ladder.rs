//! Ladders: whether a chain in atari can run.

use boardgame_core::Color;
use go_core::{Board, Point};

use crate::tactics::liberties_after;

/// The number of positions that one reading looks at; beyond it the chain counts as caught.
const MAX_POSITIONS: u32 = 150;

/// Returns whether a move of its side saves a chain that has one or two liberties: the chain reaches three liberties,
/// or two from which no atari catches it.
///
/// The attacker answers with atari alone, and the defender at the last liberty or with captures beside the chain,
/// so that the reading stays narrow.
pub(crate) fn escapes_by(board: &Board, chain: Point, defence: Point) -> bool {
    let mut reading = Reading {
        positions: MAX_POSITIONS,
    };
    (board.stone(chain)).is_some_and(|color| reading.defends(board, color, chain, defence))
}

/// Returns whether a side that plays atari on a point catches a chain of two liberties.
pub(crate) fn catches(board: &Board, atari: Point, chain: Point) -> bool {
    Reading {
        positions: MAX_POSITIONS,
    }
    .catches(board, atari, chain)
}

/// Returns whether a chain has two liberties and is caught by an atari at one of them.
pub(crate) fn is_caught_by_atari(board: &Board, chain: Point) -> bool {
    let liberties = board.some_liberties::<3>(chain);
    liberties.len() == 2 && liberties.iter().any(|&atari| catches(board, atari, chain))
}

/// Returns whether a chain of two liberties is caught by ataris even if its side moves first, at a liberty or by a
/// capture beside it.
pub(crate) fn is_caught(board: &Board, chain: Point) -> bool {
    let liberties = board.some_liberties::<3>(chain);
    let Some(color) = board.stone(chain).filter(|_| liberties.len() == 2) else {
        return false;
    };
    let mut defences = captures_beside(board, chain, color).chain(liberties.iter().copied());
    !defences.any(|defence| escapes_by(board, chain, defence)) && is_caught_by_atari(board, chain)
}

/// A reading of one ladder.
struct Reading {
    /// The positions that may still be looked at.
    positions: u32,
}

impl Reading {
    /// Returns whether the chain, in atari and to move, escapes.
    fn escapes(&mut self, board: &Board, chain: Point) -> bool {
        let (Some(color), Some(last)) = (board.stone(chain), board.atari(chain)) else {
            return true;
        };
        if self.positions == 0 {
            return false;
        }
        self.positions -= 1;
        captures_beside(board, chain, color)
            .chain(core::iter::once(last))
            .any(|defence| self.defends(board, color, chain, defence))
    }

    /// Returns whether a defending move saves the chain.
    fn defends(&mut self, board: &Board, color: Color, chain: Point, defence: Point) -> bool {
        if !board.is_legal(color, defence) {
            return false;
        }
        let mut after = board.clone();
        after.play(color, defence);
        let liberties = after.some_liberties::<3>(chain);
        match *liberties {
            [one, other] => {
                !self.catches(&after, one, chain) && !self.catches(&after, other, chain)
            }
            [_] | [] => false,
            _ => true,
        }
    }

    /// Returns whether an atari on a chain of two liberties catches it.
    fn catches(&mut self, board: &Board, atari: Point, chain: Point) -> bool {
        let Some(color) = board.stone(chain) else {
            return false;
        };
        if !board.is_legal(!color, atari) || liberties_after::<2>(board, !color, atari) < 2 {
            return false;
        }
        let mut after = board.clone();
        after.play(!color, atari);
        after.atari(chain).is_some() && !self.escapes(&after, chain)
    }
}

/// Iterates over the points on which a side captures a chain that is beside one of its own.
fn captures_beside(board: &Board, chain: Point, color: Color) -> impl Iterator<Item = Point> {
    board
        .chain(chain)
        .flat_map(move |stone| board.stones_beside(!color, stone))
        .filter_map(|beside| board.atari(beside))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(diagram: &str) -> Board {
        diagram.parse().unwrap()
    }

    /// Black catches White's stone at C3, which has two liberties, in a ladder that begins with C4.
    const LADDER: &str = "\
        .......\n\
        .......\n\
        .......\n\
        .......\n\
        .XO....\n\
        ..XX...\n\
        .......";

    #[test]
    fn a_ladder_runs_into_the_edge() {
        let board = board(LADDER);
        let chain = "C3".parse().unwrap();
        assert_eq!(board.atari(chain), None);
        assert!(catches(&board, "C4".parse().unwrap(), chain));
        assert!(!catches(&board, "D3".parse().unwrap(), chain));
    }

    #[test]
    fn a_stone_in_its_way_breaks_a_ladder() {
        let breaker = "\
            ......O\n\
            .....O.\n\
            .......\n\
            .......\n\
            .XO....\n\
            ..XX...\n\
            .......";
        let board = board(breaker);
        assert!(!catches(
            &board,
            "C4".parse().unwrap(),
            "C3".parse().unwrap()
        ));
    }

    #[test]
    fn a_chain_escapes_by_capturing_what_surrounds_it() {
        // Black's stone at B3 is surrounded but for B2; White's at A3 has its last liberty at A2.
        let board = board(".....\nXO...\nOXO..\n..O..\n.....");
        let escapes =
            |defence: &str| escapes_by(&board, "B3".parse().unwrap(), defence.parse().unwrap());
        assert!(escapes("A2"));
        assert!(!escapes("E5"));
    }

    #[test]
    fn a_chain_without_room_is_caught() {
        let board = board("....\n.X..\nXOX.\nXO.X");
        // It runs along the edge and dies.
        let chain = "B1".parse().unwrap();
        assert_eq!(board.atari(chain), Some("C1".parse().unwrap()));
        assert!(!escapes_by(&board, chain, "C1".parse().unwrap()));
    }
}
