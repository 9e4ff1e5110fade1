//! Legal moves and flips of many boards at once, with the boards split into rows.
//!
//! A vector holds one row of each board, one byte per board; eight vectors hold whole boards. A step up or down is then
//! a step to the next vector, which costs nothing, and a step left or right is a shift within bytes. A direction takes
//! two to four instructions per row for all boards together.
//!
//! Everything must be inlined into a function of the back end, because only that function is compiled with the tier's
//! instructions. Closures and array adaptors of the standard library are not inlined reliably, hence the loops.

use core::ops::{BitAnd, BitOr, Not};

/// One row of many boards: one byte per board, whose lowest bit is column a.
///
/// Only a back end creates these values, so each proves that the CPU has the instructions of its methods.
pub(crate) trait Row:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// A vector with `byte` for every board.
    fn same(self, byte: u8) -> Self;

    /// Returns `self | a & b`, a single instruction on AVX-512.
    #[inline(always)]
    fn or_both(self, a: Self, b: Self) -> Self {
        self | a & b
    }

    /// The sums of the bytes, wrapping.
    fn plus(self, other: Self) -> Self;

    /// The differences of the bytes, saturating at 0.
    fn minus(self, other: Self) -> Self;

    /// The discs moved one column towards h.
    #[inline(always)]
    fn right(self) -> Self {
        self.plus(self)
    }

    /// The discs moved one column towards a. Column h is filled with bits of another board; the caller must mask them.
    fn left(self) -> Self;

    /// [`left`](Self::left) twice.
    fn left_by_two(self) -> Self;

    /// 0xff in each nonzero byte, 0 in the others.
    fn where_any(self) -> Self;

    /// The number of one bits in each byte.
    fn count(self) -> Self;

    /// Interleaves the lower and the upper half of each 16 bytes: the first and the ninth byte, the second and the
    /// tenth, and so on.
    fn pair_bytes(self) -> Self;

    /// Interleaves the elements of two vectors within each 16 bytes: first the lower halves, then the upper halves.
    /// `BYTES` is the size of an element: 1, 2, 4 or 8.
    fn interleave<const BYTES: usize>(self, other: Self) -> [Self; 2];

    /// Stores a vector of whole boards.
    fn store(self, boards: &mut [u64]);
}

/// Boards split into rows, first row first.
pub(crate) type Rows<R> = [R; 8];

/// The columns with a neighbour on both sides.
const INNER: u8 = 0x7e;

/// The columns with a neighbour towards column a.
const NOT_A: u8 = 0xfe;

/// The own and the opponent's discs after a legal move on each board, from the opponent's point of view.
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

#[inline(always)]
fn each<R: Row>(rows: &Rows<R>, of: impl Fn(R) -> R) -> Rows<R> {
    let mut result = *rows;
    for row in &mut result {
        *row = of(*row);
    }
    result
}

/// The discs in the given columns.
#[inline(always)]
fn columns<R: Row>(rows: &Rows<R>, columns: u8) -> Rows<R> {
    let mut result = *rows;
    for row in &mut result {
        *row = *row & row.same(columns);
    }
    result
}

/// The step of the vertical directions, which stay in the column.
#[inline(always)]
fn straight<R: Row>(row: R) -> R {
    row
}

/// The row at a distance from the first row (down) or the last row (up).
#[inline(always)]
const fn row_at<const DOWN: bool>(distance: usize) -> usize {
    if DOWN { distance } else { 7 - distance }
}

/// Adds the discs flipped by the moves in one direction, from row to row by `step`: the runs of `between` that start at
/// the squares and end at an own disc. The squares themselves may be added too.
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

/// The discs that the moves flip to the left and to the right.
#[inline(always)]
fn runs_along_row<R: Row>(own: &Rows<R>, between: &Rows<R>, square: &Rows<R>) -> Rows<R> {
    let nothing = own[0].same(0);
    // Brings the row of each board's move into one vector.
    let here = each(square, R::where_any);
    let [mut own_here, mut between_here, mut start] = [nothing; 3];
    for row in 0..8 {
        own_here = own_here.or_both(own[row], here[row]);
        between_here = between_here.or_both(between[row], here[row]);
        start = start | square[row];
    }

    // An addition carries through the discs to the right and stops after them.
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

/// The runs of `between` that start to the left of `starts`, by parallel prefix.
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

/// Adds the squares just past the runs of `between` that start at an own disc, in one direction, from row to row by
/// `step`; some discs may be added too. `stepped` is `between` moved by a step within the row.
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
        // A square of the next row is reached only from a disc of `between` one step before it.
        let beyond = at(distance + 1);
        moves[beyond] = moves[beyond].or_both(next, stepped[row]);
    }
}

/// [`add_moves`] along a row, in both directions; to the right, the carry of an addition runs through the discs.
#[inline(always)]
fn moves_along_row<R: Row>(own: R, between: R) -> R {
    let right = between.plus(between & own.right());
    right | runs_to_left(own, between).left()
}

/// The number of squares of each board as a byte, or 1 if there are none.
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
