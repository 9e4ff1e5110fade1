//! Fights in which neither side gains by moving first.

use boardgame_core::Color;

use super::{
    part::{Part, State, Stones, bits},
    search::{Aim, End, Search},
};

/// The maximum number of positions searched with one side first.
const MAX_NODES: u32 = 1_500_000;

/// Returns the living stones of a part, with outside liberties filled, if neither side gains points that have stones by
/// moving first, or `None` if one does or that is not found. Takes the positions searched from `nodes_left`.
///
/// The search only asks whether something is gained, for which it needs far fewer positions than for the best line. It
/// leaves out moves that hardly ever matter, and so it may be wrong.
pub(super) fn standoff(part: &Part, nodes_left: &mut u32) -> Option<[End; 2]> {
    let mut search = Search::new(part, Aim::Stones);
    for first in Color::ALL {
        let nodes = MAX_NODES.min(*nodes_left);
        search.nodes_left = nodes;
        let gains_nothing = search.gains_nothing(State::new(part.stones, first));
        *nodes_left -= nodes - search.nodes_left;
        if gains_nothing != Some(true) {
            return None;
        }
    }
    let stones = part.with_outside_filled(&part.living(&part.stones));
    Some([End::new(part, stones, true); 2])
}

impl Part {
    /// Returns the stones of a side that are connected to its stones around the part.
    fn anchored(&self, stones: &Stones, color: Color) -> u64 {
        self.flood(stones[color] & self.walls[color], stones[color])
    }

    /// Returns whether an empty area borders the walls of a side, or stones connected to them.
    fn is_walled(&self, stones: &Stones, color: Color, area: u64) -> bool {
        area & self.walls[color] != 0 || self.around(area) & self.anchored(stones, color) != 0
    }

    /// Returns whether an empty area is outside a side: it borders walls of the opponent, or stones connected to them,
    /// no other stones of the opponent, and no walls of the side.
    fn is_outside(&self, stones: &Stones, color: Color, area: u64) -> bool {
        let fighting = stones[!color] & !self.anchored(stones, !color);
        self.is_walled(stones, !color, area)
            && !self.is_walled(stones, color, area)
            && self.around(area) & fighting == 0
    }

    /// Returns the stones after each side has filled the outside liberties that border its walls.
    fn with_outside_filled(&self, stones: &Stones) -> Stones {
        let mut filled = *stones;
        for area in self.areas_of(self.dame(stones)) {
            for color in Color::ALL {
                if self.is_outside(stones, !color, area) {
                    filled[color] |= area;
                }
            }
        }
        filled
    }

    /// Returns the moves of the side to move that matter in a fight, among `open`.
    ///
    /// In its own outside areas a side plays only where that may gain liberties or an eye. In the opponent's it fills
    /// only the first liberty of the chain there, since the order hardly matters.
    pub(super) fn fighting_moves(&self, state: &State, open: u64) -> u64 {
        let (own, other) = (state.to_move, !state.to_move);
        let mut moves = open;
        for area in self.areas_of(self.empty(&state.stones)) {
            if self.is_outside(&state.stones, own, area) {
                for place in bits(moves & area).filter(|&place| self.is_idle(state, area, place)) {
                    moves &= !(1 << place);
                }
            } else if self.is_outside(&state.stones, other, area) {
                let fill = self.first_fill(state, moves & area);
                moves &= !area | fill.unwrap_or(area);
            }
        }
        moves
    }

    /// Returns whether a move in an own outside area joins no chains, gains no liberty, and makes no eye.
    fn is_idle(&self, state: &State, area: u64, place: usize) -> bool {
        let (stones, own, bit) = (&state.stones, state.to_move, 1 << place);
        let beside = self.around(bit) & stones[own];
        let chain = self.flood(beside & beside.wrapping_neg(), stones[own]);
        let gained = self.around(bit) & self.empty(stones) & !self.around(chain);
        let may_gain = chain != 0 && gained.count_ones() > 1;
        let mut rest = self.areas_of(area & !bit);
        beside & !chain == 0 && !may_gain && rest.all(|rest| self.is_walled(stones, !own, rest))
    }

    /// Returns the first of a side's moves that fills a liberty of the only chain there and is connected to its walls.
    fn first_fill(&self, state: &State, moves: u64) -> Option<u64> {
        let (stones, own, other) = (&state.stones, state.to_move, !state.to_move);
        let beside = self.around(moves) & stones[other];
        let chain = self.flood(beside & beside.wrapping_neg(), stones[other]);
        let connected = self.walls[own] | self.around(self.anchored(stones, own));
        let fills = moves & self.around(chain) & connected;
        (beside & !chain == 0 && fills != 0).then(|| fills & fills.wrapping_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Board, PointSet, Random, Size, life_and_death::search::played_out, region::Region,
        unconditionally_alive,
    };
    use std::format;

    const BUDGET: u32 = 1_000_000;

    /// Returns a part in which White can capture four stones around E1 in two moves; E1 then leaves it one eye.
    fn nakade(a2: char) -> Part {
        let wall = "X X X X X X X X X\n".repeat(4);
        let rows = format!(
            ". X . X X X X X X
             {wall}
             X . . . . . . X X
             X O O O O O O O X
             {a2} O O O X O O O X
             . O . X X X . O ."
        );
        let board: Board = rows.parse().unwrap();
        let walls = unconditionally_alive(&board, Color::Black);
        let has_stones =
            |region: &&Region| region.points.iter().any(|point| !board.is_empty(point));
        let regions = Region::all(&board, &walls);
        let region = regions.iter().find(has_stones).unwrap();
        Part::new(&board, &region.points).unwrap()
    }

    #[test]
    fn stones_that_capture_only_to_be_killed_are_left() {
        let part = nakade('X');
        let ends = standoff(&part, &mut BUDGET.clone()).unwrap();
        for End { stones, seki, .. } in ends {
            assert_eq!(part.left(&stones), part.stones);
            assert!(part.has_stone(&seki, Color::Black, "E2".parse().unwrap()));
            assert!(part.has_stone(&seki, Color::White, "D2".parse().unwrap()));
        }
    }

    #[test]
    fn an_eye_in_an_outside_area_decides() {
        // White's A2 makes an eye at A1.
        let part = nakade('.');
        let mut search = Search::new(&part, Aim::Stones);
        search.nodes_left = BUDGET;
        let start = State::new(part.stones, Color::White);
        assert_eq!(search.gains_nothing(start), Some(false));
    }

    #[test]
    fn standoffs_of_small_boards_are_left_when_played_out() {
        const FEW: u32 = 10_000;
        let mut random = Random::new(1);
        let mut found = 0;
        for number in 0..300 {
            let mut board = Board::new(Size::new(3 + number as u8 % 2).unwrap());
            for color in Color::ALL.into_iter().cycle().take(4 + number % 10) {
                if let Some(point) = board.random_move(color, &mut random) {
                    board.play(color, point);
                }
            }
            let part = Part::new(&board, &PointSet::all(board.size())).unwrap();
            let standoff = standoff(&part, &mut FEW.clone());
            let ends = standoff.and_then(|left| Some((left, played_out(&part)?)));
            let Some((left, ends)) = ends else {
                continue;
            };
            found += 1;
            for (left, end) in left.iter().zip(&ends) {
                assert_eq!(part.left(&left.stones), part.left(&end.stones), "{board}");
            }
        }
        assert!(found >= 50, "{found}");
    }
}
