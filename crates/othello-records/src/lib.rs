#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod board;
mod brackets;
mod date;
mod error;
mod fen;
mod format;
pub mod ggf;
pub mod ggs;
mod input;
pub mod logbook;
mod losses;
pub mod nboard;
pub mod obf;
mod openings;
pub mod pgn;
pub mod quest;
mod record;
pub mod sgf;
#[cfg(test)]
mod tests;
pub mod transcript;
pub mod wthor;

pub use date::Date;
pub use error::{RecordError, RecordErrorKind};
pub use format::{DetectError, Format, ParseFormatError, write_text};
pub use losses::{Part, losses};
pub use openings::{Opening, Openings};
pub use record::{Clock, Note, Outcome, OutcomeKind, Player, Record, Remark, Value};
