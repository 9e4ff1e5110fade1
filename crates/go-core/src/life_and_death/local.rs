//! Search of a small part of a board.

use alloc::{vec, vec::Vec};
use core::ops::RangeInclusive;

use boardgame_core::{ByColor, Color};

use crate::{Board, Point, PointSet};

/// The maximum number of points of a part, which are the bits of a word.
const MAX_POINTS: usize = 64;
/// The maximum number of empty points of a part.
const MAX_EMPTY: usize = 12;
/// The maximum number of positions of all searches that play out a part.
const MAX_NODES: u32 = 150_000;
/// The depths of searches, in moves and passes: each deepens by two.
const DEPTHS: RangeInclusive<u32> = 4..=40;
/// The minimum depth of a search that counts although it did not reach the end of all lines.
const MIN_DEPTH: u32 = 16;
/// The number of searches before it that must agree with it.
const AGREEING: u32 = 2;
/// The maximum number of points in which no group can live that the opponent's living stones surround: the smallest
/// one, in a corner, has six stones and two eyes.
const TOO_SMALL: u32 = 7;
/// The minimum number of captured stones after which a line ends: their side hardly lives again in their place.
const DECISIVE: u32 = 8;
/// The number of entries of the table of known values, a power of two.
const ENTRIES: usize = 1 << 14;
/// More than the value of any position.
const INFINITY: i32 = 100;

/// A part of a board that is bounded by stones that cannot be captured.
///
/// A set of its points is a word with a bit for each point.
pub(super) struct Local {
    points: Vec<Point>,
    /// The neighbours of each point in the part.
    neighbours: Vec<u64>,
    /// The points next to stones of each side outside the part.
    walls: ByColor<u64>,
    stones: ByColor<u64>,
}

/// The stones of a part at the end of a line.
pub(super) type Stones = ByColor<u64>;

impl Local {
    /// Returns a part of a board, or `None` if it is too large to be searched.
    pub(super) fn new(board: &Board, part: &PointSet) -> Option<Self> {
        let points: Vec<Point> = part.iter().collect();
        let empty = points.iter().filter(|&&point| board.is_empty(point));
        if points.len() > MAX_POINTS || empty.count() > MAX_EMPTY {
            return None;
        }
        let mut local = Self {
            neighbours: vec![0; points.len()],
            points,
            walls: ByColor::default(),
            stones: ByColor::default(),
        };
        for place in 0..local.points.len() {
            let point = local.points[place];
            if let Some(color) = board.stone(point) {
                local.stones[color] |= 1 << place;
            }
            for neighbour in board.neighbours(point) {
                if let Some(bit) = local.bit(neighbour) {
                    local.neighbours[place] |= bit;
                } else if let Some(color) = board.stone(neighbour) {
                    local.walls[color] |= 1 << place;
                }
            }
        }
        Some(local)
    }

    /// Returns the living stones after the best moves of both sides until they pass, or `None` if that is not found.
    ///
    /// A side's aim is the area: its stones and the points that only it surrounds. A position must not occur twice, and
    /// there are no threats elsewhere, so the side that takes a ko keeps it. Of equal moves a pass is preferred. The
    /// search deepens until it reaches the end of all lines, and then the result is exact, or until three searches in a
    /// row that did not reach it agree on the living stones, and then it may be wrong.
    pub(super) fn played_out(&self, first: Color) -> Option<Stones> {
        let start = State::new(self.stones, first);
        let mut search = Search::new(self);
        let end = search.deepened(start)?.end;
        search.with_dame_filled(end, first)
    }

    /// Returns the stones of the part that are left at the end of a line.
    fn left(&self, end: &Stones) -> Stones {
        ByColor::new_with(|color: Color| self.stones[color] & end[color])
    }

    /// Returns whether a side has a stone on a point.
    pub(super) fn has_stone(&self, stones: &Stones, color: Color, point: Point) -> bool {
        self.bit(point).is_some_and(|bit| stones[color] & bit != 0)
    }

    /// Returns whether the chain on a point borders dame and has no two eyes.
    pub(super) fn is_in_seki(&self, stones: &Stones, color: Color, point: Point) -> bool {
        let stone = self.bit(point).unwrap_or_default();
        let chain = self.flood(stone, stones[color]);
        self.around(chain) & self.dame(stones) != 0 && chain & self.immortal(stones, color) == 0
    }

