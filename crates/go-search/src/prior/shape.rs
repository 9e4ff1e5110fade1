//! Shapes: the contents of all points within a distance of a point.

use std::{
    collections::HashMap,
    fmt,
    hash::{BuildHasherDefault, Hasher},
    str::FromStr,
    sync::LazyLock,
};

use boardgame_core::Color;
use go_core::{Board, Point, Random};

/// The maximum distance of a shape's points, as measured by [`distance`].
const MAX_DISTANCE: u8 = 9;

/// The distance covered by a [`Pattern`](go_core::Pattern); shapes are larger.
const PATTERN_DISTANCE: u8 = 3;

/// Returns columns plus rows plus the larger of both (D. Stern, R. Herbrich and T. Graepel, Bayesian pattern ranking
/// for move prediction in the game of Go, 2006).
pub(super) const fn distance(columns: u8, rows: u8) -> u8 {
    let larger = if columns > rows { columns } else { rows };
    columns + rows + larger
}

/// The content of a point from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Content {
    Empty,
    Own,
    Opponent,
    OffBoard,
}

impl Content {
    const ALL: [Self; 4] = [Self::Empty, Self::Own, Self::Opponent, Self::OffBoard];

    const fn letter(self) -> char {
        match self {
            Self::Empty => '.',
            Self::Own => 'X',
            Self::Opponent => 'O',
            Self::OffBoard => '#',
        }
    }
}

/// The contents of the points around a point, ordered by distance.
///
/// The text form has one letter per point: `.` for an empty point, `X` for a stone of the side to move, `O` for a stone
/// of the opponent, `#` for a point off the board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape(Vec<Content>);

/// The error of parsing a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a shape: 12, 20, 28, 36, 48, … letters . X O #")]
pub struct ParseShapeError;

impl FromStr for Shape {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let content = |letter| Content::ALL.into_iter().find(|it| it.letter() == letter);
        let contents: Option<Vec<Content>> = text.chars().map(content).collect();
        let contents = contents.ok_or(ParseShapeError)?;
        let is_whole = Offsets::get().ends.contains(&contents.len());
        is_whole.then_some(Self(contents)).ok_or(ParseShapeError)
    }
}

/// The error of adding a shape before the next smaller one that it contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the next smaller shape in it first")]
pub struct MissingShapeError;

impl Shape {
    /// Returns the number of points.
    pub fn points(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|content| write!(f, "{}", content.letter()))
    }
}

/// The offsets of shapes' points, nearest first.
#[derive(Clone, Debug)]
struct Offsets {
    /// Columns to the right and rows up.
    all: Vec<(i8, i8)>,
    /// The numbers of points of the shapes.
    ends: Vec<usize>,
    /// For each of the eight symmetries and each point, the index of the point that is mapped to it.
    turned: [Vec<usize>; 8],
}

impl Offsets {
    fn get() -> &'static Self {
        static OFFSETS: LazyLock<Offsets> = LazyLock::new(Offsets::new);
        &OFFSETS
    }

    fn new() -> Self {
        let reach = (MAX_DISTANCE / 2) as i8;
        let span = || -reach..=reach;
        let all: Vec<(i8, i8)> = span()
            .flat_map(|up| span().map(move |right| (right, up)))
            .collect();
        let (mut offsets, mut ends) = (Vec::new(), Vec::new());
        for ring in 2..=MAX_DISTANCE {
            let in_ring = |&&(right, up): &&(i8, i8)| {
                distance(right.unsigned_abs(), up.unsigned_abs()) == ring
            };
            offsets.extend(all.iter().filter(in_ring));
            if ring > PATTERN_DISTANCE {
                ends.push(offsets.len());
            }
        }
        let place = |offset| offsets.iter().position(|&it| it == offset);
        let turned = std::array::from_fn(|way| {
            let from = offsets.iter().map(|&offset| place(turned(offset, way)));
            from.flatten().collect()
        });
        Self {
            all: offsets,
            ends,
            turned,
        }
    }

    /// Returns the eight symmetric forms of a shape.
    fn symmetric(&self, shape: &Shape) -> [Shape; 8] {
        self.turned.each_ref().map(|turned| {
            let from = &turned[..shape.0.len()];
            Shape(from.iter().map(|&place| shape.0[place]).collect())
        })
    }

    /// Iterates over the contents of the points around a point, nearest first.
    fn contents(&self, board: &Board, color: Color, point: Point) -> impl Iterator<Item = Content> {
        let lines = board.size().lines();
        let on_board = move |line: u8, change: i8| {
            let line = line.wrapping_add_signed(change);
            (line < lines).then_some(line)
        };
        let (column, row) = (point.column(), point.row());
        self.all.iter().map(move |&(right, up)| {
            let point = on_board(column, right)
                .zip(on_board(row, up))
                .and_then(|(column, row)| Point::new(column, row));
            match point.map(|point| board.stone(point)) {
                None => Content::OffBoard,
                Some(None) => Content::Empty,
                Some(Some(stone)) if stone == color => Content::Own,
                Some(Some(_)) => Content::Opponent,
            }
        })
    }
}

