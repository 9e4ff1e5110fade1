//! A plain board, as simple as possible: an array of stones, with chains found by flood fill.

use std::collections::BTreeSet;

use go_core::{ByColor, Color, Point, Size};

/// The stones of a board, in the order of points.
pub(crate) type Stones = Vec<Option<Color>>;

/// The reference board.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    pub(crate) size: Size,
    pub(crate) stones: Stones,
    pub(crate) captures: ByColor<u32>,
    /// The last stone's colour and the stones before it, or `None` after a pass.
    last: Option<(Color, Stones)>,
}

impl Oracle {
    pub(crate) fn new(size: Size) -> Self {
        Self {
            size,
            stones: vec![None; size.point_count()],
            captures: ByColor::default(),
            last: None,
        }
    }

    fn place(&self, point: Point) -> usize {
        usize::from(point.row()) * usize::from(self.size.lines()) + usize::from(point.column())
    }

    pub(crate) fn at(&self, point: Point) -> Option<Color> {
        self.stones[self.place(point)]
    }

    fn neighbours(&self, point: Point) -> Vec<Point> {
        let (column, row) = (point.column(), point.row());
        [
            (column.wrapping_sub(1), row),
            (column + 1, row),
            (column, row.wrapping_sub(1)),
            (column, row + 1),
        ]
        .into_iter()
        .filter_map(|(column, row)| Point::new(column, row))
        .filter(|&point| self.size.contains(point))
        .collect()
    }

    /// The stones connected to a stone, and their liberties.
    pub(crate) fn chain(&self, point: Point) -> (BTreeSet<Point>, BTreeSet<Point>) {
        let color = self.at(point);
        let (mut stones, mut liberties) = (BTreeSet::from([point]), BTreeSet::new());
        let mut open = vec![point];
        while let Some(stone) = open.pop() {
            for neighbour in self.neighbours(stone) {
                if self.at(neighbour).is_none() {
                    liberties.insert(neighbour);
                } else if self.at(neighbour) == color && stones.insert(neighbour) {
                    open.push(neighbour);
                }
            }
        }
        (stones, liberties)
    }

    fn remove(&mut self, chain: &BTreeSet<Point>) {
        for &stone in chain {
            let place = self.place(stone);
            self.stones[place] = None;
        }
    }

    /// The board after a stone on an empty point, and the numbers of stones captured and lost.
    fn after(&self, color: Color, point: Point) -> (Self, usize, usize) {
        let mut after = self.clone();
        let place = self.place(point);
        after.stones[place] = Some(color);
        let (mut captured, mut lost) = (0, 0);
        for neighbour in self.neighbours(point) {
            if after.at(neighbour) == Some(!color) {
                let (chain, liberties) = after.chain(neighbour);
                if liberties.is_empty() {
                    captured += chain.len();
                    after.remove(&chain);
                }
            }
        }
        let (chain, liberties) = after.chain(point);
        if liberties.is_empty() {
            lost = chain.len();
            after.remove(&chain);
        }
        (after, captured, lost)
    }

    pub(crate) fn is_suicide(&self, color: Color, point: Point) -> bool {
        self.after(color, point).2 > 0
    }

    /// Returns whether a stone captures and thereby restores the board before the opponent's last move.
    pub(crate) fn retakes_ko(&self, color: Color, point: Point) -> bool {
        let Some((opponent, before)) = &self.last else {
            return false;
        };
        let (after, captured, _) = self.after(color, point);
        *opponent != color && captured > 0 && after.stones == *before
    }

    pub(crate) fn play(&mut self, color: Color, point: Point) -> usize {
        let (mut after, captured, lost) = self.after(color, point);
        after.captures[color] += captured as u32;
        after.captures[!color] += lost as u32;
        after.last = Some((color, std::mem::take(&mut self.stones)));
        *self = after;
        captured
    }

    pub(crate) fn pass(&mut self) {
        self.last = None;
    }

    /// Returns `true` if a point is an eye that playouts do not fill, by definition.
    pub(crate) fn is_eye_like(&self, color: Color, point: Point) -> bool {
        let neighbours = self.neighbours(point);
        let across: Vec<_> = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
            .into_iter()
            .filter_map(|(columns, rows)| {
                let column = point.column().checked_add_signed(columns)?;
                let row = point.row().checked_add_signed(rows)?;
                Point::new(column, row).filter(|&point| self.size.contains(point))
            })
            .collect();
        let opponents = across
            .iter()
            .filter(|&&point| self.at(point) == Some(!color))
            .count();
        let allowed = usize::from(across.len() == 4);
        neighbours
            .iter()
            .all(|&point| self.at(point) == Some(color))
            && opponents <= allowed
    }
}
