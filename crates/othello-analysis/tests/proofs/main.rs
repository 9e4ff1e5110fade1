//! Proofs that the prover writes, against the checker in Rust and the one in Python.

mod damaged;
mod python;
mod round_trips;
mod support;
mod wthor;