    /// Returns the empty points of areas that both sides border.
    fn dame(&self, stones: &Stones) -> u64 {
        let settled = self.settled(stones);
        let (mut dame, empty) = (0, self.empty(stones));
        let mut left = empty & !(settled.black | settled.white);
        while left != 0 {
            let area = self.flood(left & left.wrapping_neg(), empty);
            if Color::ALL
                .iter()
                .all(|&side| self.touches(stones, side, area))
            {
                dame |= area;
            }
            left &= !area;
        }
        dame
    }

    fn bit(&self, point: Point) -> Option<u64> {
        let place = self.points.binary_search(&point).ok()?;
        Some(1 << place)
    }

    fn all(&self) -> u64 {
        u64::MAX >> (MAX_POINTS - self.points.len())
    }

    fn empty(&self, stones: &Stones) -> u64 {
        self.all() & !(stones.black | stones.white)
    }

    /// Returns the points next to a set, some of which may be in it.
    fn around(&self, set: u64) -> u64 {
        bits(set).fold(0, |around, place| around | self.neighbours[place])
    }

    /// Returns the connected points of `within` that contain `from`.
    fn flood(&self, from: u64, within: u64) -> u64 {
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
        let (mut immortal, mut left) = (0, stones[color]);
        while left != 0 {
            let chain = self.flood(left & left.wrapping_neg(), stones[color]);
            if chain & self.walls[color] != 0 || self.has_two_eyes(stones, color, chain) {
                immortal |= chain;
            }
            left &= !chain;
        }
        immortal
    }

    /// Returns whether a chain alone surrounds two areas whose empty points are all its liberties.
    fn has_two_eyes(&self, stones: &Stones, color: Color, chain: u64) -> bool {
        let (mut open, mut eyes) = (self.around(chain) & !stones[color], 0);
        let walls = self.walls.black | self.walls.white;
        while open != 0 {
            let area = self.flood(open & open.wrapping_neg(), self.all() & !stones[color]);
            let is_closed = area & walls == 0 && self.around(area) & !area & !chain == 0;
            let is_vital = area & self.empty(stones) & !self.around(chain) == 0;
            eyes += u32::from(is_closed && is_vital);
            open &= !area;
        }
        eyes >= 2
    }

    /// Returns the points of small areas that belong to the side whose living stones surround them.
    fn settled(&self, stones: &Stones) -> Stones {
        ByColor::new_with(|color: Color| {
            let immortal = self.immortal(stones, color);
            let (mut settled, mut left) = (0, self.all() & !immortal);
            while left != 0 {
                let area = self.flood(left & left.wrapping_neg(), left);
                // A whole board without living stones is an area that nothing surrounds.
                let is_surrounded = area & self.walls[!color] == 0
                    && (area & self.walls[color] != 0 || self.around(area) & immortal != 0);
                if area.count_ones() <= TOO_SMALL && is_surrounded {
                    settled |= area;
                }
                left &= !area;
            }
            settled
        })
    }

    /// Returns the area of each side, in which small areas belong to the side that surrounds them.
    fn areas(&self, stones: &Stones) -> Stones {
        let settled = self.settled(stones);
        ByColor::new_with(|color: Color| stones[color] & !settled[!color] | settled[color])
    }

    /// Returns the stones that are not in small areas of the opponent.
    fn living(&self, stones: &Stones) -> Stones {
        let settled = self.settled(stones);
        ByColor::new_with(|color: Color| stones[color] & !settled[!color])
    }

    /// Returns Black's area minus White's.
    fn area(&self, stones: &Stones) -> i32 {
        let areas = self.areas(stones);
        let mut area = areas.black.count_ones() as i32 - areas.white.count_ones() as i32;
        let mut empty = self.empty(stones) & !(areas.black | areas.white);
        while empty != 0 {
            let region = self.flood(empty & empty.wrapping_neg(), empty);
            let size = region.count_ones() as i32;
            area += match Color::ALL.map(|side| self.touches(stones, side, region)) {
                [true, false] => size,
                [false, true] => -size,
                _ => 0,
            };
            empty &= !region;
        }
        area
    }

    /// Returns the state after a stone, or `None` if the stone is illegal or fills an eye of one chain.
    fn play(&self, state: &State, place: usize) -> Option<State> {
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

/// Returns the sign of Black's points from a side's point of view.
const fn sign(color: Color) -> i32 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

/// Iterates over the places of the bits of a set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(place)
    })
}

/// A position of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    stones: Stones,
    /// The point at which the side to move may not retake a ko.
    ko: u64,
    /// Whether the last move was a pass.
    has_passed: bool,
    to_move: Color,
}

