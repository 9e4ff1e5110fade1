//! SGF, the Smart Game Format: trees of nodes with properties, and game records in them.
//!
//! A [`Collection`] is the content of a file, for any game and any properties; a [`Record`] is the game of Go in its
//! main line. The version is FF\[4\] of Arno Hollosi's specification. Files of older versions, in which identifiers may
//! have lower-case letters, are accepted. Text is UTF-8 or ASCII; `boardgame_files::decode` converts other encodings.
//!
//! # Examples
//!
//! ```
//! use go_core::sgf::{Collection, Record};
//!
//! let text = "(;GM[1]FF[4]SZ[9]KM[5.5]PB[Ann]PW[Bob]RE[W+R];B[ee];W[cc](;B[gg])(;B[]))";
//! let collection: Collection = text.parse()?;
//! let record = Record::read(&collection, collection.games()[0])?;
//! assert_eq!(record.game.transcript().to_string(), "B E5, W C7, B G3");
//! assert_eq!(record.players.white, "Bob");
//! assert_eq!(record.to_string().parse::<Record>()?, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collection;
mod parse;
mod read;
mod record;
mod result;
mod value;
mod write;

pub use collection::{Collection, Node, NodeId, Property};
pub use parse::{MAX_DEPTH, ParseSgfError, ParseSgfErrorKind};
pub use read::{ParseRecordError, ReadRecordError, ReadRecordErrorKind};
pub use record::Record;
pub use result::{GameResult, ParseGameResultError, WinCause};
