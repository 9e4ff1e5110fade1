#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod board;
mod brackets;
mod continuations;
mod date;
mod error;
mod fen;
mod format;
mod ggf;
mod ggs;
mod input;
mod logbook;
mod losses;
mod nboard;
mod obf;
mod openings;
mod pgn;
mod quest;
mod record;
mod sgf;
#[cfg(test)]
mod tests;
mod transcript;
pub mod wthor;

pub use continuations::{Continuation, Continuations};
pub use date::Date;
pub use error::{RecordError, RecordErrorKind};
pub use format::{DetectError, Format, ParseFormatError, write_text};
pub use losses::{Part, losses};
pub use openings::{Opening, Openings};
pub use record::{Clock, Note, Outcome, OutcomeKind, Player, Record, Remark, Value};
