//! Features of moves.

use std::ops::Range;

use arrayvec::ArrayVec;
use boardgame_core::Color;
use go_core::{Board, Point};

use super::{
    chains::ChainFeatures,
    distances::{self, StoneDistances},
    joseki::{Joseki, JosekiMoves},
    shape,
    stakes::Stakes,
};
use crate::{
    ladder,
    owners::Owners,
    tactics::{board_after, liberties_after, self_atari},
};

/// A position as features see it: the board, the side to move and the last two stones.
#[derive(Clone, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) board: &'a Board,
    pub(crate) color: Color,
    /// The opponent's last stone.
    pub(crate) last: Option<Point>,
    /// The stone before it.
    pub(crate) before: Option<Point>,
    /// The owners of points, where they are known.
    pub(crate) owners: Option<&'a Owners>,
    /// The distances from the nearest stone.
    distances: StoneDistances,
    /// The moves that continue a joseki.
    joseki: JosekiMoves,
    /// The moves that catch or save chains.
    chains: ChainFeatures,
    /// The stakes of points, where the owners are known.
    stakes: Option<Stakes>,
}

impl<'a> Context<'a> {
    /// Returns a position to which the last two stones led, the opponent's last.
    pub(crate) fn new(
        board: &'a Board,
        color: Color,
        last: [Option<Point>; 2],
        owners: Option<&'a Owners>,
    ) -> Self {
        let [before, last] = last;
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

/// The greatest distance that is told from larger ones.
const MAX_DISTANCE: u8 = 17;

/// The lines from the edges of the points of an open corner.
const CORNERS: [(u8, u8); 6] = [(3, 3), (3, 4), (4, 4), (3, 5), (4, 5), (5, 5)];

/// A feature of a move, besides the pattern around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// The distance from the last stone: columns, rows and the larger of both, 2 to 17.
    Distance(u8),
    /// The distance from the stone before it.
    DistanceBefore(u8),
    /// The move captures 1, 2 or more stones, 3 standing for all that are more; `saves` if they have an own
    /// chain beside them that is in atari.
    Capture { stones: u8, saves: bool },
    /// The move extends a chain of 1, 2 or more stones that is in atari; `works` if it escapes.
    Escape { stones: u8, works: bool },
    /// The move puts 1, 2 or more own stones into atari.
    SelfAtari(u8),
    /// The move puts a chain into atari, which `catches` it if it cannot run.
    Atari { catches: bool },
    /// The line from the edge, 1 to 6, and the distance from the nearest stone, 1 to 5.
    Line { line: u8, distance: u8 },
    /// The lines from the two edges of an open corner, 3 to 5, the lower one first.
    Corner { low: u8, high: u8 },
    /// The liberties of the chain after the move, 2 to 5.
    Liberties(u8),
    /// The share of simulations in which the point belongs to the side to move at their end, in eighths, 0 to 7.
    Owner(u8),
    /// The move continues a joseki, and `answers` the last stone if that is in the same corner as a stone of the side to
    /// move.
    Joseki { answers: bool },
    /// The move captures the opponent's last stone.
    Recapture,
    /// The move captures a chain that is dead already.
    CaptureDead,
    /// The move is at the last liberty of an own chain that is dead already.
    EscapeDead,
    /// The move is an atari that catches a chain of 1, 2 or more stones, which may be dead already.
    Catches { stones: u8, dead: bool },
    /// The move is an atari on two living chains, neither of which it catches.
    DoubleAtari,
    /// The move saves a chain of 1, 2 or more stones that has two liberties and would be caught by an atari. It may be
    /// dead all the same.
    Defends { stones: u8, dead: bool },
    /// The chain of the move has two liberties then, and an atari catches it.
    Caught,
    /// The move catches a chain of 1, 2 or more stones that has two liberties, without an atari.
    Nets { stones: u8 },
    /// The move leaves two of three liberties to a chain of 1, 2 or more stones, and an atari would catch it then.
    Threatens { stones: u8 },
    /// The number of uncertain stones around the point, a level of [`Stakes`].
    Stakes(u8),
}

impl Feature {
    /// The number of features.
    pub(crate) const COUNT: usize = 128;

