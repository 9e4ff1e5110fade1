//! Extraction of the features of a move.

use arrayvec::ArrayVec;
use boardgame_core::Color;
use go_core::{Board, Point};

use super::{
    chains::ChainFeatures,
    distances::{self, StoneDistances},
    feature::{CORNERS, Feature},
    joseki::{Joseki, JosekiMoves},
    shape,
    stakes::Stakes,
};
use crate::{
    ladder,
    last_stones::LastStones,
    owners::Owners,
    tactics::{Extension, captures, few_liberties_after, holds_after, self_atari},
};

/// A position for feature extraction: the board, the side to move and the last two stones.
#[derive(Clone, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) board: &'a Board,
    pub(crate) color: Color,
    /// The opponent's last stone.
    pub(crate) last: Option<Point>,
    /// The stone before it.
    pub(crate) before: Option<Point>,
    /// The owners of points, if known.
    pub(crate) owners: Option<&'a Owners>,
    /// The distances from the nearest stone.
    distances: StoneDistances,
    /// The moves that continue a joseki.
    joseki: JosekiMoves,
    /// The moves that catch or save chains.
    chains: ChainFeatures,
    /// The stakes of points, if the owners are known.
    stakes: Option<Stakes>,
}

impl<'a> Context<'a> {
    /// Creates the context of a position and its last two stones; `last` is the opponent's.
    pub(crate) fn new(
        board: &'a Board,
        color: Color,
        stones: LastStones,
        owners: Option<&'a Owners>,
    ) -> Self {
        let LastStones { last, before } = stones;
        Self {
            board,
            color,
            last,
            before,
            owners,
            distances: StoneDistances::new(board),
            joseki: Joseki::built_in().moves(board, color, last),
            chains: ChainFeatures::new(board, color, last, owners),
            stakes: owners.and_then(|owners| Stakes::new(board, owners)),
        }
    }
}

/// The maximum distance; larger ones are not distinguished.
const MAX_DISTANCE: u8 = 17;

/// Iterates over the features of a move of the side to move.
pub(crate) fn features(context: &Context<'_>, point: Point) -> impl Iterator<Item = Feature> {
    let &Context {
        board,
        color,
        last,
        before,
        owners,
        ref distances,
        ref joseki,
        ref chains,
        ref stakes,
    } = context;
    let mut features: ArrayVec<Feature, { Feature::GROUPS.len() }> = ArrayVec::new();
    let from = |stone: Option<Point>| stone.map(|stone| distance(stone, point));
    features.extend(from(last).map(Feature::distance));
    features.extend(from(before).map(Feature::distance_before));
    let [low, high] = lines(board, point);
    let distance = distances.from(point);
    features.push(Feature::line(low.min(6), distance));
    if distance == distances::MAX {
        let corner = CORNERS.iter().position(|&it| it == (low, high));
        features.extend(corner.map(Feature::corner));
    }
    features.extend(capture(board, color, point));
    features.extend(escape(board, color, point));
    let of_chains: ArrayVec<Feature, { Feature::CHAIN_GROUPS }> = chains.of(point).collect();
    let catches = (of_chains.iter()).any(|it| it.is_in(Feature::CATCHES));
    features.extend(atari(board, color, point).then_some(Feature::atari(catches)));
    let liberties = few_liberties_after::<5>(board, color, point);
    features.push(match liberties.as_deref() {
        Some([] | [_]) => Feature::self_atari(self_atari(board, color, point).clamp(1, 3) as u8),
        few => Feature::liberties(few.map_or(5, |liberties| liberties.len() as u8)),
    });
    if let Some(&[one, other]) = liberties.as_deref()
        && is_caught(board, color, point, [one, other])
    {
        features.push(Feature::caught());
    }
    let share = owners.and_then(|owners| owners.share(point, color));
    features.extend(share.map(|share| Feature::owner((share * 8.0).min(7.0) as u8)));
    let answers = joseki.answers(point);
    features.extend(answers.map(Feature::joseki));
    features.extend(of_chains);
    let stakes = stakes.as_ref().map(|stakes| stakes.level(point));
    features.extend(stakes.map(Feature::stakes));
    features.into_iter()
}

/// Returns the distance between two points, 2 to [`MAX_DISTANCE`].
fn distance(one: Point, other: Point) -> u8 {
    let columns = one.column().abs_diff(other.column());
    let rows = one.row().abs_diff(other.row());
    shape::distance(columns, rows).clamp(2, MAX_DISTANCE)
}

