//! A small part of a board: its moves, areas and living stones.

use alloc::vec::Vec;

use boardgame_core::{ByColor, Color};

use super::rows::{MAX_POINTS, Rows};
use crate::{Board, Point, PointSet};

/// The maximum number of empty points of a part.
pub(super) const MAX_EMPTY: usize = 12;
/// The maximum number of points in which no group can live that the opponent's living stones surround: the smallest
/// one, in a corner, has six stones and two eyes.
const TOO_SMALL: u32 = 7;

/// A part of a board that is bounded by stones that cannot be captured.
///
/// A set of its points is a word with a bit for the place of each point.
pub(super) struct Part {
    points: Vec<Point>,
    /// The place of each point.
    places: Vec<u8>,
    /// All places.
    all: u64,
    /// The rectangle whose places are the points', if they fit in one that is small enough.
    rows: Option<Rows>,
    /// The neighbours in the part, by place.
    neighbours: [u64; MAX_POINTS],
    /// The points next to stones of each side outside the part.
    pub(super) walls: ByColor<u64>,
    /// The stones of the part.
    pub(super) stones: ByColor<u64>,
}

/// The stones of a part at the end of a line.
pub(super) type Stones = ByColor<u64>;

impl Part {
    /// Returns a part of a board, or `None` if it is too large to be searched.
    pub(super) fn new(board: &Board, part: &PointSet) -> Option<Self> {
        let points: Vec<Point> = part.iter().collect();
        let empty = points.iter().filter(|&&point| board.is_empty(point));
        if points.len() > MAX_POINTS || empty.count() > MAX_EMPTY {
            return None;
        }
        let rows = Rows::around_points(&points);
        let places: Vec<u8> = match &rows {
            Some(rows) => points.iter().map(|&point| rows.place(point)).collect(),
            None => (0..points.len() as u8).collect(),
        };
        let mut part = Self {
            all: union(places.iter().map(|place| 1 << place)),
            points,
            places,
            rows,
            neighbours: [0; MAX_POINTS],
            walls: ByColor::default(),
            stones: ByColor::default(),
        };
        for index in 0..part.points.len() {
            let (point, place) = (part.points[index], usize::from(part.places[index]));
            if let Some(color) = board.stone(point) {
                part.stones[color] |= 1 << place;
            }
            for neighbour in board.neighbours(point) {
                if let Some(bit) = part.bit(neighbour) {
                    part.neighbours[place] |= bit;
                } else if let Some(color) = board.stone(neighbour) {
                    part.walls[color] |= 1 << place;
                }
            }
        }
        Some(part)
    }

    /// Returns the stones of the part that are left at the end of a line.
    pub(super) fn left(&self, end: &Stones) -> Stones {
        ByColor::new_with(|color: Color| self.stones[color] & end[color])
    }

    /// Returns whether a side has a stone on a point.
    pub(super) fn has_stone(&self, stones: &Stones, color: Color, point: Point) -> bool {
        self.bit(point).is_some_and(|bit| stones[color] & bit != 0)
    }

    /// Returns the stones of the part that are left in seki at the end of a line: their chains border dame and have no
    /// two eyes.
    pub(super) fn left_in_seki(&self, end: &Stones) -> Stones {
        let dame = self.dame(end);
        ByColor::new_with(|color: Color| {
            let immortal = self.immortal(end, color);
            let is_in_seki = |&chain: &u64| self.around(chain) & dame != 0 && chain & immortal == 0;
            self.stones[color] & union(self.areas_of(end[color]).filter(is_in_seki))
        })
    }

    /// Returns the empty points of areas that both sides border.
    pub(super) fn dame(&self, stones: &Stones) -> u64 {
        let settled = self.settled(stones);
        let open = self.empty(stones) & !(settled.black | settled.white);
        let is_shared = |&area: &u64| {
            Color::ALL
                .iter()
                .all(|&side| self.touches(stones, side, area))
        };
        union(self.areas_of(open).filter(is_shared))
    }

    /// Iterates over the connected areas of a set.
    pub(super) fn areas_of(&self, set: u64) -> impl Iterator<Item = u64> {
        self.areas_with(set, set)
    }