    const CAPTURE: usize = 32;
    const ESCAPE: usize = 38;
    const SELF_ATARI: usize = 44;
    const ATARI: usize = 47;
    const LINE: usize = 49;
    /// The lines of points that are not beside a stone.
    const FAR_LINE: usize = 55;
    const CORNER: usize = 79;
    const LIBERTIES: usize = 85;
    const OWNER: usize = 89;
    const JOSEKI: usize = 97;
    const RECAPTURE: usize = 99;
    const CAPTURE_DEAD: usize = 100;
    const ESCAPE_DEAD: usize = 101;
    const CATCHES: usize = 102;
    const DOUBLE_ATARI: usize = 108;
    const DEFENDS: usize = 109;
    const CAUGHT: usize = 115;
    const NETS: usize = 116;
    const THREATENS: usize = 119;
    const STAKES: usize = 122;

    /// The features of which [`ChainFeatures`] keeps a bit, and [`Feature::Caught`].
    pub(crate) const CHAINS: Range<usize> = Self::RECAPTURE..Self::STAKES;

    /// The places of features of which a move has at most one each. A move that puts its own stones into atari has no
    /// count of liberties.
    pub(crate) const GROUPS: [Range<usize>; 22] = [
        0..16,
        16..Self::CAPTURE,
        Self::CAPTURE..Self::ESCAPE,
        Self::ESCAPE..Self::SELF_ATARI,
        Self::SELF_ATARI..Self::ATARI,
        Self::ATARI..Self::LINE,
        Self::LINE..Self::FAR_LINE,
        Self::FAR_LINE..Self::CORNER,
        Self::CORNER..Self::LIBERTIES,
        Self::LIBERTIES..Self::OWNER,
        Self::OWNER..Self::JOSEKI,
        Self::JOSEKI..Self::RECAPTURE,
        Self::RECAPTURE..Self::CAPTURE_DEAD,
        Self::CAPTURE_DEAD..Self::ESCAPE_DEAD,
        Self::ESCAPE_DEAD..Self::CATCHES,
        Self::CATCHES..Self::DOUBLE_ATARI,
        Self::DOUBLE_ATARI..Self::DEFENDS,
        Self::DEFENDS..Self::CAUGHT,
        Self::CAUGHT..Self::NETS,
        Self::NETS..Self::THREATENS,
        Self::THREATENS..Self::STAKES,
        Self::STAKES..Self::COUNT,
    ];

    /// The groups that a fit leaves alone: games of the engine against itself do not determine their weights.
    pub(crate) const BY_HAND: [Range<usize>; 5] = [
        0..16,
        16..Self::CAPTURE,
        Self::FAR_LINE..Self::CORNER,
        Self::CORNER..Self::LIBERTIES,
        Self::JOSEKI..Self::RECAPTURE,
    ];

    /// Returns the place of the feature's weight.
    pub(crate) fn index(self) -> usize {
        let place = |first: usize, value: u8, least: u8| first + usize::from(value - least);
        match self {
            Self::Distance(distance) => place(0, distance, 2),
            Self::DistanceBefore(distance) => place(16, distance, 2),
            Self::Capture { stones, saves } => {
                place(Self::CAPTURE, stones, 1) + 3 * usize::from(saves)
            }
            Self::Escape { stones, works } => {
                place(Self::ESCAPE, stones, 1) + 3 * usize::from(works)
            }
            Self::SelfAtari(stones) => place(Self::SELF_ATARI, stones, 1),
            Self::Atari { catches } => Self::ATARI + usize::from(catches),
            Self::Line { line, distance } => {
                place(Self::LINE, line, 1) + 6 * usize::from(distance - 1)
            }
            Self::Corner { low, high } => {
                let corner = CORNERS.iter().position(|&it| it == (low, high));
                Self::CORNER + corner.expect("lines of a corner")
            }
            Self::Liberties(liberties) => place(Self::LIBERTIES, liberties, 2),
            Self::Owner(eighths) => place(Self::OWNER, eighths, 0),
            Self::Joseki { answers } => Self::JOSEKI + usize::from(answers),
            Self::Recapture => Self::RECAPTURE,
            Self::CaptureDead => Self::CAPTURE_DEAD,
            Self::EscapeDead => Self::ESCAPE_DEAD,
            Self::Catches { stones, dead } => {
                place(Self::CATCHES, stones, 1) + 3 * usize::from(!dead)
            }
            Self::DoubleAtari => Self::DOUBLE_ATARI,
            Self::Defends { stones, dead } => {
                place(Self::DEFENDS, stones, 1) + 3 * usize::from(!dead)
            }
            Self::Caught => Self::CAUGHT,
            Self::Nets { stones } => place(Self::NETS, stones, 1),
            Self::Threatens { stones } => place(Self::THREATENS, stones, 1),
            Self::Stakes(level) => place(Self::STAKES, level, 0),
        }
    }

