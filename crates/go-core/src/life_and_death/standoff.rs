//! Fights in which neither side gains by moving first.

use boardgame_core::{ByColor, Color};

use super::{
    part::{Part, State, Stones, bits},
    search::{Aim, End, Search},
};

/// Returns the living stones of a part, with outside liberties filled, if neither side gains points that have stones by
/// moving first, or `None` if one does or that is not found. `budget` is the number of positions that may be searched.
///
/// The search only asks whether something is gained, for which it needs far fewer positions than for the best line.
pub(super) fn standoff(part: &Part, budget: &mut u32) -> Option<[End; 2]> {
    let mut search = Search::new(part, Aim::Stones, budget);
    for first in Color::ALL {
        if !search.gains_nothing(State::new(part.stones, first))? {
            return None;
        }
    }
    let end = || End {
        stones: part.with_outside_filled(&part.living(&part.stones)),
        is_whole: true,
    };
    Some([end(), end()])
}

impl Part {
    /// Returns stones with those points filled that are liberties of one side alone and belong to the other's walls.
    fn with_outside_filled(&self, stones: &Stones) -> Stones {
        let mut filled = *stones;
        for area in self.areas_of(self.dame(stones)) {
            let around = self.around(area);
            for color in Color::ALL {
                if around & stones[!color] != 0 && around & stones[color] == 0 {
                    filled[color] |= area;
                }
            }
        }
        filled
    }

    /// Returns the moves of the side to move that matter in a fight, among `open`.
    ///
    /// Outside liberties lie between one side's stones and the other's living stones, with those connected to them. A
    /// side does not fill its own where that gains no liberty, and of a chain's of the opponent fills only the first.
    pub(super) fn fighting_moves(&self, state: &State, open: u64) -> u64 {
        let (own, other) = (state.to_move, !state.to_move);
        let stones = &state.stones;
        let empty = self.empty(stones);
        let anchored = ByColor::new_with(|color: Color| {
            self.flood(stones[color] & self.walls[color], stones[color])
        });
        let is_fought =
            |color: Color, area| self.around(area) & stones[color] & !anchored[color] != 0;
        let is_walled = |color: Color, area| {
            area & self.walls[color] != 0 || self.around(area) & anchored[color] != 0
        };
        let is_outside = |color: Color, area| {
            is_walled(!color, area) && !is_fought(!color, area) && !is_walled(color, area)
        };
        let is_far = !self.around(stones.black | stones.white);
        let mut moves = open & !(is_far & (self.walls.black | self.walls.white));
        for area in self.areas_of(empty) {
            if is_outside(own, area) {
                let liberties = self.around(stones[own]);
                let gained = |place: &usize| self.neighbours(*place) & empty & !liberties;
                for place in bits(moves & area).filter(|place| gained(place).count_ones() <= 1) {
                    moves &= !(1 << place);
                }
            } else if is_outside(other, area) {
                let surrounded = self.around(area) & stones[other];
                let chain = self.flood(surrounded & surrounded.wrapping_neg(), stones[other]);
                let reached = self.walls[own] | self.around(anchored[own]);
                let fills = moves & area & self.around(chain) & reached;
                if surrounded & !chain == 0 && fills != 0 {
                    moves &= !area | fills & fills.wrapping_neg();
                }
            }
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Board, PointSet, Random, Size, life_and_death::search::played_out, region::Region,
        unconditionally_alive,
    };

    const BUDGET: u32 = 1_000_000;

    /// Returns the part between the unconditionally alive stones of a board.
    fn inner_part(rows: &str) -> Part {
        let board: Board = rows.parse().unwrap();
        let alive = Color::ALL.map(|color| unconditionally_alive(&board, color));
        let regions = Region::all(&board, &(alive[0] | alive[1]));
        let has_stones =
            |region: &&Region| region.points.iter().any(|point| !board.is_empty(point));
        let region = regions.iter().find(has_stones).unwrap();
        Part::new(&board, &region.points).unwrap()
    }

    #[test]
    fn stones_that_capture_only_to_be_killed_are_left() {
        // Black's four stones around E1 are captured in two moves, and E1 then leaves White one eye.
        let part = inner_part(
            ". X . X X X X X X
             X X X X X X X X X
             X X X X X X X X X
             X X X X X X X X X
             X X X X X X X X X
             X . . . . . . X X
             X O O O O O O O X
             X O O O X O O O X
             . O . X X X . O .",
        );
        let ends = standoff(&part, &mut BUDGET.clone()).unwrap();
        for End { stones, .. } in ends {
            assert_eq!(part.left(&stones), part.stones);
            assert!(part.is_in_seki(&stones, Color::Black, "E2".parse().unwrap()));
            assert!(part.is_in_seki(&stones, Color::White, "D2".parse().unwrap()));
        }
    }

    #[test]
    fn a_side_that_gains_stones_by_moving_first_is_no_standoff() {
        // White captures five stones in a row of two and three, or Black plays elsewhere first.
        let part = inner_part(
            ". X . X X X X X X
             X X X X X X X X X
             X X X X X X X X X
             X X X X X X X X X
             X X X X X X X X X
             X . . . . . . X X
             X O O O O O O O X
             X O O O X X O O X
             . O . . X X . . O",
        );
        assert!(standoff(&part, &mut BUDGET.clone()).is_none());
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
            let ends = standoff.and_then(|left| Some((left, played_out(&part, &mut FEW.clone())?)));
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
