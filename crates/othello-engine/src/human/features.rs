//! The features of a move that the model of human play weighs.

use std::sync::LazyLock;

use othello_core::{Bitboard, Position, Square, Symmetry};

/// The number of phases of a game, of six discs each.
const PHASES: usize = 10;

/// The blocks of features that count in each phase by themselves, with the number of values of each.
const BLOCKS: [usize; 11] = [9, 12, 8, 16, 12, 12, 10, 12, 12, 12, 9];

/// The number of features whose weight depends on the rating; the last ones are those of the opening book.
pub const RATED: usize = PHASES * blocks_before(BLOCKS.len()) + BOOK_SHARES * BOOK_VISITS;

/// The depths of search whose values are features.
pub const DEPTHS: [u32; 3] = [3, 5, 8];

/// The number of features of what searches say.
pub const SEARCHED: usize = PHASES * LOSSES * DEPTHS.len();

/// The number of classes of losses.
const LOSSES: usize = 12;

/// The number of classes of shares and of visits of a move of the opening book.
const BOOK_SHARES: usize = 11;
const BOOK_VISITS: usize = 4;

const fn blocks_before(block: usize) -> usize {
    let (mut sum, mut at) = (0, 0);
    while at < block {
        sum += BLOCKS[at];
        at += 1;
    }
    sum
}

/// The squares of a pattern around a move, and the number of its first feature.
#[derive(Debug)]
struct Pattern {
    squares: Vec<u8>,
    /// The squares mirrored in the diagonal through the move, if the pattern is its own image.
    mirrored: Option<Vec<u8>>,
    first: u32,
}

/// The patterns of the nine kinds of squares; the move is turned into the octant of a1, d1 and d4.
#[derive(Debug)]
struct Patterns {
    of_kind: Vec<Vec<Pattern>>,
    count: u32,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::new);

/// The kinds of squares, by column and row.
const KINDS: [(i8, i8); 9] = [
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (1, 1),
    (2, 1),
    (3, 1),
    (2, 2),
    (3, 2),
];

impl Patterns {
    fn new() -> Self {
        let mut count = 0;
        let of_kind = KINDS.map(|at| {
            let mut patterns: Vec<Pattern> = Vec::new();
            for squares in shapes(at) {
                let mut pattern = Pattern {
                    squares,
                    mirrored: None,
                    first: count,
                };
                if at.0 == at.1 {
                    let mirrored = pattern.squares.iter().map(|&at| at / 8 + at % 8 * 8);
                    let mirrored: Vec<u8> = mirrored.collect();
                    // The row and the column through the square are one pattern.
                    let row = patterns.iter().find(|of| of.squares == mirrored);
                    if let Some(row) = row {
                        pattern.first = row.first;
                    } else if mirrored.iter().all(|at| pattern.squares.contains(at)) {
                        pattern.mirrored = Some(mirrored);
                    }
                }
                if pattern.first == count {
                    count += 3_u32.pow(pattern.squares.len() as u32);
                }
                patterns.push(pattern);
            }
            patterns
        });
        Self {
            of_kind: of_kind.into(),
            count,
        }
    }
}

/// Returns the lines through a square, its neighbours and the squares around the nearest corner, all without itself.
fn shapes((column, row): (i8, i8)) -> Vec<Vec<u8>> {
    let line = |dx: i8, dy: i8| {
        let squares = (-7..8).filter(|&step| step != 0);
        squares
            .filter_map(|step| square(column + step * dx, row + step * dy))
            .collect::<Vec<u8>>()
    };
    let area = (0..3).flat_map(|y| (0..3).map(move |x| (x, y)));
    let around = area.clone().filter(|&at| at != (1, 1));
    let around = around.filter_map(|(x, y)| square(column + x - 1, row + y - 1));
    let corner = area.filter(|&at| at != (column, row) && at != (2, 2));
    let corner = corner.filter_map(|(x, y)| square(x, y));
    let mut shapes = vec![line(1, 0), line(0, 1), line(1, 1), line(1, -1)];
    shapes.extend([around.collect(), corner.collect()]);
    shapes
}