/// Returns the lines of a point from the nearest edges, lower one first; 1 is the edge.
fn lines(board: &Board, point: Point) -> [u8; 2] {
    let last = board.size().lines() - 1;
    let from_edge = |place: u8| place.min(last - place) + 1;
    let (column, row) = (from_edge(point.column()), from_edge(point.row()));
    [column.min(row), column.max(row)]
}

fn capture(board: &Board, color: Color, point: Point) -> Option<Feature> {
    let in_atari = |&neighbour: &Point| board.atari(neighbour).is_some();
    let mut stones = 0;
    let mut saves = false;
    for chain in board.neighbour_stones(!color, point).filter(in_atari) {
        stones = board.chain_len(chain).max(stones);
        saves |= board.chain(chain).any(|stone| {
            let mut own = board.neighbour_stones(color, stone);
            own.any(|own| board.atari(own).is_some())
        });
    }
    (stones > 0).then(|| Feature::capture(stones.min(3) as u8, saves))
}

fn escape(board: &Board, color: Color, point: Point) -> Option<Feature> {
    let own = board.neighbour_stones(color, point);
    let chains: ArrayVec<Point, 4> = own.filter(|&own| board.atari(own).is_some()).collect();
    let stones = chains.iter().map(|&chain| board.chain_len(chain)).max()?;
    let escapes = |&chain: &Point| ladder::escapes_by(board, chain, point);
    let works = chains.iter().any(escapes);
    Some(Feature::escape(stones.min(3) as u8, works))
}

/// Returns whether a move puts an opponent's chain with two liberties in atari.
fn atari(board: &Board, color: Color, point: Point) -> bool {
    let mut opponents = board.neighbour_stones(!color, point);
    opponents.any(|neighbour| board.some_liberties::<3>(neighbour).len() == 2)
}

