//! Features of moves that catch or save chains with few liberties.

use arrayvec::ArrayVec;
use boardgame_core::Color;
use go_core::{Board, Point, PointSet};

use super::feature::Feature;
use crate::{
    ladder,
    owners::Owners,
    tactics::{Extension, captures, holds_after, liberties_after},
};

/// A chain counts as dead if its side owns it at the end of a smaller share of the simulations.
const DEAD: f32 = 0.25;

/// The maximum number of points tried to save a chain.
const MAX_DEFENCES: usize = 32;

/// The maximum number of points tried as nets: those around two liberties.
const MAX_NETS: usize = 16;

/// The features of a side's moves that concern chains with one to three liberties.
#[derive(Clone, Debug)]
pub(crate) struct ChainFeatures {
    /// For each point, a bit for each feature of [`Feature::CHAINS`].
    sets: [u32; Point::INDEX_END],
}

impl ChainFeatures {
    /// Analyses all chains with one to three liberties; `last` is the opponent's last stone.
    pub(crate) fn new(
        board: &Board,
        color: Color,
        last: Option<Point>,
        owners: Option<&Owners>,
    ) -> Self {
        let mut reader = Reader {
            board,
            color,
            last: last.and_then(|last| board.chain_id(last)),
            owners,
            ataris: PointSet::default(),
            features: Self {
                sets: [0; Point::INDEX_END],
            },
        };
        for (chain, owner) in board.stones() {
            if board.chain_id(chain) != Some(chain) {
                continue;
            }
            let liberties = board.few_liberties::<3>(chain);
            match liberties.as_deref() {
                Some(&[last]) if owner == color => reader.read_own_in_atari(chain, last),
                Some(&[one, other]) if owner == color => reader.read_defences(chain, [one, other]),
                Some(&[last]) if owner != color => reader.read_capture(chain, last),
                Some(&[one, other]) if owner != color => reader.read_ataris(chain, [one, other]),
                Some(&[one, two, three]) if owner != color => {
                    reader.read_threats(chain, [one, two, three]);
                }
                _ => {}
            }
        }
        reader.features
    }

    /// Iterates over the features of a move, at most one of each group.
    pub(crate) fn of(&self, point: Point) -> impl Iterator<Item = Feature> + use<> {
        let mut set = self.sets[point.index()];
        core::iter::from_fn(move || {
            let place = (set != 0).then(|| set.trailing_zeros() as usize)?;
            set &= set - 1;
            Some(Feature::from_index(Feature::CHAINS.start + place))
        })
    }

    /// Adds a feature to a move. Of several features of a group, the one with the highest index is kept.
    fn add(&mut self, point: Point, feature: Feature) {
        let index = feature.index();
        let group = Feature::group_at(index).places();
        let bit = |index: usize| 1_u32 << (index - Feature::CHAINS.start);
        let in_group = bit(group.end) - bit(group.start);
        let set = &mut self.sets[point.index()];
        if *set & in_group < bit(index) {
            *set = *set & !in_group | bit(index);
        }
    }
}

/// An analysis of the chains of a board.
struct Reader<'a> {
    board: &'a Board,
    color: Color,
    /// The chain of the opponent's last stone.
    last: Option<Point>,
    owners: Option<&'a Owners>,
    /// The points of ataris on living chains that do not catch them.
    ataris: PointSet,
    features: ChainFeatures,
}

