//! Results of the replies to stones, by which playouts learn from the simulations of a search.

use boardgame_core::Color;
use go_core::Point;

/// The number of columns and rows up to which a reply is told from a move elsewhere.
const REACH: u8 = 2;

/// The number of places of a reply.
const PLACES: usize = {
    let side = 2 * REACH as usize + 1;
    side * side
};

/// The place of a move elsewhere: the one in the middle, where the stone is.
const ELSEWHERE: usize = PLACES / 2;

/// The factor of a weight is `e` to the power of the lead of the reply's mean result, times this.
const LEAD_POWER: f32 = 25.0;

/// The number of average results that are added to those of each reply.
const AVERAGE_RESULTS: f32 = 30.0;

/// The sum and the number of results.
#[derive(Clone, Copy, Debug, Default)]
struct Results {
    sum: f32,
    count: f32,
}

impl Results {
    fn add(&mut self, result: f32) {
        self.sum += result;
        self.count += 1.0;
    }

    /// Returns by how much the mean lies above another mean, drawn towards it where there are few results.
    fn lead(self, mean: f32) -> f32 {
        (self.sum - mean * self.count) / (self.count + AVERAGE_RESULTS)
    }
}

/// The results of simulations by the replies made in them, and the factors by which playouts weigh these replies.
///
/// A reply is a move that follows a stone of the opponent, whatever else is on the board. Its mean result, compared with
/// that of all replies to the stone, tells which answers save or kill a group in the position that is searched, and
/// whether the stone needs one (M. J. W. Tak, M. H. M. Winands and Y. Björnsson, *N-Grams and the Last-Good-Reply Policy
/// Applied in General Game Playing*, 2012; T. Graf and M. Platzner, *Adaptive Playouts in Monte-Carlo Tree Search with
/// Policy-Gradient Reinforcement Learning*, 2015).
#[derive(Clone, Debug)]
pub(crate) struct Replies {
    /// By side and stone.
    all: Vec<Results>,
    /// By side, stone and place of the reply.
    results: Vec<Results>,
    /// The factors, likewise.
    factors: Vec<f32>,
}

impl Default for Replies {
    /// No results: all factors are 1.
    fn default() -> Self {
        let stones = Color::ALL.len() * Point::INDEX_END;
        Self {
            all: vec![Results::default(); stones],
            results: vec![Results::default(); stones * PLACES],
            factors: vec![1.0; stones * PLACES],
        }
    }
}

impl Replies {
    /// Returns the factor of the weight of a side's answer to a stone, 1 for one out of reach.
    #[inline]
    pub(super) fn factor(&self, color: Color, stone: Point, answer: Point) -> f32 {
        near(stone, answer).map_or(1.0, |near| self.factors[place(color, stone, near)])
    }

    /// Returns the factor of the weight of a move elsewhere.
    #[inline]
    pub(super) fn factor_elsewhere(&self, color: Color, stone: Point) -> f32 {
        self.factors[place(color, stone, ELSEWHERE)]
    }

    /// Adds the result, 0 to 1, of a simulation for a side that made a reply; `None` stands for a pass, which counts as a
    /// move elsewhere, like those out of reach.
    pub(crate) fn add(&mut self, color: Color, stone: Point, reply: Option<Point>, result: f32) {
        let all = &mut self.all[index(color, stone)];
        all.add(result);
        let mean = all.sum / all.count;
        let near = reply.and_then(|reply| near(stone, reply));
        let place = place(color, stone, near.unwrap_or(ELSEWHERE));
        self.results[place].add(result);
        self.factors[place] = (LEAD_POWER * self.results[place].lead(mean)).exp();
    }
}

const fn index(color: Color, stone: Point) -> usize {
    color as usize * Point::INDEX_END + stone.index()
}

const fn place(color: Color, stone: Point, reply: usize) -> usize {
    index(color, stone) * PLACES + reply
}

/// Returns the place of a reply among those within reach of a stone, or `None` if it is further away.
#[inline]
fn near(stone: Point, reply: Point) -> Option<usize> {
    let offset = |from: u8, to: u8| (to + REACH).wrapping_sub(from);
    let columns = offset(stone.column(), reply.column());
    let rows = offset(stone.row(), reply.row());
    let side = 2 * REACH + 1;
    (columns < side && rows < side).then(|| usize::from(rows * side + columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> Point {
        name.parse().unwrap()
    }

    #[test]
    fn replies_within_two_lines_have_places_of_their_own() {
        let at = |reply: &str| near(point("D4"), point(reply));
        let places = ["B2", "F2", "B6", "F6", "D5"].map(|name| at(name).unwrap());
        assert_eq!(places, [0, 4, 20, 24, 17]);
        for far in ["D7", "A4", "G4", "D1"] {
            assert_eq!(at(far), None, "{far}");
        }
    }

    #[test]
    fn a_reply_with_better_results_weighs_more() {
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
    }

    #[test]
    fn what_has_no_results_weighs_as_before() {
        let mut replies = Replies::default();
        let [stone, reply, far] = ["D4", "D3", "K10"].map(point);
        for _ in 0..100 {
            replies.add(Color::Black, stone, Some(reply), 0.6);
            replies.add(Color::Black, stone, None, 0.4);
        }
        let factors = [
            replies.factor(Color::Black, stone, far),
            replies.factor(Color::White, stone, reply),
            replies.factor(Color::Black, point("E3"), point("E2")),
        ];
        assert!(
            factors.iter().all(|factor| (factor - 1.0).abs() < 1e-6),
            "{factors:?}"
        );
    }
}