/// Returns whether a stone's chain has two liberties after it is placed, and an atari catches it.
fn is_caught(board: &Board, color: Color, point: Point, liberties: [Point; 2]) -> bool {
    let [one, other] = liberties.map(|liberty| Extension::new(board, color, liberty));
    // An atari at one liberty is answered at the other.
    let runs = one.escapes_after(&[point, other.point]) && other.escapes_after(&[point, one.point]);
    let is_capture = captures(board, color, point)
        || (liberties.iter()).any(|&liberty| captures(board, !color, liberty));
    let is_caught = |after: &Board| ladder::is_caught_by_atari(after, point);
    (is_capture || !runs) && holds_after(board, color, point, is_caught)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tactics;
    use proptest::prelude::*;

    /// Checks the names of the features of a move, without distances.
    fn check(diagram: &str, color: Color, point: &str, expected: &str) {
        let board: Board = diagram.parse().unwrap();
        let context = Context::new(&board, color, LastStones::default(), None);
        let found = features(&context, point.parse().unwrap()).map(|feature| feature.to_string());
        assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{point}");
    }

    #[test]
    fn captures_escapes_and_ataris_are_recognized() {
        // White at C3 has its last liberty at D3, and the adjacent Black stone at B3 at B2.
        let diagram = ".....\n.OX..\nOXO..\n..X..\n.....";
        let corner = "O.X..\n.X...\n.....\n.....\n.....";
        let (black, white) = (Color::Black, Color::White);
        for (diagram, color, point, expected) in [
            (
                diagram,
                black,
                "D3",
                "line-2-distance-1 capture-1-saves liberties-4",
            ),
            (
                diagram,
                black,
                "B2",
                "line-2-distance-1 escape-1-works liberties-4",
            ),
            (
                diagram,
                white,
                "B2",
                "line-2-distance-1 capture-1-saves liberties-3 threatens-1",
            ),
            (
                corner,
                black,
                "B5",
                "line-1-distance-1 atari-catches liberties-4 catches-1",
            ),
            (corner, white, "B5", "line-1-distance-1 self-atari-2"),
        ] {
            check(diagram, color, point, expected);
        }
    }

    proptest! {
        #[test]
        fn a_move_has_at_most_one_feature_per_group(seed: u64, moves in 0_usize..120) {
            let mut random = go_core::Random::new(seed);
            let mut board = Board::new(go_core::Size::NINE);
            let mut stones = LastStones::default();
            for color in [Color::Black, Color::White].into_iter().cycle().take(moves) {
                let point = board.random_move(color, &mut random);
                if let Some(point) = point {
                    board.play(color, point);
                }
                stones = stones.after(point);
            }
            let mut owners = Owners::default();
            for _ in 0..crate::owners::MIN_SIMULATIONS {
                let mut end = board.clone();
                for color in [Color::Black, Color::White].into_iter().cycle().take(60) {
                    if let Some(point) = end.random_move(color, &mut random) {
                        end.play(color, point);
                    }
                }
                owners.add(&end);
            }
            let context = Context::new(&board, Color::Black, stones, Some(&owners));
            for point in board.empty_points() {
                let indices: Vec<_> = features(&context, point).map(Feature::index).collect();
                for group in Feature::GROUPS {
                    let in_group = indices.iter().filter(|&index| group.places().contains(index));
                    prop_assert!(in_group.count() <= 1, "{group:?} {indices:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn features_are_the_same_on_a_mirrored_board(seed: u64, moves in 0_usize..80) {
            let lines = 7;
            let mirrored = |point: Point| Point::new(lines - 1 - point.column(), point.row()).unwrap();
            let mut random = go_core::Random::new(seed);
            let mut boards = [(); 2].map(|()| Board::new(go_core::Size::new(lines).unwrap()));
            for color in [Color::Black, Color::White].into_iter().cycle().take(moves) {
                if let Some(point) = boards[0].random_move(color, &mut random) {
                    boards[0].play(color, point);
                    boards[1].play(color, mirrored(point));
                }
            }
            let contexts =
                boards.each_ref().map(|board| Context::new(board, Color::Black, LastStones::default(), None));
            let of = |context, point| {
                let mut found: Vec<_> = features(context, point).map(Feature::index).collect();
                found.sort_unstable();
                found
            };
            for point in boards[0].empty_points() {
                prop_assert_eq!(
                    of(&contexts[0], point), of(&contexts[1], mirrored(point)), "{} {}", &boards[0], point
                );
            }
        }
    }

    proptest! {
        #[test]
        fn caught_moves_agree_with_searches((board, color) in tactics::tests::boards()) {
            let context = Context::new(&board, color, LastStones::default(), None);
            for point in board.empty_points() {
                let caught = holds_after(&board, color, point, |after| {
                    let liberties = few_liberties_after::<5>(&board, color, point);
                    liberties.is_some_and(|liberties| liberties.len() == 2)
                        && ladder::is_caught_by_atari(after, point)
                });
                let found = features(&context, point).any(|it| it == Feature::caught());
                prop_assert_eq!(found, caught, "{}", point);
            }
        }
    }

    #[test]
    fn a_joseki_answers_the_last_stone() {
        let mut board = Board::new(go_core::Size::NINETEEN);
        let [black, white] = ["D4", "F3"].map(|point| point.parse::<Point>().unwrap());
        board.play(Color::Black, black);
        board.play(Color::White, white);
        let context = Context::new(
            &board,
            Color::Black,
            LastStones {
                last: Some(white),
                before: Some(black),
            },
            None,
        );
        let joseki = |point: &str| {
            features(&context, point.parse().unwrap())
                .find(|feature| feature.is_in(Feature::JOSEKI))
        };
        assert_eq!(joseki("C6"), Some(Feature::joseki(true)));
        assert_eq!(joseki("D16"), Some(Feature::joseki(false)));
        assert_eq!(joseki("C5"), None);
    }

    #[test]
    fn an_owner_in_all_simulations_is_in_the_last_eighth() {
        let board = Board::new(go_core::Size::NINE);
        let mut owners = Owners::default();
        let end: Board = ".X.\nXX.\n.X.".parse().unwrap();
        for _ in 0..crate::owners::MIN_SIMULATIONS {
            owners.add(&end);
        }
        let context = Context::new(&board, Color::Black, LastStones::default(), Some(&owners));
        let owner = |color| {
            let context = Context {
                color,
                ..context.clone()
            };
            features(&context, "A1".parse().unwrap()).find(|feature| feature.is_in(Feature::OWNER))
        };
        assert_eq!(owner(Color::Black), Some(Feature::owner(7)));
        assert_eq!(owner(Color::White), Some(Feature::owner(0)));
    }
}
