//! A game in progress.

use std::{
    fmt::Write as _,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use othello_core::{Bitboard, ByColor, Color, Empties, Game, Move, Square, Symmetry, Tier};
use pyo3::prelude::*;

use crate::value_error;

#[pyclass(module = "othello_engine", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct Board(Game);

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (text=None))]
    fn new(text: Option<&str>) -> PyResult<Self> {
        let start = text.map(|text| text.parse().map_err(value_error));
        let start = start.unwrap_or(Ok(othello_core::Board::START))?;
        Ok(Self(Game::new(start)))
    }

    #[staticmethod]
    fn from_moves(moves: &str) -> PyResult<Self> {
        moves.parse().map(Self).map_err(value_error)
    }

    #[staticmethod]
    #[pyo3(signature = (black, white, turn="black"))]
    fn from_bitboards(black: u64, white: u64, turn: &str) -> PyResult<Self> {
        let side = color_of("turn", turn)?;
        let discs = ByColor {
            black: Bitboard(black),
            white: Bitboard(white),
        };
        let board = othello_core::Board::from_discs(discs, side).map_err(value_error)?;
        Ok(Self(Game::new(board)))
    }

    fn play(&mut self, mv: &str) -> PyResult<()> {
        let mv: Move = mv.parse().map_err(value_error)?;
        self.0.play(mv).map_err(value_error)
    }

    fn undo(&mut self) -> Option<String> {
        self.0.undo().map(|mv| mv.to_string())
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        let moves = self.0.board().legal_moves();
        moves.iter().map(|square| square.to_string()).collect()
    }

    #[getter]
    fn must_pass(&self) -> bool {
        self.0.board().must_pass()
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    #[getter]
    fn turn(&self) -> &'static str {
        name(self.0.side_to_move())
    }

    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves().iter().map(Move::to_string).collect()
    }

    #[getter]
    fn transcript(&self) -> String {
        self.0.transcript().to_string()
    }

    #[getter]
    fn start(&self) -> Self {
        Self(Game::new(self.0.start()))
    }

    #[getter]
    fn black(&self) -> u64 {
        self.0.board().discs(Color::Black).0
    }

    #[getter]
    fn white(&self) -> u64 {
        self.0.board().discs(Color::White).0
    }

    #[getter]
    fn own(&self) -> u64 {
        self.0.board().position().own().0
    }

    #[getter]
    fn opponent(&self) -> u64 {
        self.0.board().position().opponent().0
    }

    #[pyo3(signature = (color="black"))]
    fn score(&self, color: &str) -> PyResult<i32> {
        let color = color_of("color", color)?;
        Ok(self.0.board().score(color, Empties::ToWinner).discs())
    }

    fn symmetries(&self) -> Vec<Self> {
        let board = self.0.board();
        let turned = |symmetry: Symmetry| {
            let position = symmetry.position(board.position());
            Self(Game::new(othello_core::Board::new(
                position,
                board.side_to_move(),
            )))
        };
        Symmetry::ALL.map(turned).into()
    }

    fn canonical(&self) -> Self {
        let board = self.0.board();
        let position = board.position().canonical().0;
        Self(Game::new(othello_core::Board::new(
            position,
            board.side_to_move(),
        )))
    }

    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        let position = self.0.board().position();
        py.detach(|| othello_core::perft(position, depth, Tier::best()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.board().hash(&mut hasher);
        self.0.moves().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.0.board().to_string()
    }

    fn __repr__(&self) -> String {
        self.0.board().pretty().last_move(self.last()).to_string()
    }

    fn _repr_svg_(&self) -> String {
        let mut svg = String::from(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8.4 8.4" width="320"><rect width="8.4" height="8.4" fill="#222"/><g transform="translate(.2 .2)">"##,
        );
        let legal = self.0.board().legal_moves();
        for square in Square::ALL {
            let (x, y) = (square.column(), square.row());
            let _ = write!(
                svg,
                r##"<rect x="{x}.02" y="{y}.02" width=".96" height=".96" fill="#2a7f4f"/>"##
            );
            let (fill, radius) = match self.0.board().disc(square) {
                Some(Color::Black) => ("#000", ".4"),
                Some(Color::White) => ("#fff", ".4"),
                None if legal.contains(square) => ("#1c5c38", ".12"),
                None => continue,
            };
            let _ = write!(
                svg,
                r#"<circle cx="{x}.5" cy="{y}.5" r="{radius}" fill="{fill}"/>"#
            );
            if self.last() == Some(square) {
                let _ = write!(
                    svg,
                    r##"<circle cx="{x}.5" cy="{y}.5" r=".1" fill="#d33"/>"##
                );
            }
        }
        svg + "</g></svg>"
    }
}

impl Board {
    fn last(&self) -> Option<Square> {
        self.0.last_move().and_then(Move::square)
    }
}

fn color_of(field: &str, text: &str) -> PyResult<Color> {
    match text {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => Err(value_error(format!(
            "{field}: expected black or white, found {text:?}"
        ))),
    }
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}