    /// Iterates over the connected areas of a set that contain points of `some`, a part of it.
    fn areas_with(&self, some: u64, set: u64) -> impl Iterator<Item = u64> {
        let mut left = some;
        core::iter::from_fn(move || {
            let area = (left != 0).then(|| self.flood(left & left.wrapping_neg(), set))?;
            left &= !area;
            Some(area)
        })
    }

    fn bit(&self, point: Point) -> Option<u64> {
        let index = self.points.binary_search(&point).ok()?;
        Some(1 << self.places[index])
    }

    pub(super) fn empty(&self, stones: &Stones) -> u64 {
        self.all & !(stones.black | stones.white)
    }

    /// Returns the points next to a set, some of which may be in it.
    pub(super) fn around(&self, set: u64) -> u64 {
        match &self.rows {
            Some(rows) => rows.around(set) & self.all,
            None => bits(set).fold(0, |around, place| around | self.neighbours[place]),
        }
    }

    /// Returns the connected points of `within` that contain `from`.
    pub(super) fn flood(&self, from: u64, within: u64) -> u64 {
        let (mut reached, mut new) = (from, from);
        while new != 0 {
            new = self.around(new) & within & !reached;
            reached |= new;
        }
        reached
    }

    /// Returns whether a set of empty points borders a side's stones.
    fn touches(&self, stones: &Stones, side: Color, set: u64) -> bool {
        set & self.walls[side] != 0 || self.around(set) & stones[side] != 0
    }

    /// Returns whether a chain has a liberty or is connected to stones that cannot be captured.
    fn is_safe(&self, stones: &Stones, color: Color, chain: u64) -> bool {
        chain & self.walls[color] != 0 || self.around(chain) & self.empty(stones) != 0
    }

    /// Returns the stones of a side that cannot be captured: those connected to the stones around the part, and chains
    /// with two eyes of their own.
    fn immortal(&self, stones: &Stones, color: Color) -> u64 {
        let is_immortal = |&chain: &u64| {
            chain & self.walls[color] != 0 || self.has_two_eyes(stones, color, chain)
        };
        union(self.areas_of(stones[color]).filter(is_immortal))
    }

    /// Returns whether a chain alone surrounds two areas whose empty points are all its liberties.
    fn has_two_eyes(&self, stones: &Stones, color: Color, chain: u64) -> bool {
        let walls = self.walls.black | self.walls.white;
        let is_eye = |&area: &u64| {
            let is_closed = area & walls == 0 && self.around(area) & !area & !chain == 0;
            is_closed && area & self.empty(stones) & !self.around(chain) == 0
        };
        let others = self.all & !stones[color];
        let areas = self.areas_with(self.around(chain) & others, others);
        areas.filter(is_eye).count() >= 2
    }

    /// Returns the points of small areas that belong to the side whose living stones surround them.
    pub(super) fn settled(&self, stones: &Stones) -> Stones {
        ByColor::new_with(|color: Color| {
            let immortal = self.immortal(stones, color);
            // A whole board without living stones is an area that nothing surrounds.
            let is_settled = |&area: &u64| {
                area.count_ones() <= TOO_SMALL
                    && area & self.walls[!color] == 0
                    && (area & self.walls[color] != 0 || self.around(area) & immortal != 0)
            };
            union(self.areas_of(self.all & !immortal).filter(is_settled))
        })
    }

    /// Returns the area of each side, in which small areas belong to the side that surrounds them.
    fn areas(&self, stones: &Stones) -> Stones {
        let settled = self.settled(stones);
        ByColor::new_with(|color: Color| stones[color] & !settled[!color] | settled[color])
    }

    /// Returns the stones that are not in small areas of the opponent.
    pub(super) fn living(&self, stones: &Stones) -> Stones {
        let settled = self.settled(stones);
        ByColor::new_with(|color: Color| stones[color] & !settled[!color])
    }

    /// Returns the points that each side owns: its area, and empty points that only it borders.
    pub(super) fn owned(&self, stones: &Stones) -> Stones {
        let mut owned = self.areas(stones);
        for region in self.areas_of(self.empty(stones) & !(owned.black | owned.white)) {
            match Color::ALL.map(|side| self.touches(stones, side, region)) {
                [true, false] => owned.black |= region,
                [false, true] => owned.white |= region,
                _ => {}
            }
        }
        owned
    }

