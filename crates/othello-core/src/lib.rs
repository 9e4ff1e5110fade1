//! The rules of Othello on bitboards.
//!
//! A [`Board`] knows black from white and is what people and protocols speak of; a [`Position`]
//! is the same discs seen from the side to move and is what a search works on; a [`Game`] is a
//! board with its history.
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
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod bitboard;
mod board;
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
pub use tier::{Backend, ParseTierError, Tier, WithBackend};
#[cfg(feature = "alloc")]
pub use transcript::{Transcript, TranscriptError, TranscriptErrorKind};