fn square(column: i8, row: i8) -> Option<u8> {
    ((0..8).contains(&column) && (0..8).contains(&row)).then_some((8 * row + column) as u8)
}

/// Returns the number of features that are patterns.
pub fn patterns() -> usize {
    PATTERNS.count as usize
}

/// A position with what the features of its moves need.
#[derive(Clone, Debug)]
pub struct MoveContext<'a> {
    /// The position.
    pub position: Position,
    /// The opponent's last move, if it is known.
    pub last: Option<Square>,
    /// The legal moves with their values in discs, by the static evaluation of the position that each leads to.
    pub moves: &'a [(Square, f32)],
}

/// The features of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// The numbers of the features that are patterns.
    pub patterns: Vec<u32>,
    /// The numbers of the features whose weight depends on the rating.
    pub rated: Vec<u32>,
    /// The numbers of the features of what searches say, if there was a search.
    pub searched: Vec<u32>,
}

impl Features {
    /// Adds what a search says: the discs that the move loses at each of [`DEPTHS`].
    pub fn add_search(&mut self, position: Position, losses: [f32; DEPTHS.len()]) {
        let first = phase(position) * DEPTHS.len();
        let number = |(at, loss)| ((first + at) * LOSSES + loss_class(loss)) as u32;
        self.searched = losses.into_iter().enumerate().map(number).collect();
    }
}

impl MoveContext<'_> {
    /// Returns the features of each move, in the order of the moves. `book` returns for a move how often it was played
    /// in this position and how often any was.
    pub fn features(&self, book: &dyn Fn(Square) -> Option<(u32, u32)>) -> Vec<Features> {
        let best = self.moves.iter().map(|mv| mv.1).fold(f32::MIN, f32::max);
        let regions = Regions::of(self.position.empties());
        let features = self.moves.iter().map(|&(square, value)| {
            let rank = self.moves.iter().filter(|other| other.1 > value).count();
            let mut rated = self.rated(square, best - value, rank, &regions);
            let share = book(square).map(book_class);
            rated.extend(share.map(|class| (RATED - 1 - class) as u32));
            Features {
                patterns: pattern_features(self.position, square),
                rated,
                searched: Vec::new(),
            }
        });
        features.collect()
    }

    fn rated(&self, square: Square, loss: f32, rank: usize, regions: &Regions) -> Vec<u32> {
        let position = self.position;
        let flipped = position.flips(square);
        let child = position.after(square, flipped);
        let replies = child.legal_moves();
        let empties = position.empties().without(square);
        let frontier = |set: Bitboard| (touching(set) & empties).count() as usize;
        let exposed = frontier(flipped.with(square));
        let corners = (replies & Bitboard::CORNERS).count() as usize;
        let (region, odd) = regions.at(square);
        let count = self.moves.len();
        let near = self.last.map_or(8, |last| {
            let x = last.column().abs_diff(square.column());
            let y = last.row().abs_diff(square.row());
            // A knight's move apart is a class of its own.
            let apart = usize::from(x.max(y)) - 1;
            if x.min(y) == 1 && x.max(y) == 2 {
                7
            } else {
                apart
            }
        });
        let touched = self.last.is_some_and(|last| flipped.contains(last));
        let values = [
            kind_of(square),
            loss_class(loss),
            rank.min(7),
            (replies.count() as usize).min(15),
            (flipped.count() as usize - 1).min(11),
            exposed.min(11),
            near,
            loss_class(loss).min(3) + 4 * [5, 10].iter().filter(|&&n| count > n).count(),
            corners.min(2)
                + 3 * usize::from(touched)
                + 6 * usize::from(Bitboard::CORNERS.contains(square)),
            (region.min(6) - 1) * 2 + usize::from(odd),
            ((child.passed().legal_moves().count() / 2) as usize).min(8),
        ];
        let first = phase(position) * blocks_before(BLOCKS.len());
        let at = |(block, value): (usize, usize)| (first + blocks_before(block) + value) as u32;
        values.into_iter().enumerate().map(at).collect()
    }
}