    /// Returns the state after a stone, or `None` if the stone is illegal or fills an eye of one chain.
    pub(super) fn play(&self, state: &State, place: usize) -> Option<State> {
        let (color, bit) = (state.to_move, 1 << place);
        let mut stones = state.stones;
        if state.ko == bit || self.is_eye(&stones, color, place) {
            return None;
        }
        stones[color] |= bit;
        let mut captured = 0;
        for neighbour in bits(self.neighbours[place] & stones[!color]) {
            let chain = self.flood(1 << neighbour, stones[!color]);
            if !self.is_safe(&stones, !color, chain) {
                captured |= chain;
            }
        }
        stones[!color] &= !captured;
        let chain = self.flood(bit, stones[color]);
        if !self.is_safe(&stones, color, chain) {
            return None;
        }
        let is_ko = captured.is_power_of_two()
            && chain == bit
            && bit & self.walls[color] == 0
            && self.neighbours[place] & self.empty(&stones) == captured;
        Some(State {
            stones,
            ko: if is_ko { captured } else { 0 },
            has_passed: false,
            to_move: !color,
        })
    }

    /// Returns whether all neighbours of a point are stones of one chain: filling it gains nothing.
    fn is_eye(&self, stones: &Stones, color: Color, place: usize) -> bool {
        let (bit, beside) = (1 << place, self.neighbours[place]);
        if self.walls[!color] & bit != 0 || beside & !stones[color] != 0 {
            return false;
        }
        let chain = self.flood(beside & beside.wrapping_neg(), stones[color]);
        let is_at_wall = self.walls[color] & bit != 0;
        beside & !chain == 0 && (!is_at_wall || beside == 0 || chain & self.walls[color] != 0)
    }
}

/// Returns the points of all sets.
fn union(sets: impl Iterator<Item = u64>) -> u64 {
    sets.fold(0, |union, set| union | set)
}

/// Iterates over the places of the bits of a set.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(place)
    })
}

/// A position of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) stones: Stones,
    /// The point at which the side to move may not retake a ko.
    ko: u64,
    /// True if the last move was a pass.
    pub(super) has_passed: bool,
    pub(super) to_move: Color,
}

impl State {
    pub(super) fn new(stones: Stones, to_move: Color) -> Self {
        Self {
            stones,
            ko: 0,
            has_passed: false,
            to_move,
        }
    }

    pub(super) fn passed(self) -> Self {
        Self {
            ko: 0,
            has_passed: true,
            to_move: !self.to_move,
            ..self
        }
    }

    /// Returns a hash of the state with 24 bits.
    pub(super) fn hash(&self) -> usize {
        let mut hash = self.stones.black.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 32 ^ self.stones.white).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let flags = u64::from(self.has_passed) | (self.to_move as u64) << 1;
        hash = (hash ^ hash >> 32 ^ self.ko ^ flags << 62).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 40) as usize
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::region::Region;

    /// A whole board as one part.
    pub(in crate::life_and_death) fn whole(rows: &str) -> Part {
        let board: Board = rows.parse().unwrap();
        let parts: Vec<_> = Region::all(&board, &PointSet::default())
            .into_iter()
            .collect();
        Part::new(&board, &parts[0].points).unwrap()
    }

    /// Returns the part of a board outside its capital letters, which are living stones.
    pub(in crate::life_and_death) fn walled(rows: &str) -> Part {
        let board: Board = rows.to_uppercase().parse().unwrap();
        let inside: Board = rows
            .replace(['X', 'O'], ".")
            .to_uppercase()
            .parse()
            .unwrap();
        let is_inside = |&point: &Point| !inside.is_empty(point) || board.is_empty(point);
        let points = board.size().points().filter(is_inside).collect();
        Part::new(&board, &points).unwrap()
    }

    #[test]
    fn a_small_board_without_walls_is_counted_by_its_stones() {
        let part = whole("X .\n. .");
        assert_eq!(
            part.owned(&part.stones),
            Stones {
                black: 0b1111,
                white: 0
            }
        );
        assert_eq!(part.living(&part.stones), part.stones);
    }
}
