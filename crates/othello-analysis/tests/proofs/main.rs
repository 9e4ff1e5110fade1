//! Proofs of the prover, tested with the checkers in Rust and Python.

mod damaged;
mod python;
mod round_trips;
mod support;
mod wthor;
