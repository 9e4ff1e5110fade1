//! Sessions of one seat: under orders alone, and in games opposite a seat that speaks no format.

mod gui;
mod judge;
mod kit;
