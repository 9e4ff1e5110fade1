//! Legal moves and flips of many boards at once, the boards cut into rows.
//!
//! A vector holds the same row of as many boards as it has bytes, and eight vectors hold the whole
//! boards. A step up or down is then the next vector, at no cost, and a step aside is a shift
//! within the bytes. So a direction takes two to four instructions a row for all the boards
//! together.
//!
//! All is inlined into a function of the back end, where alone the instructions are; closures and
//! the standard library's adaptors of arrays are not, for sure, so loops stand in their places.

use core::ops::{BitAnd, BitOr, Not};

/// One row of many boards: a byte for each board, in which the lowest bit is column a.
///
/// A back end makes these values, so that each is proof of the instructions that its methods use.
pub(crate) trait Row:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// This byte for every board.
    fn same(self, byte: u8) -> Self;

    /// These squares and those in both other sets: `self | a & b`, one instruction where a back end has
    /// it.
    #[inline(always)]
    fn or_both(self, a: Self, b: Self) -> Self {
        self | a & b
    }

    /// The bytes' sums, without their carries.
    fn plus(self, other: Self) -> Self;

    /// The bytes' differences, or nothing where they would be negative.
    fn minus(self, other: Self) -> Self;

    /// The discs moved one column towards h.
    #[inline(always)]
    fn right(self) -> Self {
        self.plus(self)
    }

    /// The discs moved one column towards a. What comes in at column h is of another board, for
    /// the caller to mask.
    fn left(self) -> Self;

    /// [`left`](Self::left) twice.
    fn left_by_two(self) -> Self;

    /// Whole rows of the boards that have anything in this row.
    fn where_any(self) -> Self;

    /// The number of squares in each byte.
    fn count(self) -> Self;

    /// In each sixteen bytes, the first byte and the ninth, the second and the tenth, and so on.
    fn pair_bytes(self) -> Self;

    /// In each sixteen bytes, the first element of the one vector and of the other, the second
    /// ones, and so on: first those of the lower halves, then those of the upper halves. Elements
    /// are of 1, 2, 4 or 8 bytes.
    fn interleave<const BYTES: usize>(self, other: Self) -> [Self; 2];

    /// Stores a vector of whole boards.
    fn store(self, boards: &mut [u64]);
}

/// Boards cut into rows, the first row first.
pub(crate) type Rows<R> = [R; 8];

/// The columns that have a neighbour on both sides.
const INNER: u8 = 0x7e;

/// The columns that have a neighbour towards a.
const NOT_A: u8 = 0xfe;

/// The own and the opponent's discs after a legal move on each board, seen from the opponent.
#[inline(always)]
pub(crate) fn play<R: Row>(own: &Rows<R>, opponent: &Rows<R>, square: &Rows<R>) -> [Rows<R>; 2] {
    let between = columns(opponent, INNER);
    let leftward = columns(square, NOT_A);
    let mut runs = runs_along_row(own, &between, square);
    add_runs::<R, true>(&mut runs, own, opponent, square, straight);
    add_runs::<R, false>(&mut runs, own, opponent, square, straight);
    add_runs::<R, true>(&mut runs, own, &between, square, R::right);
    add_runs::<R, false>(&mut runs, own, &between, square, R::right);
    add_runs::<R, true>(&mut runs, own, &between, &leftward, R::left);
    add_runs::<R, false>(&mut runs, own, &between, &leftward, R::left);
    let [mut to_move, mut other] = [runs, runs];
    for row in 0..8 {
        to_move[row] = opponent[row] & !runs[row];
        other[row] = own[row] | square[row] | runs[row];
    }
    [to_move, other]
}

/// What a function makes of each row.
#[inline(always)]
fn each<R: Row>(rows: &Rows<R>, of: impl Fn(R) -> R) -> Rows<R> {
    let mut result = *rows;
    for row in &mut result {
        *row = of(*row);
    }
    result
}

/// The discs in some columns.
#[inline(always)]
fn columns<R: Row>(rows: &Rows<R>, columns: u8) -> Rows<R> {
    let mut result = *rows;
    for row in &mut result {
        *row = *row & row.same(columns);
    }
    result
}

/// A step within the column.
#[inline(always)]
fn straight<R: Row>(row: R) -> R {
    row
}

/// The row at some distance from the first one on the way down, or from the last one on the way up.
#[inline(always)]
const fn row_at<const DOWN: bool>(distance: usize) -> usize {
    if DOWN { distance } else { 7 - distance }
}