    /// Returns the feature whose weight is at a place below [`Feature::COUNT`].
    pub(crate) fn from_index(index: usize) -> Self {
        let value = |first: usize, least: u8| (index - first) as u8 + least;
        match index {
            0..16 => Self::Distance(value(0, 2)),
            16..Self::CAPTURE => Self::DistanceBefore(value(16, 2)),
            Self::CAPTURE..Self::ESCAPE => Self::Capture {
                stones: value(Self::CAPTURE, 0) % 3 + 1,
                saves: index >= Self::CAPTURE + 3,
            },
            Self::ESCAPE..Self::SELF_ATARI => Self::Escape {
                stones: value(Self::ESCAPE, 0) % 3 + 1,
                works: index >= Self::ESCAPE + 3,
            },
            Self::SELF_ATARI..Self::ATARI => Self::SelfAtari(value(Self::SELF_ATARI, 1)),
            Self::ATARI..Self::LINE => Self::Atari {
                catches: index > Self::ATARI,
            },
            Self::LINE..Self::CORNER => Self::Line {
                line: value(Self::LINE, 0) % 6 + 1,
                distance: value(Self::LINE, 0) / 6 + 1,
            },
            Self::CORNER..Self::LIBERTIES => {
                let (low, high) = CORNERS[index - Self::CORNER];
                Self::Corner { low, high }
            }
            Self::LIBERTIES..Self::OWNER => Self::Liberties(value(Self::LIBERTIES, 2)),
            Self::OWNER..Self::JOSEKI => Self::Owner(value(Self::OWNER, 0)),
            Self::JOSEKI..Self::RECAPTURE => Self::Joseki {
                answers: index > Self::JOSEKI,
            },
            Self::RECAPTURE => Self::Recapture,
            Self::CAPTURE_DEAD => Self::CaptureDead,
            Self::ESCAPE_DEAD => Self::EscapeDead,
            Self::CATCHES..Self::DOUBLE_ATARI => Self::Catches {
                stones: value(Self::CATCHES, 0) % 3 + 1,
                dead: index < Self::CATCHES + 3,
            },
            Self::DOUBLE_ATARI => Self::DoubleAtari,
            Self::DEFENDS..Self::CAUGHT => Self::Defends {
                stones: value(Self::DEFENDS, 0) % 3 + 1,
                dead: index < Self::DEFENDS + 3,
            },
            Self::CAUGHT => Self::Caught,
            Self::NETS..Self::THREATENS => Self::Nets {
                stones: value(Self::NETS, 1),
            },
            Self::THREATENS..Self::STAKES => Self::Threatens {
                stones: value(Self::THREATENS, 1),
            },
            _ => Self::Stakes(value(Self::STAKES, 0)),
        }
    }
}

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
    features.extend(from(last).map(Feature::Distance));
    features.extend(from(before).map(Feature::DistanceBefore));
    let [low, high] = lines(board, point);
    let distance = distances.from(point);
    features.push(Feature::Line {
        line: low.min(6),
        distance,
    });
    if distance == distances::MAX && CORNERS.contains(&(low, high)) {
        features.push(Feature::Corner { low, high });
    }
    features.extend(capture(board, color, point));
    features.extend(escape(board, color, point));
    features.extend(atari(board, color, point));
    let liberties = liberties(board, color, point);
    features.push(liberties);
    if liberties == Feature::Liberties(2) && is_caught(board, color, point) {
        features.push(Feature::Caught);
    }
    let share = owners.and_then(|owners| owners.share(point, color));
    features.extend(share.map(|share| Feature::Owner((share * 8.0).min(7.0) as u8)));
    let answers = joseki.answers(point);
    features.extend(answers.map(|answers| Feature::Joseki { answers }));
    features.extend(chains.of(point));
    let stakes = stakes.as_ref().map(|stakes| stakes.level(point));
    features.extend(stakes.map(Feature::Stakes));
    features.into_iter()
}