/// Returns the offset mapped by a symmetry: 0 to 3 are quarter turns, 4 and up are mirrored.
const fn turned((right, up): (i8, i8), way: usize) -> (i8, i8) {
    let (right, up) = match way % 4 {
        0 => (right, up),
        1 => (up, -right),
        2 => (-right, -up),
        _ => (-up, right),
    };
    if way < 4 { (right, up) } else { (-right, up) }
}

/// Shapes with their weights. The table also contains the next smaller shape in each of its shapes, so that the largest
/// shape around a point is found by trying one distance after another.
#[derive(Clone, Debug)]
pub struct Shapes {
    offsets: &'static Offsets,
    /// A random number for each point of [`Offsets::all`] and each content; the key of a shape is the exclusive or of
    /// its points' numbers.
    keys: Vec<[u64; 4]>,
    /// The index in `known` for the key of each of a shape's eight forms.
    places: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    known: Vec<(Shape, f32)>,
}

impl Default for Shapes {
    fn default() -> Self {
        let offsets = Offsets::get();
        let mut random = Random::new(2007);
        let mut key = || u64::from(random.next_u32()) << 32 | u64::from(random.next_u32());
        let keys = offsets.all.iter().map(|_| std::array::from_fn(|_| key()));
        Self {
            keys: keys.collect(),
            offsets,
            places: HashMap::default(),
            known: Vec::new(),
        }
    }
}

impl Shapes {
    /// Adds a shape, or changes its weight.
    ///
    /// # Errors
    ///
    /// Fails if the next smaller shape in it is missing, because the larger one would never be found.
    pub fn insert(&mut self, shape: &Shape, weight: f32) -> Result<(), MissingShapeError> {
        if !self.has_smaller(shape) {
            return Err(MissingShapeError);
        }
        let forms = self.offsets.symmetric(shape);
        let next = self.known.len() as u32;
        let place = *self.places.get(&self.key(&shape.0)).unwrap_or(&next);
        for form in &forms {
            self.places.insert(self.key(&form.0), place);
        }
        if place == next {
            self.known.push((
                forms.into_iter().min().unwrap_or_else(|| shape.clone()),
                weight,
            ));
        } else {
            self.known[place as usize].1 = weight;
        }
        Ok(())
    }

    /// Returns whether the next smaller shape is known, or there is none.
    fn has_smaller(&self, shape: &Shape) -> bool {
        let ends = self.offsets.ends.iter().rev();
        match ends.copied().find(|&end| end < shape.0.len()) {
            Some(end) => self.places.contains_key(&self.key(&shape.0[..end])),
            None => true,
        }
    }

    fn key(&self, contents: &[Content]) -> u64 {
        let points = self.keys.iter().zip(contents);
        points.fold(0, |key, (keys, &content)| key ^ keys[content as usize])
    }

