//! The laws over random bytes and over the committed seeds of their fuzz targets.

mod go;
mod othello;
mod seeds;
