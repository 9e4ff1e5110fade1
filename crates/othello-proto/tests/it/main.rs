//! The formats from outside: documents, dialogues, whole games, properties.

mod codewarriors;
mod every_format;
mod gtp;
mod gui;
mod last_moment;
mod lth;
mod nboard;
mod transcript;
