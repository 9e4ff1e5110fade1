#![doc = include_str!("../README.md")]
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(feature = "arbitrary")]
mod arbitrary_impls;
mod backend;
mod bitboard;
mod board;
#[cfg(feature = "alloc")]
pub mod conformance;
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
mod reader;
mod score;
#[cfg(feature = "serde")]
mod serde_impls;
mod square;
#[cfg(feature = "proptest")]
pub mod strategies;
mod symmetry;
mod text;
mod tier;
#[cfg(feature = "alloc")]
mod transcript;

mod arch;

pub use backend::{Backend, WithBackend};
pub use bitboard::{Bitboard, Squares, Subsets};
pub use board::Board;
pub use boardgame_core::{ByColor, Color, ParseTextError};
#[cfg(feature = "alloc")]
pub use game::Game;
pub use moves::{IllegalMove, IllegalReason, Move};
#[cfg(feature = "alloc")]
pub use obf::{ParseProblemError, Problem, ProblemPart, ReadProblemsError};
pub use perft::{perft, perft_divide};
pub use position::{OverlapError, Position};
pub use pretty::Pretty;
pub use reader::{BoardLine, BoardPart, BoardReading, ParseBoardError};
pub use score::{Empties, Score};
pub use square::Square;
pub use symmetry::Symmetry;
pub use tier::Tier;
#[cfg(feature = "alloc")]
pub use transcript::{Transcript, TranscriptError, TranscriptErrorKind};