/// Returns the number of a square's kind and a symmetry that turns it to that kind.
fn kind_and_symmetry(square: Square) -> (usize, Symmetry) {
    static TABLE: LazyLock<Vec<(usize, Symmetry)>> = LazyLock::new(|| {
        let of = |square: Square| {
            let images = Symmetry::ALL.into_iter().find_map(|symmetry| {
                let image = symmetry.square(square);
                let at = (image.column() as i8, image.row() as i8);
                let kind = KINDS.iter().position(|&kind| kind == at)?;
                Some((kind, symmetry))
            });
            images.unwrap_or_default()
        };
        Square::ALL.map(of).into()
    });
    TABLE[usize::from(square.index())]
}

fn kind_of(square: Square) -> usize {
    kind_and_symmetry(square).0
}

fn pattern_features(position: Position, square: Square) -> Vec<u32> {
    let (kind, symmetry) = kind_and_symmetry(square);
    let position = symmetry.position(position);
    let (own, opponent) = (position.own().0, position.opponent().0);
    let patterns = PATTERNS.of_kind[kind].iter();
    let contents = |squares: &Vec<u8>| {
        let digit = |at: &u8| ((own >> at & 1) + 2 * (opponent >> at & 1)) as u32;
        let digits = squares.iter().map(digit);
        digits.fold(0, |sum, digit| 3 * sum + digit)
    };
    let number = |pattern: &Pattern| {
        let contents_mirrored = pattern.mirrored.as_ref().map_or(u32::MAX, contents);
        pattern.first + contents(&pattern.squares).min(contents_mirrored)
    };
    patterns.map(number).collect()
}

/// Returns the phase of a position, 0 to 9.
fn phase(position: Position) -> usize {
    (60_u32.saturating_sub(position.empties().count()) / 6).min(9) as usize
}

/// Returns the class of a loss in discs, 0 to 11.
fn loss_class(loss: f32) -> usize {
    const BOUNDS: [f32; 11] = [0.01, 0.4, 0.8, 1.3, 2.0, 3.0, 4.0, 5.5, 7.5, 10.0, 15.0];
    BOUNDS.iter().filter(|&&bound| loss > bound).count()
}

/// Returns the class of a move that was played `times` of `all` times in a position of the opening book.
fn book_class((times, all): (u32, u32)) -> usize {
    const SHARES: [f32; 9] = [0.01, 0.03, 0.07, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95];
    const VISITS: [u32; 3] = [60, 250, 1000];
    let share = times as f32 / all as f32;
    let shares = SHARES.iter().filter(|&&bound| share > bound).count() + usize::from(times > 0);
    let visits = VISITS.iter().filter(|&&bound| all > bound).count();
    visits * BOOK_SHARES + shares
}

/// Returns the squares of a set and those that touch it.
fn touching(set: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let row = set.0 | set.0 << 1 & NOT_A | set.0 >> 1 & NOT_H;
    Bitboard(row | row << 8 | row >> 8)
}

/// The connected regions of empty squares.
struct Regions(Vec<Bitboard>);

impl Regions {
    fn of(mut empties: Bitboard) -> Self {
        let mut regions = Vec::new();
        while let Some(first) = empties.first() {
            let mut region = Bitboard::from_square(first);
            loop {
                let wider = region | (touching(region) & empties);
                if wider == region {
                    break;
                }
                region = wider;
            }
            regions.push(region);
            empties &= !region;
        }
        Self(regions)
    }

    /// Returns the number of squares of the region of a square, and true if it is odd.
    fn at(&self, square: Square) -> (usize, bool) {
        let region = self.0.iter().find(|region| region.contains(square));
        let count = region.map_or(1, |region| region.count() as usize);
        (count, count % 2 == 1)
    }
}