impl State {
    fn new(stones: Stones, to_move: Color) -> Self {
        Self {
            stones,
            ko: 0,
            has_passed: false,
            to_move,
        }
    }

    fn passed(self) -> Self {
        Self {
            ko: 0,
            has_passed: true,
            to_move: !self.to_move,
            ..self
        }
    }

    /// Returns the entry of the table where the state is kept.
    fn entry(&self) -> usize {
        let mut hash = self.stones.black.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 32 ^ self.stones.white).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let flags = u64::from(self.has_passed) | (self.to_move as u64) << 1;
        hash = (hash ^ hash >> 32 ^ self.ko ^ flags << 62).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 40) as usize % ENTRIES
    }
}

/// The best line from a state.
#[derive(Clone, Copy)]
struct Line {
    /// The area of the side to move minus the opponent's at the end.
    value: i32,
    end: Stones,
    /// Whether both sides have passed.
    is_end: bool,
}

impl Line {
    /// Returns the line from the other side's point of view.
    fn of_opponent(self) -> Self {
        Self {
            value: -self.value,
            ..self
        }
    }
}

/// A known line, which is the best of its depth unless its value is at or outside the bounds of the search.
#[derive(Clone, Copy)]
struct Known {
    state: State,
    line: Line,
    depth: u32,
    /// Whether the search reached its depth before the end of a line.
    is_cut: bool,
    bounds: (i32, i32),
    /// The place of the best move, if it is a stone.
    best: Option<usize>,
}

impl Known {
    /// Returns whether the line is the answer to a search with these bounds.
    fn answers(&self, alpha: i32, beta: i32) -> bool {
        let value = self.line.value;
        (value > self.bounds.0 || value <= alpha) && (value < self.bounds.1 || value >= beta)
    }
}

struct Search<'a> {
    local: &'a Local,
    nodes: u32,
    /// The positions of the current line, which must not recur.
    path: Vec<Stones>,
    /// Whether the search reached its depth before the end of a line.
    is_cut: bool,
    /// The first position of the line whose recurrence was refused below the current state.
    earliest: usize,
    table: Vec<Option<Known>>,
}

impl<'a> Search<'a> {
    fn new(local: &'a Local) -> Self {
        Self {
            local,
            nodes: 0,
            path: Vec::new(),
            earliest: usize::MAX,
            is_cut: false,
            table: vec![None; ENTRIES],
        }
    }

    /// Returns the best line from a state by searches that become deeper.
    fn deepened(&mut self, start: State) -> Option<Line> {
        self.path = vec![start.stones];
        let (mut last, mut agreeing) = (None, 0);
        for depth in DEPTHS.step_by(2) {
            self.is_cut = false;
            let line = self.best(start, depth, -INFINITY, INFINITY)?;
            let left = self.local.left(&line.end);
            agreeing = if last == Some(left) { agreeing + 1 } else { 0 };
            let is_stable = agreeing >= AGREEING && depth >= MIN_DEPTH && line.is_end;
            if !self.is_cut || is_stable {
                return Some(line);
            }
            last = Some(left);
        }
        None
    }

    /// Returns the stones after both sides have filled the dame that they can fill without loss: passes are as good
    /// where the number of dame is even.
    fn with_dame_filled(&mut self, mut stones: Stones, first: Color) -> Option<Stones> {
        let (local, mut failed) = (self.local, 0);
        for color in [first, !first].into_iter().cycle().take(2 * MAX_EMPTY) {
            let state = State::new(stones, color);
            let area = local.area(&stones) * sign(color);
            failed += 1;
            for next in bits(local.dame(&stones)).filter_map(|place| local.play(&state, place)) {
                if -self.deepened(next)?.value >= area {
                    stones = local.living(&next.stones);
                    failed = 0;
                    break;
                }
            }
            if failed == 2 {
                break;
            }
        }
        Some(stones)
    }