/// Adds the discs that the moves flip in one direction, from row to row by `step`, and perhaps
/// the moves' squares: the runs of `between` that begin at the squares, where own discs end them.
#[inline(always)]
fn add_runs<R: Row, const DOWN: bool>(
    runs: &mut Rows<R>,
    own: &Rows<R>,
    between: &Rows<R>,
    square: &Rows<R>,
    step: impl Fn(R) -> R,
) {
    let at = row_at::<DOWN>;
    let mut run = *square;
    let mut end = step(run[at(0)]) & own[at(1)];
    for distance in 1..7 {
        let next = step(run[at(distance - 1)]);
        run[at(distance)] = square[at(distance)].or_both(between[at(distance)], next);
        end = end.or_both(step(run[at(distance)]), own[at(distance + 1)]);
    }
    let bracketed = end.where_any();
    for distance in 1..7 {
        let row = at(distance);
        runs[row] = runs[row].or_both(run[row], bracketed);
    }
}

/// The discs that the moves flip to the left and to the right of their squares.
#[inline(always)]
fn runs_along_row<R: Row>(own: &Rows<R>, between: &Rows<R>, square: &Rows<R>) -> Rows<R> {
    let nothing = own[0].same(0);
    // The only row with a move is brought to one place for all boards.
    let here = each(square, R::where_any);
    let [mut own_here, mut between_here, mut start] = [nothing; 3];
    for row in 0..8 {
        own_here = own_here.or_both(own[row], here[row]);
        between_here = between_here.or_both(between[row], here[row]);
        start = start | square[row];
    }

    // A carry runs through the discs to the right and stops beyond them.
    let first = start.right();
    let right = (between_here.plus(first) & own_here).minus(first);
    let left = runs_to_left(start, between_here);
    let bracketed = (left.left() & own_here).where_any();
    let run = right.or_both(left, bracketed);
    let mut runs = here;
    for row in &mut runs {
        *row = *row & run;
    }
    runs
}

/// The runs of `between` that begin to the left of `starts`, by doubling.
#[inline(always)]
fn runs_to_left<R: Row>(starts: R, between: R) -> R {
    let pairs = between & between.left();
    let runs = between & starts.left();
    let runs = runs.or_both(between, runs.left());
    let runs = runs.or_both(pairs, runs.left_by_two());
    runs.or_both(pairs, runs.left_by_two())
}

/// The legal moves on each board.
#[inline(always)]
pub(crate) fn legal_moves<R: Row>(own: &Rows<R>, opponent: &Rows<R>) -> Rows<R> {
    let between = columns(opponent, INNER);
    let to_right = each(&between, R::right);
    let to_left = each(&between, R::left);
    let mut moves = between;
    for row in 0..8 {
        moves[row] = moves_along_row(own[row], between[row]);
    }
    add_moves::<R, true>(&mut moves, own, opponent, opponent, straight);
    add_moves::<R, false>(&mut moves, own, opponent, opponent, straight);
    add_moves::<R, true>(&mut moves, own, &between, &to_right, R::right);
    add_moves::<R, false>(&mut moves, own, &between, &to_right, R::right);
    add_moves::<R, true>(&mut moves, own, &between, &to_left, R::left);
    add_moves::<R, false>(&mut moves, own, &between, &to_left, R::left);
    for row in 0..8 {
        moves[row] = moves[row] & !(own[row] | opponent[row]);
    }
    moves
}

/// Adds the squares just beyond the runs of `between` that own discs begin in one direction, from
/// row to row by `step`, and perhaps some of the discs; `stepped` is a step of `between` aside.
#[inline(always)]
fn add_moves<R: Row, const DOWN: bool>(
    moves: &mut Rows<R>,
    own: &Rows<R>,
    between: &Rows<R>,
    stepped: &Rows<R>,
    step: impl Fn(R) -> R,
) {
    let at = row_at::<DOWN>;
    let mut next = step(own[at(0)]);
    for distance in 1..7 {
        let row = at(distance);
        next = step(own[row].or_both(between[row], next));
        // The next row is reached by way of discs between where these, too, are a step before it.
        let beyond = at(distance + 1);
        moves[beyond] = moves[beyond].or_both(next, stepped[row]);
    }
}

/// [`add_moves`] along a row, both ways: to the right, a carry runs through the discs by itself.
#[inline(always)]
fn moves_along_row<R: Row>(own: R, between: R) -> R {
    let right = between.plus(between & own.right());
    right | runs_to_left(own, between).left()
}

/// The number of squares on each board, or one where there are none, as bytes.
#[inline(always)]
pub(crate) fn count_or_one<R: Row>(rows: &Rows<R>) -> R {
    let nothing = rows[0].same(0);
    let [mut any, mut count] = [nothing; 2];
    for &row in rows {
        any = any | row;
        count = count.plus(row.count());
    }
    count.plus(!any.where_any() & any.same(1))
}
