//! Ladders: whether a chain in atari can run.

use boardgame_core::Color;
use go_core::{Board, Point};

use crate::tactics::{captures, liberties_after};

/// The number of positions that one reading looks at; beyond it the chain counts as caught.
const MAX_POSITIONS: u32 = 150;

/// Returns whether a move of its side saves a chain that has one or two liberties: the chain reaches three liberties,
/// or two from which no atari catches it.
///
/// The attacker answers with atari alone, and the defender at the last liberty or with captures beside the chain,
/// so that the reading stays narrow.
pub(crate) fn escapes_by(board: &Board, chain: Point, defence: Point) -> bool {
    Reading::new(board, chain).is_some_and(|mut reading| reading.defends(0, defence))
}

/// Returns whether a side that plays atari on a point catches a chain of two liberties.
pub(crate) fn catches(board: &Board, atari: Point, chain: Point) -> bool {
    Reading::new(board, chain).is_some_and(|mut reading| reading.catches(0, atari))
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

/// A reading of one ladder, depth first. Positions are named by the number of moves that lead to them.
struct Reading<'a> {
    start: &'a Board,
    /// The boards after the moves, on the heap: a ladder may be longer than the stack of a thread has room for.
    boards: Vec<Box<Board>>,
    chain: Point,
    color: Color,
    /// The positions that may still be looked at.
    positions: u32,
}

impl<'a> Reading<'a> {
    /// Returns a reading of a chain, or `None` if the point has no stone.
    fn new(start: &'a Board, chain: Point) -> Option<Self> {
        Some(Self {
            start,
            boards: Vec::new(),
            chain,
            color: start.stone(chain)?,
            positions: MAX_POSITIONS,
        })
    }

    /// Returns the board after a number of moves.
    fn board(&self, moves: usize) -> &Board {
        match moves.checked_sub(1) {
            Some(last) => &self.boards[last],
            None => self.start,
        }
    }

    /// Plays the next move.
    fn play(&mut self, moves: usize, color: Color, point: Point) {
        if moves == self.boards.len() {
            self.boards.push(Box::new(self.board(moves).clone()));
        } else {
            let (before, after) = self.boards.split_at_mut(moves);
            let source = before.last().map_or(self.start, Box::as_ref);
            after[0].as_mut().clone_from(source);
        }
        self.boards[moves].play(color, point);
    }

    /// Returns whether the chain, in atari and to move, escapes.
    fn escapes(&mut self, moves: usize) -> bool {
        let Some(last) = self.board(moves).atari(self.chain) else {
            return true;
        };
        if self.positions == 0 {
            return false;
        }
        self.positions -= 1;
        let captures = captures_beside(self.board(moves), self.chain, self.color);
        let defences: Vec<Point> = captures.chain(core::iter::once(last)).collect();
        defences
            .into_iter()
            .any(|defence| self.defends(moves, defence))
    }

    /// Returns whether a defending move saves the chain.
    fn defends(&mut self, moves: usize, defence: Point) -> bool {
        let board = self.board(moves);
        if !board.is_legal(self.color, defence) {
            return false;
        }
        if let Some(saves) = self.saves_by_liberties(board, defence) {
            return saves;
        }
        self.play(moves, self.color, defence);
        let after = moves + 1;
        match *self.board(after).some_liberties::<3>(self.chain) {
            [one, other] => !self.catches(after, one) && !self.catches(after, other),
            [_] | [] => false,
            _ => true,
        }
    }

    /// Returns whether a move that extends the chain saves it, if its liberties then are enough to tell.
    fn saves_by_liberties(&self, board: &Board, extension: Point) -> Option<bool> {
        let id = board.chain_id(self.chain);
        let mut own = board.stones_beside(self.color, extension);
        if !own.any(|beside| board.chain_id(beside) == id) {
            return None;
        }
        match liberties_after::<3>(board, self.color, extension) {
            0 | 1 => Some(false),
            // Of captured stones, those that are not beside the chain are counted too.
            3 if !captures(board, self.color, extension) => Some(true),
            _ => None,
        }
    }

    /// Returns whether an atari on the chain, which has two liberties, catches it.
    fn catches(&mut self, moves: usize, atari: Point) -> bool {
        let (board, attacker) = (self.board(moves), !self.color);
        if !board.is_legal(attacker, atari) || liberties_after::<2>(board, attacker, atari) < 2 {
            return false;
        }
        self.play(moves, attacker, atari);
        self.board(moves + 1).atari(self.chain).is_some() && !self.escapes(moves + 1)
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
    fn a_long_ladder_needs_little_of_the_stack() {
        // 23 rows of the largest board: the ladder runs from corner to corner.
        let mut rows = vec![".".repeat(25); 25];
        rows[23] = format!(".XO{}", ".".repeat(22));
        rows[24] = format!("..XX{}", ".".repeat(21));
        let read = move || {
            let board = board(&rows.join("\n"));
            catches(&board, "C3".parse().unwrap(), "C2".parse().unwrap())
        };
        let thread = std::thread::Builder::new().stack_size(256 * 1024);
        assert!(thread.spawn(read).unwrap().join().unwrap());
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
