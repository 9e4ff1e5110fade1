//! Search of a part of a board.

use alloc::{vec, vec::Vec};
use core::{cmp::Reverse, mem};

use boardgame_core::{ByColor, Color};

use super::{
    part::{MAX_EMPTY, Part, State, Stones, bits},
    rows::MAX_POINTS,
};

/// The maximum number of positions of all searches that play out a part with one side first.
const MAX_NODES: u32 = 1_500_000;
/// The depth of the first search, in moves and passes. Each later one is deeper by two.
const FIRST_DEPTH: u32 = 4;
/// The number of searches before it that must agree with it.
const AGREEING: u32 = 2;
/// The minimum number of captured stones after which a line ends: their side hardly lives again in their place.
const DECISIVE: u32 = 8;
/// The number of entries of the table of known values, a power of two.
const ENTRIES: usize = 1 << 17;
/// More than the value of any position.
const INFINITY: i32 = 100;

/// The end of the best line.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// The living stones.
    pub(super) stones: Stones,
    /// The living stones of the part before the line that are in seki.
    pub(super) seki: Stones,
    /// False if the line ended with the capture of many stones: the life of others may be open.
    pub(super) is_whole: bool,
}

impl End {
    /// Creates the end of a line with its living stones.
    pub(super) fn new(part: &Part, stones: Stones, is_whole: bool) -> Self {
        Self {
            seki: part.left_in_seki(&stones),
            stones,
            is_whole,
        }
    }
}

/// Returns the living stones after the best moves of both sides until they pass, with Black and with White first, or
/// `None` if that is not found.
///
/// A side's aim is the area: its stones and the points that only it surrounds. A position must not occur twice, and
/// there are no threats elsewhere, so the side that takes a ko keeps it. Of equal moves a pass is preferred. The
/// search deepens until it reaches the end of all lines, and then the line is exact, or until three searches in a row
/// that did not reach it agree on the living stones, and then it may be wrong. A seki is only returned from an exact
/// line: elsewhere a side often gains by moves that come too late for the searches to see.
pub(super) fn played_out(part: &Part) -> Option<[End; 2]> {
    let mut search = Search::new(part, Aim::Area);
    let mut end = |first| {
        search.nodes_left = MAX_NODES;
        let line = search.deepened(State::new(part.stones, first), -INFINITY, INFINITY)?;
        let is_exact = !search.is_cut;
        let stones = search.with_dame_filled(line.end, first)?;
        let end = End::new(part, stones, line.is_whole);
        let has_seki = end.is_whole && end.seki != Stones::default();
        (is_exact || !has_seki).then_some(end)
    };
    Some([end(Color::Black)?, end(Color::White)?])
}

/// Returns the sign of Black's points from a side's point of view.
const fn sign(color: Color) -> i32 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

/// The best line from a state.
#[derive(Clone, Copy)]
struct Line {
    /// The points of the side to move minus the opponent's at the end.
    value: i32,
    end: Stones,
    /// True if both sides have passed.
    is_end: bool,
    is_whole: bool,
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
    /// True if the search reached its depth before the end of a line.
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

/// The aim of both sides, by which they value the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// Stones and the points that only they surround.
    Area,
    /// The points that have stones before the first move. Moves that do not [matter in a fight](Part::fighting_moves)
    /// are left out.
    Stones,
}

impl Aim {
    /// Returns the minimum depth of a search that counts although it did not reach the end of all lines, and the
    /// maximum depth. A search that is too shallow to see a gain also reports none, so `Stones` needs a greater depth.
    const fn depths(self) -> (u32, u32) {
        match self {
            Self::Area => (16, 40),
            Self::Stones => (44, 64),
        }
    }
}

/// A search of a part.
pub(super) struct Search<'a> {
    part: &'a Part,
    aim: Aim,
    /// The number of positions that may still be searched.
    pub(super) nodes_left: u32,
    /// The positions of the current line, which must not recur.
    path: Vec<Stones>,
    /// True if the search reached its depth before the end of a line.
    is_cut: bool,
    /// The first position of the line whose recurrence was refused below the current state.
    earliest: usize,
    table: Vec<Option<Known>>,
    /// For each place, the depths of the lines that a stone there refuted.
    history: ByColor<[u32; MAX_POINTS]>,
}

impl<'a> Search<'a> {
    pub(super) fn new(part: &'a Part, aim: Aim) -> Self {
        Self {
            part,
            aim,
            nodes_left: 0,
            path: Vec::new(),
            earliest: usize::MAX,
            is_cut: false,
            table: vec![None; ENTRIES],
            history: ByColor::new_with(|_| [0; MAX_POINTS]),
        }
    }

