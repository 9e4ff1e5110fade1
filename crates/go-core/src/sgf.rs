//! SGF, the Smart Game Format: records of games of Go.
//!
//! A [`Record`] is the game in the main line of the first tree of a file. The version is FF\[4\] of Arno Hollosi's
//! specification. Files of older versions, in which identifiers may have lower-case letters, are accepted, and so is
//! what [`RecordLeniency`] names. Text is UTF-8 or ASCII; `boardgame_files::decode` converts other encodings.
//!
//! # Examples
//!
//! ```
//! use go_core::sgf::Record;
//!
//! let text = "(;GM[1]FF[4]SZ[9]KM[5.5]PB[Ann]PW[Bob]RE[W+R];B[ee];W[cc](;B[gg])(;B[]))";
//! let record: Record = text.parse()?;
//! assert_eq!(record.game.transcript().to_string(), "B E5, W C7, B G3");
//! assert_eq!(record.players.white, "Bob");
//! assert_eq!(record.to_string().parse::<Record>()?, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod parse;
mod read;
mod record;
mod result;
mod value;

pub use error::{ParseRecordError, ParseRecordErrorKind, RecordLeniency, RecordLeniencyKind};
pub use parse::{MAX_DEPTH, games};
pub use read::ReadRecord;
pub use record::{AnnotatedRecord, Annotation, Record};
pub use result::{GameResult, ParseGameResultError, WinCause};
