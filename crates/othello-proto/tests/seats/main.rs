//! Sessions of one seat: under orders alone, and in games opposite a seat that speaks no format.

mod any_events;
mod gtp;
mod gui;
mod judge;
mod kit;
mod nboard;
mod referee;