    /// Returns the best line from a state by ever deeper searches. A value outside `alpha` to `beta` is only a bound.
    fn deepened(&mut self, start: State, alpha: i32, beta: i32) -> Option<Line> {
        self.path = vec![start.stones];
        let (min_depth, max_depth) = self.aim.depths();
        let (mut last, mut agreeing) = (None, 0);
        for depth in (FIRST_DEPTH..=max_depth).step_by(2) {
            self.is_cut = false;
            let line = self.best(start, depth, alpha, beta)?;
            let left = self.part.left(&line.end);
            agreeing = if last == Some(left) { agreeing + 1 } else { 0 };
            let is_stable = agreeing >= AGREEING && depth >= min_depth && line.is_end;
            if !self.is_cut || is_stable {
                return Some(line);
            }
            last = Some(left);
        }
        None
    }

    /// Returns the stones after the sides have filled dame in pairs, as long as neither loses points: the best line
    /// passes where the number of dame is even.
    fn with_dame_filled(&mut self, mut stones: Stones, first: Color) -> Option<Stones> {
        let (part, mut failed) = (self.part, 0);
        for color in [first, !first].into_iter().cycle().take(2 * MAX_EMPTY) {
            let state = State::new(stones, color);
            failed += 1;
            for place in bits(part.dame(&stones)) {
                if let Some(filled) = self.filled(&state, place)? {
                    stones = part.living(&filled);
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

    /// Returns the stones after the side to move fills a dame and the other side restores the points with a stone, and
    /// `None` in it if that is illegal, captures stones or loses points.
    #[allow(clippy::option_option)]
    fn filled(&mut self, state: &State, dame: usize) -> Option<Option<Stones>> {
        let part = self.part;
        let Some(next) = part.play(state, dame) else {
            return Some(None);
        };
        let points = self.points(&state.stones) * sign(state.to_move);
        if self.deepened(next, -points, 1 - points)?.value > -points {
            return Some(None);
        }
        for place in bits(part.empty(&next.stones)) {
            let Some(answer) = part.play(&next, place) else {
                continue;
            };
            let keeps_stones = |color| state.stones[color] & !answer.stones[color] == 0;
            let is_same = self.points(&answer.stones) * sign(state.to_move) == points
                && Color::ALL.into_iter().all(keeps_stones);
            if is_same && self.gains_nothing(answer)? {
                return Some(Some(answer.stones));
            }
        }
        Some(None)
    }

    /// Returns the best line by alpha-beta search, or `None` if there are too many positions.
    fn best(&mut self, state: State, depth: u32, alpha: i32, beta: i32) -> Option<Line> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let entry = state.hash() % ENTRIES;
        let known = self.table[entry].filter(|known| known.state == state);
        let deep = known.filter(|known| known.depth >= depth || !known.is_cut);
        if let Some(known) = deep.filter(|known| known.answers(alpha, beta)) {
            self.is_cut |= known.is_cut;
            return Some(known.line);
        }
        let settled = self.part.settled(&state.stones);
        let open = self.part.empty(&state.stones) & !(settled.black | settled.white);
        if open == 0 || depth == 0 {
            self.is_cut |= open != 0;
            return Some(self.end(&state, open == 0));
        }
        let open = match self.aim {
            Aim::Area => open,
            Aim::Stones => self.part.fighting_moves(&state, open),
        };
        let outside = mem::replace(&mut self.earliest, usize::MAX);
        let is_outside_cut = mem::take(&mut self.is_cut);
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
        for place in self.ordered(state.to_move, first, open) {
            alpha = best.map_or(alpha, |(line, _)| alpha.max(line.value));
            if alpha >= beta {
                break;
            }
            let earliest = mem::replace(&mut self.earliest, usize::MAX);
            let is_cut = mem::take(&mut self.is_cut);
            // A pass replaces a move of the same value.
            let floor = alpha - i32::from(place.is_none() && self.aim == Aim::Area);
            let ceiling = if best.is_some() { floor + 1 } else { beta };
            let mut line = self.after(state, place, depth, floor, ceiling)?;
            if line.is_some_and(|line| line.value >= ceiling && line.value < beta) {
                line = self.after(state, place, depth, floor, beta)?;
            }
            if line.is_none_or(|line| line.value < beta) {
                // A refutation holds whatever the other moves lead to.
                self.earliest = self.earliest.min(earliest);
                self.is_cut |= is_cut;
            }
            let Some(line) = line else {
                continue;
            };
            let is_better =
                |(best, _): (Line, _)| line.value >= best.value + i32::from(place.is_some());
            if best.is_none_or(is_better) {
                best = Some((line, place));
            }
        }
        if let Some((_, Some(place))) = best.filter(|(line, _)| line.value >= beta) {
            self.history[state.to_move][place] += depth;
        }
        best
    }

    /// Returns the moves in the order in which they are searched: the best known one, a pass, and the others, those
    /// that refuted more lines first.
    fn ordered(&self, to_move: Color, first: Option<usize>, open: u64) -> Vec<Option<usize>> {
        let first = first.filter(|&place| open >> place & 1 != 0);
        let mut others: Vec<usize> = bits(open).filter(|&place| Some(place) != first).collect();
        others.sort_by_key(|&place| Reverse(self.history[to_move][place]));
        let first = first.into_iter().map(Some).chain([None]);
        first.chain(others.into_iter().map(Some)).collect()
    }

    /// Returns the best line after a move, and `None` in it if the move is illegal.
    #[allow(clippy::option_option)]
    fn after(
        &mut self,
        state: State,
        place: Option<usize>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<Option<Line>> {
        match place {
            Some(place) => self.after_stone(state, place, depth, alpha, beta),
            None => self.after_pass(state, depth, alpha, beta).map(Some),
        }
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
        let Some(next) = self.part.play(&state, place) else {
            return Some(None);
        };
        if let Some(earlier) = self.path.iter().position(|it| *it == next.stones) {
            self.earliest = self.earliest.min(earlier);
            return Some(None);
        }
        self.path.push(next.stones);
        let line = if is_decisive(&state, &next) {
            let end = self.end(&next, true);
            Some(Line {
                is_whole: false,
                ..end
            })
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

    /// Returns whether the side to move gains no points from a state, or `None` if that is not found.
    pub(super) fn gains_nothing(&mut self, start: State) -> Option<bool> {
        let value = self.end(&start, true).value;
        let line = self.deepened(start, value, value + 1)?;
        Some(line.value <= value)
    }

    /// Returns the number of points that Black owns minus those that White owns, among those that count for the aim.
    fn points(&self, stones: &Stones) -> i32 {
        let part = self.part;
        let counted = match self.aim {
            Aim::Area => u64::MAX,
            Aim::Stones => part.stones.black | part.stones.white,
        };
        let owned = part
            .owned(stones)
            .map(|points| (points & counted).count_ones() as i32);
        owned.black - owned.white
    }

    /// Returns the line that ends with a state.
    fn end(&self, state: &State, is_end: bool) -> Line {
        let value = self.points(&state.stones);
        Line {
            value: value * sign(state.to_move),
            end: self.part.living(&state.stones),
            is_end,
            is_whole: true,
        }
    }
}

/// Returns whether the move to a state captured at least [`DECISIVE`] stones.
fn is_decisive(state: &State, next: &State) -> bool {
    let color = next.to_move;
    let captured = state.stones[color] & !next.stones[color];
    captured.count_ones() >= DECISIVE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life_and_death::part::tests::{walled, whole};

    #[test]
    fn a_cut_search_is_cut_when_it_comes_from_the_table() {
        let part = whole(". . .\n. X .\n. . O");
        let mut search = Search::new(&part, Aim::Area);
        search.nodes_left = 1000;
        let start = State::new(part.stones, Color::Black);
        search.path.push(start.stones);
        for _ in 0..2 {
            search.is_cut = false;
            search.best(start, 4, -INFINITY, INFINITY).unwrap();
            assert!(search.is_cut);
        }
    }

    #[test]
    fn captures_in_exchange_are_not_dame() {
        let part = walled(
            "O O O O O O
             O . x o o O
             X x o o o O
             X x o x o X
             X x x . x X
             X o . x . X",
        );
        for end in played_out(&part).unwrap() {
            assert_eq!(part.left(&end.stones), part.stones);
            assert_ne!(end.seki, Stones::default());
        }
    }

    #[test]
    fn a_seki_that_a_search_of_limited_depth_finds_is_none() {
        // Black fills the five liberties outside, the inside and, after White's capture, the vital point.
        let part = walled(
            "X X X X X X .
             X X X o o o o
             X . o o x x o
             X . o . x x .
             X . o o o x o
             X X X X o o o
             X X X X X X .",
        );
        assert!(played_out(&part).is_none());
    }
}