impl Reader<'_> {
    /// Returns whether a chain rarely belongs to its side in the end; false while the owners are unknown.
    fn is_dead(&self, chain: Point) -> bool {
        let share = self.owners.zip(self.board.stone(chain));
        share
            .and_then(|(owners, color)| owners.share(chain, color))
            .is_some_and(|share| share < DEAD)
    }

    /// Returns the number of stones, at most 3.
    fn stones(&self, chain: Point) -> u8 {
        self.board.chain_len(chain).min(3) as u8
    }

    fn read_own_in_atari(&mut self, chain: Point, last: Point) {
        if self.is_dead(chain) {
            self.features.add(last, Feature::escape_dead());
        }
    }

    fn read_capture(&mut self, chain: Point, last: Point) {
        if self.last == Some(chain) {
            self.features.add(last, Feature::recapture());
        }
        if self.is_dead(chain) {
            self.features.add(last, Feature::capture_dead());
        }
    }

    /// Analyses an own chain with two liberties: finds the moves that save it if an atari would catch it.
    fn read_defences(&mut self, chain: Point, liberties: [Point; 2]) {
        let board = self.board;
        if !ladder::is_caught_by_atari(board, chain) {
            return;
        }
        let feature = Feature::defends(self.stones(chain), self.is_dead(chain));
        for point in self.defences(chain, liberties) {
            if ladder::escapes_by(board, chain, point) {
                self.features.add(point, feature);
            }
        }
    }

    /// Returns points where a stone may save a chain: its liberties, the empty points adjacent to them, and the
    /// liberties of adjacent opponents that have one or two. Ladder breakers farther away are not included.
    fn defences(&self, chain: Point, liberties: [Point; 2]) -> ArrayVec<Point, MAX_DEFENCES> {
        let board = self.board;
        let neighbours = liberties
            .into_iter()
            .flat_map(|it| board.empty_neighbours(it));
        let opponents = board
            .chain(chain)
            .flat_map(|stone| board.neighbour_stones(!self.color, stone));
        let captures = opponents
            .filter_map(|opponent| board.few_liberties::<2>(opponent))
            .flat_map(|few| few.iter().copied().collect::<ArrayVec<Point, 2>>());
        let mut defences = ArrayVec::new();
        for point in liberties.into_iter().chain(neighbours).chain(captures) {
            if !defences.contains(&point) && !defences.is_full() {
                defences.push(point);
            }
        }
        defences
    }

    /// Analyses a chain of the opponent with two liberties: finds ataris, and nets if no atari catches it.
    fn read_ataris(&mut self, chain: Point, liberties: [Point; 2]) {
        let (stones, dead) = (self.stones(chain), self.is_dead(chain));
        let mut is_caught = false;
        for liberty in liberties {
            if ladder::catches(self.board, liberty, chain) {
                is_caught = true;
                self.features.add(liberty, Feature::catches(stones, dead));
            } else if !dead && liberties_after::<2>(self.board, self.color, liberty) >= 2 {
                if self.ataris.contains(liberty) {
                    self.features.add(liberty, Feature::double_atari());
                }
                self.ataris.insert(liberty);
            }
        }
        if !is_caught && !dead {
            self.read_nets(chain, liberties);
        }
    }

    /// Finds moves around two liberties after which their chain is caught wherever it runs.
    fn read_nets(&mut self, chain: Point, liberties: [Point; 2]) {
        let board = self.board;
        let mut points: ArrayVec<Point, MAX_NETS> = ArrayVec::new();
        for point in liberties.into_iter().flat_map(|it| board.empty_around(it)) {
            let has_room = board.pattern(point, self.color).empty_neighbour_count() >= 2;
            if has_room && !liberties.contains(&point) && !points.contains(&point) {
                points.push(point);
            }
        }
        let feature = Feature::nets(self.stones(chain));
        let extensions = liberties.map(|liberty| Extension::new(board, !self.color, liberty));
        for point in points {
            if !captures(board, self.color, point)
                && extensions.iter().any(|it| it.escapes_after(&[point]))
            {
                continue;
            }
            let is_caught = |after: &Board| ladder::is_caught(after, chain);
            if holds_after(board, self.color, point, is_caught) {
                self.features.add(point, feature);
            }
        }
    }

    /// Analyses a chain of the opponent with three liberties: finds moves after which an atari would catch it.
    fn read_threats(&mut self, chain: Point, liberties: [Point; 3]) {
        if self.is_dead(chain) {
            return;
        }
        let feature = Feature::threatens(self.stones(chain));
        let extensions = liberties.map(|liberty| Extension::new(self.board, !self.color, liberty));
        let is_capture = (liberties.iter()).any(|&it| captures(self.board, self.color, it));
        for liberty in liberties {
            if liberties_after::<3>(self.board, self.color, liberty) < 3 {
                continue;
            }
            // An atari at one of the other two liberties is answered at the last one.
            let mut others = extensions.iter().filter(|it| it.point != liberty);
            let escapes = |it: &Extension| {
                let atari = liberties
                    .iter()
                    .find(|&&at| at != liberty && at != it.point);
                it.escapes_after(&[liberty, *atari.unwrap_or(&liberty)])
            };
            if !is_capture && others.all(escapes) {
                continue;
            }
            let is_caught = |after: &Board| ladder::is_caught_by_atari(after, chain);
            if holds_after(self.board, self.color, liberty, is_caught) {
                self.features.add(liberty, feature);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::tactics;

    /// Returns Black's moves with their features, in the order of the points' names.
    fn read(diagram: &str, last: Option<&str>) -> Vec<(String, Feature)> {
        let board: Board = diagram.parse().unwrap();
        let last = last.map(|last| last.parse().unwrap());
        let features = ChainFeatures::new(&board, Color::Black, last, None);
        let of = |point: Point| features.of(point).map(move |it| (point.to_string(), it));
        let mut found: Vec<_> = board.empty_points().flat_map(of).collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found
    }

    fn check(diagram: &str, last: Option<&str>, expected: &[(&str, Feature)]) {
        let expected: Vec<_> = (expected.iter())
            .map(|&(name, feature)| (name.to_owned(), feature))
            .collect();
        assert_eq!(read(diagram, last), expected);
    }

    #[test]
    fn a_ladder_catches_on_one_side_and_a_net_without_atari() {
        // White's stone at C3 runs into the edge after C4, and escapes after D3.
        let diagram = "\
            .......\n\
            .......\n\
            .......\n\
            .......\n\
            .XO....\n\
            ..XX...\n\
            .......";
        let dead = false;
        check(diagram, None, &[("C4", Feature::catches(1, dead))]);
        // If it escapes upwards, a net still catches it.
        let diagram = "\
            ......O\n\
            .....O.\n\
            .......\n\
            .X.....\n\
            .XO....\n\
            ..XX...\n\
            .......";
        check(diagram, None, &[("D4", Feature::nets(1))]);
    }

    #[test]
    fn the_last_stone_is_recaptured() {
        let diagram = ".....\n.....\nX....\nOX...\n.X...";
        check(diagram, Some("A2"), &[("A1", Feature::recapture())]);
        assert_eq!(read(diagram, None), []);
    }

    #[test]
    fn a_chain_that_would_be_caught_is_defended() {
        // Black's stone at C3 is caught by C4 unless it runs or White's stones are put in atari.
        let diagram = "\
            .......\n\
            .......\n\
            .......\n\
            .......\n\
            .OX....\n\
            ..OO...\n\
            .......";
        let found = read(diagram, None);
        let defends = Feature::defends(1, false);
        let defences: Vec<_> = (found.iter())
            .filter(|(_, feature)| *feature == defends)
            .map(|(point, _)| point)
            .collect();
        assert_eq!(defences, ["B4", "C4", "C5", "D3", "D4", "E3"]);
    }

    #[test]
    fn an_atari_on_two_chains_is_a_double_atari() {
        // White's stones at C3 and E3 run upwards after D3, but not both can.
        let diagram = "\
            .......\n\
            .......\n\
            .......\n\
            .......\n\
            .XO.OX.\n\
            ..X.X..\n\
            .......";
        let found = read(diagram, None);
        let doubles: Vec<_> = (found.iter())
            .filter(|(_, feature)| *feature == Feature::double_atari())
            .map(|(point, _)| point)
            .collect();
        assert_eq!(doubles, ["D3"], "{found:?}");
    }

    #[test]
    fn dead_chains_have_features_of_their_own() {
        // White's stone at C3 can be caught in a net at D4, and the one at G1 captured.
        let board: Board = "\
            ......O\n\
            .....O.\n\
            .......\n\
            .X.....\n\
            .XO....\n\
            ..XX..X\n\
            ......O"
            .parse()
            .unwrap();
        let end: Board = format!("{}XXXXXXX", "XX.XXXX\n".repeat(6)).parse().unwrap();
        let mut owners = Owners::default();
        for _ in 0..crate::owners::MIN_SIMULATIONS {
            owners.add(&end);
        }
        let features = ChainFeatures::new(&board, Color::Black, None, Some(&owners));
        let of = |name: &str| features.of(name.parse().unwrap()).collect::<Vec<_>>();
        assert_eq!(of("D4"), []);
        let (stones, dead) = (1, false);
        assert_eq!(
            of("F1"),
            [Feature::capture_dead(), Feature::defends(stones, dead)]
        );
    }

    #[test]
    fn a_move_has_the_feature_for_more_stones() {
        let mut features = ChainFeatures {
            sets: [0; Point::INDEX_END],
        };
        let point = "C3".parse().unwrap();
        let nets = Feature::nets;
        for stones in [1, 3, 2] {
            features.add(point, nets(stones));
        }
        features.add(point, Feature::recapture());
        let found: Vec<_> = features.of(point).collect();
        assert_eq!(found, [Feature::recapture(), nets(3)]);
    }

    proptest! {
        #[test]
        fn threats_agree_with_searches((board, color) in tactics::tests::boards()) {
            let chains = board.stones().filter(|&(chain, owner)| {
                owner != color && board.chain_id(chain) == Some(chain)
            });
            let mut threats = BTreeSet::new();
            for (chain, _) in chains {
                let Some(&[one, two, three]) = board.few_liberties::<3>(chain).as_deref() else {
                    continue;
                };
                let threatens = |&point: &Point| {
                    let is_caught = |after: &Board| ladder::is_caught_by_atari(after, chain);
                    liberties_after::<3>(&board, color, point) >= 3
                        && holds_after(&board, color, point, is_caught)
                };
                threats.extend([one, two, three].into_iter().filter(threatens));
            }
            let features = ChainFeatures::new(&board, color, None, None);
            for point in board.empty_points() {
                let is_threat = |it: Feature| it.is_in(Feature::THREATENS);
                prop_assert_eq!(features.of(point).any(is_threat), threats.contains(&point), "{}", point);
            }
        }
    }
}
