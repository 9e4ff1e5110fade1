//! The Generic Game Format (GGF): game records of the game server GGS and of NBoard.
//!
//! A record is a list of tags with values, such as
//! `(;GM[Othello]PB[Saio]PW[Logistello]TI[15:00]TY[8]BO[8 …64 squares… *]B[F5//0.53]W[D6/1.20/3.1];)`.
//! Source: the format's page of GGS (skatgame.net/mburo/ggsa/ggf), and what NBoard and NTest print.
//!
//! ```
//! use othello_proto::ggf::Record;
//!
//! let record = Record::parse(b"(;GM[Othello]PB[a]PW[b]TY[8]B[F5/1.2/3.4]W[d6];)")?;
//! assert_eq!(record.game()?.transcript().to_string(), "f5d6");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod item;
mod number;
mod parse;
mod record;

pub use clock::Clock;
pub use item::MoveItem;
pub use number::Value;
pub use record::{Outcome, OutcomeKind, PlayerInfo, Ply, Record, ReplayError};

pub(crate) use item::{MoveText, item, mv};
pub(crate) use number::{Seconds, seconds};
pub(crate) use parse::record;
