//! Answers to the last stone of a playout.

use arrayvec::ArrayVec;
use boardgame_core::Color;
use go_core::{Board, Point, Points, Random};

use super::{
    PlayoutWeights,
    nakade::vital_point,
    policy::{Answer, Proximity, Purpose},
};
use crate::tactics::liberties_after;

/// The maximum number of answers considered.
const MAX_ANSWERS: usize = 32;

/// Answers to the last stone, without duplicate points.
pub(crate) type Answers = ArrayVec<Answer, MAX_ANSWERS>;

/// Returns a side's answers to the opponent's last stone: the points around it, moves that capture, save, threaten or
/// extend chains there, and captures of chains adjacent to the side's own previous stone. Excludes illegal moves and
/// moves that fill an eye.
pub(crate) fn answers(board: &Board, color: Color, last: Point, before: Option<Point>) -> Answers {
    let mut answers = Answers::new();
    let mut found = Finder {
        board,
        color,
        last,
        answers: &mut answers,
    };
    if let Some(point) = vital_point(board, last) {
        found.add(point, Purpose::Nakade);
    }
    found.add_attacks();
    found.add_defences();
    if let Some(before) = before {
        found.add_captures(before);
    }
    found.add_points_around();
    answers
}

/// Draws an answer to the last stone by the weights, or returns `None` for a move elsewhere.
pub(super) fn draw(
    board: &Board,
    color: Color,
    last: Point,
    answers: &Answers,
    PlayoutWeights { policy, replies }: PlayoutWeights<'_>,
    random: &mut Random,
) -> Option<Point> {
    let mut sums: ArrayVec<f32, MAX_ANSWERS> = ArrayVec::new();
    let mut total = 0.0;
    for &answer in answers {
        total += policy.weight(board, color, answer) * replies.factor(color, last, answer.point);
        sums.push(total);
    }
    total += policy.elsewhere * replies.factor_elsewhere(color, last);
    let drawn = random.next_u32() as f32 / (u32::MAX as f32) * total;
    let place = sums.iter().position(|&sum| drawn < sum)?;
    Some(answers[place].point)
}

/// A search for answers to a stone.
struct Finder<'a> {
    board: &'a Board,
    color: Color,
    last: Point,
    answers: &'a mut Answers,
}

