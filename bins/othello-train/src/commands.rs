//! The commands of the program.

pub(crate) mod calibrate;
mod corpus;
mod engine;
pub(crate) mod fit;
pub(crate) mod generate;
pub(crate) mod levels;
pub(crate) mod manifest;
pub(crate) mod openings;
pub(crate) mod parity;
pub(crate) mod people;
mod problems;
mod progress;
pub(crate) mod quantize;
pub(crate) mod reproduce;
mod source;
pub(crate) mod strength;
pub(crate) mod suite;
