//! Many games at once, for reinforcement learning.

use numpy::{IntoPyArray as _, PyArray1, PyReadonlyArray1};
use othello_core::{Backend, Bitboard, Empties, Position, Square, Tier, WithBackend};
use pyo3::prelude::*;

use crate::{
    batch::{LegalMoves, illegal, same_length},
    range,
};

/// The maximum number of games, which take 400 MB.
const MAX_COUNT: usize = 1 << 24;

#[pyclass(module = "othello_engine")]
pub(crate) struct VectorEnv {
    positions: Vec<Position>,
    legal: Vec<u64>,
    /// True where White is to move.
    white: Vec<bool>,
}

type Array<'py, T> = Bound<'py, PyArray1<T>>;

#[pymethods]
impl VectorEnv {
    #[new]
    fn new(count: usize) -> PyResult<Self> {
        if count == 0 || count > MAX_COUNT {
            return Err(range("count", MAX_COUNT as u64, count as u64));
        }
        let mut env = Self {
            positions: vec![Position::START; count],
            legal: Vec::new(),
            white: vec![false; count],
        };
        env.restart();
        Ok(env)
    }

    fn __len__(&self) -> usize {
        self.positions.len()
    }

    fn reset(&mut self) {
        self.positions.fill(Position::START);
        self.white.fill(false);
        self.restart();
    }

    fn step<'py>(
        &mut self,
        py: Python<'py>,
        squares: PyReadonlyArray1<'py, u8>,
    ) -> PyResult<(Array<'py, i8>, Array<'py, bool>)> {
        let squares = squares.as_slice()?;
        same_length("squares", self.positions.len(), squares.len())?;
        // Nothing is played if a move is illegal.
        let is_legal = |(&square, &legal): (&u8, &u64)| square < 64 && legal >> square & 1 == 1;
        if let Some(at) = squares
            .iter()
            .zip(&self.legal)
            .position(|pair| !is_legal(pair))
        {
            return Err(illegal(at, self.positions[at], squares[at]));
        }
        let (scores, over) = py.detach(|| Tier::best().dispatch(Step { env: self, squares }));
        Ok((scores.into_pyarray(py), over.into_pyarray(py)))
    }

    #[getter]
    fn own<'py>(&self, py: Python<'py>) -> Array<'py, u64> {
        let own = self.positions.iter().map(|position| position.own().0);
        PyArray1::from_iter(py, own)
    }

    #[getter]
    fn opponent<'py>(&self, py: Python<'py>) -> Array<'py, u64> {
        let opponent = self.positions.iter().map(|position| position.opponent().0);
        PyArray1::from_iter(py, opponent)
    }

    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> Array<'py, u64> {
        PyArray1::from_slice(py, &self.legal)
    }

    #[getter]
    fn white_to_move<'py>(&self, py: Python<'py>) -> Array<'py, bool> {
        PyArray1::from_slice(py, &self.white)
    }
}

impl VectorEnv {
    fn restart(&mut self) {
        self.legal = Tier::best().dispatch(LegalMoves(&self.positions));
    }
}

/// A legal move in each game. Forced passes are played, and a finished game begins anew.
struct Step<'a> {
    env: &'a mut VectorEnv,
    squares: &'a [u8],
}

impl WithBackend for Step<'_> {
    /// The final scores of Black, 0 in games that go on, and which games have ended.
    type Output = (Vec<i8>, Vec<bool>);

    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let Self { env, squares } = self;
        let (mut scores, mut over) = (vec![0; squares.len()], vec![false; squares.len()]);
        backend.vectorize(
            #[inline(always)]
            || {
                let start_moves = backend.legal_moves(Position::START);
                for (at, &square) in squares.iter().enumerate() {
                    let Some(square) = Square::from_index(square) else {
                        continue;
                    };
                    let mut position = backend.play(env.positions[at], square);
                    let mut white = !env.white[at];
                    let mut legal: Bitboard = backend.legal_moves(position);
                    if legal.is_empty() {
                        position = position.passed();
                        white = !white;
                        legal = backend.legal_moves(position);
                        if legal.is_empty() {
                            let score = position.score(Empties::ToWinner).discs() as i8;
                            scores[at] = if white { -score } else { score };
                            over[at] = true;
                            (position, white, legal) = (Position::START, false, start_moves);
                        }
                    }
                    env.positions[at] = position;
                    env.white[at] = white;
                    env.legal[at] = legal.0;
                }
            },
        );
        (scores, over)
    }
}