    /// Returns the best line by alpha-beta search, or `None` if there are too many positions.
    fn best(&mut self, state: State, depth: u32, alpha: i32, beta: i32) -> Option<Line> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        let entry = state.entry();
        let known = self.table[entry].filter(|known| known.state == state);
        let deep = known.filter(|known| known.depth >= depth || !known.is_cut);
        if let Some(known) = deep.filter(|known| known.answers(alpha, beta)) {
            self.is_cut |= known.is_cut;
            return Some(known.line);
        }
        let settled = self.local.settled(&state.stones);
        let open = self.local.empty(&state.stones) & !(settled.black | settled.white);
        if open == 0 || depth == 0 {
            self.is_cut |= open != 0;
            return Some(self.end(&state, open == 0));
        }
        let outside = core::mem::replace(&mut self.earliest, usize::MAX);
        let is_outside_cut = core::mem::replace(&mut self.is_cut, false);
        let first = known.and_then(|known| known.best);
        let (line, best) = self.best_of_moves(state, depth, (alpha, beta), first, open)?;
        // A value that depends on how the state was reached holds only here.
        if self.earliest >= self.path.len() - 1 {
            let bounds = (alpha, beta);
            let known = Known {
                state,
                line,
                depth,
                is_cut: self.is_cut,
                bounds,
                best,
            };
            self.table[entry] = Some(known);
        }
        self.earliest = self.earliest.min(outside);
        self.is_cut |= is_outside_cut;
        Some(line)
    }

    fn best_of_moves(
        &mut self,
        state: State,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        first: Option<usize>,
        open: u64,
    ) -> Option<(Line, Option<usize>)> {
        let mut best: Option<(Line, Option<usize>)> = None;
        let first = first.filter(|&place| open >> place & 1 != 0);
        let others = bits(open).filter(|&place| Some(place) != first);
        let stones = first.into_iter().map(Some).chain([None]);
        for place in stones.chain(others.map(Some)) {
            alpha = best.map_or(alpha, |(line, _)| alpha.max(line.value));
            if alpha >= beta {
                break;
            }
            let line = match place {
                Some(place) => self.after_stone(state, place, depth, alpha, beta),
                // A pass replaces a move of the same value.
                None => self.after_pass(state, depth, alpha - 1, beta).map(Some),
            };
            let Some(line) = line? else {
                continue;
            };
            let is_better =
                |(best, _): (Line, _)| line.value >= best.value + i32::from(place.is_some());
            if best.is_none_or(is_better) {
                best = Some((line, place));
            }
        }
        best
    }

    /// Returns the best line after a stone, and `None` in it if the stone is illegal.
    #[allow(clippy::option_option)]
    fn after_stone(
        &mut self,
        state: State,
        place: usize,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<Option<Line>> {
        let Some(next) = self.local.play(&state, place) else {
            return Some(None);
        };
        if let Some(earlier) = self.path.iter().position(|it| *it == next.stones) {
            self.earliest = self.earliest.min(earlier);
            return Some(None);
        }
        self.path.push(next.stones);
        let line = if is_decisive(&state, &next) {
            Some(self.end(&next, true))
        } else {
            self.best(next, depth - 1, -beta, -alpha)
        };
        self.path.pop();
        Some(Some(line?.of_opponent()))
    }

    fn after_pass(&mut self, state: State, depth: u32, alpha: i32, beta: i32) -> Option<Line> {
        if state.has_passed {
            return Some(self.end(&state, true));
        }
        let line = self.best(state.passed(), depth - 1, -beta, -alpha)?;
        Some(line.of_opponent())
    }

    /// Returns the line that ends with a state.
    fn end(&self, state: &State, is_end: bool) -> Line {
        let area = self.local.area(&state.stones);
        Line {
            value: area * sign(state.to_move),
            end: self.local.living(&state.stones),
            is_end,
        }
    }
}

/// Returns whether the move to a state captured so many stones that the rest does not matter.
fn is_decisive(state: &State, next: &State) -> bool {
    let color = next.to_move;
    let captured = state.stones[color] & !next.stones[color];
    captured.count_ones() >= DECISIVE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::Region;

    fn whole(rows: &str) -> Local {
        let board: Board = rows.parse().unwrap();
        let parts: Vec<_> = Region::all(&board, &PointSet::default())
            .into_iter()
            .collect();
        Local::new(&board, &parts[0].points).unwrap()
    }

    #[test]
    fn a_small_board_without_walls_is_counted_by_its_stones() {
        let local = whole("X .\n. .");
        assert_eq!(local.area(&local.stones), 4);
        assert_eq!(local.living(&local.stones), local.stones);
    }

    #[test]
    fn a_cut_search_is_cut_when_it_comes_from_the_table() {
        let local = whole(". . .\n. X .\n. . O");
        let mut search = Search::new(&local);
        let start = State::new(local.stones, Color::Black);
        search.path.push(start.stones);
        for _ in 0..2 {
            search.is_cut = false;
            search.best(start, 4, -INFINITY, INFINITY).unwrap();
            assert!(search.is_cut);
        }
    }
}