/// Returns the distance between two points, 2 to [`MAX_DISTANCE`].
fn distance(one: Point, other: Point) -> u8 {
    let columns = one.column().abs_diff(other.column());
    let rows = one.row().abs_diff(other.row());
    shape::distance(columns, rows).clamp(2, MAX_DISTANCE)
}

/// Returns the lines of a point from the nearest edges, the lower one first, 1 for the edge.
fn lines(board: &Board, point: Point) -> [u8; 2] {
    let last = board.size().lines() - 1;
    let from_edge = |place: u8| place.min(last - place) + 1;
    let (column, row) = (from_edge(point.column()), from_edge(point.row()));
    [column.min(row), column.max(row)]
}

fn capture(board: &Board, color: Color, point: Point) -> Option<Feature> {
    let captured =
        |&beside: &Point| board.stone(beside) == Some(!color) && board.atari(beside).is_some();
    let mut stones = 0;
    let mut saves = false;
    for chain in board.neighbours(point).filter(captured) {
        stones = board.chain_len(chain).max(stones);
        saves |= board.chain(chain).any(|stone| {
            let mut beside = board.neighbours(stone);
            beside.any(|it| board.stone(it) == Some(color) && board.atari(it).is_some())
        });
    }
    (stones > 0).then_some(Feature::Capture {
        stones: stones.min(3) as u8,
        saves,
    })
}

fn escape(board: &Board, color: Color, point: Point) -> Option<Feature> {
    let in_atari =
        |&beside: &Point| board.stone(beside) == Some(color) && board.atari(beside).is_some();
    let chain = board.neighbours(point).find(in_atari)?;
    Some(Feature::Escape {
        stones: board.chain_len(chain).min(3) as u8,
        works: ladder::escapes_by(board, chain, point),
    })
}

/// Returns that the move puts a chain of the opponent, of two liberties, into atari.
fn atari(board: &Board, color: Color, point: Point) -> Option<Feature> {
    let has_two_liberties = |&beside: &Point| {
        board.stone(beside) == Some(!color) && board.some_liberties::<3>(beside).len() == 2
    };
    let chain = board.neighbours(point).find(has_two_liberties)?;
    Some(Feature::Atari {
        catches: ladder::catches(board, point, chain),
    })
}

fn liberties(board: &Board, color: Color, point: Point) -> Feature {
    match liberties_after::<5>(board, color, point) {
        0 | 1 => Feature::SelfAtari(self_atari(board, color, point).clamp(1, 3) as u8),
        more => Feature::Liberties(more as u8),
    }
}

