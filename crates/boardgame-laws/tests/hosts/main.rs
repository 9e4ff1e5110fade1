//! Games at the hosts of all formats, between scripted programs and between our own players.

mod byte_order_mark;
mod codewarriors;
mod gui;
mod kit;
mod lth;
mod sloan;
