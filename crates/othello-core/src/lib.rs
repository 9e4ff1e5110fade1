//! The rules of Othello on bitboards.
//!
//! A [`Board`] has black and white discs and a side to move, as people and protocols describe it. A
//! [`Position`] has the same discs from the point of view of the side to move, as a search uses it.
//! A [`Game`] is a board with its history.
//!
//! # Examples
//!
//! Play a game and count its discs:
//!
//! ```
//! use othello_core::{Color, Empties, Game, Move};
//!
//! let mut game = Game::default();
//! for square in ["f5", "d6", "c3"] {
//!     game.play(square.parse::<Move>()?)?;
//! }
//! let board = game.board();
//! assert_eq!(board.side_to_move(), Color::White);
//! assert_eq!(board.score(Color::Black, Empties::OnBoard).discs(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Generate moves in a search:
//!
//! ```
//! use othello_core::{Position, Tier, perft};
//!
//! let position = Position::START;
//! for square in position.legal_moves() {
//!     let child = position.play_unchecked(square);
//!     assert_eq!(child.legal_moves().count(), 3);
//! }
//! assert_eq!(perft(position, 2, Tier::best()), 12);
//! ```
//!
//! # Features
//!
//! - `std` (default): detects the instruction sets of the CPU at run time.
//! - `alloc` (enabled by `std`): [`Game`], its transcripts, and problems in OBF.
//! - `serde`: serialization in text form. Enables `alloc`.
//!
//! Without `std` the crate is `no_std`; without `alloc` it does not allocate.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod backend;
mod bitboard;
mod board;
mod dispatch;
#[cfg(feature = "alloc")]
mod game;
mod game_trait;
mod moves;
#[cfg(feature = "alloc")]
mod obf;
mod perft;
mod position;
mod pretty;
mod score;
#[cfg(feature = "serde")]
mod serde_impls;
mod square;
mod symmetry;
mod text;
mod tier;
#[cfg(feature = "alloc")]
mod transcript;

mod arch;

pub use backend::{Backend, WithBackend};
pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use boardgame_core::{ByColor, Color, ParseColorError};
#[cfg(feature = "alloc")]
pub use game::Game;
pub use moves::{IllegalMove, IllegalReason, Move, ParseMoveError};
#[cfg(feature = "alloc")]
pub use obf::{ParseProblemError, Problem, ProblemPart};
pub use perft::{perft, perft_divide};
pub use position::{OverlapError, Position};
pub use pretty::Pretty;
pub use score::{Empties, Score};
pub use square::{ParseSquareError, Square};
pub use symmetry::Symmetry;
pub use text::{BoardPart, ParseBoardError, without_byte_order_mark};
pub use tier::{ParseTierError, Tier};
#[cfg(feature = "alloc")]
pub use transcript::{Transcript, TranscriptError, TranscriptErrorKind};
