//! Batches of positions in NumPy arrays: the discs of the side to move and of the opponent, bit 0 for a1, bit 63 for
//! h8.

use std::sync::{Arc, LazyLock};

use numpy::{IntoPyArray as _, PyArray1, PyReadonlyArray1};
use othello_core::{Backend, Bitboard, Empties, Position, Square, Tier, WithBackend};
use othello_search::eval::Network;
use pyo3::prelude::*;

use crate::value_error;

/// The number of a pass among the squares.
pub(crate) const PASS: u8 = 64;

type Boards<'py> = PyReadonlyArray1<'py, u64>;

/// Checks the positions of a batch.
fn positions(own: &Boards<'_>, opponent: &Boards<'_>) -> PyResult<Vec<Position>> {
    let (own, opponent) = (own.as_slice()?, opponent.as_slice()?);
    same_length("opponent", own.len(), opponent.len())?;
    let pairs = own.iter().zip(opponent).enumerate();
    pairs
        .map(|(at, (&own, &opponent))| {
            Position::new(Bitboard(own), Bitboard(opponent))
                .map_err(|error| value_error(format!("position {at}: {error}")))
        })
        .collect()
}

pub(crate) fn same_length(name: &str, expected: usize, found: usize) -> PyResult<()> {
    if expected == found {
        return Ok(());
    }
    Err(value_error(format!(
        "{name}: expected {expected} numbers, found {found}"
    )))
}

/// Computes a number for each position, without the interpreter's lock.
fn map<'py, T: numpy::Element + Send>(
    py: Python<'py>,
    positions: Vec<Position>,
    compute: impl Fn(Position) -> T + Sync,
) -> Bound<'py, PyArray1<T>> {
    let numbers: Vec<T> = py.detach(|| positions.into_iter().map(&compute).collect());
    numbers.into_pyarray(py)
}

/// The legal moves of positions.
pub(crate) struct LegalMoves<'a>(pub(crate) &'a [Position]);

impl WithBackend for LegalMoves<'_> {
    type Output = Vec<u64>;

    fn run<B: Backend>(self, backend: B) -> Vec<u64> {
        backend.vectorize(
            #[inline(always)]
            || {
                let moves = self
                    .0
                    .iter()
                    .map(|&position| backend.legal_moves(position).0);
                moves.collect()
            },
        )
    }
}

#[pyfunction]
pub(crate) fn legal_moves<'py>(
    py: Python<'py>,
    own: Boards<'py>,
    opponent: Boards<'py>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let positions = positions(&own, &opponent)?;
    let moves = py.detach(|| Tier::best().dispatch(LegalMoves(&positions)));
    Ok(moves.into_pyarray(py))
}

/// The positions after a move each, from the opponent's point of view, or the index of the first illegal move.
struct Play<'a>(&'a [Position], &'a [u8]);

impl WithBackend for Play<'_> {
    type Output = Result<(Vec<u64>, Vec<u64>), usize>;

    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let Self(positions, squares) = self;
        backend.vectorize(
            #[inline(always)]
            || {
                let (mut own, mut opponent) = (
                    Vec::with_capacity(squares.len()),
                    Vec::with_capacity(squares.len()),
                );
                for (at, (&position, &square)) in positions.iter().zip(squares).enumerate() {
                    let next = match Square::from_index(square) {
                        Some(square) if backend.legal_moves(position).contains(square) => {
                            backend.play(position, square)
                        }
                        None if square == PASS && position.must_pass() => position.passed(),
                        _ => return Err(at),
                    };
                    own.push(next.own().0);
                    opponent.push(next.opponent().0);
                }
                Ok((own, opponent))
            },
        )
    }
}

type TwoArrays<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>);

#[pyfunction]
pub(crate) fn play<'py>(
    py: Python<'py>,
    own: Boards<'py>,
    opponent: Boards<'py>,
    squares: PyReadonlyArray1<'py, u8>,
) -> PyResult<TwoArrays<'py>> {
    let positions = positions(&own, &opponent)?;
    let squares = squares.as_slice()?;
    same_length("squares", positions.len(), squares.len())?;
    let played = py.detach(|| Tier::best().dispatch(Play(&positions, squares)));
    let (own, opponent) = played.map_err(|at| illegal(at, positions[at], squares[at]))?;
    Ok((own.into_pyarray(py), opponent.into_pyarray(py)))
}

/// Returns the error for an illegal move.
pub(crate) fn illegal(at: usize, mut position: Position, square: u8) -> PyErr {
    let expected = match Square::from_index(square) {
        Some(square) => position.play(square).err().map(|error| error.to_string()),
        None if square == PASS => Some("a pass is legal only without a move".to_owned()),
        None => None,
    };
    let reason = expected.unwrap_or_else(|| {
        format!("expected a square from 0 to 63 or {PASS} for a pass, found {square}")
    });
    value_error(format!("position {at}: {reason}"))
}

#[pyfunction]
pub(crate) fn score<'py>(
    py: Python<'py>,
    own: Boards<'py>,
    opponent: Boards<'py>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let positions = positions(&own, &opponent)?;
    Ok(map(py, positions, |position| {
        position.score(Empties::ToWinner).discs() as i8
    }))
}

#[pyfunction]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    own: Boards<'py>,
    opponent: Boards<'py>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(Network::built_in);
    let positions = positions(&own, &opponent)?;
    Ok(map(py, positions, |position| {
        NETWORK.evaluate(position).discs()
    }))
}

/// Random games to the end: their final scores from the side to move in the first position.
struct Playouts<'a>(&'a [Position], u64);

impl WithBackend for Playouts<'_> {
    type Output = Vec<i8>;

    fn run<B: Backend>(self, backend: B) -> Vec<i8> {
        let mut random = Random(self.1);
        let playout = |&position| {
            backend.vectorize(
                #[inline(always)]
                || playout(backend, position, &mut random),
            )
        };
        self.0.iter().map(playout).collect()
    }
}

#[inline(always)]
fn playout<B: Backend>(backend: B, mut position: Position, random: &mut Random) -> i8 {
    let mut sign = 1;
    loop {
        let moves = backend.legal_moves(position);
        let next = match random.choose(moves) {
            Some(square) => backend.play(position, square),
            None if backend.legal_moves(position.passed()).is_empty() => {
                return sign * position.score(Empties::ToWinner).discs() as i8;
            }
            None => position.passed(),
        };
        position = next;
        sign = -sign;
    }
}

#[pyfunction]
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    own: Boards<'py>,
    opponent: Boards<'py>,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let positions = positions(&own, &opponent)?;
    let scores = py.detach(|| Tier::best().dispatch(Playouts(&positions, seed)));
    Ok(scores.into_pyarray(py))
}

/// `SplitMix64` (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    /// Chooses one of the squares.
    #[inline(always)]
    fn choose(&mut self, squares: Bitboard) -> Option<Square> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let number = (z ^ z >> 31) >> 32;
        let rank = (number * u64::from(squares.count())) >> 32;
        let mut rest = squares.0;
        for _ in 0..rank {
            rest &= rest - 1;
        }
        Bitboard(rest).first()
    }
}
