//! The commands of the program.

pub(crate) mod fit;
pub(crate) mod generate;
pub(crate) mod manifest;
pub(crate) mod predict;
mod source;
pub(crate) mod strength;
mod weights;
