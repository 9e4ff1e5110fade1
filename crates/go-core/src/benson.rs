//! Unconditional life.

use alloc::vec::Vec;

use boardgame_core::Color;

use crate::{Board, Point, PointSet, region::Region};

/// A region with the chains around it, each identified by one of its stones.
struct Surroundings {
    chains: Vec<Point>,
    /// The chains for which every empty point of the region is a liberty.
    vital_to: Vec<Point>,
}

/// Returns the stones of a colour that are alive even if their side always passes, by Benson's algorithm, with suicide
/// forbidden.
///
/// David B. Benson, Life in the game of Go, Information Sciences 10 (1976): a set of chains is alive if each has two
/// vital regions whose surrounding chains are all in the set. A region is a connected set of points without stones of
/// the colour; it is vital to a chain if all its empty points are liberties of the chain.
///
/// # Examples
///
/// ```
/// use go_core::{Board, Color, unconditionally_alive};
///
/// let board: Board = "
///     . X . X .
///     X X X X .
///     . . . . .
///     O O O . .
///     . . O . .".parse()?;
/// assert_eq!(unconditionally_alive(&board, Color::Black).len(), 6);
/// assert!(unconditionally_alive(&board, Color::White).is_empty());
/// # Ok::<(), go_core::ParseBoardError>(())
/// ```
pub fn unconditionally_alive(board: &Board, color: Color) -> PointSet {
    let own = |&(_, stone): &(Point, Color)| stone == color;
    let stones: PointSet = board.stones().filter(own).map(|(point, _)| point).collect();
    let mut regions: Vec<_> = Region::all(board, &stones)
        .iter()
        .map(|region| surroundings(board, region))
        .collect();
    let mut chains = names(board, &stones);
    loop {
        let count = chains.len();
        let is_vital = |chain: &Point, region: &&Surroundings| region.vital_to.contains(chain);
        chains.retain(|chain| {
            regions
                .iter()
                .filter(|region| is_vital(chain, region))
                .count()
                >= 2
        });
        if chains.len() == count {
            break;
        }
        regions.retain(|region| region.chains.iter().all(|chain| chains.contains(chain)));
    }
    chains
        .iter()
        .flat_map(|&chain| board.chain(chain))
        .collect()
}

/// Returns one stone of each chain in a set of stones.
fn names(board: &Board, stones: &PointSet) -> Vec<Point> {
    let names: PointSet = stones
        .iter()
        .filter_map(|stone| board.chain_id(stone))
        .collect();
    names.iter().collect()
}

fn surroundings(board: &Board, region: &Region) -> Surroundings {
    let empty: PointSet = region
        .points
        .iter()
        .filter(|&point| board.is_empty(point))
        .collect();
    let chains = names(board, &region.walls);
    let is_vital = |chain: &&Point| empty.is_subset(&board.liberties(**chain));
    Surroundings {
        vital_to: chains.iter().filter(is_vital).copied().collect(),
        chains,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn alive(rows: &str, color: Color) -> std::string::String {
        unconditionally_alive(&rows.parse().unwrap(), color).to_string()
    }

    #[test]
    fn two_eyes_live_and_one_eye_does_not() {
        let two = ". X . X .\nX X X X .\n. . . . .\n. . . . .\n. . . . .";
        assert_eq!(alive(two, Color::Black), "A4 B4 C4 D4 B5 D5");
        assert_eq!(alive(two, Color::White), "");
        let one = ". X . . .\nX X . . .\n. . . . .\n. . . . .\n. . . . .";
        assert_eq!(alive(one, Color::Black), "");
    }

    #[test]
    fn chains_that_share_eyes_live_together() {
        // Two chains around the corner and around white stones with one liberty.
        let shared = ". X X X .\nX O O X .\nX O . X .\nX X X . .\n. . . . .";
        assert_eq!(alive(shared, Color::Black), "A2 B2 C2 A3 D3 A4 D4 B5 C5 D5");
        // B5 has only the eye in the corner, so all chains that depend on it die one after another.
        let false_eye = ". X O . .\nX O . . .\n. X O . .\nX X O . .\n. X O . .";
        assert_eq!(alive(false_eye, Color::Black), "");
    }

    #[test]
    fn stones_of_the_opponent_in_an_eye_are_not_empty_points() {
        // The three-point eye has a white stone, and both its empty points are liberties.
        let inside = ". O . X .\nX X X X X\n. . . . .\n. . . . .\n. . . . .";
        assert_eq!(alive(inside, Color::Black), "A4 B4 C4 D4 E4 D5");
        // In a larger eye, not all empty points are liberties.
        let large = ". . . X .\n. . . X X\nX X X X .\n. . . . .\n. . . . .";
        assert_eq!(alive(large, Color::Black), "");
        let empty = Board::new(crate::Size::NINE);
        assert!(unconditionally_alive(&empty, Color::White).is_empty());
    }
}