/// Returns whether the chain of a stone has two liberties once it is placed, and an atari catches it.
fn is_caught(board: &Board, color: Color, point: Point) -> bool {
    board_after(board, color, point).is_some_and(|after| ladder::is_caught_by_atari(&after, point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn features_have_places_of_their_own() {
        for index in 0..Feature::COUNT {
            assert_eq!(Feature::from_index(index).index(), index);
        }
    }

    /// Returns the features of a move, distances left out.
    fn check(diagram: &str, color: Color, point: &str, expected: &[Feature]) {
        let board: Board = diagram.parse().unwrap();
        let context = Context::new(&board, color, [None; 2], None);
        let found: Vec<_> = features(&context, point.parse().unwrap()).collect();
        assert_eq!(found, expected, "{point}");
    }

    #[test]
    fn a_capture_that_saves_is_told() {
        // White at C3 has its last liberty at D3, and so has Black at B3, beside it, at B2.
        let diagram = ".....\n.OX..\nOXO..\n..X..\n.....";
        let capture = |saves| Feature::Capture { stones: 1, saves };
        let liberties = Feature::Liberties;
        check(
            diagram,
            Color::Black,
            "D3",
            &[
                Feature::Line {
                    line: 2,
                    distance: 1,
                },
                capture(true),
                liberties(4),
            ],
        );
        let escape = Feature::Escape {
            stones: 1,
            works: true,
        };
        check(
            diagram,
            Color::Black,
            "B2",
            &[
                Feature::Line {
                    line: 2,
                    distance: 1,
                },
                escape,
                liberties(4),
            ],
        );
        check(
            diagram,
            Color::White,
            "B2",
            &[
                Feature::Line {
                    line: 2,
                    distance: 1,
                },
                capture(true),
                liberties(3),
                Feature::Threatens { stones: 1 },
            ],
        );
    }

    proptest! {
        #[test]
        fn a_move_has_at_most_one_feature_of_a_group(seed: u64, moves in 0_usize..120) {
            let mut random = go_core::Random::new(seed);
            let mut board = Board::new(go_core::Size::NINE);
            let mut last = [None; 2];
            for color in [Color::Black, Color::White].into_iter().cycle().take(moves) {
                let point = board.random_move(color, &mut random);
                if let Some(point) = point {
                    board.play(color, point);
                }
                last = [last[1], point];
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
            let context = Context::new(&board, Color::Black, last, Some(&owners));
            for point in board.empty_points() {
                let indices: Vec<_> = features(&context, point).map(Feature::index).collect();
                for group in Feature::GROUPS {
                    let in_group = indices.iter().filter(|&index| group.contains(index));
                    prop_assert!(in_group.count() <= 1, "{group:?} {indices:?}");
                }
            }
        }
    }

    #[test]
    fn a_move_into_a_ladder_is_told() {
        // Black's stone at C3 has two liberties after C4, and White catches the chain.
        let diagram = "\
            .......\n\
            .......\n\
            .......\n\
            .O.....\n\
            .OX....\n\
            ..O....\n\
            .......";
        let board: Board = diagram.parse().unwrap();
        let context = Context::new(&board, Color::Black, [None; 2], None);
        let is_caught =
            |name: &str| features(&context, name.parse().unwrap()).any(|it| it == Feature::Caught);
        assert!(is_caught("A3") && !is_caught("D4"));
    }

    #[test]
    fn a_joseki_answers_the_last_stone() {
        let mut board = Board::new(go_core::Size::NINETEEN);
        let [black, white] = ["D4", "F3"].map(|point| point.parse::<Point>().unwrap());
        board.play(Color::Black, black);
        board.play(Color::White, white);
        let context = Context::new(&board, Color::Black, [Some(black), Some(white)], None);
        let joseki = |point: &str| {
            features(&context, point.parse().unwrap())
                .find(|feature| matches!(feature, Feature::Joseki { .. }))
        };
        assert_eq!(joseki("C6"), Some(Feature::Joseki { answers: true }));
        assert_eq!(joseki("D16"), Some(Feature::Joseki { answers: false }));
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
        let context = Context::new(&board, Color::Black, [None; 2], Some(&owners));
        let owner = |color| {
            let context = Context {
                color,
                ..context.clone()
            };
            features(&context, "A1".parse().unwrap())
                .find(|feature| matches!(feature, Feature::Owner(_)))
        };
        assert_eq!(owner(Color::Black), Some(Feature::Owner(7)));
        assert_eq!(owner(Color::White), Some(Feature::Owner(0)));
    }

    #[test]
    fn atari_and_self_atari_are_told() {
        let corner = "O.X..\n.X...\n.....\n.....\n.....";
        let atari = Feature::Atari { catches: true };
        check(
            corner,
            Color::Black,
            "B5",
            &[
                Feature::Line {
                    line: 1,
                    distance: 1,
                },
                atari,
                Feature::Liberties(4),
                Feature::Catches {
                    stones: 1,
                    dead: false,
                },
            ],
        );
        check(
            corner,
            Color::White,
            "B5",
            &[
                Feature::Line {
                    line: 1,
                    distance: 1,
                },
                Feature::SelfAtari(2),
            ],
        );
    }
}