impl Finder<'_> {
    /// Adds a move unless it is present already, with another purpose, or not playable.
    fn add(&mut self, point: Point, purpose: Purpose) {
        if !is_among(&self.answers[..], point) {
            self.add_unknown(point, purpose);
        }
    }

    /// Adds the points around the last stone that are not present already.
    fn add_points_around(&mut self) {
        let known = self.answers.len();
        for point in self.board.empty_around(self.last) {
            if !is_among(&self.answers[..known], point) {
                self.add_unknown(point, Purpose::None);
            }
        }
    }

    /// Adds a move that is not present already, unless it is not playable.
    #[inline]
    fn add_unknown(&mut self, point: Point, purpose: Purpose) {
        if self.board.is_playout_move(self.color, point) && !self.answers.is_full() {
            let near = Proximity::between(self.last, point);
            self.answers.push(Answer {
                point,
                purpose,
                near,
            });
        }
    }

    /// Adds the capture of the last stone's chain, or ataris on it.
    fn add_attacks(&mut self) {
        let Some(liberties) = self.board.few_liberties::<2>(self.last) else {
            return;
        };
        match *liberties {
            [liberty] => {
                let stones = self.board.chain_len(self.last);
                self.add(liberty, Purpose::capture(stones));
            }
            [one, other] => {
                for liberty in [one, other] {
                    if liberties_after::<2>(self.board, self.color, liberty) >= 2 {
                        self.add(liberty, Purpose::Atari);
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds captures of chains adjacent to an own stone.
    fn add_captures(&mut self, own: Point) {
        for neighbour in self.board.neighbour_stones(!self.color, own) {
            if let Some(liberty) = self.board.atari(neighbour) {
                let stones = self.board.chain_len(neighbour);
                self.add(liberty, Purpose::capture(stones));
            }
        }
    }

    /// Adds moves that save the own chains adjacent to the last stone, if they have one or two liberties.
    fn add_defences(&mut self) {
        let mut chains: Points<4> = Points::NONE;
        for neighbour in self.board.neighbour_stones(self.color, self.last) {
            if self.board.min_liberties(neighbour) <= 2
                && let Some(chain) = self.board.chain_id(neighbour)
            {
                chains.insert(chain);
            }
        }
        for &chain in &*chains {
            let Some(liberties) = self.board.few_liberties::<2>(chain) else {
                continue;
            };
            match *liberties {
                [liberty] => self.add_escapes(chain, liberty),
                [one, other] => {
                    for (liberty, other) in [(one, other), (other, one)] {
                        if self.has_four_liberties_after(chain, liberty, other) {
                            self.add(liberty, Purpose::Extend);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether a chain with one other liberty has at least four after extending at a liberty.
    fn has_four_liberties_after(&self, chain: Point, liberty: Point, other: Point) -> bool {
        let (board, color) = (self.board, self.color);
        let empty_neighbours = board.pattern(liberty, color).empty_neighbour_count();
        let found = empty_neighbours + u32::from(!liberty.is_adjacent_to(other));
        let joins = |own| board.chain_id(own) != Some(chain);
        found >= 4
            || ((board.neighbour_stones(color, liberty).any(joins)
                || (board.neighbour_stones(!color, liberty)).any(|it| board.atari(it).is_some()))
                && liberties_after::<4>(board, color, liberty) >= 4)
    }

    /// Adds moves that save a chain from atari: captures of adjacent chains, or a stone at its last liberty.
    fn add_escapes(&mut self, chain: Point, liberty: Point) {
        let board = self.board;
        let stones = board.chain_len(chain);
        for stone in board.chain(chain) {
            for neighbour in board.neighbour_stones(!self.color, stone) {
                if let Some(capture) = board.atari(neighbour) {
                    self.add(capture, Purpose::save(stones));
                }
            }
        }
        match liberties_after::<3>(board, self.color, liberty) {
            0 | 1 => {}
            2 => self.add(liberty, Purpose::Run),
            _ => self.add(liberty, Purpose::save(stones)),
        }
    }
}

/// Returns whether a point is one of some answers.
#[inline]
fn is_among(answers: &[Answer], point: Point) -> bool {
    answers.iter().any(|answer| answer.point == point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tactics::tests::boards;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn extensions_of_two_liberty_chains_agree_with_counting((board, color) in boards()) {
            let mut answers = Answers::new();
            let finder = Finder { board: &board, color, last: Point::new(0, 0).unwrap(), answers: &mut answers };
            for (stone, _) in board.stones().filter(|&(_, owner)| owner == color) {
                let liberties = board.few_liberties::<2>(stone);
                let Some(&[one, other]) = liberties.as_deref() else {
                    continue;
                };
                let expected = liberties_after::<4>(&board, color, one) >= 4;
                prop_assert_eq!(finder.has_four_liberties_after(board.chain_id(stone).unwrap(), one, other), expected);
            }
        }
    }

    /// Checks the answers that have a purpose other than proximity to the last stone.
    fn check(diagram: &str, last: &str, expected: &[(&str, Purpose)]) {
        let board: Board = diagram.parse().unwrap();
        let last = last.parse().unwrap();
        let color = !board.stone(last).unwrap();
        let found: Vec<_> = answers(&board, color, last, None)
            .into_iter()
            .filter(|answer| answer.purpose != Purpose::None)
            .map(|answer| (answer.point.to_string(), answer.purpose))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(name, purpose)| (name.to_string(), purpose))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_chain_in_atari_is_captured() {
        let diagram = ".....\n..X..\n.XOX.\n.....\n.....";
        // The same point saves the chain.
        check(diagram, "D3", &[("C2", Purpose::save(1))]);
        check(diagram, "C3", &[("C2", Purpose::capture(1))]);
    }

    #[test]
    fn an_own_chain_in_atari_is_saved() {
        let diagram = ".....\n..O..\n.OXO.\n.....\n.....";
        check(diagram, "D3", &[("C2", Purpose::save(1))]);
    }

    #[test]
    fn a_two_liberty_chain_is_threatened_and_extended() {
        let diagram = ".....\n.....\n..OX.\n..X..\n.....";
        check(
            diagram,
            "C3",
            &[("B3", Purpose::Atari), ("C4", Purpose::Atari)],
        );
    }

    #[test]
    fn a_chain_adjacent_to_the_own_previous_stone_is_captured() {
        let board: Board = "XO...\n.....\n.....\n.....\n....X".parse().unwrap();
        let captures = |before: Option<&str>| {
            let before = before.map(|point| point.parse().unwrap());
            answers(&board, Color::White, "E1".parse().unwrap(), before)
                .iter()
                .filter(|answer| answer.purpose == Purpose::capture(1))
                .map(|answer| answer.point.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(captures(Some("B5")), ["A4"]);
        assert_eq!(captures(None), [""; 0]);
    }

    #[test]
    fn the_vital_point_is_found() {
        let diagram = ".....\nXXXX.\n...X.\nXXXX.\n.....";
        check(diagram, "D3", &[("B3", Purpose::Nakade)]);
    }
}