    /// Returns the index of the largest known shape around a point, in the order of insertion.
    pub fn find(&self, board: &Board, color: Color, point: Point) -> Option<usize> {
        let mut found = None;
        self.find_all(board, color, point, |place| found = Some(place));
        found
    }

    /// Calls a function with the indices of all known shapes around a point, smallest first.
    pub fn find_all(&self, board: &Board, color: Color, point: Point, mut see: impl FnMut(usize)) {
        if self.known.is_empty() {
            return;
        }
        let mut contents = self.offsets.contents(board, color, point).zip(&self.keys);
        let (mut key, mut begin) = (0, 0);
        for &end in &self.offsets.ends {
            for (content, keys) in contents.by_ref().take(end - begin) {
                key ^= keys[content as usize];
            }
            begin = end;
            match self.places.get(&key) {
                Some(&place) => see(place as usize),
                None => return,
            }
        }
    }

    /// Returns the weight of a shape by its index.
    pub(crate) fn weight(&self, place: usize) -> f32 {
        self.known[place].1
    }

    /// Iterates over the shapes in the order of insertion, with their weights.
    pub fn iter(&self) -> impl Iterator<Item = (&Shape, f32)> {
        self.known.iter().map(|(shape, weight)| (shape, *weight))
    }

    /// Returns the shapes around a point, smallest first, each in the first of its eight forms.
    pub fn around(&self, board: &Board, color: Color, point: Point) -> Vec<Shape> {
        let all: Vec<Content> = self.offsets.contents(board, color, point).collect();
        let ends = self.offsets.ends.iter();
        let shapes = ends.map(|&end| {
            let forms = self.offsets.symmetric(&Shape(all[..end].to_vec()));
            forms.into_iter().min()
        });
        shapes.flatten().collect()
    }
}

/// A hasher for keys that are already random numbers.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(diagram: &str) -> Board {
        diagram.parse().unwrap()
    }

    fn shape(board: &Board, point: &str, len: usize) -> Shape {
        let shapes = Shapes::default();
        let contents = shapes
            .offsets
            .contents(board, Color::Black, point.parse().unwrap());
        Shape(contents.take(len).collect())
    }

    #[test]
    fn shapes_grow_by_distance() {
        assert_eq!(Offsets::get().ends, [12, 20, 28, 36, 48, 60]);
    }

    #[test]
    fn a_shape_has_the_contents_around_a_point() {
        let board = board(".....\n..O..\n.X...\n.....\n.....");
        // Below, left, right, above, the corners, and two points away below, left, right, above.
        let text = shape(&board, "C3", 12).to_string();
        assert_eq!(text, ".X.O........");
        assert_eq!(shape(&board, "A1", 12).to_string(), "##..###.##..");
        assert_eq!(text.parse::<Shape>().unwrap().to_string(), text);
        assert_eq!("...".parse::<Shape>(), Err(ParseShapeError));
    }

    #[test]
    fn the_largest_known_shape_is_found_in_all_forms() {
        let seen = board(".......\n..O....\n.......\n.X.....\n.......\n.......\n.......");
        let mut shapes = Shapes::default();
        let larger = shape(&seen, "C3", 20);
        assert_eq!(shapes.insert(&larger, 3.0), Err(MissingShapeError));
        shapes.insert(&shape(&seen, "C3", 12), 2.0).unwrap();
        shapes.insert(&larger, 3.0).unwrap();
        let find = |board: &Board, color, name: &str| {
            let place = shapes.find(board, color, name.parse().unwrap());
            place.map(|place| shapes.weight(place))
        };
        assert_eq!(find(&seen, Color::Black, "C3"), Some(3.0));
        assert_eq!(find(&seen, Color::White, "C3"), None);
        assert_eq!(find(&seen, Color::Black, "D3"), None);
        // Rotated by 180° and with the colours exchanged.
        let turned = board(".......\n.......\n.......\n.......\n...O...\n.......\n.......");
        assert_eq!(find(&turned, Color::White, "C4"), Some(3.0));
        assert_eq!(find(&turned, Color::Black, "C4"), None);
        assert_eq!(shapes.iter().count(), 2);
    }
}
