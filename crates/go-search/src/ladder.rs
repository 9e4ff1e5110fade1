//! Ladders: whether a chain in atari can escape.

use boardgame_core::Color;
use go_core::{Board, Point};

use crate::tactics::{captures, liberties_after};

/// The maximum number of positions per ladder search; beyond it the chain counts as caught.
const MAX_POSITIONS: u32 = 150;

/// Returns whether a move of its side saves a chain with one or two liberties: the chain reaches three liberties, or
/// two liberties from which no atari catches it.
///
/// To keep the search narrow, the attacker plays only ataris, and the defender only the last liberty or captures of
/// adjacent chains.
pub(crate) fn escapes_by(board: &Board, chain: Point, defence: Point) -> bool {
    Reading::new(board, chain).is_some_and(|mut reading| reading.defends(0, defence))
}

/// Returns whether an atari on a point catches a chain with two liberties.
pub(crate) fn catches(board: &Board, atari: Point, chain: Point) -> bool {
    Reading::new(board, chain).is_some_and(|mut reading| reading.catches(0, atari))
}

/// Returns whether a chain has two liberties and is caught by an atari at one of them.
pub(crate) fn is_caught_by_atari(board: &Board, chain: Point) -> bool {
    let liberties = board.some_liberties::<3>(chain);
    liberties.len() == 2 && liberties.iter().any(|&atari| catches(board, atari, chain))
}

/// Returns whether a chain with two liberties is caught by ataris even if its side moves first, at a liberty or with a
/// capture next to it.
pub(crate) fn is_caught(board: &Board, chain: Point) -> bool {
    let liberties = board.some_liberties::<3>(chain);
    let Some(color) = board.stone(chain).filter(|_| liberties.len() == 2) else {
        return false;
    };
    let mut defences = adjacent_captures(board, chain, color).chain(liberties.iter().copied());
    !defences.any(|defence| escapes_by(board, chain, defence)) && is_caught_by_atari(board, chain)
}

/// A depth-first search of one ladder. Positions are identified by the number of moves leading to them.
struct Reading<'a> {
    start: &'a Board,
    /// The boards after the moves, on the heap, because a ladder may be too long for a thread's stack.
    boards: Vec<Box<Board>>,
    chain: Point,
    color: Color,
    /// The number of positions that may still be searched.
    positions: u32,
}

impl<'a> Reading<'a> {
    /// Creates a search for a chain, or returns `None` if the point has no stone.
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

    /// Returns whether the chain escapes, in atari with its side to move.
    fn escapes(&mut self, moves: usize) -> bool {
        let Some(last) = self.board(moves).atari(self.chain) else {
            return true;
        };
        if self.positions == 0 {
            return false;
        }
        self.positions -= 1;
        let captures = adjacent_captures(self.board(moves), self.chain, self.color);
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

    /// Returns whether a move that extends the chain saves it, if its number of liberties decides that.
    fn saves_by_liberties(&self, board: &Board, extension: Point) -> Option<bool> {
        let id = board.chain_id(self.chain);
        let mut own = board.neighbour_stones(self.color, extension);
        if !own.any(|neighbour| board.chain_id(neighbour) == id) {
            return None;
        }
        match liberties_after::<3>(board, self.color, extension) {
            0 | 1 => Some(false),
            // Captured stones that are not adjacent to the chain are counted too.
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

/// Iterates over the points where a side captures a chain adjacent to one of its own.
fn adjacent_captures(board: &Board, chain: Point, color: Color) -> impl Iterator<Item = Point> {
    board
        .chain(chain)
        .flat_map(move |stone| board.neighbour_stones(!color, stone))
        .filter_map(|neighbour| board.atari(neighbour))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(diagram: &str) -> Board {
        diagram.parse().unwrap()
    }

    /// Black catches White's stone at C3, which has two liberties, in a ladder that starts with C4.
    const LADDER: &str = "\
        .......\n\
        .......\n\
        .......\n\
        .......\n\
        .XO....\n\
        ..XX...\n\
        .......";

    #[test]
    fn a_ladder_ends_at_the_edge() {
        let board = board(LADDER);
        let chain = "C3".parse().unwrap();
        assert_eq!(board.atari(chain), None);
        assert!(catches(&board, "C4".parse().unwrap(), chain));
        assert!(!catches(&board, "D3".parse().unwrap(), chain));
    }

    #[test]
    fn a_ladder_breaker_saves_the_chain() {
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
    fn a_chain_escapes_by_capturing_its_attackers() {
        // Black's stone at B3 has its last liberty at B2, White's stone at A3 at A2.
        let board = board(".....\nXO...\nOXO..\n..O..\n.....");
        let escapes =
            |defence: &str| escapes_by(&board, "B3".parse().unwrap(), defence.parse().unwrap());
        assert!(escapes("A2"));
        assert!(!escapes("E5"));
    }

    #[test]
    fn a_long_ladder_needs_little_stack() {
        // 23 rows of the largest board: the ladder goes from corner to corner.
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
