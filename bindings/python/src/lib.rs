//! The native part of the Python package `othello_engine`.

mod batch;
mod board;
mod service;
mod vector_env;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{
        batch::{evaluate, legal_moves, play, playouts, score},
        board::Board,
        service::{Service, solve},
        vector_env::VectorEnv,
    };
}

/// Returns a Python `ValueError` with the text of an error.
fn value_error(error: impl std::fmt::Display) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(error.to_string())
}

/// Returns the error for a number that is not from 1 to a maximum.
fn range(field: &str, max: u64, found: u64) -> PyErr {
    value_error(format!(
        "{field}: expected a number from 1 to {max}, found {found}"
    ))
}
