//! Results of replies to stones, by which playouts adapt during a search.

use boardgame_core::Color;
use go_core::Point;

/// The maximum distance, in columns and rows, of replies with results of their own.
const REACH: u8 = 2;

/// The number of offsets of a reply from its stone.
const OFFSETS: usize = {
    let side = 2 * REACH as usize + 1;
    side * side
};

/// The offset that stands for a move elsewhere: the centre, occupied by the stone.
const ELSEWHERE: usize = OFFSETS / 2;

/// The scale of a reply's lead in the exponent of its factor.
const LEAD_SCALE: f32 = 25.0;

/// The number of results at the mean added to those of each reply.
const PRIOR_RESULTS: f32 = 30.0;

/// The number of results at which sum and number are halved, so that sums stay precise and old results fade.
const MAX_RESULTS: f32 = 65_536.0;

/// The maximum magnitude of a factor's exponent.
const MAX_EXPONENT: f32 = 10.0;

/// The sum and the number of results; if there are many, later ones count more.
#[derive(Clone, Copy, Debug, Default)]
struct Results {
    sum: f32,
    count: f32,
}

impl Results {
    fn add(&mut self, result: f32) {
        if self.count >= MAX_RESULTS {
            self.sum /= 2.0;
            self.count /= 2.0;
        }
        self.sum += result;
        self.count += 1.0;
    }

    /// Returns the difference to another mean, shrunk towards 0 if there are few results.
    fn lead(self, mean: f32) -> f32 {
        (self.sum - mean * self.count) / (self.count + PRIOR_RESULTS)
    }
}

/// The mean results of the simulations in which each reply was made, and the factors by which playouts multiply the
/// weights of answers.
///
/// A reply is a move that follows a stone of the opponent, regardless of the rest of the board. Its mean result,
/// compared with the mean of all replies to the stone, shows which answers save or kill a group in the searched
/// position, and whether the stone needs an answer (M. J. W. Tak, M. H. M. Winands and Y. Björnsson, *N-Grams and the
/// Last-Good-Reply Policy Applied in General Game Playing*, 2012; T. Graf and M. Platzner, *Adaptive Playouts in
/// Monte-Carlo Tree Search with Policy-Gradient Reinforcement Learning*, 2015).
#[derive(Clone, Debug)]
pub(crate) struct Replies {
    /// The results of all replies, by side and stone.
    all: Vec<Results>,
    /// The results of each reply, by side, stone and offset.
    results: Vec<Results>,
    /// The factors, by side, stone and offset, computed when each reply was last made; the mean of all replies may have
    /// changed since.
    factors: Vec<f32>,
}

impl Default for Replies {
    /// No results: all factors are 1.
    fn default() -> Self {
        let stones = Color::ALL.len() * Point::INDEX_END;
        Self {
            all: vec![Results::default(); stones],
            results: vec![Results::default(); stones * OFFSETS],
            factors: vec![1.0; stones * OFFSETS],
        }
    }
}

impl Replies {
    /// Returns the factor for the weight of a side's answer to a stone; 1 if the answer is out of reach.
    #[inline]
    pub(crate) fn factor(&self, color: Color, stone: Point, answer: Point) -> f32 {
        offset(stone, answer).map_or(1.0, |offset| self.factors[place(color, stone, offset)])
    }

    /// Returns the factor for the weight of a move elsewhere.
    #[inline]
    pub(crate) fn factor_elsewhere(&self, color: Color, stone: Point) -> f32 {
        self.factors[place(color, stone, ELSEWHERE)]
    }

    /// Adds the result, 0 to 1, of a simulation for a side that made a reply. `None` (a pass) and replies out of reach
    /// count as moves elsewhere.
    pub(crate) fn add(&mut self, color: Color, stone: Point, reply: Option<Point>, result: f32) {
        let all = &mut self.all[index(color, stone)];
        all.add(result);
        let mean = all.sum / all.count;
        let offset = reply.and_then(|reply| offset(stone, reply));
        let at = place(color, stone, offset.unwrap_or(ELSEWHERE));
        self.results[at].add(result);
        let exponent = LEAD_SCALE * self.results[at].lead(mean);
        self.factors[at] = exp(exponent.clamp(-MAX_EXPONENT, MAX_EXPONENT));
    }
}

/// Approximates `e` to the power of `x`, with the same result on every machine.
fn exp(x: f32) -> f32 {
    (0..10).fold(1.0 + x / 1024.0, |power, _| power * power)
}

const fn index(color: Color, stone: Point) -> usize {
    color as usize * Point::INDEX_END + stone.index()
}

const fn place(color: Color, stone: Point, offset: usize) -> usize {
    index(color, stone) * OFFSETS + offset
}

/// Returns the offset of a reply from a stone, or `None` if it is out of reach.
#[inline]
fn offset(stone: Point, reply: Point) -> Option<usize> {
    let distance = |from: u8, to: u8| (to + REACH).wrapping_sub(from);
    let columns = distance(stone.column(), reply.column());
    let rows = distance(stone.row(), reply.row());
    let side = 2 * REACH + 1;
    (columns < side && rows < side).then(|| usize::from(rows * side + columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> Point {
        name.parse().unwrap()
    }

    fn is_one(factor: f32) -> bool {
        factor.to_bits() == 1.0_f32.to_bits()
    }

    #[test]
    fn replies_within_two_lines_have_distinct_offsets() {
        let at = |reply: &str| offset(point("D4"), point(reply));
        let offsets = ["B2", "F2", "B6", "F6", "D5"].map(|name| at(name).unwrap());
        assert_eq!(offsets, [0, 4, 20, 24, 17]);
        for far in ["D7", "A4", "G4", "D1"] {
            assert_eq!(at(far), None, "{far}");
        }
    }

    #[test]
    fn a_reply_with_better_results_has_a_larger_factor() {
        let mut replies = Replies::default();
        let [stone, good, bad, far] = ["D4", "D3", "E4", "K10"].map(point);
        for _ in 0..100 {
            replies.add(Color::Black, stone, Some(good), 0.6);
            replies.add(Color::Black, stone, Some(bad), 0.5);
            replies.add(Color::Black, stone, Some(far), 0.4);
            replies.add(Color::Black, stone, None, 0.4);
        }
        let factors = [good, bad].map(|reply| replies.factor(Color::Black, stone, reply));
        assert!(factors[0] > 2.0 * factors[1], "{factors:?}");
        assert!(replies.factor_elsewhere(Color::Black, stone) < 0.5);
        assert!(is_one(replies.factor(Color::Black, stone, far)));
    }

    #[test]
    fn results_are_separate_for_each_side_and_stone() {
        let mut replies = Replies::default();
        let [stone, reply] = ["D4", "D3"].map(point);
        for _ in 0..100 {
            replies.add(Color::Black, stone, Some(reply), 0.6);
            replies.add(Color::Black, stone, None, 0.4);
        }
        assert!(is_one(replies.factor(Color::White, stone, reply)));
        assert!(is_one(replies.factor(
            Color::Black,
            point("E3"),
            point("E2")
        )));
    }

    #[test]
    fn factors_are_bounded_and_the_same_everywhere() {
        let mut replies = Replies::default();
        let [stone, good, bad] = ["D4", "D3", "E4"].map(point);
        for _ in 0..100_000 {
            replies.add(Color::Black, stone, Some(bad), 0.0);
            replies.add(Color::Black, stone, Some(good), 1.0);
        }
        let factor = replies.factor(Color::Black, stone, good);
        assert!((20_000.0..22_100.0).contains(&factor), "{factor}");
        assert_eq!(exp(2.5).to_bits(), 0x4142_52f8);
    }
}
